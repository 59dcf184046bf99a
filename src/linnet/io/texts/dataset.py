"""What a reader gives: texts, their labels, and the other columns of the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.arrow import large_strings, numbers, text_lists
from linnet.errors import DataError
from linnet.io.texts.labels import SEVERAL

if TYPE_CHECKING:
    from linnet.core.room import Room

Offsets = npt.NDArray[np.int64]


def _none() -> Offsets:
    return np.empty(0, np.int64)


class ReadFile(NamedTuple):
    """A file that rows were read from, and how the user said to read it, so that it can be read in the same way again."""

    path: str
    name: str
    """What messages call the file."""
    format: str | None = None
    encoding: str | None = None
    delimiter: str | None = None


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows of text. Arrow keeps them as bytes and offsets, which the core reads in place."""

    text: pa.ChunkedArray
    """The texts, as large_string without nulls: a missing text is ""."""
    labels: pa.ChunkedArray | None
    """The labels, as large_string without nulls, or None when there are none. "" stands for no label, where labels were not
    demanded.

    Several labels of a row are one string; `label_sets` takes it apart."""
    columns: pa.Table | None
    """The other columns that hold plain values (id, fold, ...), or lists of numbers that were asked for; or None."""
    source: str
    """The path or paths as given, for messages."""
    text_col: str | None
    """The column of the texts; None where the file has none, so that all texts are ""."""
    label_col: str | None
    order: tuple[str, ...] = ()
    """The names of all columns in the order of the file; () where the format has no such order."""
    left_out: Offsets = field(default_factory=_none)
    """For each row that was left out, in order, how many rows of this dataset come before it."""
    files: tuple[ReadFile, ...] = ()
    """The files of all rows, each once. A reader of a format leaves them out, and `read_batches` adds them."""

    @classmethod
    def from_rows(
        cls, texts: Sequence[bytes], labels: Sequence[bytes] | None, source: str, columns: pa.Table | None = None
    ) -> Dataset:
        """A dataset of rows of bytes that are known to be UTF-8."""
        known = None if labels is None else pa.chunked_array([large_strings(labels)])
        text = pa.chunked_array([large_strings(texts)])
        return cls(text, known, columns, source, "text", None if labels is None else "label")

    def __len__(self) -> int:
        return len(self.text)

    def row_numbers(self) -> Offsets | None:
        """The number of each row in the files, from 0, counting those that were left out; None where none were.

        Of a, b, c, d and e, with b and e left out, a, c and d have the numbers 0, 2 and 3; `left_out` is 1 and 3.
        """
        if not len(self.left_out):
            return None
        here = np.arange(len(self))
        return here + np.searchsorted(self.left_out, here, side="right")

    def take(self, rows: Offsets) -> Dataset:
        """The rows with these numbers, in this order."""
        which = numbers(rows)
        labels, columns = (None if part is None else part.take(which) for part in (self.labels, self.columns))
        return replace(self, text=self.text.take(which), labels=labels, columns=columns, left_out=_none())

    def rows(self, *, several: bool = False) -> pa.Table:
        """All columns of the file but those of lists of numbers, as one table, in the order of the file where that is
        known.
        several: whether a row has any number of labels, which are then a list."""
        found = {} if self.text_col is None else {self.text_col: self.text}
        if self.labels is not None and self.label_col is not None:
            found[self.label_col] = text_lists(self.label_sets()) if several else self.labels
        if self.columns is not None:
            each = zip(self.columns.column_names, self.columns.columns, strict=True)
            found |= {name: column for name, column in each if not pa.types.is_nested(column.type)}
        names = list(dict.fromkeys([*(name for name in self.order if name in found), *found]))
        return pa.Table.from_arrays([found[name] for name in names], names=names)

    def label_sets(self) -> list[list[str]]:
        """The labels of each row, which may have several."""
        return list(self.each_label(several=True))

    def label_list(self) -> list[str]:
        """The labels as strings; empty when there are none."""
        return list(self.each_label())

    def each_label(self, *, several: bool = False, room: Room | None = None) -> EachLabel:
        """The label of each row, or with `several` the list of its labels. Strings are made from the column each time
        it is iterated over. room: where rows in files are kept, whose memory is then given back chunk by chunk."""
        return EachLabel(self.labels, SEVERAL if several else None, room)

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in (self.text, self.labels, self.columns) if part is not None)


