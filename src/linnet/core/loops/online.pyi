from collections.abc import Mapping, Sequence

from linnet.core.blocks import Block
from linnet.core.form import Loss, Step, Structure
from linnet.core.machine import Machine
from linnet.core.types import F32, I32, I64, Array, Arrays, Json, State
from linnet.core.weights import Weights

class Online(Machine):
    """The loop that learns from one example at a time. It is a `Core`: learners/preset.py says when its methods are
    called."""

    @property
    def shuffled(self) -> bool: ...
    @property
    def support(self) -> int | None: ...
    t: int
    a: float
    S: float
    total: float
    updates: int
    decoded: int
    wrong: int
    asks: bool
    seed: int
    @property
    def last_loss(self) -> float:
        """The loss of the last example."""

    @property
    def last_tau(self) -> float:
        """The length of the step of the last example, 0 where there was none."""

    def __init__(
        self,
        gen: Structure,
        loss: Loss,
        step: Step,
        n_features: Sequence[int],
        *,
        averaged: bool = False,
        dropout: float = 0,
        ragged: Sequence[int] = (),
    ) -> None: ...
    @property
    def weights(self) -> tuple[Weights, ...]: ...
    @property
    def loss(self) -> Loss: ...
    @property
    def step(self) -> Step: ...
    @property
    def averaged(self) -> bool: ...
    @property
    def mistakes(self) -> int | None: ...
    def count_mistakes(self) -> None:
        """Count the mistakes of this pass, even where it takes time to find the best output of each example."""

    def begin(self) -> None: ...
    def end(self) -> None: ...
    def left(self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None, tol: float, /) -> float | None: ...
    def grow(self, n_features: Sequence[int]) -> None: ...
    def run(self, blocks: tuple[Block, ...], y: I32, y_at: I64, order: I64, weight: F32 | None = None) -> None: ...
    def slopes(self) -> list[Array]:
        """The derivative r of the loss of the last example by its scores, one array per block: places x outcomes."""

    def sample(self) -> list[Array]: ...
    def moved(self, since: Sequence[Array]) -> tuple[float, float]: ...
    def last(self) -> list[Array]: ...
    def average(self) -> list[Array]: ...
    def settle(self, averaged: bool) -> list[Array]: ...
    def state(self) -> State: ...
    def restore(self, arrays: Arrays, numbers: Mapping[str, Json]) -> None: ...
