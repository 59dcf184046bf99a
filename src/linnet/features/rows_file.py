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
from linnet.errors import DataError
from linnet.features.rows import SparseRows

_SIZE = 8
"""The bytes of a feature in the file: its number and its value."""
_PIECE = 1 << 18
"""The number of features that are in memory at a time."""
_MOST_ROWS = 1 << 16
"""The largest number of rows that are in memory at a time."""


class RowsFile:
    """Sparse rows as core/filed.pyx lays them out in a file without a name, which is gone when nobody holds it any more."""

    def __init__(
        self, room: Room, n: int, parts: Iterable[SparseRows], places: npt.NDArray[np.int64] | None = None
    ) -> None:
        """n: the number of rows of all parts. places: the first row of each example, and the number of all rows, where an
        example has several; a part has all rows of its examples."""
        self.room = room
        self._n = n
        self.places = places
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
        """Yield the rows of some examples at a time, as copies in memory."""
        begin, n = 0, len(self) if self.places is None else len(self.places) - 1
        while begin < n:
            first = self._first_rows(begin, min(begin + _MOST_ROWS, n))
            at = self.indptr[first]
            size = max(int(np.searchsorted(at, at[0] + _PIECE, side="right")) - 1, 1)
            first, at = first[: size + 1], at[: size + 1] - at[0]
            indptr = self.indptr[first[0] : first[-1] + 1] - self.indptr[first[0]]
            data = np.empty(_SIZE * int(indptr[-1]), np.uint8)
            self._read(data, _SIZE * int(self.indptr[first[0]]))
            yield SparseRows(indptr, *unpacked(data, at))
            self.room.give_back()
            begin += size

    def _first_rows(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """The first row of each example from `begin` on, and the one behind the last of them."""
        return np.arange(begin, end + 1) if self.places is None else self.places[begin : end + 1]

    def _read(self, data: npt.NDArray[np.uint8], at: int) -> None:
        done = 0
        while done < len(data):
            read = os.preadv(self.descriptor, [data[done:].data], at + done)
            if not read:
                raise DataError(
                    "the file of features, which has no name, has become shorter. Train again.", self.room.folder
                )
            done += read

    def change(self, of_some: Callable[[SparseRows], SparseRows]) -> None:
        """Put in the place of all rows what becomes of them, some at a time; they may become shorter, not longer."""
        self.indptr = self._written(map(of_some, self))

    def block(self, places: npt.NDArray[np.int64] | None = None) -> Block:
        """The rows as a block with one place for each example, or with the places that each has, which the file knows."""
        return Filed(self)

    def _cut(self, row: int, n: int) -> npt.NDArray[np.int64]:
        """The first of n rows from `row` on that each example has, counted from there, and n."""
        if self.places is None:
            return np.arange(n + 1)
        begin, end = np.searchsorted(self.places, row), np.searchsorted(self.places, row + n, side="right")
        return self.places[begin:end] - row

    def _written(self, parts: Iterable[SparseRows]) -> npt.NDArray[np.int64]:
        """Write rows from the begin of the file on, and return where each begins and the last one ends."""
        self.largest, row, total = -1, 0, 0
        ends = self.room.array(self._n + 1, np.int64)
        for part in parts:
            self.room.write(self._file, packed(part.indptr[self._cut(row, len(part))], *part[1:]).data, _SIZE * total)
            ends[row + 1 : row + 1 + len(part)] = part.indptr[1:] + total
            self.largest = max(self.largest, int(part.indices.max(initial=0)) if len(part.indices) else -1)
            row += len(part)
            total += int(part.indptr[-1])
        return ends
