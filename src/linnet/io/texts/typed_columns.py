"""Read columns that have types, as those of Parquet and Arrow files do. Texts must be strings. Labels may be strings,
numbers or booleans, and become strings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pyarrow as pa

from linnet.errors import DataError
from linnet.io.bytes.unpacking import Content
from linnet.io.texts.columns import Columns, find
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import Dataset, no_texts
from linnet.io.texts.expansion import count_views, pieces
from linnet.io.texts.labels import label_sets, label_strings


class Layout(NamedTuple):
    """Which column of a file holds the texts and which the labels, and which of the other columns are kept."""

    name: str
    columns: Columns
    others: list[str]
    request: Request

    @classmethod
    def from_schema(cls, schema: pa.Schema, request: Request, name: str) -> Layout:
        columns = find(schema.names, request, name)
        times = Counter(schema.names)
        others = [field.name for field in schema if _is_kept(field, request) and times[field.name] == 1]
        others = [name for name in others if name not in (columns.text, columns.label)]
        return cls(name, columns, others, request)

    @property
    def needed(self) -> list[str]:
        used = (self.columns.text, self.columns.label)
        return [*(name for name in used if name is not None), *self.others]

    def datasets(self, batches: Iterable[pa.RecordBatch], content: Content) -> Iterator[Dataset]:
        """Yield each batch that has rows as a dataset, or as several. content: counts what they hold."""
        first = 1  # the number of the first row of the batch, counted from 1 in the file, for messages
        for batch in batches:
            for name in self.needed:
                count_views(batch.column(name), content)
                self._validate(batch.column(name), name, first)
            for piece in pieces(batch, self.needed, content):
                yield self._dataset(piece)
            first += batch.num_rows

    def _dataset(self, batch: pa.RecordBatch) -> Dataset:
        labels = None
        if self.columns.label is not None:
            labels = pa.chunked_array([self._labels(batch.column(self.columns.label))])
        others = None
        if self.others:
            others = pa.Table.from_arrays(
                [_without_views(batch.column(name)) for name in self.others], names=self.others
            )
        of_text = self.columns.text
        text = no_texts(batch.num_rows) if of_text is None else pa.chunked_array([self._texts(batch.column(of_text))])
        order = tuple(batch.schema.names)
        return Dataset(text, labels, others, self.name, of_text, self.columns.label, order)

    def _texts(self, column: pa.Array) -> pa.Array:
        if not _is_string(column.type):
            message = (
                f"expected strings in column '{self.columns.text}', found {column.type}. Choose another column "
                "with --text-col."
            )
            raise DataError(message, self.name)
        return self._strings(column)

    def _labels(self, column: pa.Array) -> pa.Array:
        kind, several = column.type, self.request.several
        if not _is_label(kind) and not (several and _is_list(kind) and _is_label(kind.value_type)):
            sets = "Several labels for one text need --task labelset."
            advice = sets if _is_list(kind) else "Choose another column with --label-col."
            name = self.columns.label or ""
            raise DataError(f"expected labels in column '{name}', found {kind}. {advice}", self.name)
        if several:
            return label_sets(column.to_pylist(), self.request.separator)
        return self._strings(column) if _is_string(kind) else label_strings(column.to_pylist())

    def _validate(self, column: pa.Array, name: str, first: int) -> None:
        """Raise DataError where a column is damaged. Arrow finds a string by its offsets into a buffer, and does not
        check them by itself: offsets outside of the buffer would crash the process. The first row of the column is row
        `first` of the file, counted from 1."""
        try:
            column.validate(full=True)
        except pa.ArrowInvalid as error:
            raise DataError(_damage(column, name, first, error), self.name) from None

    def _strings(self, column: pa.Array) -> pa.Array:
        if pa.types.is_dictionary(column.type):
            # Arrow cannot decode a dictionary of string views, so the dictionary becomes large strings first.
            words = column.dictionary.cast(pa.large_string())
            column = pa.DictionaryArray.from_arrays(column.indices, words).dictionary_decode()
        return column.cast(pa.large_string()).fill_null("")


@contextmanager
def blaming(name: str, kind: str) -> Iterator[None]:
    """A context in which errors of pyarrow become a DataError about the file `name`, which should be of a kind such as
    Parquet, with advice on what to do."""
    try:
        yield
    except NotImplementedError as error:
        message = (
            f"pyarrow {pa.__version__} cannot read all of this {kind} file ({_first_line(error)}). Update pyarrow."
        )
        raise DataError(message, name) from None
    except (pa.ArrowException, OSError, EOFError, UnicodeDecodeError) as error:
        message = f"is not in the {kind} format, or is damaged ({_first_line(error)}). Export it again."
        raise DataError(message, name) from None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".")


def _damage(column: pa.Array, name: str, first: int, error: Exception) -> str:
    """The reason why a column is not valid: a row that is not UTF-8, or else what pyarrow says."""
    found = _first_not_utf8(column)
    if found is None:
        return f"column '{name}' is damaged ({_first_line(error)}). Export the file again."
    row, byte = found
    return f"row {first + row} of column '{name}' holds byte 0x{byte:02x}, which is not UTF-8. Export the file again."


def _first_not_utf8(column: pa.Array) -> tuple[int, int] | None:
    """The index, from 0, of the first row that is not UTF-8, and the first invalid byte in that row; None when
    something else is wrong with the column."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return None
    values = column.cast(pa.binary() if pa.types.is_string(column.type) else pa.large_binary())
    try:
        values.validate(full=True)
    except pa.ArrowInvalid:
        return None
    for row, value in enumerate(values.to_pylist()):
        try:
            (value or b"").decode()
        except UnicodeDecodeError as error:
            return row, value[error.start]
    return None


def _is_string(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_string(kind.value_type)
    is_one = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null)
    return any(of_kind(kind) for of_kind in is_one)


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind))


def _is_label(kind: pa.DataType) -> bool:
    return _is_string(kind) or _is_number(kind.value_type if pa.types.is_dictionary(kind) else kind)


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _is_kept(field: pa.Field, request: Request) -> bool:
    """Whether a column other than the text and the label is kept: it holds plain values, or it holds lists of numbers
    and the request names it."""
    if not _is_list(field.type):
        return _is_plain(field.type)
    return _is_number(field.type.value_type) and request.wants_numbers(field.name)


def _is_plain(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_plain(kind.value_type)
    of_bytes = (
        pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view, pa.types.is_fixed_size_binary,
    )  # fmt: skip
    return not (pa.types.is_nested(kind) or any(of_kind(kind) for of_kind in of_bytes))


def _without_views(column: pa.Array) -> pa.Array:
    """A column of which rows can be taken: Arrow cannot take them from string views, which Polars writes."""
    return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column
