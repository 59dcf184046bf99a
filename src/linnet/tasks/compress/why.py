"""Explaining one sentence: why each token is kept or dropped.

    w.f(x, y) - w.f(x, y') = sum over the tokens and the pairs of kept neighbours in which y and y' differ

y is the best compression and y' the best of those that decide otherwise about the token. The contributions sum to the
difference of the scores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.structures.compression import Compression
from linnet.tasks.tag.why import Part, TagExplanation, TagExplanations

Floats = npt.NDArray[np.float32]
Features = list[list[tuple[str, float, Floats]]]
"""The features of each place: name, value, and the weights of the outcomes."""


def explain_compression(
    words: Sequence[str],
    tokens: Features,
    pairs: Features,
    gen: Compression,
    labels: Sequence[str],
) -> TagExplanations:
    """An explanation for each token; the first feature of each place is its bias."""
    theta = [_scores(tokens, 2), _scores(pairs, 1)]
    best = _best(gen, theta)
    place = {key: k for k, key in enumerate(zip(*(side.tolist() for side in gen.pairs(len(words))), strict=True))}
    found = TagExplanations()
    for t, word in enumerate(words):
        forced = theta[0].copy()
        forced[t, best[t]] = -1e9  # so low that no best compression decides about the token as before
        other = _best(gen, [forced, theta[1]])
        parts = _token_parts(best, other, tokens)
        parts += _pair_parts(best, other, pairs, place, gen.reach, lambda i: shown_word(words, i))
        parts.sort(key=lambda part: -abs(part.contribution))
        score = sum(part.contribution for part in parts)
        found.append(TagExplanation(t, word, labels[best[t]], labels[other[t]], score, tuple(parts)))
    return found


def _scores(places: Features, n_outcomes: int) -> Floats:
    theta = [sum((value * row for _, value, row in features), np.zeros(n_outcomes)) for features in places]
    return np.array(theta, np.float32).reshape(len(places), n_outcomes)


def _best(gen: Compression, theta: Sequence[Floats]) -> list[int]:
    """The best output for these scores, found by a predictor in which each place has one feature of its own."""
    weights = [np.vstack([np.zeros((1, table.shape[1]), np.float32), table]) for table in theta]
    y_hat: list[int] = Predictor(gen, weights).argmax(tuple(_identity(len(table)) for table in theta))[0].tolist()
    return y_hat


def _identity(n: int) -> Block:
    at = np.arange(n + 1, dtype=np.int64)
    return Block(at, at[:-1].astype(np.uint32), np.ones(n, np.float32), np.array([0, n], np.int64))


def _token_parts(y: Sequence[int], other: Sequence[int], tokens: Features) -> list[Part]:
    return [
        Part(t, name, float(value * (row[a] - row[b])))
        for t, (a, b) in enumerate(zip(y, other, strict=True))
        if a != b
        for name, value, row in tokens[t]
    ]


def _pair_parts(
    y: Sequence[int],
    other: Sequence[int],
    pairs: Features,
    place: dict[tuple[int, int], int],
    reach: int,
    word: Callable[[int], str],
) -> list[Part]:
    """The contributions of the pairs of neighbours that only one of the two compressions has, named by their two words."""
    ours, theirs = neighbours(y), neighbours(other)
    parts = []
    for i, j in [*sorted(ours - theirs), *sorted(theirs - ours)]:
        sign = 1.0 if (i, j) in ours else -1.0
        says = f"{'' if sign > 0 else 'not '}{word(i)} _ {word(j)}"
        for name, value, row in pairs[place[i if j - i <= reach else -1, j]]:
            parts.append(Part(min(max(j - 1, 0), len(y) - 1), f"{says}: {name}", sign * value * float(row[0])))
    return parts


def neighbours(y: Sequence[int]) -> set[tuple[int, int]]:
    """The pairs of kept tokens that stand side by side, counted from 1; 0 is the start, and the end is after the last."""
    return set(pairwise([0, *(t + 1 for t, kept in enumerate(y) if kept), len(y) + 1]))


def shown_word(words: Sequence[str], i: int) -> str:
    """The word at a place of such a pair."""
    return "<s>" if i == 0 else "</s>" if i > len(words) else words[i - 1]
