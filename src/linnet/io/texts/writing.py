"""Write columns (predictions, for one) to a file or to stdout, all at once or batch by batch."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from os import PathLike
from typing import Any, BinaryIO, Self, TypeAlias

import numpy as np
import pyarrow as pa

from linnet.errors import UsageError
from linnet.io.bytes.atomic import atomic
from linnet.io.bytes.target import Closing, stdout
from linnet.io.texts import encoders
from linnet.io.texts.labels import USUAL_SEPARATOR

# A column is a sequence, an array of Arrow or NumPy, or a column of pandas or Polars.
Column: TypeAlias = Any

_ENCODERS: dict[str, Callable[[BinaryIO, str], encoders.Encoder]] = {
    "csv": encoders.Delimited,
    "tsv": encoders.TabDelimited,
    "jsonl": encoders.JsonLines,
    "parquet": encoders.Parquet,
    "arrow": encoders.Ipc,
}
_ALIASES = {"ndjson": "jsonl", "tab": "tsv", "pq": "parquet", "feather": "arrow", "ipc": "arrow"}
DELIMITED = ("csv", "tsv")
BINARY = ("parquet", "arrow")


class Writer(Closing):
    """A writer of batches of columns to a file, which appears only when the writer is closed.

    with Writer.open("out.csv") as writer:
        writer.write({"label": ["pos"], "score": [0.5]})
    """

    def __init__(self, encoder: encoders.Encoder, stack: ExitStack) -> None:
        super().__init__(stack)
        self._encoder = encoder
        self._names: list[str] | None = None

    @classmethod
    def open(
        cls,
        path: str | PathLike[str] | None,
        format: str | None = None,
        separator: str | None = None,
        *,
        spreadsheet_safe: bool = False,
    ) -> Self:
        """A writer to a path; None or "-" is stdout. The format is that of the extension, and csv on stdout.

        `separator` (a comma) is written between the parts of a list in formats that have no lists, csv and tsv.
        spreadsheet_safe: whether a text in csv or tsv that a spreadsheet would compute gets a quote before it.
        """
        path = None if path is None or os.fspath(path) == "-" else os.fspath(path)
        name = _format(path, format)
        with ExitStack() as stack:
            file = stdout(stack) if path is None else stack.enter_context(atomic(path))
            encoder = _ENCODERS[name](file, USUAL_SEPARATOR if separator is None else separator)
            if isinstance(encoder, encoders.Delimited):
                encoder.spreadsheet_safe = spreadsheet_safe
            elif spreadsheet_safe:
                raise UsageError(f"--spreadsheet-safe is for csv and tsv, not for {name}. Leave it out.")
            stack.callback(encoder.finish)
            return cls(encoder, stack.pop_all())

    def write(self, columns: Mapping[str, Column]) -> None:
        """Add rows. Every batch has the same columns, and all columns of a batch are equally long."""
        lists = {name: _as_list(column) for name, column in columns.items()}
        self._check(list(lists))
        if len({len(values) for values in lists.values()}) > 1:
            lengths = {name: len(values) for name, values in lists.items()}
            raise UsageError(f"expected columns of one length, found {lengths}.")
        self._encoder.write(lists)

    def write_table(self, table: pa.Table) -> None:
        """Add the rows of a table, whose types a Parquet or Arrow file keeps."""
        self._check(table.column_names)
        self._encoder.write_table(table)

    def _check(self, names: list[str]) -> None:
        if self._names is None:
            self._names = names
        if self._names != names:
            raise UsageError(f"expected the columns {self._names} of the first batch, found {names}.")


def write_columns(
    path: str | PathLike[str] | None, columns: Mapping[str, Column], *, format: str | None = None
) -> None:
    """Write all columns at once; see `Writer`."""
    with Writer.open(path, format) as writer:
        writer.write(columns)


def format_of(path: str) -> str | None:
    """The format of tables that the extension of a file names; None where it names none.

    >>> format_of("out.ndjson"), format_of("out.conll")
    ('jsonl', None)
    """
    name = _name(_extension(path))
    return name if name in _ENCODERS else None


def _extension(path: str) -> str:
    return os.path.splitext(path)[1][1:].lower()


def _name(found: str) -> str:
    return _ALIASES.get(found, found)


def _format(path: str | None, format: str | None) -> str:
    found = format if format is not None else "csv" if path is None else _extension(path)
    name = _name(found)
    if name not in _ENCODERS:
        what = f"format '{found}'" if format is not None else f"extension '.{found}' of '{path}'"
        raise UsageError(f"cannot write {what}. Choose one of: {', '.join(_ENCODERS)}.")
    if path is None and name in BINARY:
        raise UsageError(f"cannot write {name} to stdout, for it is no text. Name a file with -o.")
    return name


def _as_list(column: Column) -> list[Any]:
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return list(column.to_pylist())
    return list(column.tolist() if isinstance(column, np.ndarray) else column)
