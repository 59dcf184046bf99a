"""Texts that are more than memory holds, in files without a name: Arrow's own form, mapped into memory, so that they are read
in place and nobody has to know."""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pyarrow as pa

from linnet.core.room import Room
from linnet.io.texts.dataset import Dataset


def kept(parts: Iterable[Dataset], room: Room) -> Iterator[Dataset]:
    """Yield the parts of a dataset as they are to be kept: in memory, or on disk where they are too large together."""
    waiting: list[Dataset] = []
    size = 0
    for part in parts:
        waiting.append(part)
        size += part.nbytes
        if room.on_disk or size > room.most:
            room.on_disk = True
            for one in waiting:
                yield on_disk(one, room)
                room.give_back()
            waiting = []
    yield from waiting


def on_disk(part: Dataset, room: Room) -> Dataset:
    """Write the rows of a part to a file, and return them mapped from there."""
    columns = [] if part.columns is None else part.columns.columns
    labels = [] if part.labels is None else [part.labels]
    whole = [part.text, *labels, *columns]
    table = _mapped(pa.Table.from_arrays(whole, names=[str(i) for i in range(len(whole))]), room)
    text, *rest = table.columns
    return replace(
        part,
        text=text,
        labels=rest[0] if labels else None,
        columns=pa.Table.from_arrays(rest[len(labels) :], names=part.columns.column_names) if part.columns else None,
    )


def _mapped(table: pa.Table, room: Room) -> pa.Table:
    with room.file() as file:  # The mapping outlives the open file.
        with room.writing(), pa.ipc.new_stream(pa.PythonFile(file, "w"), table.schema) as stream:
            stream.write_table(table)
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    room.maps.add(mapped)
    return pa.ipc.open_stream(pa.py_buffer(mapped)).read_all()
