"""Texts with their gold outputs: read from files or taken from Python, checked and numbered."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet import io
from linnet.core.absent import is_absent
from linnet.core.arrow import numbers
from linnet.core.long_arrays import pieces
from linnet.core.room import Room
from linnet.core.types import Array, Data, Json, Setting
from linnet.errors import DataError, DataWarning
from linnet.features import Table
from linnet.features.table import Find, nowhere
from linnet.fitting.contract import Columns, Known
from linnet.fitting.opening import Enough, opened
from linnet.io.python_values import Rows, rows_of
from linnet.io.texts.columns import TEXT, find, usual
from linnet.io.texts.contract import Request
from linnet.io.texts.dataset import join
from linnet.io.texts.labels import USUAL_SEPARATOR, is_missing
from linnet.tasks.defaults import is_pair
from linnet.tasks.problems import nearly_all_differ
from linnet.tasks.texts.label_types import LABEL_TYPE, check_type, kind_of, plain, spelled
from linnet.tasks.texts.lexicon import Spoken
from linnet.tasks.texts.tables import as_table, table_of

MOST_LABELS = 4096
"""The largest number of different labels where each text has one: more of them are surely not labels."""
_STREAM_BYTES = 1 << 20
"""The number of bytes of a stream that are read at a time."""

_SAMPLE = 1000
"""The number of texts that tell what all are like."""
_FEW = 32
"""The number of texts of a sample that are taken from the file before its memory is given back."""
_SOME = 1 << 10
"""The number of texts that are in memory at a time, where they are looked at one after the other."""

Ints = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Row = str | Mapping[str, Json] | Table
"""A text, or a text with its other columns as a dict or as a table of one row."""


@dataclass(frozen=True)
class Texts:
    """Texts with their outputs as numbers: text i has y[y_at[i]:y_at[i + 1]]."""

    text: pa.ChunkedArray | pa.Array
    y: Ints
    y_at: Offsets
    labels: tuple[str, ...]
    source: str
    columns: pa.Table | None = None
    """The other columns of the file."""
    details: Mapping[str, Json] = field(default_factory=dict)
    row_numbers: Offsets | None = None
    """The number of each text in the data, from 0, where rows of the data were left out; else None."""
    has_text: bool = True
    """Whether there are texts at all, and not other columns alone."""
    room: Room | None = None
    """Where features are kept that are more than memory holds; None: all are kept in memory."""
    unlabelled: Table | None = None
    """Texts without labels, which features are learned from, too; None where there are none."""
    spoken: Spoken | None = None
    """The examples that words which speak for labels make; None where there are none."""
    find: Find = nowhere

    def __len__(self) -> int:
        return len(self.y_at) - 1

    def part(self, rows: Offsets) -> Texts:
        columns = None if self.columns is None else self.columns.take(numbers(rows))
        size = self.y_at[rows + 1] - self.y_at[rows]
        at = np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])
        y = self.y[np.repeat(self.y_at[rows] - at[:-1], size) + np.arange(at[-1])]
        row_numbers = self.rows()[rows]
        text = self.text.take(numbers(rows))
        return replace(self, text=text, y=y, y_at=at, columns=columns, row_numbers=row_numbers)

    def rows(self) -> Offsets:
        """The number of each text in the data, from 0."""
        return np.arange(len(self)) if self.row_numbers is None else self.row_numbers

    def texts(self) -> list[str]:
        """The texts; of rows without one, the values of their columns."""
        if not self.has_text and self.columns is not None:
            return [", ".join(f"{name}={value}" for name, value in row.items()) for row in self.columns.to_pylist()]
        texts: list[str] = self.text.to_pylist()
        return texts

    def parts(self) -> Iterator[pa.ChunkedArray | pa.Array]:
        """Yield the texts, of which some are in memory at a time; no part where there are none."""
        for begin in range(0, len(self) if self.has_text else 0, _SOME):
            yield self.text.slice(begin, _SOME)
            if self.room is not None:
                self.room.give_back()

    def sample(self) -> pa.ChunkedArray | pa.Array:
        """All texts, or a thousand of them, taken evenly, where they are in a file."""
        step = -(-len(self) // _SAMPLE)
        if self.room is None or not self.room.on_disk or step <= 1:
            return self.text
        found: list[pa.Array] = []
        for row in range(0, len(self), step):
            found += self.text.slice(row, 1).chunks
            if len(found) == _FEW:
                found = [pa.concat_arrays(found)]
                self.room.give_back()
        return pa.chunked_array(found)

    def table(self) -> Table:
        return Table(self.text, self.columns, self.source, self.find, self.has_text)

    def column(self, name: str) -> list[Json] | None:
        found = None if self.columns is None else usual((name,), self.columns.column_names)
        return None if self.columns is None or found is None else list(self.columns.column(found).to_pylist())


@dataclass(frozen=True)
class Labelled:
    """Texts with their labels as they were given in Python."""

    table: Table
    labels: Sequence[Json]
    names: Mapping[str, str | None] = field(default_factory=dict)
    """The names of the columns that they were taken from: `text` and `label`; empty where they had none."""
    n_absent: int = 0
    """The number of texts that are absent, and are read as empty."""

    def __len__(self) -> int:
        return len(self.table)

    def slice(self, start: int, length: int) -> Labelled:
        """The texts from `start` on, `length` of them, with their labels."""
        return Labelled(self.table.slice(start, length), self.labels[start : start + length], self.names)


class Labels(Protocol):
    """The labels of all texts, or the lists of labels, which can be looked at one after the other, over and over."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Json]: ...


