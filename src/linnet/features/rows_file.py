"""Keep rows of features in a file, with only some of them in memory at a time."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import IO

import numpy as np
import numpy.typing as npt

from linnet.core.blocks import Block
from linnet.core.extract.weighting import Weighting
from linnet.core.filed import Filed, packed, unpacked
from linnet.core.room import Room
from linnet.errors import DataError
from linnet.features.rows import SparseRows

_PIECE = 1 << 20
"""The number of bytes of the file that are in memory at a time."""
_MOST_EXAMPLES = 1 << 16
"""The largest number of examples whose rows are in memory at a time."""
_SLACK = 8
"""The number of bytes after packed rows that `unpacked` may read, whatever they are: it reads several bytes at once."""


class RowsFile:
    """Sparse rows in a file without a name, laid out as core/filed.pyx describes. The file is gone when this object
    is."""

    def __init__(
        self, room: Room, n: int, parts: Iterable[SparseRows], places: npt.NDArray[np.int64] | None = None
    ) -> None:
        """n: the number of rows of all parts. places: the first row of each example, and the number of all rows, where an
        example has several. A part must have all rows of each of its examples."""
        self.room = room
        self.places = places
        self.weighting: Weighting | None = None
        """What turns the counts in the file into values whenever they are read; None where the file has values
        already."""
        self._n = n
        self._written = self._write(parts)

    @property
    def descriptor(self) -> int:
        """The file descriptor of the open file."""
        return self._written.file.fileno()

    @property
    def ends(self) -> npt.NDArray[np.int64]:
        """The byte at which the rows of each example begin, and the one at which those of the last end."""
        return self._written.ends

    @property
    def largest(self) -> int:
        """The largest number of a feature, -1 where there are none."""
        return self._written.largest

    @property
    def n_values(self) -> int:
        """The number of features of all rows."""
        return self._written.n_values

    def __len__(self) -> int:
        return self._n

    def __iter__(self) -> Iterator[SparseRows]:
        """Yield the rows of some examples at a time, as copies in memory."""
        begin, n, of = 0, len(self.ends) - 1, self._written
        while begin < n:
            ends = of.ends[begin : min(begin + _MOST_EXAMPLES, n) + 1]
            size = max(int(np.searchsorted(ends, ends[0] + _PIECE, side="right")) - 1, 1)
            data = np.zeros(int(ends[size] - ends[0]) + _SLACK, np.uint8)
            self._read(of.file, data[:-_SLACK], int(ends[0]))
            places = size if self.places is None else int(self.places[begin + size] - self.places[begin])
            rows = SparseRows(*unpacked(data, places))
            if self.weighting is not None:
                self.weighting.rows(*rows)
            yield rows
            self.room.give_back()
            begin += size

    def _read(self, file: IO[bytes], data: npt.NDArray[np.uint8], at: int) -> None:
        done = 0
        while done < len(data):
            read = os.preadv(file.fileno(), [data[done:].data], at + done)
            if not read:
                raise DataError(
                    "the file of features, which has no name, has become shorter. Train again.", self.room.folder
                )
            done += read

    def change(self, of_some: Callable[[SparseRows], SparseRows], then: Callable[[SparseRows], None]) -> None:
        """Replace all rows by what `of_some` makes of them, some at a time, and call `then` with the new rows each
        time. This must come before `weigh`."""

        def changed() -> Iterator[SparseRows]:
            for some in map(of_some, self):
                then(some)
                yield some

        self._written = self._write(changed())

    def weigh(self, weighting: Weighting) -> None:
        """From now on, turn counts into values whenever rows are read. The file itself keeps the counts."""
        self.weighting = weighting

    def block(self, places: npt.NDArray[np.int64] | None = None) -> Block:
        """The rows as a block that reads them from the file. `places` is not used, since the file was made with its
        own."""
        return Filed(self)

    def _cut(self, example: int, n: int) -> npt.NDArray[np.int64]:
        """Which of n rows each example has, for n rows that begin with those of `example`: the index of the first row
        of each example, and n at the end. Examples without rows that follow the last of these are included."""
        if self.places is None:
            return np.arange(n + 1)
        row = self.places[example]
        first: npt.NDArray[np.int64] = self.places[example : np.searchsorted(self.places, row + n, side="right")] - row
        return first

    def _write(self, parts: Iterable[SparseRows]) -> _Written:
        """Write rows into a new file."""
        n = self._n if self.places is None else len(self.places) - 1
        new = _Written(self.room, n)
        example = 0
        for part in parts:
            rows, sizes = packed(self._cut(example, len(part)), *part)
            begin = int(new.ends[example])
            self.room.write(new.file, rows.data, begin)
            new.ends[example + 1 : example + 1 + len(sizes)] = begin + np.cumsum(sizes)
            new.largest = max(new.largest, int(part.indices.max(initial=0)) if len(part.indices) else -1)
            new.n_values += len(part.indices)
            example += len(sizes)
        return new


class _Written:
    """A file with rows, and where those of each example are in it."""

    def __init__(self, room: Room, n: int) -> None:
        self.file = room.file()
        weakref.finalize(self, self.file.close)
        self.ends: npt.NDArray[np.int64] = room.array(n + 1, np.int64)
        self.largest = -1
        self.n_values = 0
