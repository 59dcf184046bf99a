"""A learner around another one: what a subclass does not do in its own way is passed on to the learner inside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from linnet.core.blocks import Block
from linnet.core.form import Loss
from linnet.core.types import F32, I32, I64, Arrays, Integers, Json, State
from linnet.learners.contract import Core, HasSupport, RemembersExamples, Settles, StepsByExample
from linnet.learners.preset import Weights


class InDual(Core, RemembersExamples, HasSupport, StepsByExample, Protocol):
    """A Core in the dual, such as `Dual` (core/loops/dual.pyx)."""

    @property
    def loss(self) -> Loss:
        """The loss that is made small."""

    def add_up(self, blocks: tuple[Block, ...]) -> None:
        """Compute w again as the sum of what each example has added, over blocks whose features have other values."""


class AsksInside:
    """A Core that asks the one inside it for what each example has added to the weights."""

    @property
    def inside(self) -> InDual:
        raise NotImplementedError

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
        """The scores of the held-out examples as if their fold had not been learned from."""
        return self.inside.held_out(blocks, y, y_at, weight, fold, tol, exact)

    def support_vectors(self, blocks: tuple[Block, ...]) -> tuple[I64, Weights]:
        """The numbers of the examples that w is made of, and what each has added for each outcome of block 0."""
        return self.inside.support_vectors(blocks)


class Around(AsksInside):
    """A Core that passes everything on to the one inside it."""

    def __init__(self, core: InDual) -> None:
        self.core = core

    @property
    def inside(self) -> InDual:
        return self.core

    @property
    def seed(self) -> int:
        return self.core.seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self.core.seed = seed

    @property
    def bias(self) -> bool:
        return self.core.bias

    @bias.setter
    def bias(self, bias: bool) -> None:
        self.core.bias = bias

    @property
    def loss(self) -> Loss:
        """The loss that is made small."""
        return self.core.loss

    @property
    def shuffled(self) -> bool:
        return self.core.shuffled

    @property
    def support(self) -> int | None:
        return self.core.support

    @property
    def settled(self) -> bool:
        return isinstance(self.core, Settles) and self.core.settled

    @property
    def t(self) -> int:
        return self.core.t

    @property
    def total(self) -> float:
        return self.core.total

    @property
    def updates(self) -> int:
        return self.core.updates

    @property
    def mistakes(self) -> int | None:
        return self.core.mistakes

    @property
    def last_loss(self) -> float:
        return self.core.last_loss

    @property
    def last_tau(self) -> float:
        return self.core.last_tau

    def slopes(self) -> list[Weights]:
        return self.core.slopes()

    def begin(self) -> None:
        self.core.begin()

    def run(self, blocks: tuple[Block, ...], y: I32, y_at: I64, order: I64, weight: F32 | None = None) -> None:
        self.core.run(blocks, y, y_at, order, weight)

    def end(self) -> None:
        self.core.end()

    def left(self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None, tol: float) -> float | None:
        return self.core.left(blocks, y, y_at, weight, tol)

    def sample(self) -> list[Weights]:
        return self.core.sample()

    def moved(self, since: list[Weights]) -> tuple[float, float]:
        return self.core.moved(since)

    def grow(self, n_features: tuple[int, ...]) -> None:
        self.core.grow(n_features)

    def add_up(self, blocks: tuple[Block, ...]) -> None:
        """Compute w again as the sum of what each example has added, over blocks whose features have other values."""
        self.core.add_up(blocks)

    def last(self) -> list[Weights]:
        return self.core.last()

    def average(self) -> list[Weights]:
        return self.core.average()

    def settle(self, averaged: bool) -> list[Weights]:
        return self.core.settle(averaged)

    def state(self) -> State:
        return self.core.state()

    def restore(self, arrays: Arrays, numbers: Mapping[str, Json]) -> None:
        self.core.restore(arrays, numbers)