class Found(NamedTuple):
    """Texts and their labels as the engine has them, before the labels get numbers."""

    table: Table
    labels: Labels
    """The label of each text as a string, or the list of its labels; those of a file are read from it over and over, where they
    are more than memory holds."""
    source: str
    details: Mapping[str, Json]
    """What a model has to know of the data: the names of their columns, and the type of their labels if they are no strings."""
    row_numbers: Offsets | None
    """The number of each text in the data, from 0, where rows of the data were left out; else None."""


def labelled_rows(rows: Rows, columns: Columns, remembered: Mapping[str, str], several: bool = False) -> Labelled:
    """Texts and labels from the columns of rows: those that are named, or remembered, or that have a usual name."""
    named = {"text": columns.get("text_col"), "label": columns.get("label_col")}
    for name, before in remembered.items():
        if named[name] is None and before is not None and before in rows.columns:
            named[name] = before
    needs_text = columns.get("needs_text", True)
    found = find(
        rows.names, Request(named["text"], named["label"], several=several, needs_text=needs_text), rows.source
    )
    assert found.label is not None
    names = {"text": found.text, "label": found.label}
    table = replace(table_of(rows, found.text, found.label), source=rows.source)
    n_absent = 0 if found.text is None else _n_absent(rows.columns[found.text])
    return Labelled(table, rows.values(found.label), names, n_absent)


def read_texts(
    data: Data, columns: Columns, *, least_labels: int, known: Known | None = None, **several: Setting
) -> Found:
    """Read texts with their labels, or with lists of labels if there may be `several`."""
    if isinstance(data, Labelled):
        return _found(data, columns, known, **several)
    if is_pair(data):
        return _found(_pair(data[0], data[1], {} if known is None else known.details), columns, known, **several)
    dataset = io.read(data, **columns, **_remembered(known), **several, least_labels=least_labels)
    room = columns.get("room")
    labels: Labels = dataset.each_label(several=bool(several), room=room)
    if room is None or not room.on_disk:
        labels = list(labels)
    names = {"text": dataset.text_col, "label": dataset.label_col}
    return Found(as_table(dataset), labels, dataset.source, {"columns": names}, dataset.row_numbers())


class Kept:
    """Arrays with a number for each text, kept in memory or in files (core/room.py)."""

    def __init__(self, room: Room | None) -> None:
        self._room = room if room is not None and room.on_disk else None

    def zeros(self, n: int, dtype: npt.DTypeLike) -> Array:
        return np.zeros(n, dtype) if self._room is None else self._room.array(n, dtype)

    def filled(self, values: Iterable[int], n: int, dtype: npt.DTypeLike) -> Array:
        """An array of n numbers that come one after the other."""
        if self._room is None:
            return np.fromiter(values, dtype, n)
        array, numbers = self._room.array(n, dtype), iter(values)
        for piece in pieces(n):
            size = piece.stop - piece.start
            array[piece] = np.fromiter(islice(numbers, size), dtype, size)
            self._room.give_back()
        return array


def stream_texts(
    paths: Data, columns: Columns, known: Known | None, enough: Enough | None, **several: Setting
) -> Iterator[Labelled]:
    """Read texts with their labels, or with lists of labels if there may be `several`, some at a time (`Task.stream`)."""
    batches = io.read_batches(paths, **columns, **_remembered(known), **several, live=True, batch_bytes=_STREAM_BYTES)

    def made(dataset: io.Dataset) -> Labelled:
        labels = dataset.label_sets() if several else dataset.label_list()
        return Labelled(as_table(dataset), labels, {"text": dataset.text_col, "label": dataset.label_col})

    return opened(batches, join, made, enough)


def _remembered(known: Known | None) -> dict[str, Setting]:
    """The columns that the data of a model had, as `io.read` is told of them."""
    before = {} if known is None else known.details.get("columns", {})
    return {f"{name}_names": (column,) for name, column in before.items() if column is not None}


