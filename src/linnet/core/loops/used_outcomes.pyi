from linnet.core.blocks import Block
from linnet.core.form import Structure
from linnet.core.types import I32, I64

def used(gen: Structure, blocks: tuple[Block, ...], y: I32, y_at: I64) -> list[tuple[I64, I64]]:
    """For each block the places, numbered over all examples, and the outcomes that the outputs y use there."""
