from linnet.core.blocks import Lazy
from linnet.core.types import I64

class Chosen(Lazy):
    """The examples with the numbers `examples` of a block whose rows are made on demand, in this order."""

    def __init__(self, of: Lazy, examples: I64) -> None: ...