def _pair(texts: Data, labels: Sequence[Json], details: Mapping[str, Json]) -> Labelled:
    """Texts, or rows with them, and the labels that were given beside them."""
    rows = rows_of(texts)
    if rows is None:
        return Labelled(as_table(texts), labels, n_absent=_n_absent(texts))
    first = details.get("columns", {}).get("text")
    name = first if first in rows.columns else usual(TEXT, rows.names)
    return Labelled(table_of(rows, name), labels, n_absent=0 if name is None else _n_absent(rows.columns[name]))


def _found(
    given: Labelled, columns: Columns, known: Known | None, several: bool = False, separator: str | None = None
) -> Found:
    """The texts that have a label, with their labels as strings."""
    table, source = given.table, given.table.source or "texts and labels"
    if len(table) != len(given.labels):
        raise DataError(f"expected as many labels as texts, found {len(given.labels)} labels and {len(table)} texts.")
    if given.n_absent:
        _tell(f"{given.n_absent:,} of {len(table):,} texts are missing, and read as empty.", columns)
    rows: Offsets | None = None
    if several:
        mark = (separator or USUAL_SEPARATOR) if given.names else None
        sets = [[plain(label) for label in members(one, mark) if not is_missing(label)] for one in given.labels]
        values = [label for one in sets for label in one]
        labels: list[Json] = [list(dict.fromkeys(map(spelled, one))) for one in sets]
    else:
        table, values, rows = _with_labels(table, given.labels, source, columns)
        labels = list(map(spelled, values))
    details = {"columns": dict(given.names), LABEL_TYPE: kind_of(values)}
    if known is not None and known.grows:
        check_type(sorted(set(map(spelled, values)) - set(known.labels)), known.details.get(LABEL_TYPE))
    return Found(table, labels, source, {name: value for name, value in details.items() if value}, rows)


def members(one: Json, separator: str | None = None) -> list[Json]:
    """The labels of one text that may have several: those of a list, of a set or of an array; of a string with separators
    between them, as columns of tables have it; one label by itself; or none.

    >>> members(["a", "b"]), members("a, b", ","), members("a, b"), members(None)
    (['a', 'b'], ['a', 'b'], ['a, b'], [])
    """
    if is_absent(one):
        return []
    if isinstance(one, str) and separator is not None:
        return [label.strip() for label in one.split(separator)]
    return list(one) if not isinstance(one, str) and hasattr(one, "__iter__") else [one]


def _with_labels(
    table: Table, labels: Sequence[Json], source: str, columns: Columns
) -> tuple[Table, list[Json], Offsets | None]:
    """The texts that have a label, these labels, and the numbers of the texts where some have none. DataError where more than
    half of them have none."""
    kept = [i for i, label in enumerate(labels) if not is_missing(label)]
    n, missing = len(labels), len(labels) - len(kept)
    if not missing:
        return table, [plain(label) for label in labels], None
    if missing > n / 2 and not columns.get("may_lack"):
        raise DataError(
            f"{missing:,} of {n:,} rows have no label: None, NaN, an empty string or what stands for one. Is the label column "
            "the right one? Leave out the rows without a label if it is.",
            source,
        )
    if not columns.get("may_lack"):
        _tell(f"{missing:,} of {n:,} rows have no label, and are left out.", columns)
    rows = np.array(kept, np.int64)
    return table.take(numbers(rows)), [plain(labels[i]) for i in kept], rows


def _tell(note: str, columns: Columns) -> None:
    """Warn the caller of what became of some data, and add it to the notes of a training, if these are kept."""
    warnings.warn(DataWarning(note), stacklevel=2)
    if columns.get("note") is not None:
        columns["note"](note)


def _n_absent(column: Data) -> int:
    """The number of texts of a column that are absent."""
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return int(column.null_count)
    return sum(map(is_absent, column)) if isinstance(column, Sequence) or hasattr(column, "dtype") else 0


def check_not_values(n_labels: int, n_rows: int, source: str) -> None:
    """Raise DataError where nearly every row has a label of its own: such a column holds names, numbers or texts."""
    for wrong in nearly_all_differ(n_labels, n_rows):
        raise DataError(f"{wrong}.", source)


def checked_names(names: Sequence[str], source: str, least: int = 2) -> tuple[str, ...]:
    """The labels, if they are neither fewer than `least` nor too many to learn; DataError otherwise."""
    if len(names) < least:
        what = (
            f"every row has the label {names[0]!r}; learning needs at least two" if names else "there are no examples"
        )
        raise DataError(f"{what}.", source)
    if len(names) > MOST_LABELS:
        raise DataError(
            f"expected at most {MOST_LABELS:,} different labels, found {len(names):,}. Is the label column the right one?",
            source,
        )
    return tuple(names)
