"""Texts without labels, to learn from beside those that have labels: from files, from tables and from values of Python.

Of a pool that is more than memory should hold, a sample is taken while it is read: each text gets a random number, and those
with the smallest numbers are kept, as many as there is room for. The sample depends on the texts and their order alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from linnet import io
from linnet.core.arrow import numbers, string_bytes
from linnet.core.types import Data
from linnet.features.table import Table
from linnet.fitting.contract import Columns
from linnet.io.python_values import are_files
from linnet.io.texts.dataset import Dataset, join
from linnet.io.texts.labels import is_missing
from linnet.io.texts.missing_labels import missing_in
from linnet.tasks.texts.gold import Labelled
from linnet.tasks.texts.tables import as_table

Numbers: TypeAlias = npt.NDArray[np.float64]

MOST_BYTES = 128 << 20
"""The bytes of texts that a pool has at most: about 100,000 reviews of films, or a million sentences."""
_AT_A_TIME = 8 << 20
"""The bytes of a file that are read at a time."""
_FILES = ("format", "encoding", "delimiter", "note")


def read_unlabelled(data: Data, text: str | None, columns: Columns, *, only_missing: bool = False) -> Table:
    """The texts of files, of a table or of values of Python; of too many, a sample, which `columns["note"]` hears of.

    text: the column of the texts, where it is known.
    only_missing: whether rows that have a label are left out. Values of Python are then texts with their labels.
    """
    if not are_files(data):
        return _without_label(data) if only_missing else as_table(data, text)
    how: Columns = {name: columns.get(name) for name in _FILES}
    how = {**how, "number_lists": columns.get("number_lists", ())}
    label = columns.get("label_col") if only_missing else None
    parts = io.read_batches(
        data,
        labelled=False,
        label_col=label,
        text_names=() if text is None else (text,),
        batch_bytes=_AT_A_TIME,
        **how,
    )
    found, n = sampled(map(_rows_without_label, parts) if only_missing else parts, MOST_BYTES)
    if len(found) < n and columns.get("note") is not None:
        columns["note"](
            f"{found.source}: learned from {len(found):,} of its {n:,} texts without labels, drawn at random: no more are kept "
            "in memory"
        )
    return as_table(found)


def sampled(parts: Iterable[Dataset], most: int) -> tuple[Dataset, int]:
    """A sample of the rows of all parts, with at most `most` bytes of text, in the order of the rows, and the number of
    all rows."""
    rng = np.random.default_rng(0xF00D)
    kept: list[Dataset] = []
    drawn: list[Numbers] = []
    n = size = 0
    for part in parts:
        n += len(part)
        kept.append(part)
        drawn.append(rng.random(len(part)))
        size += part.text.nbytes
        if size > 2 * most:  # not more often, as all that is kept is copied then
            kept, drawn = _smallest(kept, drawn, most)
            size = kept[0].text.nbytes
    if size > most:
        kept, drawn = _smallest(kept, drawn, most)
    return join(kept), n


def _smallest(parts: list[Dataset], drawn: list[Numbers], most: int) -> tuple[list[Dataset], list[Numbers]]:
    """The rows with the smallest numbers, as many as have at most `most` bytes together."""
    whole, drawn_by_row = join(parts), np.concatenate(drawn)
    lengths = np.concatenate([np.diff(string_bytes(chunk)[0]) for chunk in whole.text.chunks])
    order = np.argsort(drawn_by_row, kind="stable")
    stays = np.sort(order[: np.searchsorted(np.cumsum(lengths[order]), most, side="right")])
    return [whole.take(stays)], [drawn_by_row[stays]]


def _rows_without_label(part: Dataset) -> Dataset:
    if part.labels is None:
        return part
    return part.take(np.array(sorted(missing_in(part.labels)), np.int64))


def _without_label(given: Labelled) -> Table:
    rows = np.array([i for i, label in enumerate(given.labels) if is_missing(label)], np.int64)
    return given.table.take(numbers(rows))


def apart(data: Data, unlabelled: Data) -> tuple[bool, Data]:
    """Whether the rows of the data that have no label are meant, which is so where the data are named among the texts
    without labels, too; and the other texts without labels, or None."""
    if unlabelled is data:
        return True, None
    if not (are_files(data) and are_files(unlabelled)):
        return False, unlabelled
    own = set(map(os.path.realpath, _paths(data)))
    named = _paths(unlabelled)
    others = [path for path in named if os.path.realpath(path) not in own]
    return len(others) < len(named), others or None


def _paths(data: Data) -> list[Path]:
    """The files that are named, as paths, which are not taken for texts where there is no such file."""
    return [Path(path) for path in ([data] if isinstance(data, str | os.PathLike) else data)]
