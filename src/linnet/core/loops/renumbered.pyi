from linnet.core.blocks import Lazy
from linnet.core.types import I64

def features_of(block: Lazy) -> I64:
    """The numbers of the features that a block has, in order."""

class Renumbered(Lazy):
    """A block whose features have other numbers: `features` has the former ones, in the order of the new."""

    def __init__(self, of: Lazy, features: I64) -> None: ...
