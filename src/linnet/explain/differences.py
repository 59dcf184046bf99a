"""Two outputs of one example: what each feature adds to the difference of their scores.

    w.f(x, y) - w.f(x, y') = sum over the parts that only one of them has of their features

Nothing is estimated: the contributions sum to the difference of the scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.learners.weights import Matrix, blocks


@dataclass(frozen=True)
class Part:
    """A feature of a token, or of what it has to do with others, and what it adds to the score of one output against the
    other."""

    token: int
    what: str
    contribution: float


class Use(NamedTuple):
    """An outcome at a place of a block, as mu(y) counts it, and the token where it stands."""

    block: int
    place: int
    outcome: int
    token: int
    what: str
    """The name of the outcome, which is added to the names of its features. With "" a feature that both outputs have at
    a token is one part, which has the difference of its weights."""


def weights_of(predictor: Predictor) -> tuple[Matrix, ...]:
    """W of each block of the model that predicts, as an array or, where most of it is zero, as a Compressed matrix."""
    return blocks(predictor.scorer.weights, predictor.gen)


class Scored:
    """The features of one example, and their weights."""

    def __init__(
        self, blocks: Sequence[Block], names: Sequence[Callable[[int], str]], weights: Sequence[Matrix]
    ) -> None:
        self.rows: list[tuple[Sequence[int], Sequence[int], Sequence[float]]] = [block.arrays()[:3] for block in blocks]
        self.names = [cache(name) for name in names]
        self.weights = weights

    def differences(self, mine: Iterable[Use], theirs: Iterable[Use]) -> list[Part]:
        """The parts that only `mine` has, and with the opposite sign those that only `theirs` has; the largest first."""
        mine, theirs = list(mine), list(theirs)
        found: dict[tuple[int, str], float] = {}
        for sign, uses, others in ((1, mine, set(theirs)), (-1, theirs, set(mine))):
            for use in uses:
                if use not in others:
                    for what, value in self._contributions(use, sign < 0):
                        found[use.token, what] = found.get((use.token, what), 0.0) + sign * value
        return sorted((Part(*key, value) for key, value in found.items()), key=lambda part: -abs(part.contribution))

    def _contributions(self, use: Use, negative: bool) -> Iterator[tuple[str, float]]:
        W, (indptr, indices, values) = self.weights[use.block], self.rows[use.block]
        what = f"not {use.what}" if negative and use.what else use.what
        yield what or "bias", float(W[0, use.outcome])
        for k in range(indptr[use.place], indptr[use.place + 1]):
            feature = int(indices[k])
            seen = self.names[use.block](feature)
            yield f"{what} at {seen}" if what else seen, float(values[k]) * float(W[1 + feature, use.outcome])
