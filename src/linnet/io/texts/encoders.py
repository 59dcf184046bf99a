"""How columns become bytes: one small class per format that can be written."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, BinaryIO, Protocol, TypeAlias

from linnet.errors import UsageError
from linnet.io.texts.labels import USUAL_SEPARATOR

Columns: TypeAlias = Mapping[str, list[Any]]


class Encoder(Protocol):
    """An encoder takes batches of columns that have the same names and lengths."""

    def write(self, columns: Columns) -> None: ...

    def finish(self) -> None:
        """Write what belongs at the end, while the file is still open. It is called after an error, too."""


class Delimited:
    """CSV or TSV. Quoting is done here, as `csv.writer` leaves a lone CR unquoted, which ends a row."""

    delimiter = ","

    def __init__(self, file: BinaryIO, separator: str = USUAL_SEPARATOR) -> None:
        """`separator` stands between the parts of a list."""
        self._file = file
        self._separator = separator
        self._special = re.compile(f'["\r\n{self.delimiter}]')
        self._begun = False

    def write(self, columns: Columns) -> None:
        if not self._begun:
            self._begun = True
            self._write_row([self._field(name, name) for name in columns])
        fields = [[self._field(value, name) for value in values] for name, values in columns.items()]
        for row in zip(*fields, strict=True):
            self._write_row(row)

    def finish(self) -> None:
        pass

    def _write_row(self, fields: list[str] | tuple[str, ...]) -> None:
        # A row of one empty field is quoted, as it would be a blank line.
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
        return '"' + text.replace('"', '""') + '"' if self._special.search(text) else text


class TabDelimited(Delimited):
    delimiter = "\t"


class JsonLines:
    """JSON lines, one object a line. JSON has no NaN nor infinity: they become null."""

    def __init__(self, file: BinaryIO, separator: str = USUAL_SEPARATOR) -> None:
        self._file = file
        self._encode = json.JSONEncoder(ensure_ascii=False).encode

    def write(self, columns: Columns) -> None:
        names = list(columns)
        finite = [[None if _is_odd(value) else value for value in values] for values in columns.values()]
        for row in zip(*finite, strict=True):
            self._file.write(f"{self._encode(dict(zip(names, row, strict=True)))}\n".encode())

    def finish(self) -> None:
        pass


class _Arrow:
    """The base of Parquet and Arrow files, in which the first batch fixes the types."""

    def __init__(self, file: BinaryIO, separator: str = USUAL_SEPARATOR) -> None:
        self._file = file
        self._schema: Any = None
        self._writer: Any = None

    def write(self, columns: Columns) -> None:
        import pyarrow as pa

        table = pa.table(dict(columns), schema=self._schema)
        if self._writer is None:
            self._schema = table.schema
            self._writer = self._open(table.schema)
        self._writer.write_table(table)

    def finish(self) -> None:
        if self._writer is None:
            self.write({})
        self._writer.close()

    def _open(self, schema: Any) -> Any:
        raise NotImplementedError


class Parquet(_Arrow):
    def _open(self, schema: Any) -> Any:
        from pyarrow.parquet import ParquetWriter

        return ParquetWriter(self._file, schema)


class Ipc(_Arrow):
    def _open(self, schema: Any) -> Any:
        from pyarrow import ipc

        return ipc.new_file(self._file, schema)


def _is_odd(value: object) -> bool:
    return isinstance(value, float) and not math.isfinite(value)
