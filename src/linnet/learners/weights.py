"""Operations on the weights of a linear model as a whole, however they are kept.

Each block is one array W, a row for the bias and for each feature; or, where most of W is zero, three: indptr, outcomes, values
(core/strips.pyx), of which row 0, the bias, has all outcomes. A list of weights has the arrays of all blocks in turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from linnet.core.form import Structure
from linnet.core.loops.batch import dot
from linnet.core.strips import add, by_block
from linnet.core.types import Integers
from linnet.learners.preset import Weights

Rows: TypeAlias = int | Sequence[int] | Integers
Columns: TypeAlias = int | slice | Integers


@dataclass(frozen=True)
class Compressed:
    """W of one block that is kept as three arrays. W[rows] and W[rows, columns] work as on a full array, for one or some
    rows at a time."""

    indptr: Weights
    outcomes: Weights
    values: Weights
    n_outcomes: int

    def __len__(self) -> int:
        """The number of rows: one for the bias and one for each feature."""
        return len(self.indptr) - 1

    def __getitem__(self, key: Rows | tuple[Rows, Columns]) -> Weights:
        rows, columns = key if isinstance(key, tuple) else (key, slice(None))
        numbers = np.atleast_1d(rows)
        W = np.zeros((len(numbers), self.n_outcomes), np.float32)
        for row, j in zip(W, numbers.tolist(), strict=True):
            entries = slice(int(self.indptr[j]), int(self.indptr[j + 1]))
            row[self.outcomes[entries]] = self.values[entries]
        return (W if np.ndim(rows) else W[0])[..., columns]

    def by_outcome(self) -> Iterator[tuple[Weights, Weights]]:
        """For each outcome the features with a weight of their own for it, and that weight less the mean over all outcomes."""
        feature = np.repeat(np.arange(len(self.indptr) - 1, dtype=np.uint32), np.diff(self.indptr).astype(np.int64))
        centre = np.bincount(feature, self.values) / self.n_outcomes
        order = np.argsort(self.outcomes, kind="stable")
        ends = np.cumsum(np.bincount(self.outcomes, minlength=self.n_outcomes))
        for entries in np.split(order, ends[:-1]):
            entries = entries[feature[entries] > 0]  # without the bias
            yield feature[entries] - 1, self.values[entries] - centre[feature[entries]]


Matrix: TypeAlias = Weights | Compressed
"""W of one block: a row for the bias and for each feature, a column for each outcome."""


def blocks(weights: Sequence[Weights], gen: Structure) -> tuple[Matrix, ...]:
    """W of each block, as an array or as a Compressed matrix."""
    return tuple(
        block[0] if len(block) == 1 else Compressed(block[0], block[1], block[2], k)
        for block, k in zip(by_block(weights), gen.outcomes, strict=True)
    )


def bias(weights: Sequence[Weights], g: int, n_outcomes: int) -> Weights:
    """Row 0 of block g, to be read or changed in place."""
    last: Weights = by_block(weights)[g][-1]
    return last[0, :n_outcomes] if last.ndim == 2 else last[:n_outcomes]


def fade(weights: Sequence[Weights], factor: float) -> None:
    """Multiply the weights of all features by a factor, in place; the bias is left as it is."""
    for block in by_block(weights):
        features = block[0][1:] if len(block) == 1 else block[2][int(block[0][1]) :]
        features *= np.float32(factor)


def total(ours: Sequence[Weights], theirs: Sequence[Weights]) -> list[Weights]:
    """The sum of two models with the same number of features."""
    return [
        array
        for a, b in zip(by_block(ours), by_block(theirs), strict=True)
        for array in ((a[0] + b[0],) if len(a) == 1 else add(a, b))
    ]


def scaled(weights: Sequence[Weights], factor: float) -> list[Weights]:
    return [array * np.float32(factor) if array.dtype == np.float32 else array for array in weights]


def divided(weights: Sequence[Weights], by: float) -> list[Weights]:
    return [array / np.float32(by) if array.dtype == np.float32 else array for array in weights]


def norm(weights: Sequence[Weights]) -> float:
    """The length of all weights, ||w||."""
    numbers = (array.ravel() for array in weights if array.dtype == np.float32)
    return math.sqrt(sum(dot(array, array) for array in numbers))
