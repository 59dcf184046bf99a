"""The score from which on a label belongs to a set, for the best F1, learned from scores of examples that were held out.

    t_k  = lam_k b_k + (1 - lam_k) g,    lam_k = n_k / (n_k + 10)

b_k is the threshold with the best F1 of label k alone, and n_k the number of its examples. g is one number for all
labels: the one for which the thresholds t have the best F1 together, or 0 if none is better. That F1 is micro, over all
single decisions, or macro, the mean over labels. A rare label is not trusted with a threshold of its own: without g,
the threshold of a label with one example would be just below the score of that example (Yang 2001, "A study of
thresholding strategies for text categorization"; Fan and Lin 2007).

A threshold lies in the middle between two scores. Only the largest 10 n_k + 100 scores of a label are kept, since F1 below them
is less than 2/11; so scores can come in pieces, and 10,000 labels of 200,000 examples fit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from linnet.errors import DataError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_TRUST = 10
"""The number of examples of a label from which on its own threshold counts more than that of all labels."""
_KEPT_PER_EXAMPLE, _KEPT_AT_LEAST = 10, 100
"""The number of scores of a label that are kept: so many for each of its examples, and so many more."""
_GRID = 201
"""The number of values of g that are tried."""


@dataclass(frozen=True)
class _Scored:
    """Scores of single labels, in three columns that are sorted by label and then from the largest score on."""

    label: Ints
    score: npt.NDArray[np.float32]
    right: npt.NDArray[np.bool_]
    """Whether the example has the label."""

    def plus(self, label: Ints, score: npt.NDArray[np.float32], right: npt.NDArray[np.bool_]) -> _Scored:
        """These scores and others, sorted again."""
        label, score = np.concatenate([self.label, label]), np.concatenate([self.score, score])
        right = np.concatenate([self.right, right])
        order = np.lexsort((-score, label))
        return _Scored(label[order], score[order], right[order])

    def starts(self, n_labels: int) -> Ints:
        """Where the scores of each label begin, and where the last ones end."""
        return np.searchsorted(self.label, np.arange(n_labels + 1))

    def rank(self, starts: Ints) -> Ints:
        """The rank of each score within its label, 1 for the largest."""
        return np.arange(1, len(self.label) + 1) - starts[self.label]


def thresholds(
    scores: npt.NDArray[np.floating] | Iterable[npt.NDArray[np.floating]],
    y: npt.NDArray[np.int32],
    y_at: npt.NDArray[np.int64],
    measure: str = "micro",
) -> Floats:
    """The threshold t of each label, which belongs to a set where its score is above t.

    scores: of held-out examples, a column for each label; or pieces of such a table, in order.
    y, y_at: their gold sets, each as the number of its labels and then those.
    measure: micro or macro.

    >>> y, y_at = np.array([1, 0, 1, 0, 0, 0], np.int32), np.array([0, 2, 4, 5, 6])
    >>> thresholds(np.array([[-0.2], [-0.4], [-0.8], [-1.0]]), y, y_at).round(2).tolist()
    [-0.43]
    """
    sizes = y[y_at[:-1]]
    gold = np.repeat(np.arange(len(sizes)), sizes), np.delete(y, y_at[:-1]).astype(np.int64)
    kept, n_k = _largest([scores] if isinstance(scores, np.ndarray) else scores, *gold, len(sizes))
    starts = kept.starts(len(n_k))
    own, has_own = _own(kept, n_k, starts)
    if not has_own.any():
        return np.zeros(len(n_k))
    lam = np.where(has_own, n_k / (n_k + _TRUST), 0)
    grid = np.append(0.0, np.quantile(kept.score[kept.right].astype(np.float64), np.linspace(0, 1, _GRID)))
    t: Floats = lam * own + (1 - lam) * grid[:, None]
    best: Floats = t[int(np.argmax(_f1(kept, n_k, starts, t, measure)))]
    return best


def _largest(pieces: Iterable[npt.NDArray[np.floating]], example: Ints, label: Ints, n: int) -> tuple[_Scored, Ints]:
    """The largest scores of each label, and how many examples each label has. `pieces` are the rows of a table, examples x
    labels, some at a time; `example` and `label` pair the n examples with their gold labels, in the order of examples."""
    kept, at, bound = None, 0, np.zeros(0)
    n_k = most = np.zeros(0, np.int64)
    for piece in pieces:
        if kept is None:
            n_k = np.bincount(label, minlength=piece.shape[1])
            kept = _Scored(np.zeros(0, np.int64), np.zeros(0, np.float32), np.zeros(0, np.bool_))
            most = _KEPT_PER_EXAMPLE * n_k + _KEPT_AT_LEAST
            bound = np.array([_bound(column, n) for column, n in zip(piece.T, most.tolist(), strict=True)])
        right = np.zeros(piece.shape, np.bool_)
        begin, end = np.searchsorted(example, [at, at + len(piece)])
        right[example[begin:end] - at, label[begin:end]] = True
        row, column = np.nonzero(piece > bound)
        kept = kept.plus(column, piece[row, column].astype(np.float32), right[row, column])
        starts = kept.starts(len(n_k))
        rank = kept.rank(starts)
        full = np.diff(starts) > most
        bound[full] = kept.score[(starts[:-1] + most)[full]]
        inside = rank <= most[kept.label]
        kept = _Scored(kept.label[inside], kept.score[inside], kept.right[inside])
        at += len(piece)
    if kept is None or at != n:
        raise DataError(f"expected the scores of {n} examples, found {at}.")
    return kept, n_k


def _bound(column: npt.NDArray[np.floating], most: int) -> float:
    """A bound that at most `most` of the scores are above."""
    return float(-np.partition(-column, most)[most]) if len(column) > most else -np.inf


def _own(kept: _Scored, n_k: Ints, starts: Ints) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """The threshold of each label with the best F1 of that label alone, the highest of equals; and a flag for each label
    that has one."""
    rank, label = kept.rank(starts), kept.label
    found = np.cumsum(kept.right)
    before = np.concatenate([[0], found])[starts[:-1]]
    right = found - before[label]
    is_last = np.append(label[1:] != label[:-1], True)
    falls = is_last | np.append(kept.score[1:] < kept.score[:-1], True)
    f1 = np.where(falls, 2 * right / (rank + n_k[label]), 0)
    best = np.full(len(n_k), -1)
    order = np.lexsort((rank, -f1, label))
    has_any = np.diff(starts) > 0
    best[has_any] = order[starts[:-1][has_any]]
    has_own = has_any & (n_k > 0)
    has_own[has_own] = f1[best[has_own]] > 0
    own = np.zeros(len(n_k))
    at = best[has_own]
    score = kept.score.astype(np.float64)
    below = np.append(score[1:], 0)[at]
    # No score follows the last one of a label, so its threshold is just below it.
    below[is_last[at]] = (score[at] - 2e-6 * np.maximum(1, np.abs(score[at])))[is_last[at]]
    own[has_own] = (score[at] + below) / 2
    return own, has_own


def _f1(kept: _Scored, n_k: Ints, starts: Ints, t: Floats, measure: str) -> Floats:
    """F1 of each row of thresholds, by the measure."""
    right, guessed = (np.zeros(t.shape, np.int64) for _ in range(2))
    found = np.concatenate([[0], np.cumsum(kept.right)])
    for k in range(len(n_k)):
        begin, end = starts[k], starts[k + 1]
        above = begin + np.searchsorted(-kept.score[begin:end], -t[:, k], side="left")
        guessed[:, k], right[:, k] = above - begin, found[above] - found[begin]
    f1: Floats
    if measure == "micro":
        f1 = 2 * right.sum(axis=1) / np.maximum((guessed + n_k).sum(axis=1), 1)
    elif measure == "macro":
        f1 = np.mean(2 * right / np.maximum(guessed + n_k, 1), axis=1, where=(guessed + n_k) > 0)
    else:
        raise ValueError(f"expected micro or macro, found {measure!r}")
    return f1
