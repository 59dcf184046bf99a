from collections.abc import Sequence

from linnet.core.blocks import Block
from linnet.core.form import Loss, Step, Structure
from linnet.core.loops.dual import Climb, Dual
from linnet.core.types import F32, I64, U32, Setting

def without_zeros(block: Block) -> tuple[I64, U32, F32]: ...
def distinct(block: Block) -> tuple[I64, I64]: ...
def rows_of(block: Block, places: I64) -> tuple[I64, U32, F32]: ...

class Supported(Dual):
    """The loop of kernel learners: the weights are a sum over the places of examples that are kept."""

    def __init__(
        self,
        gen: Structure,
        loss: Loss,
        step: Step,
        n_features: Sequence[int],
        *,
        climb: Climb | None = None,
        C: float = 0,
        averaged: bool = False,
        budget: int = 0,
        cache: float = 200,
        **how: Setting,
    ) -> None: ...

class Counted(Supported):
    """The loop that keeps all places, and counts how often each had each outcome."""
