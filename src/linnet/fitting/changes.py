"""Which numbers of a learner a step or a lesson has changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from linnet.core.blocks import Block
from linnet.core.types import Array
from linnet.fitting.notation import Notation
from linnet.fitting.traced import Change, Changes
from linnet.learners.weights import Compressed, Matrix


def rows_in_use(block: Block, i: int) -> Array:
    """The rows of weights that an example has to do with: that of the bias, and those of its features."""
    rows = [1 + np.asarray(numbers, np.int64) for numbers, _ in block.rows_of(i)]
    return np.unique(np.concatenate([np.zeros(1, np.int64), *rows]))


def differences(old: Matrix | None, new: Matrix, rows: Array) -> Iterator[tuple[int, int, float, float]]:
    """Yield the row, the column and both numbers, wherever two tables differ. A `Compressed` table, which is too large
    for full rows, is compared in `rows` only, those that the example has to do with."""
    some = isinstance(new, Compressed)
    after = new[rows] if isinstance(new, Compressed) else new
    before = np.zeros_like(after) if old is None else old[rows] if isinstance(old, Compressed) else old
    for row, k in np.argwhere(before != after).tolist():
        yield int(rows[row]) if some else row, k, float(before[row, k]), float(after[row, k])


def moved(
    before: Sequence[Matrix], after: Sequence[Matrix], blocks: Sequence[Block], words: Notation, most: int
) -> Changes:
    """The weights of the features of one example that a lesson has moved. Features and labels that the lesson has added
    had weights of 0 before. most: the number of changes that are kept, the largest first."""
    every = []
    for g, (old, new) in enumerate(zip(before, after, strict=True)):
        rows = rows_in_use(blocks[g], 0)
        now = np.asarray(new[rows])
        was = _grown(old, rows, now.shape)
        every += [
            (g, int(rows[row]), k, float(was[row, k]), float(now[row, k]))
            for row, k in np.argwhere(was != now).tolist()
        ]
    every.sort(key=lambda change: -abs(change[4] - change[3]))
    largest = tuple(
        Change(g, "bias" if row == 0 else words.feature(g, row - 1), words.outcome(g, k), *both)
        for g, row, k, *both in every[:most]
    )
    return Changes("w", len(every), largest)


def _grown(old: Matrix, rows: Array, shape: tuple[int, ...]) -> Array:
    """Some rows of a table as it was before it grew, in the shape that they have now, with 0 where it had none."""
    found = np.zeros(shape, np.float32)
    there = rows < len(old)
    few = np.asarray(old[rows[there]])
    n = min(few.shape[1], shape[1])
    found[there, :n] = few[:, :n]
    return found
