from linnet.core.blocks import Block
from linnet.core.types import F32

def scaled_block(block: Block, f: F32, constant: float = 1.0) -> Block:
    """The block X diag(f), with a factor of its own for the constant feature."""
