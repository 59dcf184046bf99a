"""Cutting examples into shards. Shard k of n has the examples k, k + n, k + 2 n, ..., so that shards are alike even
where the data are sorted by their labels. A shard numbers only the features that it has, so that its learner needs no
weights for others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from linnet.core.blocks import Block, Lazy
from linnet.core.extract.places import Places
from linnet.core.long_arrays import within
from linnet.core.loops.chosen import Chosen
from linnet.core.loops.renumbered import features_of, renumbered
from linnet.core.types import I64
from linnet.learners.examples import Examples


@dataclass(frozen=True)
class Shard:
    """A part of the examples."""

    examples: Examples
    """The examples, with the features that the shard has numbered anew from 0 in each block; their order is kept."""
    rows: tuple[I64, ...]
    """For each block, which rows of the weights of all shards this shard has: row 0 for the bias, and row j + 1 for
    each of its features j."""


def shards_of(examples: Examples, n: int) -> list[Shard]:
    """The examples in n shards, or in as many as there are examples. Where the rows are kept in a file, those of a shard are
    read from it when they are learned from here, or when they are sent to a worker."""
    n = min(n, len(examples))
    return [_shard(_part(examples, np.arange(k, len(examples), n))) for k in range(n)]


def _shard(examples: Examples) -> Shard:
    rows, blocks = [], []
    for block in examples.blocks:
        used = features_of(block)
        rows.append(np.concatenate([np.zeros(1, np.int64), used + 1]))
        blocks.append(renumbered(block, used))
    return Shard(replace(examples, blocks=tuple(blocks)), tuple(rows))


def _part(examples: Examples, rows: I64) -> Examples:
    """The examples with these numbers, in this order."""
    outputs, y_at = within(examples.y_at, rows)
    weight = None if examples.weight is None else examples.weight[rows]
    return Examples(tuple(_cut(block, rows) for block in examples.blocks), examples.y[outputs], y_at, weight)


def _cut(block: Block, rows: I64) -> Block:
    """The rows of some examples of a block."""
    if isinstance(block, Places):
        return block.part(rows)
    if isinstance(block, Lazy):
        return Chosen(block, rows)
    indptr, indices, values, starts = (None if part is None else np.asarray(part) for part in block.arrays())
    assert indptr is not None
    assert indices is not None
    assert values is not None
    places, places_at = (rows, None) if starts is None else within(starts, rows)
    entries, entries_at = within(indptr, places)
    return Block(entries_at, indices[entries], values[entries], places_at)


def owners_of(shards: Sequence[tuple[I64, ...]], n_rows: Sequence[int]) -> list[I64]:
    """For each block, which has so many rows of weights, the number of shards that have each row."""
    return [
        np.bincount(np.concatenate(rows), minlength=n)
        for rows, n in zip(zip(*shards, strict=True), n_rows, strict=True)
    ]
