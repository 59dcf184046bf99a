"""fastText lines: `__label__pos a fine film`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from linnet.errors import DataError
from linnet.io.bytes.encoding import check_block
from linnet.io.bytes.faults import good_first
from linnet.io.bytes.line_blocks import Block, blocks
from linnet.io.bytes.source import Source
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset
from linnet.io.texts.labels import label_set

_PREFIX = b"__label__"
_FURTHER = re.compile(rb"(?:^|\s)__label__")
_SHOWN = 20


class FastText:
    name = "fasttext"
    description = "fastText: __label__x, once or several times, before the text, one document a line"
    extensions = (".ft", ".fasttext")
    has_columns = False
    empty = "the file holds only blank lines. Expected lines such as: __label__pos a fine film"

    def sniff(self, head: bytes, request: Request) -> bool:
        return head.lstrip().startswith(_PREFIX)

    def read(self, source: Source, request: Request) -> Iterator[Dataset]:
        lines: _Lines | None = None
        with source.open() as stream:
            for block in blocks(stream, request.batch_bytes):
                if block.data.isspace():
                    continue
                if lines is None:  # Where labels are not demanded, the first line decides whether the file has any.
                    lines = _Lines(source.name, request, request.labelled or self.sniff(block.data, request))
                yield from good_first(lines.read, block, by_line=True)


class _Lines(NamedTuple):
    name: str
    request: Request
    has_labels: bool

    def read(self, block: Block) -> Dataset:
        check_block(block.data, self.name, block.line)
        labels, texts = self.split(block)
        return Dataset.from_rows(texts, labels if self.has_labels else None, self.name)

    def split(self, block: Block) -> tuple[list[bytes], list[bytes]]:
        """The labels and the texts of the lines that are not blank; a label is "" where there is none and none is demanded."""
        labels, texts = [], []
        for number, raw in block.numbered():
            label, text = self._parted(raw.strip(), number)
            labels.append(label)
            texts.append(text)
        return labels, texts

    def _parted(self, raw: bytes, line: int) -> tuple[bytes, bytes]:
        if not raw.startswith(_PREFIX):
            if self.request.needs_label:
                found = raw.decode()[:_SHOWN]
                message = f"expected a line that begins with __label__, found {found!r}. Put the label before the text."
                raise DataError(message, self.name, line)
            return b"", raw
        label, text = _first(raw)
        if self.request.several:
            names = [label]
            while text.startswith(_PREFIX):
                label, text = _first(text)
                names.append(label)
            return label_set([name.decode() for name in names]).encode(), text
        if _PREFIX in text and _FURTHER.search(text):
            message = "expected one __label__, found several. Several labels per line need --task labelset."
            raise DataError(message, self.name, line)
        return label, text


def _first(raw: bytes) -> tuple[bytes, bytes]:
    """The label at the start of a line, without its prefix, and the text after it."""
    first, *rest = raw.split(None, 1)
    return first.removeprefix(_PREFIX), rest[0] if rest else b""


READER = FastText()
