"""What every format's reader is asked for, and what it gives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from linnet.io.bytes.source import Source
from linnet.io.formats import Format
from linnet.io.texts.dataset import Dataset


@dataclass(frozen=True)
class Request:
    """What is asked of a reader: columns by name (None for the usual names), and whether every row needs a label.

    With `several`, a row may have any number of labels, none too: in a list, or with `separator` between them.
    """

    text_col: str | None = None
    label_col: str | None = None
    labelled: bool = True
    batch_bytes: int = 32 << 20
    several: bool = False
    separator: str | None = None

    @property
    def needs_label(self) -> bool:
        """Whether a row without a label is at fault."""
        return self.labelled and not self.several


class Reader(Format, Protocol):
    """A reader of one file format. A further format is one module with such an object, and one line in the registry."""

    @property
    def has_columns(self) -> bool:
        """Whether columns have names, so that a user can choose among them."""

    def sniff(self, head: bytes, labelled: bool) -> bool:
        """Whether a file of unknown extension that begins with `head` is of this format."""

    def read(self, source: Source, request: Request) -> Iterator[Dataset]:
        """Yield the rows in order, in parts of at most about `request.batch_bytes`."""
