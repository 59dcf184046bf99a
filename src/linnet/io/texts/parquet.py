"""Parquet files."""

from __future__ import annotations

from collections.abc import Iterator

from linnet.io.bytes.source import Source
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset
from linnet.io.texts.parquet_pages import rows_at_once
from linnet.io.texts.typed_columns import Layout, blaming


class Parquet:
    name = "parquet"
    description = "Parquet"
    extensions = (".parquet", ".pq")
    has_columns = True
    empty = "the table has columns, but no rows. Add at least one row."

    def sniff(self, head: bytes, request: Request) -> bool:
        return head.startswith(b"PAR1")

    def read(self, source: Source, request: Request) -> Iterator[Dataset]:
        from pyarrow.parquet import ParquetFile

        with source.open_seekable() as seekable, blaming(source.name, "Parquet"):
            file = ParquetFile(seekable)
            layout = Layout.from_schema(file.schema_arrow, request, source.name)
            rows = rows_at_once(seekable, layout.needed, request.batch_bytes, source.content("Parquet"), source.name)
            batches = file.iter_batches(rows, columns=layout.needed, use_threads=False)
            yield from layout.datasets(batches, source.content("Parquet"))


READER = Parquet()
