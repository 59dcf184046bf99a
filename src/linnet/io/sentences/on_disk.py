"""Keep sentences that are more than memory holds in files without a name. Each column is laid out as Arrow does it and
mapped into memory, so that it is read in place and used like any other."""

from __future__ import annotations

import weakref
from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from linnet.core.arrow import string_bytes
from linnet.core.memory import give_back
from linnet.core.room import Room
from linnet.core.types import Array
from linnet.io.sentences.sentences import Sentences, join


def kept(parts: Iterable[Sentences], room: Room | None) -> Sentences:
    """All sentences, one part after the other: in memory, or in files where they are too large together."""
    waiting: list[Sentences] = []
    size = 0
    files: _Files | None = None
    for part in parts:
        waiting.append(part)
        size += part.nbytes
        if room is not None and (room.on_disk or size > room.most):
            room.on_disk = True
            files = files or _Files(room)
            while waiting:
                files.add(waiting.pop(0))
    if files is None:
        return join(waiting)
    give_back()
    return files.whole()


class _Files:
    """Files with the columns of sentences. Columns and tags are kept if every part with sentences has them."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._starts = _Numbers(room)
        self._columns: dict[str, _Strings] | None = None
        self._tags: _Strings | None = None
        self._n_tokens = 0
        self._sources: dict[str, None] = {}

    def add(self, part: Sentences) -> None:
        self._sources[part.source] = None
        if not len(part):
            return
        if self._columns is None:
            self._columns = {name: _Strings(self._room) for name in part.columns}
            self._tags = _Strings(self._room)
        self._columns = {name: column for name, column in self._columns.items() if name in part.columns}
        for name, column in self._columns.items():
            column.add(part.columns[name])
        if part.tags is None:
            self._tags = None
        elif self._tags is not None:
            self._tags.add(part.tags)
        self._starts.add(part.starts[:-1] + self._n_tokens)
        self._n_tokens += part.n_tokens

    def whole(self) -> Sentences:
        self._starts.add(np.array([self._n_tokens]))
        columns = {name: column.whole() for name, column in (self._columns or {}).items()}
        tags = None if self._tags is None else self._tags.whole()
        return Sentences(columns, self._starts.whole(np.int64), tags, ", ".join(self._sources), None)


class _Numbers:
    """A file with numbers, one after the other."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._file = room.file()
        weakref.finalize(self, self._file.close)
        self.size = 0

    def add(self, numbers: Array) -> None:
        self._room.write(self._file, np.ascontiguousarray(numbers).view(np.uint8).data, self.size)
        self.size += numbers.nbytes

    def whole(self, dtype: type[np.generic]) -> Array:
        """All numbers, mapped from the file. The mapping outlives the open file."""
        return np.frombuffer(self._room.mapped(self._file) if self.size else b"", dtype)


class _Strings:
    """Files with the bytes of strings, and with where each begins."""

    def __init__(self, room: Room) -> None:
        self._bytes, self._at, self._n = _Numbers(room), _Numbers(room), 0

    def add(self, column: pa.LargeStringArray) -> None:
        at, raw = string_bytes(column)
        self._at.add(at[:-1] - at[0] + self._bytes.size)
        self._bytes.add(raw[at[0] : at[-1]])
        self._n += len(column)

    def whole(self) -> pa.LargeStringArray:
        self._at.add(np.array([self._bytes.size]))
        buffers = [None, pa.py_buffer(self._at.whole(np.int64)), pa.py_buffer(self._bytes.whole(np.uint8))]
        return pa.Array.from_buffers(pa.large_string(), self._n, buffers)
