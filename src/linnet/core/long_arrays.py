"""Arrays with a number for each example, a piece at a time: where they are mapped from files, one piece is in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from linnet.core.blocks import Block
from linnet.core.room import give_back
from linnet.core.types import F64, I64, Array, Bools, Integers

PIECE = 1 << 16
"""The number of examples that are looked at at a time."""


def pieces(n: int) -> Iterator[slice]:
    """Yield the slices that cut n examples into pieces.

    >>> list(pieces(PIECE + 1))
    [slice(0, 65536, None), slice(65536, 65537, None)]
    """
    for begin in range(0, n, PIECE):
        yield slice(begin, min(begin + PIECE, n))


def read_in_pieces(array: Array) -> Iterator[tuple[int, Array]]:
    """Yield the place at which each piece of an array begins, and the piece. The memory of a piece that is mapped from a file
    is given back when the next one is asked for.

    >>> [(begin, len(piece)) for begin, piece in read_in_pieces(np.zeros(PIECE + 1))]
    [(0, 65536), (65536, 1)]
    """
    for piece in pieces(len(array)):
        yield piece.start, array[piece]
        give_back(array)


def copy_into(array: Array, new: Array, block: Block) -> None:
    """Copy the numbers of an array into one that is kept where the rows of a block are."""
    for piece in pieces(len(array)):
        new[piece] = array[piece]
        block.give_back()


def copied(array: Array, block: Block) -> Array:
    """A copy of an array, kept where the rows of a block are."""
    new = block.kept(array.shape, array.dtype)
    copy_into(array, new, block)
    return new


def restored(array: Array, old: Array | None, block: Block | None) -> Array:
    """A copy of an array. It is written over `old` if that has the same shape and type, so that it is kept where the
    rows of the block are; otherwise it is in memory."""
    if old is None or block is None or old.shape != array.shape or old.dtype != array.dtype:
        return np.array(array)
    copy_into(array, old, block)
    return old


def within(at: I64, rows: I64) -> tuple[I64, I64]:
    """The numbers from at[i] to at[i + 1] - 1 for each i in rows, one after the other; and where those of each i begin.

    >>> [found.tolist() for found in within(np.array([0, 2, 3, 6]), np.array([0, 2]))]
    [[0, 1, 3, 4, 5], [0, 2, 5]]
    """
    begin, lengths = at[rows], at[rows + 1] - at[rows]
    new = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return np.arange(new[-1]) + np.repeat(begin - new[:-1], lengths), new


def members(fold: Integers, belongs: Callable[[Integers], Bools]) -> I64:
    """The numbers of the examples for whose fold `belongs` is true.

    >>> members(np.array([0, -1, 1, 0]), lambda some: some == 0).tolist()
    [0, 3]
    """
    found = [np.flatnonzero(belongs(piece)) + begin for begin, piece in read_in_pieces(fold)]
    return np.concatenate([np.zeros(0, np.int64), *found])


def counts(numbers: Integers, n: int) -> I64:
    """How often each number below n occurs.

    >>> counts(np.array([2, 0, 2]), 4).tolist()
    [1, 0, 2, 0]
    """
    total = np.zeros(n, np.int64)
    for _, piece in read_in_pieces(numbers):
        total += np.bincount(piece, minlength=n)
    return total


def median(values: F64) -> float:
    """The median of positive numbers, as np.median has it, without a copy of them.

    >>> median(np.array([3.0, 1.0, 2.0])), median(np.array([4.0, 1.0, 2.0, 3.5]))
    (2.0, 2.75)
    """
    half = len(values) // 2
    upper = _in_order(values, half)
    return upper if len(values) % 2 else float(np.mean([_in_order(values, half - 1), upper]))


def _in_order(values: F64, k: int) -> float:
    """The value at position k of the values in ascending order. It is found by its bits, which put positive numbers in
    the same order as integers: each pass over the values finds the next 16 bits, the highest first."""
    bits = values.view(np.int64)
    found = 0
    for shift in (48, 32, 16, 0):
        count = np.zeros(1 << 16, np.int64)
        for _, piece in read_in_pieces(bits):
            some = piece >> shift
            count += np.bincount(some[some >> 16 == found] & 0xFFFF, minlength=1 << 16)
        ends = np.cumsum(count)
        digit = int(np.searchsorted(ends, k, side="right"))
        k -= int(ends[digit] - count[digit])
        found = found << 16 | digit
    return float(np.int64(found).view(np.float64))
