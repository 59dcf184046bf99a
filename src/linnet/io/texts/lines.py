"""Plain text to be labelled: one document a line."""

from __future__ import annotations

from collections.abc import Iterator

from linnet.errors import DataError
from linnet.io.bytes.line_blocks import checked_blocks
from linnet.io.bytes.source import Source
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset


class Lines:
    """A reader of lines. A blank line is an empty document, so that answer n belongs to line n."""

    name = "lines"
    description = "plain text without labels, one document a line"
    extensions = ()
    has_columns = False
    empty = "the file holds only blank lines. Expected one document a line."

    def sniff(self, head: bytes, request: Request) -> bool:
        return not request.labelled

    def read(self, source: Source, request: Request) -> Iterator[Dataset]:
        if request.labelled:
            message = "lines of plain text have no labels. Give a file with a label column, or a folder per label."
            raise DataError(message, source.name)
        blank = True
        kept: list[Dataset] = []  # blank lines at the start, which are not given if the whole file is blank
        for block in checked_blocks(source, request.batch_bytes):
            blank = blank and block.data.isspace()
            kept.append(Dataset.from_rows(block.lines(), None, source.name))
            if not blank:
                yield from kept
                kept = []


READER = Lines()
