"""Keep texts that are more than memory holds in a file without a name. The file has Arrow's own form and is mapped into
memory, so that columns of it are read in place and used like any others."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import IO

import numpy as np
import pyarrow as pa

from linnet.core.memory import give_back
from linnet.core.room import Room
from linnet.io.texts.dataset import Dataset, Offsets, ReadFile, names_of


def kept(parts: Iterable[Dataset], room: Room) -> list[Dataset]:
    """The parts of a dataset, kept in memory, or on disk where all together are too large for the room. On disk, parts
    that follow each other and have the same columns become one."""
    waiting: list[Dataset] = []
    size = 0
    file: _TextsFile | None = None
    for part in parts:
        waiting.append(part)
        size += part.nbytes
        if room.on_disk or size > room.most:
            room.on_disk = True
            file = file or _TextsFile(room)
            while waiting:
                file.add(waiting.pop(0))
    if file is None:
        return waiting
    del part  # so that the memory of the last part can be given back, too
    give_back()
    return file.parts()


@dataclass
class _Run:
    """Parts that follow each other and have the same columns. They are one Arrow stream in the file."""

    begin: int
    """The byte of the file at which the stream begins."""
    first: Dataset
    """The first part, without its rows."""
    schema: pa.Schema
    stream: pa.RecordBatchStreamWriter
    rows: int = 0
    files: dict[ReadFile, None] = field(default_factory=dict)
    left_out: list[Offsets] = field(default_factory=list)

    def add(self, part: Dataset, table: pa.Table) -> None:
        self.stream.write_table(table)
        self.files |= dict.fromkeys(part.files)
        self.left_out.append(part.left_out + self.rows)
        self.rows += len(part)

    def whole(self, stream: pa.Buffer, room: Room) -> Dataset:
        """All parts as one dataset, whose rows are read from the mapped stream in place."""
        batches = []
        for batch in pa.ipc.open_stream(stream):
            batches.append(batch)
            room.give_back()
        table = pa.Table.from_batches(batches, self.schema)
        labels = None if self.first.labels is None else table.column(1)
        columns = self.first.columns
        if columns is not None:  # Table.from_arrays would look into every batch, and bring its pages into memory.
            others = range(1 if labels is None else 2, table.num_columns)
            columns = table.select(others).rename_columns(columns.column_names)
        return replace(
            self.first,
            text=table.column(0),
            labels=labels,
            columns=columns,
            source=names_of(self.files),
            left_out=np.concatenate(self.left_out),
            files=tuple(self.files),
        )


class _TextsFile:
    """A file with the rows of the parts of a dataset, one after the other."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._file: IO[bytes] = room.file()
        self._stack = ExitStack()
        self._stack.enter_context(self._file)
        self._runs: list[_Run] = []

    def add(self, part: Dataset) -> None:
        columns = [] if part.columns is None else part.columns.columns
        whole = [part.text, *([] if part.labels is None else [part.labels]), *columns]
        table = pa.Table.from_arrays(whole, names=[str(i) for i in range(len(whole))]).combine_chunks()
        with self._room.writing():
            if not self._runs or not _alike(self._runs[-1], part, table):
                self._begin(part, table.schema)
            self._runs[-1].add(part, table)

    def _begin(self, part: Dataset, schema: pa.Schema) -> None:
        self._end()
        none = pa.chunked_array([], type=part.text.type)
        described = replace(
            part,
            text=none,
            labels=None if part.labels is None else none,
            columns=None if part.columns is None else pa.Table.from_batches([], part.columns.schema),
        )
        begin = self._file.tell()
        stream = pa.ipc.new_stream(pa.PythonFile(self._file, "w"), schema)
        self._runs.append(_Run(begin, described, schema, stream))

    def _end(self) -> None:
        if self._runs:
            self._runs[-1].stream.close()

    def parts(self) -> list[Dataset]:
        """The runs of parts, mapped from the file, which is then closed: the mapping outlives it."""
        with self._stack, self._room.writing():
            self._end()
            whole = pa.py_buffer(self._room.mapped(self._file))
        return [run.whole(whole.slice(run.begin), self._room) for run in self._runs]


def _alike(run: _Run, part: Dataset, table: pa.Table) -> bool:
    """Whether a part has the columns of a run."""
    first = run.first
    names = [None if one.columns is None else one.columns.column_names for one in (first, part)]
    return (
        run.schema.equals(table.schema)
        and names[0] == names[1]
        and (first.labels is None) == (part.labels is None)
        and (first.text_col, first.label_col, first.order) == (part.text_col, part.label_col, part.order)
    )
