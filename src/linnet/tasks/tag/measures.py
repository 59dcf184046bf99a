"""Measures for tags: accuracy of tokens and of whole sentences; precision, recall and F1 of spans, as conlleval counts.

    precision = right / predicted,  recall = right / gold,  F1 = 2 right / (predicted + gold)

A span is right if its type and both its borders are (Tjong Kim Sang and Buchholz 2000).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from linnet.core.types import Integers, Json
from linnet.errors import DataError
from linnet.evaluate.sentences import per_sentence
from linnet.report.shown import Shown
from linnet.structures.schemes import Bools, Coded, Ints, Tags, as_list, as_starts, code, read, scheme_of

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class TypeScore:
    """How right the spans of one type are."""

    precision: float
    recall: float
    f1: float
    gold: int
    predicted: int


@dataclass(frozen=True)
class TagScore:
    """How right the tokens with one tag are."""

    precision: float
    recall: float
    f1: float
    count: int


@dataclass(frozen=True, repr=False)
class TagsReport(Shown):
    """How right tags are. `precision`, `recall` and `f1` are those of spans; they are None where gold tags do not mark
    spans."""

    drawn_by: ClassVar[str] = "linnet.tasks.tag.terminal:tags_report"

    n_tokens: int
    n_sentences: int
    token_accuracy: float
    sentence_accuracy: float
    precision: float | None
    recall: float | None
    f1: float | None
    per_type: dict[str, TypeScore]
    per_tag: dict[str, TagScore]
    confusion: Ints
    """How many tokens with each tag, in the order of `per_tag`, got each other: gold tags down, predicted ones across."""
    known_accuracy: float | None = None
    unknown_accuracy: float | None = None

    def as_dict(self) -> dict[str, Json]:
        """The JSON object of `linnet evaluate --json`. Figures that are None are left out."""
        out: dict[str, Json] = {
            k: v for k, v in vars(self).items() if v is not None and k not in ("per_type", "per_tag", "confusion")
        }
        if self.f1 is not None:
            out["per_type"] = {kind: vars(score) for kind, score in self.per_type.items()}
        out["per_tag"] = {tag: vars(score) for tag, score in self.per_tag.items()}
        out["confusion"] = self.confusion.tolist()
        return out


def evaluate_tags(gold: Tags, predicted: Tags, starts: npt.ArrayLike, known: npt.ArrayLike | None = None) -> TagsReport:
    """Compare the tags of all tokens. Sentence s has the tokens starts[s]:starts[s + 1].

    `known` says of each token whether its word was seen in training.

    >>> report = evaluate_tags(["B-PER", "I-PER", "O", "B-LOC"], ["B-PER", "I-PER", "O", "B-PER"], [0, 3, 4])
    >>> report.token_accuracy, report.sentence_accuracy, report.f1, report.per_type["PER"].precision
    (0.75, 0.5, 0.5, 0.5)
    """
    n = len(gold)
    if len(predicted) != n:
        raise DataError(f"expected as many predicted tags as gold tags, found {len(predicted)} and {n}.")
    if not n:
        raise DataError("there is nothing to evaluate: no tokens.")
    both, starts = code(as_list(gold) + as_list(predicted)), as_starts(starts, n)
    spans = _spans(both, starts, n)
    right = both.codes[:n] == both.codes[n:]
    known_accuracy, unknown_accuracy = (None, None) if known is None else _by_known(right, known)
    precision, recall, f1 = _shares(*spans.sum(axis=1)) if spans.any() else (None, None, None)
    return TagsReport(
        n_tokens=n,
        n_sentences=int(np.count_nonzero(np.diff(starts))),
        token_accuracy=float(right.mean()),
        sentence_accuracy=_sentence_accuracy(right, starts),
        precision=precision,
        recall=recall,
        f1=f1,
        per_type={
            k: TypeScore(*_shares(*row), int(row[2]), int(row[1])) for k, row in zip(both.types, spans.T, strict=False)
        },
        per_tag=_per_tag(both, n),
        confusion=_confusion(both, n),
        known_accuracy=known_accuracy,
        unknown_accuracy=unknown_accuracy,
    )


def tokens_of_sentences(right: Bools, starts: Ints) -> tuple[Floats, Floats]:
    """The number of right tokens of each sentence, and the number of its tokens."""
    return per_sentence(right, starts).astype(np.float64), np.diff(starts).astype(np.float64)


def spans_of_sentences(gold: Tags, predicted: Tags, starts: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
    """The numbers of right, predicted and gold spans of each sentence.

    >>> [part.tolist() for part in spans_of_sentences(["B-X", "O", "B-Y"], ["B-X", "B-X", "B-Z"], [0, 2, 3])]
    [[1.0, 0.0], [2.0, 1.0], [1.0, 1.0]]
    """
    n = len(gold)
    both, starts = code(as_list(gold) + as_list(predicted)), as_starts(starts, n)
    found = _read_spans(both, starts, n)
    parts = (found.begin[: found.n_gold][found.right], found.begin[found.n_gold :] - n, found.begin[: found.n_gold])
    counts = [np.bincount(np.searchsorted(starts, at, "right") - 1, minlength=len(starts) - 1) for at in parts]
    right, of_predicted, of_gold = (count.astype(np.float64) for count in counts)
    return right, of_predicted, of_gold


class _Spans(NamedTuple):
    """Gold spans followed by predicted ones: where they begin (predicted ones n tokens further on), their types, the number of
    gold spans, and which of these are right."""

    begin: Ints
    kind: Integers
    n_gold: int
    right: Bools


def _read_spans(both: Coded, starts: Ints, n: int) -> _Spans:
    reading = read(both, np.concatenate([starts, starts[1:] + n]))
    begin, end = np.flatnonzero(reading.begins), np.flatnonzero(reading.ends)
    n_gold = int(np.searchsorted(begin, n))
    kind = reading.kind[begin]
    end_of = np.full(2 * n, -1)
    end_of[begin] = end
    # A gold span is right if one of its type begins and ends n tokens further on, among the predicted ones.
    right = (end_of[begin[:n_gold] + n] == end[:n_gold] + n) & (reading.kind[begin[:n_gold] + n] == kind[:n_gold])
    return _Spans(begin, kind, n_gold, right)


def _spans(both: Coded, starts: Ints, n: int) -> Ints:
    """The numbers of right, predicted and gold spans of each type. There are no types if the gold tags do not mark spans."""
    counts = np.zeros((3, len(both.types)), np.int64)
    if scheme_of(both.names[k] for k in np.unique(both.codes[:n])) is None:
        return counts[:, :0]
    found = _read_spans(both, starts, n)
    gold, predicted = found.kind[: found.n_gold], found.kind[found.n_gold :]
    for row, kinds in enumerate((gold[found.right], predicted, gold)):
        counts[row] = np.bincount(kinds, minlength=len(both.types))
    return counts


def _shares(right: int, predicted: int, gold: int) -> tuple[float, float, float]:
    """Precision, recall and F1; 0 where there is nothing to divide by."""
    return (
        float(right / predicted) if predicted else 0.0,
        float(right / gold) if gold else 0.0,
        float(2 * right / (predicted + gold)) if predicted + gold else 0.0,
    )


def _per_tag(both: Coded, n: int) -> dict[str, TagScore]:
    y, y_hat, n_tags = both.codes[:n], both.codes[n:], len(both.names)
    count, guessed = np.bincount(y, minlength=n_tags), np.bincount(y_hat, minlength=n_tags)
    right = np.bincount(y[y == y_hat], minlength=n_tags)
    tags = sorted(range(n_tags), key=both.names.__getitem__)
    return {both.names[k]: TagScore(*_shares(right[k], guessed[k], count[k]), int(count[k])) for k in tags}


def _confusion(both: Coded, n: int) -> Ints:
    """How often each gold tag got each other one, both in the order of their names."""
    order, n_tags = np.argsort(np.array(both.names, np.object_), kind="stable"), len(both.names)
    pairs = np.bincount(both.codes[:n].astype(np.int64) * n_tags + both.codes[n:], minlength=n_tags * n_tags)
    return pairs.reshape(n_tags, n_tags)[np.ix_(order, order)]


def _sentence_accuracy(right: Bools, starts: Ints) -> float:
    """The share of sentences, among those with tokens, that are right as a whole."""
    wrong = per_sentence(~right, starts)[np.diff(starts) > 0]
    return float(np.mean(wrong == 0))


def _by_known(right: Bools, known: npt.ArrayLike) -> tuple[float | None, float | None]:
    """The accuracy on known words and on unknown ones; None where there are no such words."""
    known = np.asarray(known, bool)
    if known.shape != right.shape:
        raise DataError(f"expected for each of {len(right)} words whether it is known, found {known.size} values.")
    return (
        float(right[known].mean()) if known.any() else None,
        float(right[~known].mean()) if not known.all() else None,
    )
