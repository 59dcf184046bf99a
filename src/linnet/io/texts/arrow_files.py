"""Arrow files, which are also called Feather, and Arrow streams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from linnet.io.bytes.source import Source
from linnet.io.texts.arrow_messages import check_messages
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset
from linnet.io.texts.typed_columns import Layout, blaming

_FILE = b"ARROW1"


class Ipc:
    name = "arrow"
    description = "Arrow IPC files and streams, Feather"
    extensions = (".arrow", ".feather", ".ipc", ".arrows")
    has_columns = True
    empty = "the table has columns, but no rows. Add at least one row."

    def sniff(self, head: bytes, request: Request) -> bool:
        return head.startswith(_FILE)

    def read(self, source: Source, request: Request) -> Iterator[Dataset]:
        with source.open_seekable() as seekable, blaming(source.name, "Arrow"):
            is_file = seekable.read(len(_FILE)) == _FILE
            schema = _reader(seekable, is_file).schema
            layout = Layout.from_schema(schema, request, source.name)
            check_messages(seekable, is_file, source.content("Arrow"), source.name)
            # What is not included is not unpacked.
            included = pa.ipc.IpcReadOptions(included_fields=[schema.get_field_index(name) for name in layout.needed])
            reader = _reader(seekable, is_file, included)
            yield from layout.datasets(_file_batches(reader) if is_file else reader, source.content("Arrow"))


def _reader(seekable: pa.NativeFile, is_file: bool, options: pa.ipc.IpcReadOptions | None = None) -> Any:
    seekable.seek(0)
    return (pa.ipc.open_file if is_file else pa.ipc.open_stream)(seekable, options=options)


def _file_batches(reader: pa.ipc.RecordBatchFileReader) -> Iterator[pa.RecordBatch]:
    return (reader.get_batch(index) for index in range(reader.num_record_batches))


READER = Ipc()
