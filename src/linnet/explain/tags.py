"""One sentence: why each token has its tag and not the next best one.

    w.f(x, y) - w.f(x, y') = sum over the places where y and y' differ of their features, and of their pairs of tags

y is the best sequence and y' the best of those that have another tag at the token, as the chain itself decodes them. Nothing is
estimated: the contributions sum to the difference of the scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from linnet.core.form import Block
from linnet.core.predictor import Predictor


@dataclass(frozen=True)
class Part:
    """A feature of a token, or neighbouring tags, and what it adds to the tag against the other."""

    token: int
    what: str
    contribution: float


@dataclass(frozen=True)
class TagExplanation:
    """Why `tag` and not `against`: the contributions sum to the score. Where no other tag is legal, `against` is empty."""

    token: int
    word: str
    tag: str
    against: str
    score: float
    contributions: tuple[Part, ...]


class Named(Protocol):
    """Features that have names: those of tokens, and those of pairs of tags."""

    def name(self, feature: int) -> str: ...

    def pair_name(self, feature: int) -> str: ...


def explain_tags(
    words: Sequence[str], blocks: tuple[Block, ...], features: Named, predictor: Predictor, labels: Sequence[str]
) -> list[TagExplanation]:
    """An explanation for each token of one sentence, whose blocks these are."""
    y = predictor.argmax(blocks)[0]
    sentence = _Sentence(blocks, features, predictor, labels)
    found = []
    for t, tag in enumerate(y.tolist()):
        forced = np.full(len(y), -1, np.int32)
        forced[t] = -2 - tag
        other = predictor.argmax(blocks, forced)[0]
        if other[t] != tag and predictor.gen.allows(other):
            parts = sentence.differences(y.tolist(), other.tolist())
            score = sum(part.contribution for part in parts)
            found.append(TagExplanation(t, words[t], labels[tag], labels[other[t]], score, tuple(parts)))
        else:
            found.append(TagExplanation(t, words[t], labels[tag], "", 0.0, ()))
    return found


@dataclass(frozen=True)
class _Use:
    """An outcome at a place of a block, and the token where it stands: what mu(y) counts."""

    block: int
    place: int
    outcome: int
    token: int
    what: str


class _Sentence:
    def __init__(self, blocks: tuple[Block, ...], features: Named, predictor: Predictor, labels: Sequence[str]) -> None:
        self.rows: list[tuple[npt.NDArray[Any], ...]] = [block.arrays()[:3] for block in blocks]
        self.names = (features.name, features.pair_name)
        self.weights = predictor.scorer.weights
        self.observed = bool(predictor.gen.observed)
        self.labels = labels

    def differences(self, y: Sequence[int], other: Sequence[int]) -> list[Part]:
        """What only y has, and what only the other has with the opposite sign; the largest first."""
        mine, theirs = list(self._uses(y)), list(self._uses(other))
        found: dict[tuple[int, str], float] = {}
        for sign, uses, others in ((1, mine, set(theirs)), (-1, theirs, set(mine))):
            for use in uses:
                if use not in others:
                    for what, value in self._contributions(use, sign < 0):
                        found[use.token, what] = found.get((use.token, what), 0.0) + sign * value
        return sorted((Part(*key, value) for key, value in found.items()), key=lambda part: -abs(part.contribution))

    def _uses(self, y: Sequence[int]) -> Iterator[_Use]:
        """mu(y) of each block. A tag has no name of its own: its features are counted once for both tags of a token."""
        L = len(self.labels)
        for t, c in enumerate(y):
            yield _Use(0, t, c, t, "")
            if t:
                pair = f"{self.labels[c]} after {self.labels[y[t - 1]]}"
                yield _Use(1, t - 1 if self.observed else 0, y[t - 1] * L + c, t, pair)
            if t > 1 and len(self.rows) > 2:
                before = f"{self.labels[y[t - 2]]} {self.labels[y[t - 1]]}"
                yield _Use(2, 0, (y[t - 1] * L + y[t - 2]) * L + c, t, f"{self.labels[c]} after {before}")

    def _contributions(self, use: _Use, negative: bool) -> Iterator[tuple[str, float]]:
        W, (indptr, indices, values) = self.weights[use.block], self.rows[use.block]
        what = f"not {use.what}" if negative and use.what else use.what
        yield what or "bias", float(W[0, use.outcome])
        for k in range(indptr[use.place], indptr[use.place + 1]):
            feature = int(indices[k])
            seen = self.names[use.block](feature)
            yield f"{what} at {seen}" if what else seen, float(values[k]) * float(W[1 + feature, use.outcome])
