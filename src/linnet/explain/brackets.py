"""One sentence: why each constituent of its tree is one with this label, and not the next best thing.

    w.f(x, y) - w.f(x, y') = sum over the spans and splits in which y and y' differ of their features

y is the best tree and y' the best of those in which the span has another label, or is no constituent. Nothing is estimated: the
contributions sum to the difference of the scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from linnet.core.form import Block
from linnet.core.predictor import Predictor
from linnet.structures.brackets import Brackets

_BLOCKS = ("spans", "splits")


@dataclass(frozen=True)
class SpanPart:
    """A feature of the words first..last, or of a point behind which they are split, and what it adds."""

    first: int
    last: int
    what: str
    contribution: float


@dataclass(frozen=True)
class BracketExplanation:
    """Why the words first..last are a `label` and not `against`: the contributions sum to the score. An empty `against`: none."""

    first: int
    last: int
    text: str
    label: str
    against: str
    score: float
    contributions: tuple[SpanPart, ...]


class Named(Protocol):
    def name(self, block: str, feature: int) -> str: ...


def explain_brackets(
    words: Sequence[str], blocks: tuple[Block, ...], features: Named, predictor: Predictor, labels: Sequence[str]
) -> list[BracketExplanation]:
    """An explanation for each constituent of one sentence, whose blocks these are; outer ones before those inside."""
    y = predictor.argmax(blocks)[0]
    sentence = _Sentence(len(words), blocks, features, predictor)
    firsts, lasts = Brackets.spans(len(words)).tolist()
    found = []
    for place in sorted(np.flatnonzero(y > 1).tolist(), key=lambda place: (firsts[place], -lasts[place])):
        forced = np.full(len(y), -1, np.int32)
        forced[place] = -2 - y[place]
        other = predictor.argmax(blocks, forced)[0]
        parts = sentence.differences(y, other)
        first, last = firsts[place], lasts[place]
        found.append(
            BracketExplanation(
                first,
                last,
                " ".join(words[first : last + 1]),
                labels[y[place] - 1],
                labels[other[place] - 1] if other[place] > 1 else "",
                sum(part.contribution for part in parts),
                tuple(parts),
            )
        )
    return found


class _Sentence:
    def __init__(self, n: int, blocks: tuple[Block, ...], features: Named, predictor: Predictor) -> None:
        self.rows: list[tuple[npt.NDArray[Any], ...]] = [block.arrays()[:3] for block in blocks]
        self.weights = predictor.scorer.weights
        self.features = features
        self.spans = Brackets.spans(n).T.tolist()
        self.number = {tuple(split): at for at, split in enumerate(Brackets.splits(n).T.tolist())}

    def differences(self, y: npt.NDArray[np.int32], other: npt.NDArray[np.int32]) -> list[SpanPart]:
        """What only y has, and what only the other has with the opposite sign; the largest first."""
        mine, theirs = set(self._uses(y)), set(self._uses(other))
        found: dict[tuple[int, int, str], float] = {}
        for sign, uses in ((1, mine - theirs), (-1, theirs - mine)):
            for block, place, outcome, first, last in sorted(uses):
                for what, value in self._contributions(block, place, outcome):
                    key = first, last, what
                    found[key] = found.get(key, 0.0) + sign * value
        parts = (SpanPart(*key, value) for key, value in found.items() if value)
        return sorted(parts, key=lambda part: -abs(part.contribution))

    def _uses(self, y: npt.NDArray[np.int32]) -> Iterator[tuple[int, int, int, int, int]]:
        """mu(y): block, place and outcome, and the words that these are of."""
        right: dict[int, int] = {}
        for place in np.flatnonzero(y)[::-1].tolist():
            first, last = self.spans[place]
            yield 0, place, int(y[place]) - 1, first, last
            if first < last:
                yield 1, self.number[first, right[last] - 1, last], 0, first, last
            right[last] = first

    def _contributions(self, block: int, place: int, outcome: int) -> Iterator[tuple[str, float]]:
        W, (indptr, indices, values) = self.weights[block], self.rows[block]
        yield "bias" if block == 0 else "bias of splits", float(W[0, outcome])
        for k in range(indptr[place], indptr[place + 1]):
            feature = int(indices[k])
            yield self.features.name(_BLOCKS[block], feature), float(values[k]) * float(W[1 + feature, outcome])
