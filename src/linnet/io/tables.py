"""Columns that come with types (Parquet, Arrow): strings and labels from whatever types they have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa

from linnet.errors import DataError
from linnet.io.columns import Columns, find
from linnet.io.contract import Request
from linnet.io.dataset import Dataset
from linnet.io.labels import label_name, label_strings


@dataclass(frozen=True)
class Layout:
    """Where the texts and labels of a file are, and which of the other columns to keep."""

    name: str
    columns: Columns
    others: list[str]
    labelled: bool

    @classmethod
    def of(cls, schema: pa.Schema, request: Request, name: str) -> Layout:
        columns = find(schema.names, request, name)
        used = (columns.text, columns.label)
        others = [field.name for field in schema if field.name not in used and _is_plain(field.type)]
        return cls(name, columns, others, request.labelled)

    @property
    def needed(self) -> list[str]:
        return [self.columns.text, *([self.columns.label] if self.columns.label is not None else []), *self.others]

    def datasets(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Dataset]:
        first = 1
        for batch in batches:
            if batch.num_rows:
                yield self._dataset(batch, first)
            first += batch.num_rows

    def _dataset(self, batch: pa.RecordBatch, first: int) -> Dataset:
        labels = None
        if self.columns.label is not None:
            labels = pa.chunked_array([self._labels(batch.column(self.columns.label), first)])
        others = None
        if self.others:
            others = pa.Table.from_arrays([batch.column(name) for name in self.others], names=self.others)
        text = pa.chunked_array([self._texts(batch.column(self.columns.text), first)])
        return Dataset(text, labels, others, self.name, self.columns.text, self.columns.label)

    def _texts(self, column: pa.Array, first: int) -> pa.Array:
        if not _is_string(column.type):
            message = (
                f"expected strings in column '{self.columns.text}', found {column.type}. Name another: --text-col."
            )
            raise DataError(message, self.name)
        return self._strings(column, self.columns.text, first)

    def _labels(self, column: pa.Array, first: int) -> pa.Array:
        name = self.columns.label or ""
        if _is_string(column.type):
            labels = self._strings(column, name, first)
        elif pa.types.is_dictionary(column.type) or _is_number(column.type):
            labels = label_strings(column.to_pylist())
        else:
            advice = "Several labels for one text need --task labelset." if _is_list(column.type) else "Name another."
            raise DataError(f"expected labels in column '{name}', found {column.type}. {advice}", self.name)
        if self.labelled:
            self._check_none_missing(labels, first)
        return labels

    def _strings(self, column: pa.Array, name: str, first: int) -> pa.Array:
        try:
            column.validate(full=True)
        except pa.ArrowInvalid:
            raise DataError(_damage(column, name, first), self.name) from None
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        return column.cast(pa.large_string()).fill_null("")

    def _check_none_missing(self, labels: pa.Array, first: int) -> None:
        for row, label in enumerate(labels.to_pylist(), first):
            if label_name(label) is None:
                raise DataError(f"row {row} has no label. Give it one, or remove the row.", self.name)


def _damage(column: pa.Array, name: str, first: int) -> str:
    """Why a column of strings is not valid: a row that is not UTF-8, or offsets that lead nowhere."""
    try:
        column.validate()
        values = column.cast(pa.binary() if column.type == pa.string() else pa.large_binary())
    except pa.ArrowInvalid as error:
        return f"column '{name}' is damaged ({error}). Write the file again."
    for row, value in enumerate(values.to_pylist(), first):
        try:
            (value or b"").decode()
        except UnicodeDecodeError as error:
            byte = value[error.start]
            return f"row {row} of column '{name}' holds byte 0x{byte:02x}, which is not UTF-8. Write the file again."
    return f"column '{name}' is damaged. Write the file again."


def _is_string(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_string(kind.value_type)
    is_view = getattr(pa.types, "is_string_view", lambda _: False)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind) or is_view(kind))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind))


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _is_plain(kind: pa.DataType) -> bool:
    return not (pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind))
