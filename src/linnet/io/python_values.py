"""Examples as Python has them: rows with named columns, pairs of inputs and outputs, iterators; in one form for all tasks.

Rows come from pandas, Polars and Arrow, from Hugging Face datasets, from dicts of lists and from lists of dicts. None of these
packages but Arrow is imported here: a value of one of them is recognised by its methods.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import pyarrow as pa

from linnet.core.types import Data, Json
from linnet.errors import DataError, UsageError, meant, shown
from linnet.io.bytes.encoding import half_pair
from linnet.io.formats import no_examples
from linnet.io.nltk_values import from_nltk
from linnet.io.texts.columns import listed, naming, usual

Column: TypeAlias = Any
"""A column as it came: an Arrow array, or several of them as one column, or a list."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows with named columns."""

    columns: Mapping[str, Column]
    source: str
    """What the rows came as, such as DataFrame, for messages."""
    twice: tuple[str, ...] = ()
    """Names that more than one column has. `columns` has only the first of these columns, and `find` refuses such a
    name."""

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def slice(self, start: int, length: int) -> Rows:
        """The rows from `start` on, `length` of them."""
        columns = {name: column[start : start + length] for name, column in self.columns.items()}
        return Rows(columns, self.source, self.twice)

    @property
    def names(self) -> list[str]:
        return [*self.columns, *self.twice]

    def values(self, name: str) -> list[Json]:
        """The values of a column, as Python has them."""
        return values_of(self.columns[name])

    def find(self, what: str, known: Sequence[str], wanted: str | None, option: str) -> str:
        """The name of a column: the one that the user wants, or the first that has a usual name. DataError without one.

        what: what the column holds, for the message. option: the argument by which the user names it, text or label.
        """
        name = wanted if wanted is not None else usual(known, self.names)
        if name is not None and name in self.twice:
            raise DataError(f"found the column '{name}' twice. Rename one of the two.", self.source)
        if name is not None and name in self.columns:
            return name
        hint = "" if name is None else meant(name, self.names)
        found = f"found no column of {what} among" if name is None else f"expected a column '{name}', found"
        raise DataError(f"{found} {listed(self.names)}.{hint} {naming(f'column of {what}', option)}", self.source)

    def others(self, *names: str | None) -> pa.Table | None:
        """The columns that have none of these names and hold plain values or lists of numbers, so that features can
        look at them; None where there is none."""
        plain = {name: _plain(column) for name, column in self.columns.items() if name not in names}
        found = {name: column for name, column in plain.items() if column is not None and half_pair(name) is None}
        return pa.table(found) if found else None

    def dicts(self) -> list[dict[str, Json]]:
        """Each row as a dict, without the values that are missing."""
        columns = {name: self.values(name) for name in self.columns}
        return [_present({name: column[i] for name, column in columns.items()}) for i in range(len(self))]


def brought(data: Data, outputs: Data = None) -> Data:
    """Examples with their outputs in one of the forms that tasks read: paths, `Rows`, a pair of inputs and outputs, or what a
    reader of linnet gave. Iterators are read to their end, so they can be read again.

    >>> brought([("good", "+"), ("bad", "-")])
    (['good', 'bad'], ['+', '-'])
    >>> brought({"text": ["good"], "label": ["+"]}).names
    ['text', 'label']
    """
    if outputs is not None:
        if isinstance(outputs, str | os.PathLike):
            raise UsageError(
                f"expected an output for each example, such as a list of labels, found the string {os.fspath(outputs)!r}. "
                "Name a column with label=, and pass several files as a list."
            )
        return several(data), values_of(outputs)
    if _are_paths(data):
        return data
    if isinstance(data, tuple) and len(data) == 2:
        return several(data[0]), values_of(data[1])
    rows = rows_of(data)
    if rows is not None:
        return rows
    if not is_several(data):
        if not hasattr(data, "__len__") or hasattr(data, "ndim"):
            raise DataError(
                f"expected a path, a table, or examples and their outputs, found {type(data).__name__}: {shown(data)}."
            )
        return data
    return _from_items(list(data))


def are_files(data: Data) -> bool:
    """Whether examples without outputs are in files: one path, or several. Strings in a list are paths if all of them are
    files, and else texts."""
    if isinstance(data, str | os.PathLike):
        return True
    several = data if isinstance(data, list | tuple) else []
    return bool(several) and all(
        isinstance(one, os.PathLike) or (isinstance(one, str) and os.path.isfile(one)) for one in several
    )


