"""Leave out rows without a label where labels are demanded, and tell the user how many. Too many are an error."""

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

# Which bytes may be the first of what stands for a missing label (n/a, #N/A, <NA>, -nan, None, blanks), and which may
# be the second. Blanks of Unicode begin with \xc2, \xe1, \xe2 or \xe3. Labels with other bytes need not be decoded and
# looked at.
_FIRST, _SECOND = np.zeros(256, np.bool_), np.ones(256, np.bool_)
_FIRST[list(b"nN#<- \t\n\v\f\r\x1c\x1d\x1e\x1f\xc2\xe1\xe2\xe3")] = True
_SECOND[list(b"bcdefghijklmpqrstvwxyzBCDEFGHIJKLMPQRSTVWXYZ")] = False

Where = Callable[[int], str]
"""A function that says where row i of a file is, counted from 0, such as: line 17."""


def labelled_rows(
    parts: Iterator[Dataset], name: str, where: Where, note: Note, may_lack: bool = False
) -> Iterator[Dataset]:
    """Yield the rows that have a label (`is_missing` says which do not), and tell `note` how many have none. Raise
    DataError where more than half of the rows have none. With `may_lack` any number may have none, and nothing is
    told."""
    n = missing = 0  # the numbers of all rows so far, and of those without a label
    waiting = 0  # the number of rows of parts that have no label at all, since the last part that was given
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
    """The numbers of the rows without a label, from 0, each with what stands in the place of the label. The first two
    bytes rule out most labels, all at once."""
    found: dict[int, str] = {}
    before = 0
    for chunk in labels.chunks:
        at, raw = string_bytes(chunk)
        size = np.diff(at)
        likely = size == 0
        full = np.flatnonzero(size)
        full = full[_FIRST[raw[at[full]]]]
        # A label of one byte has its only byte as its second, too. Labels such as `no` are too short for None.
        second = raw[at[full] + (size[full] > 1)]
        likely[full] = _SECOND[second] & ((second != ord("o")) | (size[full] >= len("None")))
        for row in np.flatnonzero(likely).tolist():
            label = raw[at[row] : at[row + 1]].tobytes().decode()
            if is_missing(label):
                found[before + row] = label
        before += len(chunk)
    return found


def _kept(part: Dataset, gone: npt.NDArray[np.int64], before: int) -> Dataset:
    """The part without the rows `gone`, which are sorted. `before` rows that come before the part were left out."""
    left_out = np.concatenate([np.zeros(before, np.int64), gone - np.arange(len(gone))])
    return replace(part.take(np.delete(np.arange(len(part)), gone)), left_out=left_out)


def _meant(spelled: dict[str, None]) -> str:
    """A sentence, with a space before it, on a spelling that may be meant as a label; empty where there is none."""
    doubtful = next((label for label in spelled if not is_missing(label.lower())), None)
    return "" if doubtful is None else f" If '{doubtful}' is a label, write it '{doubtful.lower()}'."
