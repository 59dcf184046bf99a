from linnet.core.types import U8, U32

def pack(x: U32, most: float) -> tuple[U8, U32] | None:
    """A bit for each number, 1 where it is not zero, and the numbers that are not, in order; None where more than a share
    `most` of them is not."""

def unpack(bits: U8, values: U32, n: int) -> U32:
    """The n numbers that `pack` was given."""