def is_several(data: Data) -> bool:
    """Whether values can be read one by one. An array without a dimension, such as np.array(3), cannot."""
    return isinstance(data, Iterable) and getattr(data, "ndim", 1) > 0


def lesson_of(x: Data, y: Data) -> tuple[Data, Data]:
    """An example and its output, or several of both, as plain values of Python: arrays, Series and iterators as lists.
    DataError for a table, and for what holds no example."""
    x, y = (
        list(one) if isinstance(one, Iterator) else one.tolist() if hasattr(one, "tolist") else one for one in (x, y)
    )
    for one, what in ((x, "an example"), (y, "its output")):
        if hasattr(one, "columns"):
            raise DataError(f"expected {what}, or a list of several, found {type(one).__name__}. Pass lists.")
    if not is_several(x) and not hasattr(x, "candidates"):
        raise DataError(f"expected an example, or a list of several, found {type(x).__name__}: {shown(x)}.")
    return x, y


def several(examples: Data) -> Data:
    """Examples that can be counted and read more than once: an iterator as a list, and all else as it is."""
    is_table = isinstance(examples, pa.RecordBatchReader)
    return list(examples) if isinstance(examples, Iterator) and not is_table else examples


def values_of(column: Data) -> list[Json]:
    """The values of one column as a list: of an array, of a Series, of a table with one column, or of what else can be read
    one by one."""
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return list(column.to_pylist())
    if not is_several(column):
        raise DataError(
            f"expected an output for each example, found {type(column).__name__}: {shown(column)}. Pass a list."
        )
    rows = None if isinstance(column, list | tuple) else rows_of(column)
    if rows is not None:
        if len(rows.columns) != 1:
            raise DataError(f"expected one column of outputs, found {listed(rows.names)}. Pass one of them.")
        return rows.values(rows.names[0])
    if hasattr(column, "tolist"):  # an array of NumPy, a Series of pandas
        return list(column.tolist())
    return list(column)


def rows_of(data: Data) -> Rows | None:
    """The rows of values that have named columns; None for other values."""
    source = type(data).__name__
    if isinstance(data, Rows):
        return data
    if isinstance(data, pa.RecordBatchReader):
        data = data.read_all()
    if isinstance(data, pa.Table | pa.RecordBatch):
        return _rows(zip(data.schema.names, data.columns, strict=True), source)
    if hasattr(data, "with_format") and hasattr(data, "features"):
        return _hugging_face(data, source)
    if hasattr(data, "collect") and hasattr(data, "collect_schema"):  # a lazy frame of Polars
        return rows_of(data.collect())
    if isinstance(data, Mapping):
        return _rows(_columns_of(data).items(), source)
    if hasattr(data, "columns") and hasattr(data, "iloc"):  # a data frame of pandas
        names = map(str, data.columns)
        return _rows(((name, _of_pandas(data.iloc[:, k])) for k, name in enumerate(names)), source)
    if hasattr(data, "__arrow_c_stream__") and not hasattr(data, "dtype") and not isinstance(data, pa.ChunkedArray):
        return rows_of(pa.table(data))
    if isinstance(data, list | tuple) and data and isinstance(data[0], Mapping):
        return _of_dicts(data)
    return None


def _are_paths(data: Data) -> bool:
    """Whether data are one path, or several: a list or a tuple of nothing else."""
    paths = data if isinstance(data, list | tuple) else [data]
    return len(paths) > 0 and all(isinstance(path, str | os.PathLike) for path in paths)


def _from_items(items: list[Data]) -> Data:
    """Examples that came one by one: rows as dicts, pairs of an input and its output, values of NLTK, or lists of
    candidates."""
    if items and all(isinstance(item, tuple) and len(item) == 2 for item in items):
        inputs, outputs = zip(*items, strict=True)
        return list(inputs), list(outputs)
    rows = rows_of(items)
    if rows is not None:
        return rows
    pair = from_nltk(items)
    if pair is None:
        for item in items:
            if not isinstance(item, str | os.PathLike | list | tuple) and not hasattr(item, "candidates"):
                raise no_examples(item)
    return items if pair is None else pair


