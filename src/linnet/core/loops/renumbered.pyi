from linnet.core.blocks import Block
from linnet.core.types import I64

def features_of(block: Block) -> I64:
    """The numbers of the features that a block has, in order."""

def renumbered(block: Block, features: I64) -> Block:
    """The block with other numbers of its features: features[k] is the old number of the feature that is k there."""
