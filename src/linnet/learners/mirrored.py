"""Two labels as one question: is it the second? With a machine for each label against the rest, the first is the mirror of the
second (losses/each.pyx), to the last bit, so that learning one of them is enough, and takes half of the memory.
"""

from __future__ import annotations

import math

import numpy as np

from linnet.core.blocks import Block
from linnet.core.form import Loss, Structure
from linnet.core.loops.dual import Dual
from linnet.core.types import F32, I32, I64, Integers
from linnet.learners.around import Around
from linnet.learners.dual import ascent
from linnet.learners.preset import Weights
from linnet.losses.each import Each
from linnet.structures.labels import Labels
from linnet.structures.ordinal import Ordinal


def are_mirrors(gen: Structure, loss: Loss) -> bool:
    """Whether a structure has two labels, and the loss asks for each of them whether it is the one."""
    return isinstance(gen, Labels) and gen.outcomes == (2,) and isinstance(loss, Each)


class Mirrored(Around):
    """A learner in the dual of two labels, which learns the weights of the second, w, and gives -w and w. The sums of losses
    and lengths that it tells are those of both labels."""

    def __init__(self, loss: Loss, n_features: tuple[int, ...], C: float) -> None:
        # Two ratings have one outcome, the threshold between them, which is passed by those of the second label.
        self._dual: Dual = ascent(Ordinal(2, own=True), loss, n_features, C=C)
        super().__init__(self._dual)

    @property
    def total(self) -> float:
        return 2 * super().total

    @property
    def last_loss(self) -> float:
        return 2 * super().last_loss

    def slopes(self) -> list[Weights]:
        return list(map(_both, super().slopes()))

    def moved(self, since: list[Weights]) -> tuple[float, float]:
        return math.sqrt(2 * self._dual.steps2), math.sqrt(max(2 * self._dual.length2, 0.0))

    def held_out(
        self,
        blocks: tuple[Block, ...],
        y: I32,
        y_at: I64,
        weight: F32 | None,
        fold: Integers,
        tol: float,
        exact: bool = True,
    ) -> Weights:
        return _both(super().held_out(blocks, y, y_at, weight, fold, tol, exact))

    def support_vectors(self, blocks: tuple[Block, ...]) -> tuple[I64, Weights]:
        numbers, alpha = super().support_vectors(blocks)
        return numbers, _both(alpha)

    def last(self) -> list[Weights]:
        return list(map(_both, super().last()))

    def average(self) -> list[Weights]:
        return list(map(_both, super().average()))

    def settle(self, averaged: bool) -> list[Weights]:
        return list(map(_both, super().settle(averaged)))


def _both(of_second: Weights) -> Weights:
    """A column for the first label, and after it the given column of the second, of which it is the negative."""
    return np.hstack([0 - of_second, of_second])  # 0 - 0 is 0, while -0 would have a sign
