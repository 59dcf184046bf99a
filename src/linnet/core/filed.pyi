from collections.abc import Iterator
from typing import Protocol, type_check_only

from linnet.core.blocks import Lazy
from linnet.core.extract.weighting import Weighting
from linnet.core.room import Room
from linnet.core.types import F32, I64, U8, U32

@type_check_only
class Rows(Protocol):
    """Rows in a file, of which some at a time are read."""

    @property
    def ends(self) -> I64:
        """The byte at which the rows of each example begin, and the one at which those of the last end."""

    @property
    def places(self) -> I64 | None:
        """The first row of each example, and the number of all rows, where an example has several."""

    @property
    def largest(self) -> int:
        """The largest number of a feature, -1 where there are none."""

    @property
    def n_values(self) -> int:
        """The number of features of all rows."""

    @property
    def weighting(self) -> Weighting | None:
        """What makes values of the counts in the file; None where the file has the values."""

    @property
    def room(self) -> Room: ...
    @property
    def descriptor(self) -> int:
        """The number by which the system knows the open file."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[I64, U32, F32]]: ...

def packed(cut: I64, indptr: I64, indices: U32, values: F32) -> tuple[U8, I64]:
    """The rows of examples as the file has them, bytes, and the number of bytes of each example. cut: the first row of each
    example, and the number of all rows."""

def unpacked(data: U8, places: int) -> tuple[I64, U32, F32]:
    """indptr, indices and values of so many rows in the form that `packed` gives them. `data` must have at least 8
    bytes after the rows, whatever these bytes are."""

class Filed(Lazy):
    """A block whose rows are in a file."""

    def __init__(self, rows: Rows) -> None: ...
