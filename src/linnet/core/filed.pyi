from collections.abc import Iterator
from typing import Protocol, type_check_only

from linnet.core.blocks import Lazy
from linnet.core.room import Room
from linnet.core.types import F32, I64, U8, U32

@type_check_only
class Rows(Protocol):
    """Rows in a file, of which some at a time are read."""

    @property
    def indptr(self) -> I64: ...
    @property
    def places(self) -> I64 | None:
        """The first row of each example, and the number of all rows, where an example has several."""

    @property
    def largest(self) -> int:
        """The largest number of a feature, -1 where there are none."""

    @property
    def room(self) -> Room: ...
    @property
    def descriptor(self) -> int:
        """The number by which the system knows the open file."""

    def __iter__(self) -> Iterator[tuple[I64, U32, F32]]: ...

def packed(indptr: I64, indices: U32, values: F32) -> U8:
    """The rows of examples as the file has them, bytes, given where those of each example begin."""

def unpacked(data: U8, indptr: I64) -> tuple[U32, F32]:
    """indices and values of rows, as `packed` has them; indptr begins with 0."""

class Filed(Lazy):
    """A block whose rows are in a file."""

    def __init__(self, rows: Rows) -> None: ...
