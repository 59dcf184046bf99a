"""Rows of features in a file, some of which are in memory at a time."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.filed import Filed, packed, unpacked
from linnet.core.room import Room
from linnet.features.rows import SparseRows

_SIZE = 8
"""The bytes of a feature in the file: its number and its value."""
_PIECE = 1 << 18
"""The number of features that are in memory at a time."""
_MOST_ROWS = 1 << 16
"""The largest number of rows that are in memory at a time."""


class RowsFile:
    """Sparse rows as core/filed.pyx lays them out in a file without a name, which is gone when nobody holds it any more."""

    def __init__(self, room: Room, n: int, parts: Iterable[SparseRows]) -> None:
        """n: the number of rows of all parts."""
        self.room = room
        self._n = n
        self._file = room.file()
        weakref.finalize(self, self._file.close)
        self.largest = -1
        """The largest number of a feature, -1 where there are none."""
        self.indptr: npt.NDArray[np.int64] = self._written(parts)

    @property
    def descriptor(self) -> int:
        """The number by which the system knows the open file."""
        return self._file.fileno()

    def __len__(self) -> int:
        return self._n

    def __iter__(self) -> Iterator[SparseRows]:
        """Yield some rows at a time, as copies in memory."""
        begin = 0
        while begin < len(self):
            at = self.indptr[begin : begin + _MOST_ROWS + 1]
            end = begin + max(int(np.searchsorted(at, at[0] + _PIECE, side="right")) - 1, 1)
            indptr = self.indptr[begin : end + 1] - self.indptr[begin]
            data = np.empty(_SIZE * int(indptr[-1]), np.uint8)
            self._read(data, _SIZE * int(self.indptr[begin]))
            yield SparseRows(indptr, *unpacked(data, indptr))
            self.room.give_back()
            begin = end

    def _read(self, data: npt.NDArray[np.uint8], at: int) -> None:
        done = 0
        while done < len(data):
            done += os.preadv(self.descriptor, [data[done:].data], at + done)

    def change(self, of_some: Callable[[SparseRows], SparseRows]) -> None:
        """Put in the place of all rows what becomes of them, some at a time; they may become shorter, not longer."""
        self.indptr = self._written(map(of_some, self))

    def block(self) -> Block:
        """The rows as a block with one place for each example."""
        return Filed(self)

    def _written(self, parts: Iterable[SparseRows]) -> npt.NDArray[np.int64]:
        """Write rows from the begin of the file on, and return where each begins and the last one ends."""
        self.largest, row, total = -1, 0, 0
        ends = self.room.array(self._n + 1, np.int64)
        for part in parts:
            self.room.write(self._file, packed(*part).data, _SIZE * total)
            ends[row + 1 : row + 1 + len(part)] = part.indptr[1:] + total
            self.largest = max(self.largest, int(part.indices.max(initial=0)) if len(part.indices) else -1)
            row += len(part)
            total += int(part.indptr[-1])
        return ends
