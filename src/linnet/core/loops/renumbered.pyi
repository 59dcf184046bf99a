from linnet.core.blocks import Lazy
from linnet.core.types import I64

def features_of(block: Lazy) -> I64:
    """The numbers of the features that a block has, in order."""

class Renumbered(Lazy):
    """A block with other numbers of its features: features[k] is the old number of the feature that is k here."""

    def __init__(self, of: Lazy, features: I64) -> None: ...
