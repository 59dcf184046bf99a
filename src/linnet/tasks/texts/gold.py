"""Texts with their gold outputs: read from files or taken from Python, checked and numbered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet import io
from linnet.core.arrow import numbers
from linnet.core.types import Data, Json, Setting
from linnet.errors import DataError
from linnet.features import Table
from linnet.fitting.contract import Columns
from linnet.io.texts.columns import usual
from linnet.io.texts.labels import label_name
from linnet.tasks.defaults import is_pair
from linnet.tasks.problems import nearly_all_differ
from linnet.tasks.texts.tables import as_table

MOST_LABELS = 4096
"""The largest number of different labels where each text has one: more of them are surely not labels."""

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

    def __len__(self) -> int:
        return len(self.y_at) - 1

    def part(self, rows: Offsets) -> Texts:
        columns = None if self.columns is None else self.columns.take(numbers(rows))
        size = self.y_at[rows + 1] - self.y_at[rows]
        at = np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])
        y = self.y[np.repeat(self.y_at[rows] - at[:-1], size) + np.arange(at[-1])]
        return Texts(self.text.take(numbers(rows)), y, at, self.labels, self.source, columns, self.details)

    def texts(self) -> list[str]:
        texts: list[str] = self.text.to_pylist()
        return texts

    def table(self) -> Table:
        return Table(self.text, self.columns, self.source, find=partial(io.find_line, self.source))

    def column(self, name: str) -> list[Json] | None:
        found = None if self.columns is None else usual((name,), self.columns.column_names)
        return None if self.columns is None or found is None else list(self.columns.column(found).to_pylist())


def read_texts(
    data: Data, columns: Columns, *, least_labels: int, **several: Setting
) -> tuple[pa.ChunkedArray | pa.Array, list[Json], str, pa.Table | None]:
    """Read texts; return them, their labels (lists of labels if `several`), the name of their source, and the other columns."""
    if not is_pair(data):
        dataset = io.read(data, **columns, **several, least_labels=least_labels)
        labels = dataset.label_sets() if several else dataset.label_list()
        return dataset.text, labels, dataset.source, dataset.columns
    table, given = as_table(data[0]), list(data[1])
    text, others = table.text, table.columns
    if len(text) != len(given):
        raise DataError(f"expected as many labels as texts, found {len(given)} labels and {len(text)} texts.")
    if not several:
        return text, [str(label) for label in given], "texts and labels", others
    sets = [[one] if isinstance(one, str) else list(one) for one in given]
    return text, [list(dict.fromkeys(filter(None, map(label_name, one)))) for one in sets], "texts and labels", others


def check_not_values(n_labels: int, n_rows: int, source: str) -> None:
    """Raise DataError where nearly every row has a label of its own: such a column holds names, numbers or texts."""
    for wrong in nearly_all_differ(n_labels, n_rows):
        raise DataError(f"{wrong}.", source)


def checked_names(names: Sequence[str], source: str) -> tuple[str, ...]:
    """The labels, if they are neither too few nor too many to learn; DataError otherwise."""
    if len(names) < 2:
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
