"""Rows without a label, where labels are demanded: they are left out, counted and told of; too many of them are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.arrow import string_bytes
from linnet.errors import DataError
from linnet.io.formats import Note
from linnet.io.texts.dataset import Dataset
from linnet.io.texts.labels import is_missing

# The bytes with which a missing label may begin, and those that may follow: n/a, #N/A, <NA>, -nan, None, blanks.
_FIRST, _SECOND = np.zeros(256, np.bool_), np.ones(256, np.bool_)
_FIRST[list(b"nN#<- \t\n\v\f\r\x1c\x1d\x1e\x1f\xc2\xe1\xe2\xe3")] = True
_SECOND[list(b"bcdefghijklmpqrstvwxyzBCDEFGHIJKLMPQRSTVWXYZ")] = False

Where = Callable[[int], str]
"""A function that says where the row with a number from 0 stands: line 17."""


def labelled_rows(
    parts: Iterator[Dataset], name: str, where: Where, note: Note, may_lack: bool = False
) -> Iterator[Dataset]:
    """Yield the rows that have a label (`is_missing` says which do not), and tell how many have none. DataError where more than
    half of the rows have none, unless they may lack one."""
    n = missing = waiting = 0
    first: int | None = None
    spelled: dict[str, None] = {}
    for part in parts:
        if part.labels is None:
            raise DataError("the rows have no labels. Give a file with a label for each.", name)
        gone = missing_in(part.labels)
        if gone:
            spelled |= dict.fromkeys(gone.values())
            first = n + min(gone) if first is None else first
        n += len(part)
        missing += len(gone)
        if len(gone) == len(part):
            waiting += len(part)
        else:
            yield _kept(part, np.array(sorted(gone), np.int64), waiting) if gone or waiting else part
            waiting = 0
    if first is None or may_lack:
        return
    how = ", ".join(f"'{label}'" if label.strip() else "empty" for label in spelled)
    if 2 * missing > n:
        raise DataError(
            f"{missing:,} of {n:,} rows have no label ({how}), the first on {where(first)}. Name another column with "
            f"--label-col, or give the rows labels.{_meant(spelled)}",
            name,
        )
    note(f"{name}: left out {missing:,} of {n:,} rows without a label ({how}), the first is {where(first)}")


def missing_in(labels: pa.ChunkedArray) -> dict[int, str]:
    """The rows without a label, and how each says so. Most labels are passed over by their first bytes, all at once."""
    found: dict[int, str] = {}
    before = 0
    for chunk in labels.chunks:
        at, raw = string_bytes(chunk)
        size = np.diff(at)
        likely = size == 0
        full = np.flatnonzero(size)
        full = full[_FIRST[raw[at[full]]]]
        second = raw[at[full] + (size[full] > 1)]
        likely[full] = _SECOND[second] & ((second != ord("o")) | (size[full] >= len("None")))
        for row in np.flatnonzero(likely).tolist():
            label = raw[at[row] : at[row + 1]].tobytes().decode()
            if is_missing(label):
                found[before + row] = label
        before += len(chunk)
    return found


def _kept(part: Dataset, gone: npt.NDArray[np.int64], before: int) -> Dataset:
    """The part without the rows that are gone; `before` rows that are gone, too, stand before it."""
    left_out = np.concatenate([np.zeros(before, np.int64), gone - np.arange(len(gone))])
    return replace(part.take(np.delete(np.arange(len(part)), gone)), left_out=left_out)


def _meant(spelled: dict[str, None]) -> str:
    """A sentence, with a space before it, on a spelling that may be meant as a label; empty where there is none."""
    doubtful = next((label for label in spelled if not is_missing(label.lower())), None)
    return "" if doubtful is None else f" If '{doubtful}' is a label, write it '{doubtful.lower()}'."
