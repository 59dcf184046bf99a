"""Texts that are more than memory holds, in a file without a name: Arrow's own form, mapped into memory, so that they are read
in place and nobody has to know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import IO

import pyarrow as pa

from linnet.core.memory import give_back
from linnet.core.room import Room
from linnet.io.texts.dataset import Dataset


def kept(parts: Iterable[Dataset], room: Room) -> list[Dataset]:
    """The parts of a dataset as they are to be kept: in memory, or on disk where they are too large together."""
    waiting: list[Dataset] = []
    size = 0
    file: _TextsFile | None = None
    for part in parts:
        waiting.append(part)
        size += part.nbytes
        if room.on_disk or size > room.most:
            room.on_disk = True
            file = file or _TextsFile(room)
            for one in waiting:
                file.add(one)
            waiting = []
    if file is None:
        return waiting
    del part, one
    give_back()
    return file.parts()


class _TextsFile:
    """A file with the rows of the parts of a dataset, one after the other."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._file: IO[bytes] = room.file()
        self._begins: list[int] = []
        self._described: list[Dataset] = []
        """The parts without their rows."""

    def add(self, part: Dataset) -> None:
        columns = [] if part.columns is None else part.columns.columns
        whole = [part.text, *([] if part.labels is None else [part.labels]), *columns]
        table = pa.Table.from_arrays(whole, names=[str(i) for i in range(len(whole))]).combine_chunks()
        self._begins.append(self._file.tell())
        with self._room.writing(), pa.ipc.new_stream(pa.PythonFile(self._file, "w"), table.schema) as stream:
            stream.write_table(table)
        none = pa.chunked_array([], type=part.text.type)
        self._described.append(
            replace(
                part,
                text=none,
                labels=None if part.labels is None else none,
                columns=None if part.columns is None else part.columns.schema.empty_table(),
            )
        )

    def parts(self) -> list[Dataset]:
        """The parts, mapped from the file, which is then closed: the mapping outlives it."""
        whole = pa.py_buffer(self._room.mapped(self._file))
        self._file.close()
        return [_part(whole.slice(at), described) for at, described in zip(self._begins, self._described, strict=True)]


def _part(rows: pa.Buffer, described: Dataset) -> Dataset:
    text, *rest = pa.ipc.open_stream(rows).read_all().columns
    labels = None if described.labels is None else rest.pop(0)
    columns = described.columns
    if columns is not None:
        columns = pa.Table.from_arrays(rest, names=columns.column_names)
    return replace(described, text=text, labels=labels, columns=columns)
