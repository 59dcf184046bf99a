"""Points of a plane: two columns of numbers of a table, or how often two words are in each text; each point has a label."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from linnet import io
from linnet.core.absent import is_absent
from linnet.core.types import Data, Json
from linnet.errors import DataError, UsageError, meant
from linnet.features import TextFeatures
from linnet.features.rows import SparseRows
from linnet.features.table import Find, nowhere
from linnet.fitting.contract import Columns, how_of
from linnet.io.python_values import Rows, brought, rows_of
from linnet.io.texts.columns import LABEL, TEXT, NoColumnError, listed, naming, usual
from linnet.io.texts.labels import is_missing
from linnet.learners import Examples

Floats = npt.NDArray[np.float64]

MOST_LABELS = 6
"""The largest number of labels that have a colour and a shape of their own."""


@dataclass(frozen=True)
class Points:
    """Points with their labels. Learners see how many units each number is away from the centre; pictures show the
    numbers themselves."""

    at: Floats
    """The two numbers of each point: n x 2."""
    y: npt.NDArray[np.int32]
    """The number of the label of each point."""
    labels: tuple[str, ...]
    names: tuple[str, str]
    """The names of the two numbers."""
    centre: Floats
    unit: Floats
    source: str
    left_out: int = 0
    """The number of rows that were left out, since they lack a number or a label."""
    neither: int = 0
    """The number of texts that were left out, since they have neither word."""

    def __len__(self) -> int:
        return len(self.y)

    def seen(self, at: Floats) -> Floats:
        """Points as learners see them."""
        seen: Floats = (at - self.centre) / self.unit
        return seen

    def examples(self) -> Examples:
        return Examples.labelled(rows(self.seen(self.at)), self.y)


def rows(at: Floats) -> SparseRows:
    """Points as rows of two features."""
    n = len(at)
    indices = np.tile(np.arange(2, dtype=np.uint32), n)
    return SparseRows(2 * np.arange(n + 1, dtype=np.int64), indices, np.ascontiguousarray(at, np.float32).ravel())


def points_of(data: Data, labels: Data, names: tuple[str | None, str | None], columns: Columns, *, raw: bool) -> Points:
    """Points of whatever `linnet.train` takes, or of pairs of numbers and their labels.

    names: two columns of numbers, or two words; for pairs of numbers, what they are called.
    raw: whether learners see the numbers as they are, and not in units of two standard deviations from the mean.
    """
    given = brought(data, labels)
    x, y = names
    pairs = _pairs(given[0]) if isinstance(given, tuple) else None
    if pairs is not None:
        return _points(pairs, given[1], (x or "x", y or "y"), "points", raw)
    if x is None or y is None:
        raise UsageError(
            "expected two features, x and y: each is a column of numbers, or a word of the texts. Name both of them."
        )
    table = _table(given, (x, y), columns)
    at = np.stack([_numbers(table, name) for name in (x, y)], axis=1)
    are_words = all(name not in table.columns or name == table.text for name in (x, y))
    kept = [i for i, place in enumerate(at.tolist()) if any(place) or not are_words]
    points = _points(at[kept], [table.labels[i] for i in kept], (x, y), table.source, raw)
    return replace(points, neither=len(at) - len(kept))


def _pairs(data: Data) -> Floats | None:
    """Pairs of numbers as an array; None for other values."""
    if rows_of(data) is not None:
        return None
    try:
        pairs = np.asarray(data, np.float64)
    except (TypeError, ValueError):
        return None
    return pairs if pairs.ndim == 2 and pairs.shape[1] == 2 else None


class _Table(NamedTuple):
    """The columns of data by name, the labels, the names of the columns of texts and of labels if there are any, and where all
    this is from."""

    columns: Mapping[str, Sequence[Json]]
    labels: Sequence[Json]
    text: str | None
    source: str
    find: Find = nowhere
    label: str | None = None


def _table(data: Data, names: tuple[str, str], columns: Columns) -> _Table:
    text, label = columns.get("text_col"), columns.get("label_col")
    if isinstance(data, tuple):
        table = rows_of(data[0])
        if table is None:
            return _Table({"text": list(data[0])}, data[1], "text", "texts and labels")
        values = {name: table.values(name) for name in table.columns}
        return _Table(values, data[1], text or usual(TEXT, table.names), table.source)
    if isinstance(data, Rows):
        own = data.find("labels", LABEL, label, "label")
        others = {name: data.values(name) for name in data.columns if name != own}
        return _Table(others, data.values(own), text or usual(TEXT, [*others]), data.source, label=own)
    found = _read(data, names, columns)
    given = found.rows()
    values = {name: given.column(name).to_pylist() for name in given.column_names if name != found.label_col}
    of_text = None if found.text_col in names else found.text_col
    return _Table(
        values, found.label_list(), of_text, found.source, partial(io.find_line, found.files), found.label_col
    )


def _read(data: Data, names: tuple[str, str], columns: Columns) -> io.Dataset:
    """Read files. The column of texts is looked for by its usual names. Where there is none, as readers need such a
    column, one of the two columns of numbers is read in its place."""
    try:
        return io.read(
            data,
            text_col=columns.get("text_col"),
            label_col=columns.get("label_col"),
            text_names=(*TEXT, *names),
            **how_of(columns),
        )
    except NoColumnError as error:
        if error.missing != "text":
            raise
        raise _no_column(names[0], error.names, error.path) from error


def _no_column(name: str, names: Sequence[str], source: str | None) -> DataError:
    return DataError(f"expected a column {name!r} of numbers, found {listed(names)}.{meant(name, names)}", source)


def _numbers(table: _Table, name: str) -> Floats:
    """The numbers of a column, nan where there is none; or, if there is no column of that name, how often each text has the
    word."""
    if name not in table.columns or name == table.text:
        return _counts(table, name)
    return np.array([_number(value, name, table) for value in table.columns[name]], np.float64)


def _number(value: Json, name: str, table: _Table) -> float:
    if is_absent(value) or (isinstance(value, str) and not value.strip()):
        return math.nan
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.inf
    if math.isinf(number):
        where = table.find(name, value) if isinstance(value, str) else None
        raise DataError(
            f"expected a number in column {name!r}, found {value!r:.60}. Name a column of numbers, or a word of the texts.",
            *(where or (table.source,)),
        )
    return number


def _counts(table: _Table, word: str) -> Floats:
    """How often each text has a word."""
    others = [name for name in table.columns if name != table.text]
    if table.text is None and word == table.label:
        raise DataError(
            f"column {word!r} is read as the labels, so it cannot be an axis. {naming('column of labels', 'label')}",
            table.source,
        )
    if table.text is None:
        raise _no_column(word, others, table.source)
    features = TextFeatures("words:1")
    found = features.fit_transform(["" if is_absent(one) else str(one) for one in table.columns[table.text]])
    numbers = {name: k for k, name in enumerate(features.names())}
    number = numbers.get(word.lower())
    if number is None:
        columns = f" There are columns {listed(others)}." if others else ""
        raise DataError(
            f"found neither a column {word!r} nor that word in the texts.{meant(word, [*others, *numbers])}{columns}",
            table.source,
        )
    counts = np.zeros(len(found))
    row = np.repeat(np.arange(len(found)), np.diff(found.indptr))
    counts[row[found.indices == number]] = found.values[found.indices == number]
    return counts


def _points(at: Floats, labels: Sequence[Any], names: tuple[str, str], source: str, raw: bool) -> Points:
    if len(at) != len(labels):
        raise DataError(f"expected as many labels as points, found {len(labels)} labels and {len(at)} points.", source)
    kept = ~np.isnan(at).any(axis=1) & np.array([not is_missing(label) for label in labels], bool)
    own = [str(label) for label, keep in zip(labels, kept.tolist(), strict=True) if keep]
    known = tuple(sorted(set(own)))
    if not 2 <= len(known) <= MOST_LABELS:
        found = f"only {known[0]!r}" if len(known) == 1 else f"{len(known):,}"
        raise DataError(
            f"expected from 2 to {MOST_LABELS} different labels in a picture, found {found}. Is it the right column?",
            source,
        )
    at = at[kept]
    spread = 2 * at.std(axis=0)
    centre, unit = (np.zeros(2), np.ones(2)) if raw else (at.mean(axis=0), np.where(spread > 0, spread, 1.0))
    number = {label: k for k, label in enumerate(known)}
    y = np.array([number[label] for label in own], np.int32)
    return Points(at, y, known, names, centre, unit, source, int(len(labels) - kept.sum()))
