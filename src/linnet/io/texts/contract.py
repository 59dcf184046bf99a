"""What every format's reader is asked for, and what it gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from linnet.io.bytes.source import Source
from linnet.io.formats import Format, Note, unheard
from linnet.io.texts.dataset import Dataset


class Request(NamedTuple):
    """What is asked of a reader."""

    text_col: str | None = None
    """The name of the column of the texts; None: the first that has a usual name (io/texts/columns.py)."""
    label_col: str | None = None
    """The name of the column of the labels; None: the first that has a usual name."""
    labelled: bool = True
    """Whether the data are to be learned from or compared with, so that there must be labels."""
    batch_bytes: int = 32 << 20
    """About how many bytes of a file are read at a time."""
    several: bool = False
    """Whether a row has any number of labels, or none, instead of one."""
    separator: str | None = None
    """What stands between the labels of a row that has several in one string; None: a comma."""
    text_names: tuple[str, ...] = ()
    """Names of the column of the texts that are tried before the usual ones: those that a model has learned from."""
    label_names: tuple[str, ...] = ()
    """Names of the column of the labels that are tried before the usual ones."""
    encoding: str | None = None
    """The encoding of text; None: the one that a file shows."""
    delimiter: str | None = None
    """The character between columns; None: the one that a file shows."""
    needs_text: bool = True
    """Whether there must be a column of text. Without it, and unless `text_col` names one, no column is taken for it."""
    number_lists: tuple[str, ...] = ()
    """The columns of lists of numbers that are wanted; all others are left out."""
    note: Note = unheard
    """The function that hears what a reader finds by itself, or leaves out."""
    may_lack: bool = False
    """Whether any number of rows may have no label, since these are learned from as texts without labels."""

    def wants_numbers(self, column: str) -> bool:
        """Whether a column of lists of numbers is wanted. It may be asked for in any case, with _ for a blank."""
        return _plain(column) in map(_plain, self.number_lists)

    @property
    def needs_label(self) -> bool:
        """Whether a row without a label is of no use."""
        return self.labelled and not self.several


def _plain(name: str) -> str:
    return name.strip().casefold().replace(" ", "_")


class Reader(Format, Protocol):
    """A reader of one file format. To add a format, write a module with such an object, and a line in io/texts/registry.py."""

    @property
    def has_columns(self) -> bool:
        """Whether columns have names, so that a user can choose among them."""

    def sniff(self, head: bytes, request: Request) -> bool:
        """Whether a file of unknown extension that begins with `head` is of this format. Where labels are expected, less may be
        enough to tell."""

    def read(self, source: Source, request: Request) -> Iterator[Dataset]:
        """Yield the rows in order, in parts of at most about `request.batch_bytes`."""
