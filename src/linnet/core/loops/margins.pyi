from collections.abc import Sequence

from linnet.core.blocks import Block
from linnet.core.form import Structure
from linnet.core.machine import Machine
from linnet.core.types import I32, I64, Array

class Margins(Machine):
    """The smallest margin, not divided by ||w||, and a bound on ||f(x, y) - f(x, y')||^2 over all examples."""

    def __init__(self, gen: Structure, weights: Sequence[Array], *, bias: bool = True) -> None: ...
    @property
    def margin(self) -> float: ...
    @property
    def radius2(self) -> float: ...
    def run(self, blocks: tuple[Block, ...], y: I32, y_at: I64, begin: int, end: int) -> None: ...
