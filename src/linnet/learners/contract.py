"""The loops that learners go over examples with: the methods that each has, and those that only some have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from linnet.core.blocks import Block
    from linnet.core.types import F32, I32, I64, Arrays, Integers, Json, State
    from linnet.features import Fields
    from linnet.learners.preset import Weights


class Core(Protocol):
    """A loop that goes over the examples. `Learning` calls, for each pass, begin(), then run() for some of the examples at a
    time, and end(). The compiled loops of core/loops and the classes derived from `Passes` (passes.py) are such loops.

    Examples come as `Examples` has them: a Block of features for each block of the structure, and their gold outputs, where
    example i has y[y_at[i]:y_at[i + 1]]. `order` has the numbers of the examples to learn from, in this order, and `weight` the
    weight of each example by its number, or None where all weigh 1.

    Ctrl-C may come between any two calls of Python: whatever is changed is changed at once, and t says how far it is.
    """

    seed: int
    """The seed of what is random in the loop, which is dropout; it is set before the first pass."""

    bias: bool
    """Whether the places of block 0 have the constant feature f_0 = 1; it is set before the first pass."""

    @property
    def shuffled(self) -> bool:
        """Whether the order of the examples should differ from pass to pass."""

    @property
    def support(self) -> int | None:
        """The number of support vectors, examples that the weights are a sum of, where that is known."""

    @property
    def t(self) -> int:
        """The number of examples seen, in all passes."""

    @property
    def total(self) -> float:
        """The sum of the losses in this pass."""

    @property
    def updates(self) -> int:
        """The number of steps in this pass that changed the weights."""

    @property
    def mistakes(self) -> int | None:
        """The number of outputs of this pass that were wrong before they were learned from; None if they were not counted."""

    def begin(self) -> None:
        """Begin a pass."""

    def run(self, blocks: tuple[Block, ...], y: I32, y_at: I64, order: I64, weight: F32 | None = None) -> None:
        """Learn from some examples of this pass."""

    def end(self) -> None:
        """End a pass, after all its examples."""

    def left(self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None, tol: float, /) -> float | None:
        """The distance to the optimum as a share, asked after each pass; None where the learner cannot tell. It is exact only
        where it is not above `tol`, which ends learning."""

    def sample(self) -> list[Weights]:
        """A sample of the weights, taken before a pass, to see how far they move in it."""

    def moved(self, since: list[Weights]) -> tuple[float, float]:
        """||w - w'|| and ||w||, where w' is an earlier sample."""

    def last(self) -> list[Weights]:
        """The weights learned so far, as the arrays that the scorer of the learner holds."""

    def average(self) -> list[Weights]:
        """The weights averaged over all steps; ValueError where the learner does not average."""

    def settle(self, averaged: bool) -> list[Weights]:
        """The weights, written over those of the learner. Nothing can be learned afterwards."""

    def grow(self, n_features: tuple[int, ...]) -> None:
        """Make room for so many features in each block; what is new begins at zero."""

    def state(self) -> State:
        """The state needed to go on exactly: arrays by name, and numbers by name."""

    def restore(self, arrays: Arrays, numbers: Mapping[str, Json]) -> None:
        """Go on from `state()`."""


@runtime_checkable
class StepsByExample(Protocol):
    """A Core that takes a step for each example, and can say what the last one was."""

    @property
    def last_loss(self) -> float:
        """The loss of the last example, before its step."""

    @property
    def last_tau(self) -> float:
        """The length of the step of the last example, 0 where there was none."""

    def slopes(self) -> list[Weights]:
        """r of the last example, one array per block: places x outcomes."""


@runtime_checkable
class CountsMistakes(Protocol):
    """A Core that can find the output of each example before it learns from it."""

    def count_mistakes(self) -> None:
        """Count the mistakes of the pass that has begun, even where that takes work."""


@runtime_checkable
class KnowsFields(Protocol):
    """A Core that has to know which features belong together while it learns."""

    fields: Sequence[Fields | None]
    """For each block the fields that say so, or None; () where none do."""


@runtime_checkable
class Settles(Protocol):
    """A Core that may come so slowly to its optimum that it says when to stop."""

    @property
    def settled(self) -> bool:
        """Whether further passes would bring next to nothing, even if the optimum is not reached within the tolerance."""


@runtime_checkable
class RemembersExamples(Protocol):
    """A Core that knows what each example has added to the weights, and can take it off again."""

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
        """The scores of the held-out examples, a row for each, as if its fold had not been learned from; fold[i] is the number
        of the fold of example i, -1 for one that is always learned from, and has no row.

        exact: whether nothing of the fold may be in the scores. Without it they are found sooner, and may be a little
            too good. Thresholds do not suffer from that, but an estimate of how right a model will be would.
        """


@runtime_checkable
class HasSupport(Protocol):
    """A Core whose weights are a sum over examples, of which it knows what each has added."""

    def support_vectors(self, blocks: tuple[Block, ...], /) -> tuple[I64, Weights]:
        """The numbers of the examples that have added something, and alpha: a row for each, a column for each outcome of
        block 0."""
