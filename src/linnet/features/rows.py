"""Rows of features with their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import linnet.core.sparse as sparse
from linnet.core.blocks import Block
from linnet.core.extract.weighting import Weighting
from linnet.core.threads import each


class SparseRows(NamedTuple):
    """Sparse rows: row i has the features indices[indptr[i]:indptr[i + 1]], with their values."""

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def block(self) -> Block:
        """The rows as a block with one place for each example."""
        return Block(*self)

    def first(self, n: int) -> SparseRows:
        """A copy of the first n rows."""
        end = self.indptr[n]
        return SparseRows(self.indptr[: n + 1].copy(), self.indices[:end].copy(), self.values[:end].copy())

    def take(self, which: npt.NDArray[np.int64]) -> SparseRows:
        """The rows with these numbers, in this order."""
        lengths = np.diff(self.indptr)[which]
        indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        # The entries of row k are from self.indptr[which[k]] on here, and from indptr[k] on there.
        entries = np.repeat(self.indptr[which] - indptr[:-1], lengths) + np.arange(indptr[-1])
        return SparseRows(indptr, self.indices[entries], self.values[entries])

    def followed_by(self, others: SparseRows) -> SparseRows:
        """These rows, and then the others."""
        indptr = np.concatenate([self.indptr, self.indptr[-1] + others.indptr[1:]])
        indices = np.concatenate([self.indices, others.indices])
        return SparseRows(indptr, indices, np.concatenate([self.values, others.values]))

    def beside(self, other: SparseRows, first: int) -> SparseRows:
        """Each row followed by the row of `other`, whose features are numbered from `first` on."""
        lengths = np.stack([np.diff(self.indptr), np.diff(other.indptr)], axis=1)
        is_other = np.repeat(np.tile([False, True], len(self)), lengths.ravel())
        indices, values = np.empty(len(is_other), np.uint32), np.empty(len(is_other), np.float32)
        indices[~is_other], indices[is_other] = self.indices, other.indices + np.uint32(first)
        values[~is_other], values[is_other] = self.values, other.values
        return SparseRows(self.indptr + other.indptr, indices, values)


def first_rows(parts: Iterable[SparseRows], n: int) -> Iterator[SparseRows]:
    """Copies of the first n rows of some that follow each other in parts, so that the other rows can be dropped."""
    for part in parts:
        yield part.first(min(n, len(part)))
        n -= len(part)
        if n <= 0:
            break


def renumbered(new: npt.NDArray[np.uint32], rows: SparseRows) -> SparseRows:
    """The rows with new numbers of features; those whose new number is 0xFFFFFFFF are left out. The arrays of `rows`
    are overwritten."""
    nnz = sparse.renumber(rows.indptr, rows.indices, rows.values, new)
    return SparseRows(rows.indptr, rows.indices[:nnz], rows.values[:nnz])


class RowsInMemory:
    """The rows of the training data, in parts that follow each other. `RowsFile` (rows_file.py) has the same
    methods."""

    def __init__(self, parts: Iterable[SparseRows]) -> None:
        self._parts = list(parts)

    def __iter__(self) -> Iterator[SparseRows]:
        yield from self._parts

    def block(self, places: npt.NDArray[np.int64] | None = None) -> Block:
        """The rows as a block with one place for each example. places: the first row of each example, and the number of
        all rows, where an example has several."""
        indptr, indices, values = self.joined()
        return Block(indptr, indices, values, places)

    def change(self, of_some: Callable[[SparseRows], SparseRows], then: Callable[[SparseRows], None]) -> None:
        """Replace each part by what `of_some` makes of it, on several threads. Then call `then` with each new part, in
        order."""
        self._parts = each(of_some, self._parts)
        for part in self._parts:
            then(part)

    def weigh(self, weighting: Weighting) -> None:
        """Turn counts into values, in place, on several threads."""
        each(lambda part: weighting.rows(*part), self._parts)

    def joined(self) -> SparseRows:
        """All rows as one."""
        if len(self._parts) == 1:
            return self._parts[0]
        indptr, indices, values = zip(*self._parts, strict=True)
        starts = np.cumsum([0, *(part[-1] for part in indptr)])
        ends = [part[1:] + start for part, start in zip(indptr, starts[:-1], strict=True)]
        entries = each(np.concatenate, (indices, values))
        return SparseRows(np.concatenate([np.zeros(1, np.int64), *ends]), *entries)
