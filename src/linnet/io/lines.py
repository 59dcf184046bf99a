"""Plain text to be labelled: one document a line."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from linnet.errors import DataError
from linnet.io.arrays import large_strings
from linnet.io.blocks import blocks
from linnet.io.contract import Request
from linnet.io.dataset import Dataset
from linnet.io.encoding import check_block
from linnet.io.source import Source


class Lines:
    """A blank line is an empty document, so that answer n belongs to line n."""

    name = "lines"
    description = "plain text without labels, one document a line"
    extensions = ()
    has_columns = False
    empty = "the file holds only blank lines. Expected one document a line."

    def sniff(self, head: bytes, labelled: bool) -> bool:
        return not labelled

    def read(self, source: Source, request: Request) -> Iterator[Dataset]:
        if request.labelled:
            message = "lines of plain text have no labels. Give a file with a label column, or a folder per label."
            raise DataError(message, source.name)
        blank = True
        kept: list[Dataset] = []
        with source.open() as stream:
            for block in blocks(stream, request.batch_bytes):
                check_block(block.data, source.name, block.line)
                blank = blank and block.data.isspace()
                text = pa.chunked_array([large_strings(block.lines())])
                kept.append(Dataset(text, None, None, source.name, "text", None))
                if not blank:
                    yield from kept
                    kept = []
