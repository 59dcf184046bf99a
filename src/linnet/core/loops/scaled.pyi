from linnet.core.blocks import Block
from linnet.core.types import F32

def scaled_block(block: Block, f: F32) -> Block: ...
