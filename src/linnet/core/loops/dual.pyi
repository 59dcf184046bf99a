from collections.abc import Mapping, Sequence

from linnet.core.blocks import Block
from linnet.core.form import Loss, Step, Structure
from linnet.core.loops.online import Online
from linnet.core.types import F32, I32, I64, Array, Integers

class Dual(Online):
    """The loop that goes up the dual, one example at a time, until the duality gap is small."""

    gap: float
    length2: float
    steps2: float
    support: int
    def __init__(
        self,
        gen: Structure,
        loss: Loss,
        step: Step,
        n_features: Sequence[int],
        *,
        climb: Climb,
        C: float = 0,
        lam: float = 0,
        averaged: bool = False,
    ) -> None: ...
    def remember(self, blocks: tuple[Block, ...]) -> None: ...
    def C_over(self, n: int) -> float: ...
    def weigh_losses(self, C: float) -> None: ...
    def wake(self) -> None: ...
    def measured(
        self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None
    ) -> tuple[float, float, float]: ...
    def held_out(
        self,
        blocks: tuple[Block, ...],
        y: I32,
        y_at: I64,
        weight: F32 | None,
        fold: Integers,
        tol: float,
        exact: bool = True,
        most: int = 100,
    ) -> F32: ...
    def support_vectors(self, blocks: tuple[Block, ...], /) -> tuple[I64, F32]: ...
    def add_up(self, blocks: tuple[Block, ...]) -> None: ...

def share_of(gap: float, length2: float, total: float, C: float) -> float:
    """The duality gap as a share of the primal, 1/2 ||w||^2 + C times the sum of the losses."""

class Climb:
    """Finds the step of an example in the dual."""

    def remember(self, at: Dual, block: Block) -> None: ...
    def state(self) -> dict[str, Array]: ...
    def restore(self, arrays: Mapping[str, Array], home: Block | None) -> None: ...
