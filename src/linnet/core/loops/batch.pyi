from collections.abc import Sequence

from linnet.core.blocks import Block
from linnet.core.form import Loss, Structure
from linnet.core.machine import Machine
from linnet.core.types import F32, F64, I32, I64

class Sums(Machine):
    """Sums over examples at weights that do not change while they are summed."""

    total: float
    def __init__(self, gen: Structure, loss: Loss, weights: Sequence[F32]) -> None: ...
    @property
    def loss(self) -> Loss: ...
    @property
    def weights(self) -> list[F32]: ...
    def run(self, blocks: tuple[Block, ...], y: I32, y_at: I64, order: I64, weight: F32 | None = None) -> None: ...

class Batch(Sums):
    """The sum of the losses and of their gradients."""

    def __init__(self, gen: Structure, loss: Loss, weights: Sequence[F32], gradient: Sequence[F64]) -> None: ...
    @property
    def gradient(self) -> list[F64]: ...

def dot(a: F32, b: F32) -> float: ...
def add(a: F32, b: F32, amount: float) -> None: ...
