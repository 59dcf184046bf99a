from linnet.core.blocks import Block
from linnet.core.types import F32

def scaled_block(block: Block, f: F32, constant: float = 1.0, over: Block | None = None) -> Block:
    """The block X diag(f), with a factor of its own for the constant feature. over: a block that this one was scaled to before,
    whose values are no longer needed: the new ones take their memory."""
