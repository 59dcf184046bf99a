"""Texts with the other columns of their table, from files, data frames, or Python values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from linnet import io
from linnet.errors import DataError
from linnet.features import FeatureSpec, TextLike, as_text
from linnet.features.table import Table
from linnet.io.texts.columns import TEXT, listed, usual

if TYPE_CHECKING:
    from linnet.io.python_values import Rows
    from linnet.io.texts.dataset import ReadFile

R = TypeVar("R", bound=Sized)


def as_table(texts: TextLike, first: str | None = None) -> Table:
    """Make a table from what was read from a file, or from whatever has rows with named columns; the text is in the column
    `first`, or in the first that has a usual name, such as `text`. Texts alone make a table without other columns.

    >>> as_table([{"text": "a fine film", "year": 1994}]).column("year").to_pylist()
    [1994]
    """
    if isinstance(texts, Table):
        return texts
    if isinstance(texts, io.Dataset):
        has_text = texts.text_col is not None
        return Table(texts.text, texts.columns, texts.source, partial(_line, texts.files), has_text)
    from linnet.io.python_values import rows_of, several

    texts = several(texts)
    rows = rows_of(texts)
    if rows is None:
        return Table(as_text(texts))
    return table_of(rows, first if first in rows.columns else usual(TEXT, rows.names))


def _line(files: Iterable[ReadFile], column: str, value: str) -> tuple[str, int] | None:
    return io.find_line(files, column, value)


def table_of(rows: Rows, name: str | None, *apart: str) -> Table:
    """The table of rows whose text is in the column of this name, if any, without the columns that are kept `apart`."""
    others = rows.others(name, *apart)
    if name is None:
        return Table(as_text([""] * len(rows)), others, has_text=False)
    return Table(as_text(rows.columns[name]), others)


def looked_at(texts: TextLike, spec: FeatureSpec, first: str | None = None) -> Table:
    """Make a table as `as_table` does, for features of a specification. Raise DataError if they need the text, and there is
    none."""
    table = as_table(texts, first)
    if spec.reads_text and not table.has_text:
        names = [] if table.columns is None else table.columns.column_names
        among = f" among {listed(names)}" if names else ""
        raise DataError(f"found no column of text{among}. Name it 'text'.", table.source)
    return table


def pieces(rows: R, size: int) -> Iterator[R]:
    """Yield some rows of a table or some texts of a list at a time; what has no rows is one piece.

    >>> [piece.text.to_pylist() for piece in pieces(as_table(["a", "b", "c"]), 2)]
    [['a', 'b'], ['c']]
    """
    whole: Any = rows
    if len(rows) <= size:
        yield rows
        return
    for start in range(0, len(rows), size):
        part: Any = whole[start : start + size] if isinstance(rows, list) else whole.slice(start, size)
        yield part
