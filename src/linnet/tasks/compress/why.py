"""Explaining one sentence: why each token is kept or dropped.

    w.f(x, y) - w.f(x, y') = sum over the tokens and the pairs of kept neighbours in which y and y' differ

y is the best compression and y' the best of those that decide otherwise about the token. The contributions sum to the
difference of the scores.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.budget import affordable
from linnet.core.predictor import Predictor
from linnet.learners.weights import Matrix
from linnet.structures.compression import Compression
from linnet.tasks.tag.why import Part, TagExplanation, TagExplanations

Floats = npt.NDArray[np.float32]


class Features:
    """The features of the places of a block, each with its name, its value and the weights of the outcomes; the bias of a place
    comes first."""

    def __init__(self, block: Block, name: Callable[[int], str], W: Matrix) -> None:
        self._rows, self._name, self._W = block.arrays()[:3], cache(name), W

    def __getitem__(self, place: int) -> list[tuple[str, float, Floats]]:
        indptr, indices, values = self._rows
        found = range(int(indptr[place]), int(indptr[place + 1]))
        rows = [(int(indices[k]), float(values[k])) for k in found]
        return [("bias", 1.0, self._W[0]), *((self._name(j), x, self._W[1 + j]) for j, x in rows)]


def explain_compression(
    words: Sequence[str],
    blocks: tuple[Block, ...],
    tokens: Features,
    pairs: Features,
    predictor: Predictor[Compression],
    labels: Sequence[str],
) -> TagExplanations:
    """An explanation for each token, as far as there is time. tokens, pairs: the features of both blocks."""
    gen = predictor.gen
    best: list[int] = predictor.argmax(blocks)[0].tolist()
    place = {key: k for k, key in enumerate(zip(*(side.tolist() for side in gen.pairs(len(words))), strict=True))}
    found = TagExplanations(words, [labels[k] for k in best])
    asked = ((t, best[t]) for t in affordable(range(len(words)), "tokens"))
    for t, y, _ in predictor.others(blocks, asked):
        other = y.tolist()
        parts = _token_parts(best, other, tokens)
        parts += _pair_parts(best, other, pairs, place, gen.reach, lambda i: shown_word(words, i))
        parts.sort(key=lambda part: -abs(part.contribution))
        score = sum(part.contribution for part in parts)
        found.append(TagExplanation(t, words[t], labels[best[t]], labels[other[t]], score, tuple(parts)))
    return found


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
