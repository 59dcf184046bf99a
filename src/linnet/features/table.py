"""Texts with the other columns of their table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import pyarrow as pa

from linnet.errors import DataError, meant
from linnet.features.columns import TextLike, as_text

Column: TypeAlias = Any
"""An Arrow array, or several of them as one column."""


Find: TypeAlias = Callable[[str, str], tuple[str, int] | None]
"""A function that finds the file and the line where a column holds a value; its answer is None where there is none."""


def nowhere(column: str, value: str) -> None:
    """Find no line, since the rows are of no file."""


@dataclass(frozen=True, eq=False)
class Table:
    """Rows of text with other columns beside it."""

    text: Column
    columns: pa.Table | None = None
    source: str | None = None
    find: Find = nowhere
    has_text: bool = True
    given: pa.Table | None = None
    """All columns as they were read from a file, the text and the label among them; None where nothing was read."""
    n_labelled: int | None = None
    """The number of rows that have labels; these come first. None where all rows have labels, or labels do not
    matter."""

    @classmethod
    def from_texts(cls, texts: TextLike) -> Table:
        return texts if isinstance(texts, Table) else cls(as_text(texts))

    def __len__(self) -> int:
        return len(self.text)

    @property
    def n_with_labels(self) -> int:
        return len(self) if self.n_labelled is None else self.n_labelled

    def slice(self, start: int, length: int) -> Table:
        columns, given = (None if part is None else part.slice(start, length) for part in (self.columns, self.given))
        return replace(self, text=self.text.slice(start, length), columns=columns, given=given)

    def followed_by(self, other: Table) -> Table:
        """The rows of this table, which have labels, and then those of another without labels. Only the columns of this
        table are kept; where the other lacks one, it is empty."""
        text = pa.chunked_array([*_chunks(self.text), *_chunks(other.text)], self.text.type)
        if self.columns is None:
            return replace(self, text=text, given=None, n_labelled=len(self))
        there = (
            {} if other.columns is None else dict(zip(other.columns.column_names, other.columns.columns, strict=True))
        )
        joined = {
            name: _joined(column, there.get(name, pa.nulls(len(other))), name, other.source)
            for name, column in zip(self.columns.column_names, self.columns.columns, strict=True)
        }
        columns = pa.table(joined)
        return replace(self, text=text, columns=columns, given=None, n_labelled=len(self))

    def take(self, rows: Column) -> Table:
        columns, given = (None if part is None else part.take(rows) for part in (self.columns, self.given))
        return replace(self, text=self.text.take(rows), columns=columns, given=given)

    def spelled(self, name: str) -> str:
        """The name of a column as the table spells it; it may be given in any case, with _ for a blank."""
        names = [] if self.columns is None else self.columns.column_names
        same = [found for found in names if found == name] or [
            found for found in names if _plain(found) == _plain(name)
        ]
        if same:
            return str(same[0])
        found = (
            f"found {', '.join(map(repr, names))}"
            if names
            else "found none. Pass a table that has it, with values of one kind"
        )
        expected = f"expected a column {name!r} of text or numbers beside the text"
        raise DataError(f"{expected}, {found}.{meant(name, names)}", self.source)

    def column(self, name: str) -> Column:
        spelled = self.spelled(name)
        assert self.columns is not None
        return self.columns.column(spelled)

    def plain_column(self, name: str) -> Column:
        """A column of text or of numbers; DataError for one of lists."""
        column = self.column(name)
        if pa.types.is_nested(column.type):
            raise DataError(
                f"expected text or numbers in column {name!r}, found lists. Where each is a vector, take embedding:{name}.",
                self.source,
            )
        return column

    def fault(self, name: str, value: str, message: str) -> DataError:
        """An error that says what is wrong with a value of a column, and where it stands."""
        where = self.find(self.spelled(name), value)
        return DataError(message, *(where or (self.source,)))


def _chunks(column: Column) -> list[pa.Array]:
    return column.chunks if isinstance(column, pa.ChunkedArray) else [column]


def _joined(first: Column, second: Column, name: str, source: str | None) -> Column:
    """The values of two columns of that name, one after the other: where their types differ, as text or as lists of
    floats."""
    both = [pa.table({name: column}) for column in (first, second)]
    try:
        return pa.concat_tables(both, promote_options="permissive").column(0)
    except pa.ArrowTypeError:
        kind = pa.large_list(pa.float64()) if pa.types.is_nested(first.type) else pa.large_string()
    try:
        return pa.concat_tables([table.cast(pa.schema({name: kind})) for table in both]).column(0)
    except pa.ArrowNotImplementedError:
        expected, found = ("lists" if pa.types.is_nested(one.type) else "text or numbers" for one in (first, second))
        message = f"expected {expected} in column {name!r}, as where there are labels, found {found}."
        raise DataError(message, source) from None


def _plain(name: str) -> str:
    return name.strip().casefold().replace(" ", "_")
