"""Parquet files."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from linnet.io.bytes.source import Source
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset
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
            rows = _rows_per_batch(file, request.batch_bytes)
            yield from layout.datasets(file.iter_batches(rows, columns=layout.needed, use_threads=False))


def _rows_per_batch(file: pa.parquet.ParquetFile, batch_bytes: int) -> int:
    """The number of rows of a batch of about `batch_bytes`, by the mean size of a row. pyarrow wants the size of a
    batch in rows."""
    size = sum(file.metadata.row_group(i).total_byte_size for i in range(file.metadata.num_row_groups))
    return int(max(1, min(batch_bytes * file.metadata.num_rows // max(1, size), 1 << 30)))


READER = Parquet()