class EachLabel:
    """An iterable of the labels of a column as strings, or, with a separator, of the list of labels of each row. Only
    the strings of one chunk are made at a time, and equal labels are the same string object."""

    def __init__(self, column: pa.ChunkedArray | None, separator: str | None = None, room: Room | None = None) -> None:
        self.column = column
        self.separator = separator
        self.room = room

    def __len__(self) -> int:
        return 0 if self.column is None else len(self.column)

    def __iter__(self) -> Iterator[Any]:
        names: dict[str, str] = {}
        for chunk in () if self.column is None else self.column.iterchunks():
            for label in chunk.to_pylist():
                if self.separator is None:
                    yield names.setdefault(label, label)
                else:
                    yield label.split(self.separator) if label else []
            if self.room is not None:
                self.room.give_back()


def no_texts(n: int) -> pa.ChunkedArray:
    """The texts of n rows that have none."""
    return pa.chunked_array([large_strings([b""] * n)])


def join(parts: Sequence[Dataset]) -> Dataset:
    """All parts as one dataset, in their order. Labels and other columns are kept if every part has them."""
    first = parts[0]
    if len(parts) == 1:
        return first
    labels = [part.labels for part in parts if part.labels is not None]
    labelled = len(labels) == len(parts)
    files = tuple(dict.fromkeys(file for part in parts for file in part.files))
    return Dataset(
        text=_chain([part.text for part in parts]),
        labels=_chain(labels) if labelled else None,
        columns=_join_columns([part.columns for part in parts]),
        source=names_of(files),
        text_col=first.text_col,
        label_col=first.label_col if labelled else None,
        order=first.order,
        left_out=_join_left_out(parts),
        files=files,
    )


def names_of(files: Iterable[ReadFile]) -> str:
    """The names of files as the source of one dataset."""
    return ", ".join(file.name for file in files)


def rebatch(parts: Iterable[Dataset], batch_bytes: int) -> Iterator[Dataset]:
    """Join small parts to batches of about `batch_bytes`, since some of a caller's work is for each batch. A batch is
    given as soon as another part of the size of its last one would not fit, before that part is read. If reading a part raises
    DataError, the parts before it come first."""
    waiting: list[Dataset] = []
    size = 0
    try:
        for part in parts:
            more = part.nbytes
            if waiting and size + more > batch_bytes:
                yield join(waiting)
                waiting, size = [], 0
            waiting.append(part)
            size += more
            if size + more > batch_bytes:
                yield join(waiting)
                waiting, size = [], 0
    except DataError:
        if waiting:
            yield join(waiting)
        raise
    if waiting:
        yield join(waiting)


def _join_left_out(parts: Sequence[Dataset]) -> Offsets:
    before = np.cumsum([0, *map(len, parts[:-1])])
    return np.concatenate([part.left_out + n for part, n in zip(parts, before, strict=True)])


def _chain(columns: Sequence[pa.ChunkedArray]) -> pa.ChunkedArray:
    return pa.chunked_array([chunk for column in columns for chunk in column.chunks], type=columns[0].type)


def _join_columns(tables: Sequence[pa.Table | None]) -> pa.Table | None:
    """The columns that every table has, joined; None where there is none. Columns of int64 and of double become double;
    a column with other types that differ is left out."""
    present = [table for table in tables if table is not None]
    if len(present) < len(tables):
        return None
    whole: dict[str, pa.ChunkedArray] = {}
    by_name = [dict(zip(table.column_names, table.columns, strict=True)) for table in present]
    for name in by_name[0]:
        if not all(name in columns for columns in by_name):
            continue
        columns = [columns[name] for columns in by_name]
        types = {column.type for column in columns}
        if types == {pa.int64(), pa.float64()}:
            columns = [column.cast(pa.float64(), safe=False) for column in columns]
        elif len(types) > 1:
            continue
        whole[name] = _chain(columns)
    return pa.Table.from_arrays(list(whole.values()), names=list(whole)) if whole else None
