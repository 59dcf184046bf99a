"""Texts with the other columns of their table, from files, data frames, or Python values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Protocol, runtime_checkable

import pyarrow as pa

from linnet import io
from linnet.errors import DataError
from linnet.features import FeatureSpec, TextLike, as_text
from linnet.features.table import Table
from linnet.io.texts.columns import TEXT, listed, usual


@runtime_checkable
class DataFrame(Protocol):
    """A table of another package that has named columns and that Arrow can read: pandas, polars."""

    @property
    def columns(self) -> Any: ...


def as_table(texts: TextLike) -> Table:
    """Make a table from what was read from a file, an Arrow table, a pandas or Polars data frame, a dict of columns, or a list
    of dicts; the column with a usual name, such as `text`, has the text. A list of texts makes a table without other columns.

    >>> as_table([{"text": "a fine film", "year": 1994}]).column("year").to_pylist()
    [1994]
    """
    if isinstance(texts, Table):
        return texts
    if isinstance(texts, io.Dataset):
        return Table(texts.text, texts.columns, texts.source, find=partial(io.find_line, texts.source))
    rows = _rows(texts)
    if rows is None:
        return Table(as_text(texts))
    name = usual(TEXT, rows.column_names)
    if name is None:
        return Table(as_text([""] * rows.num_rows), rows, has_text=False)
    return Table(as_text(rows.column(name)), rows.drop_columns([name]))


def looked_at(texts: TextLike, spec: FeatureSpec) -> Table:
    """Make a table as `as_table` does, for features of a specification. Raise DataError if they need the text, and there is
    none."""
    table = as_table(texts)
    if spec.reads_text and not table.has_text:
        names = [] if table.columns is None else table.columns.column_names
        raise DataError(f"found no column of text among {listed(names)}. Name it 'text'.", table.source)
    return table


def pieces(table: Table, size: int) -> Iterator[Table]:
    """Yield some rows of a table at a time; a table without rows is one piece.

    >>> [piece.text.to_pylist() for piece in pieces(as_table(["a", "b", "c"]), 2)]
    [['a', 'b'], ['c']]
    """
    for start in range(0, max(len(table), 1), size):
        yield table.slice(start, size) if len(table) > size else table


def _rows(texts: TextLike) -> pa.Table | None:
    """An Arrow table of values that have columns; None for other values."""
    if isinstance(texts, list):
        if not texts or not isinstance(texts[0], Mapping):
            return None
        return pa.Table.from_pylist([dict(row) for row in texts])
    return pa.table(texts) if isinstance(texts, pa.Table | pa.RecordBatch | Mapping | DataFrame) else None