def _rows(columns: Iterable[tuple[str, Column]], source: str) -> Rows:
    found: dict[str, Column] = {}
    twice: list[str] = []
    for name, column in columns:
        if name in found:
            twice.append(name)
        else:
            found[name] = column
    return Rows(found, source, tuple(twice))


def _columns_of(data: Mapping[str, Data]) -> dict[str, Column]:
    """The columns of a dict, all of one length."""
    if any(hasattr(value, "column_names") for value in data.values()):
        names = ", ".join(f"[{name!r}]" for name in data)
        raise DataError(f"expected one table, found several under {names}. Pass one of them.")
    for name, value in data.items():
        if isinstance(value, str | bytes) or not is_several(value):
            raise DataError(
                f"expected a list of values under {name!r}, found {type(value).__name__}: {shown(value)}. "
                "Pass a row in a list: [row]."
            )
    columns = {str(name): several(value) for name, value in data.items()}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{length} under {name!r}" for name, length in lengths.items())
        raise DataError(f"expected as many values in each column, found {found}.")
    return columns


def _of_dicts(rows: Sequence[Mapping[str, Data]]) -> Rows:
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise DataError(f"expected a dict at position {i}, as before it, found {type(row).__name__}: {shown(row)}.")
    names = dict.fromkeys(name for row in rows for name in row)
    return Rows({str(name): [row.get(name) for row in rows] for name in names}, "list of dicts")


def _of_pandas(series: Data) -> Column:
    """A column of pandas as Arrow; as a list where it has values of several types."""
    try:
        return list(series) if _is_nested(series) else pa.array(series, from_pandas=True)
    except pa.ArrowException:
        return list(series)


def _hugging_face(data: Data, source: str) -> Rows:
    """The rows of a Hugging Face dataset. Lists of numbers of classes, as tags come, get the names of the classes."""
    if not hasattr(data, "__len__"):  # one that is read as it comes
        rows = list(data)
        return _named(_of_dicts(rows) if rows else Rows({}, source), data.features or {}, source)
    table = data.with_format("arrow")[:]
    return _named(_rows(zip(table.schema.names, table.columns, strict=True), source), data.features, source)


def _named(rows: Rows, features: Mapping[str, Any], source: str) -> Rows:
    columns = dict(rows.columns)
    for name, feature in features.items():
        names = getattr(getattr(feature, "feature", None), "names", None)
        if name in columns and names is not None:
            columns[name] = [some and [_class(k, names) for k in some] for some in rows.values(name)]
    return Rows(columns, source)


def _class(number: int | None, names: Sequence[str]) -> str | None:
    """The name of a class; None for a number that stands for a class that is not known, as -1 does."""
    return names[number] if number is not None and 0 <= number < len(names) else None


def _plain(column: Column) -> pa.Array | pa.ChunkedArray | None:
    """A column that features can look at, as Arrow; None for dicts, bytes, lists of anything but numbers, values of several
    types, integers beyond 64 bits, and strings with half of a surrogate pair."""
    if not isinstance(column, pa.Array | pa.ChunkedArray):
        if _is_nested(column):
            return None
        try:
            column = _rows_of_matrix(column) if getattr(column, "ndim", 1) == 2 else pa.array(column)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            return None
    kind = column.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        is_number = pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type)
        return column if is_number else None
    nested = pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
    return None if nested else column


def _is_nested(column: Column) -> bool:
    """Whether values of a column are lists of lists or of dicts. Arrow goes into them by recursion, which ends the process
    where they are too deep. Features look at lists of numbers alone."""
    if not isinstance(column, list | tuple) and getattr(getattr(column, "dtype", None), "kind", "") != "O":
        return False
    kinds = {kind for value in column if isinstance(value, list | tuple) for kind in set(map(type, value))}
    return any(issubclass(kind, list | tuple | Mapping) for kind in kinds)


def _rows_of_matrix(matrix: Data) -> pa.Array:
    """The rows of a matrix as lists of numbers."""
    return pa.FixedSizeListArray.from_arrays(pa.array(matrix.reshape(-1)), matrix.shape[1])


def _present(value: Json) -> Json:
    """A value whose dicts, at any depth, have lost the keys with the value None."""
    if isinstance(value, Mapping):
        return {key: _present(one) for key, one in value.items() if one is not None}
    return [_present(one) for one in value] if isinstance(value, list) else value
