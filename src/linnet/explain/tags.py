"""One sentence: why each token has its tag and not the next best one.

    w.f(x, y) - w.f(x, y') = sum over the places where y and y' differ of their features, and of their pairs of tags

y is the best sequence and y' the best of those that have another tag at the token. Nothing is estimated: the contributions sum
to the difference of the scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from linnet.features.text import SparseRows

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Part:
    """A feature of a token, or a pair of tags, and what it adds to the tag against the other."""

    token: int
    what: str
    contribution: float


@dataclass(frozen=True)
class TagExplanation:
    """Why `tag` and not `against`: the contributions sum to the score."""

    token: int
    word: str
    tag: str
    against: str
    score: float
    contributions: tuple[Part, ...]


def explain_tags(
    words: Sequence[str],
    rows: SparseRows,
    names: Sequence[str],
    weights: Sequence[npt.NDArray[np.float32]],
    labels: Sequence[str],
    legal: tuple[npt.NDArray[np.bool_], ...] | None,
) -> list[TagExplanation]:
    """An explanation for each token. `names` has the name of every feature in `rows`, in their order."""
    if not words:
        return []
    L = len(labels)
    emit = _emissions(rows, weights[0][:, :L].astype(np.float64))
    trans = weights[1][0, : L * L].astype(np.float64).reshape(L, L)
    follows, first, last = legal or (np.ones((L, L), np.bool_), np.ones(L, np.bool_), np.ones(L, np.bool_))
    allowed = np.where(follows, trans, -np.inf)
    scored = emit.copy()
    scored[0, ~first] = -np.inf
    scored[-1, ~last] = -np.inf
    best = _viterbi(scored, allowed)
    through = _best_through(scored, allowed)
    found = []
    for t, tag in enumerate(best):
        through[t, tag] = -np.inf
        forced = scored.copy()
        forced[t, np.arange(L) != np.argmax(through[t])] = -np.inf
        other = _viterbi(forced, allowed)
        parts = _differences(best, other, rows, names, weights[0], trans, labels)
        score = sum(part.contribution for part in parts)
        found.append(TagExplanation(t, words[t], labels[tag], labels[other[t]], score, tuple(parts)))
    return found


def _emissions(rows: SparseRows, W: Floats) -> Floats:
    return np.array(
        [
            W[0] + rows.values[a:b].astype(np.float64) @ W[1 + rows.indices[a:b].astype(np.int64)]
            for a, b in pairwise(rows.indptr)
        ]
    )


def _viterbi(emit: Floats, trans: Floats) -> list[int]:
    best, back = emit[0], []
    for row in emit[1:]:
        scores = best[:, None] + trans
        back.append(np.argmax(scores, axis=0))
        best = scores.max(axis=0) + row
    tags = [int(np.argmax(best))]
    for before in reversed(back):
        tags.append(int(before[tags[-1]]))
    return tags[::-1]


def _best_through(emit: Floats, trans: Floats) -> Floats:
    """The score of the best sequence that has tag c at token t, for all t and c."""
    ahead, behind = emit.copy(), np.zeros_like(emit)
    for t in range(1, len(emit)):
        ahead[t] += (ahead[t - 1][:, None] + trans).max(axis=0)
    for t in range(len(emit) - 2, -1, -1):
        behind[t] = (trans + emit[t + 1] + behind[t + 1]).max(axis=1)
    return ahead + behind


def _differences(
    y: Sequence[int],
    other: Sequence[int],
    rows: SparseRows,
    names: Sequence[str],
    W: npt.NDArray[np.float32],
    trans: Floats,
    labels: Sequence[str],
) -> list[Part]:
    parts = []
    for t, (a, b) in enumerate(zip(y, other, strict=True)):
        if a != b:
            parts.append(Part(t, "bias", float(W[0, a]) - float(W[0, b])))
            for k in range(rows.indptr[t], rows.indptr[t + 1]):
                row = W[1 + int(rows.indices[k])]
                parts.append(Part(t, names[k], float(rows.values[k]) * (float(row[a]) - float(row[b]))))
        if t and (y[t - 1], a) != (other[t - 1], b):
            parts.append(Part(t, f"{labels[a]} after {labels[y[t - 1]]}", float(trans[y[t - 1], a])))
            parts.append(Part(t, f"not {labels[b]} after {labels[other[t - 1]]}", -float(trans[other[t - 1], b])))
    return sorted(parts, key=lambda part: -abs(part.contribution))
