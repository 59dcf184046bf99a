"""Write columns as bytes. Each format that can be written has a small class."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TypeAlias

from linnet.core.types import Json
from linnet.core.values import values_of
from linnet.errors import UsageError
from linnet.io.texts.labels import USUAL_SEPARATOR

if TYPE_CHECKING:
    import pyarrow as pa

Columns: TypeAlias = Mapping[str, list[Json]]


def _as_string(value: object) -> str:
    """A value that columns may hold and JSON cannot, as csv has it."""
    from datetime import date, time, timedelta  # Most columns are of strings and numbers.
    from decimal import Decimal
    from uuid import UUID

    if isinstance(value, date | time | timedelta | Decimal | UUID):
        return str(value)
    raise UsageError(f"cannot write {type(value).__name__} as JSON: {value!r:.60}. Write parquet or arrow.")


_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_as_string)


class Encoder(Protocol):
    """An encoder takes batches of columns that have the same names and lengths, as lists or, with types, as a table."""

    def write(self, columns: Columns) -> None: ...

    def write_table(self, table: pa.Table) -> None: ...

    def finish(self) -> None:
        """Write what belongs at the end, while the file is still open. It is called after an error, too."""


class _Text:
    """What formats of text share: a table is written as the values that it holds."""

    def write(self, columns: Columns) -> None:
        raise NotImplementedError

    def write_table(self, table: pa.Table) -> None:
        self.write(
            {name: values_of(column, name) for name, column in zip(table.column_names, table.columns, strict=True)}
        )

    def finish(self) -> None:
        pass


_FORMULA = re.compile(r"(?![+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?\Z)[=+\-@\t\r＝＋－＠]")
"""The beginning of a cell that a spreadsheet takes for a formula, and computes. A number is none."""


class Delimited(_Text):
    """CSV or TSV. Fields are quoted here and not by `csv.writer`, which does not quote a lone CR although that ends a
    row."""

    delimiter = ","

    def __init__(self, file: BinaryIO, separator: str = USUAL_SEPARATOR) -> None:
        """`separator` stands between the parts of a list."""
        self._file = file
        self._separator = separator
        self._special = re.compile(f'["\r\n{self.delimiter}]')
        self._begun = False
        self.spreadsheet_safe = False
        """Whether a text that a spreadsheet would take for a formula gets a quote before it, and is shown as a text."""

    def write(self, columns: Columns) -> None:
        if not self._begun:
            self._begun = True
            self._write_row([self._field(name, name) for name in columns])
        fields = [[self._field(value, name) for value in values] for name, values in columns.items()]
        for row in zip(*fields, strict=True):
            self._write_row(row)

    def _write_row(self, fields: list[str] | tuple[str, ...]) -> None:
        # A row of one empty field would be a blank line, which is no row, unless it is quoted.
        row = '""' if len(fields) == 1 and not fields[0] else self.delimiter.join(fields)
        self._file.write(f"{row}\n".encode())

    def _field(self, value: object, name: str) -> str:
        if isinstance(value, dict):
            raise UsageError(f"column '{name}' holds objects, which csv and tsv cannot. Write jsonl or parquet.")
        if isinstance(value, list):
            parts = [str(part) for part in value]
            split = next((part for part in parts if self._separator in part), None)
            if split is not None:
                raise UsageError(
                    f"{split!r} in a list of column '{name}' has {self._separator!r} in it, which stands between the parts of "
                    "lists in csv and tsv. Write jsonl or parquet."
                )
            value = self._separator.join(parts)
        text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        if self.spreadsheet_safe and isinstance(value, str) and _FORMULA.match(text):
            text = f"'{text}"
        return '"' + text.replace('"', '""') + '"' if self._special.search(text) else text


class TabDelimited(Delimited):
    delimiter = "\t"


class JsonLines(_Text):
    """JSON lines, one object a line. JSON has no NaN nor infinity: they become null."""

    def __init__(self, file: BinaryIO, separator: str = USUAL_SEPARATOR) -> None:
        self._file = file

    def write(self, columns: Columns) -> None:
        for line in json_lines(columns):
            self._file.write(f"{line}\n".encode())


def json_lines(columns: Columns) -> Iterator[str]:
    """Each row as a JSON object. JSON has no NaN nor infinity: they become null.

    >>> list(json_lines({"label": ["pos"], "scores": [[0.5, math.inf]]}))
    ['{"label": "pos", "scores": [0.5, null]}']
    """
    for row in zip(*columns.values(), strict=True):
        yield _encoded(dict(zip(columns, row, strict=True)))


def _encoded(row: dict[str, Json]) -> str:
    try:
        return _JSON.encode(row)
    except UsageError:
        raise
    except ValueError:
        return _JSON.encode(_finite(row))


def _finite(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


class _Arrow:
    """The base of Parquet and Arrow files, in which the first batch fixes the types."""

    name: str

    def __init__(self, file: BinaryIO, separator: str = USUAL_SEPARATOR) -> None:
        self._file = file
        self._schema: Any = None
        self._writer: Any = None

    def write(self, columns: Columns) -> None:
        import pyarrow as pa

        self.write_table(pa.table(dict(columns), schema=self._schema))

    def write_table(self, table: pa.Table) -> None:
        with self._refusing():
            if self._writer is None:
                self._writer = self._open(table.schema)
                self._schema = table.schema
            self._writer.write_table(table)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Say in a sentence that the format cannot hold a column: only Arrow knows which types it can write, and which of
        their values."""
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, OSError, ValueError) as error:
            if getattr(error, "errno", None) is not None:  # of the disk, not of the format
                raise
            why = str(error).partition("\n")[0].rstrip(".")
            raise UsageError(
                f"cannot write a column as {self.name}: {why}. Write jsonl, or leave the column out."
            ) from None

    def finish(self) -> None:
        if self._writer is None:
            self.write({})
        self._writer.close()

    def _open(self, schema: Any) -> Any:
        raise NotImplementedError


class Parquet(_Arrow):
    name = "parquet"

    def _open(self, schema: Any) -> Any:
        from pyarrow.parquet import ParquetWriter

        return ParquetWriter(self._file, schema)


class Ipc(_Arrow):
    name = "arrow"

    def _open(self, schema: Any) -> Any:
        from pyarrow import ipc

        return ipc.new_file(self._file, schema)
