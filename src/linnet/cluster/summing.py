"""Learners by gradients of all examples, over shards: each shard sums the gradient of its examples, and the sums are added up in
the order of the shards. The objective is that of one machine; only the order of its sum is another.

A shard sends the rows of features that it has.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import numpy as np

from linnet.cluster.a_pass import Pass
from linnet.cluster.place import Place
from linnet.core.blocks import Block
from linnet.core.form import Structure
from linnet.core.loops.batch import Batch
from linnet.core.types import F32, F64, I32, I64
from linnet.learners.batch import Gradients
from linnet.learners.examples import Examples
from linnet.learners.preset import Options, Preset


@dataclass(frozen=True)
class _Common:
    """What all shards begin a pass with."""

    objective: bytes
    """The preset, its options and the structure, pickled: tasks that share a process must not share a structure."""
    weights: list[F32]
    bias: bool


@dataclass(frozen=True)
class _Result:
    """The sums of one shard."""

    total: float
    rows: list[I64]
    """For each block, the rows of the gradient that are not 0."""
    slopes: list[F64]
    """These rows."""


def sum_shard(common: _Common, shard: Examples, k: int) -> _Result:
    """Sum the losses of shard k and their gradient."""
    preset, options, gen = pickle.loads(common.objective)
    batch = Batch(gen, preset.loss_over(gen, options), common.weights, [np.zeros(w.shape) for w in common.weights])
    batch.bias = common.bias
    batch.run(shard.blocks, shard.y, shard.y_at, np.arange(len(shard)), shard.weight)
    gen.check()
    rows = [np.flatnonzero(slopes.any(axis=1)) for slopes in batch.gradient]
    return _Result(batch.total, rows, [slopes[at] for slopes, at in zip(batch.gradient, rows, strict=True)])


class Summing(Gradients):
    """The Core of learners by L-BFGS, which lets the shards add up the objective and its gradient."""

    def __init__(
        self,
        preset: Preset,
        options: Options,
        gen: Structure,
        n_features: tuple[int, ...],
        place: Place,
        n_shards: int,
    ) -> None:
        super().__init__(preset, options, gen, n_features)
        self._objective = pickle.dumps((preset, options, gen))
        self._pass = Pass(place, n_shards)

    def begin(self) -> None:
        """Begin a new pass, at the weights where the optimiser wants to look."""
        super().begin()
        self._pass.begin()

    def run(self, blocks: tuple[Block, ...], y: I32, y_at: I64, order: I64, weight: F32 | None = None) -> None:
        """Wait for so many further examples of this pass."""
        sums = self._parts[0]
        for result in self._pass.results(Examples(blocks, y, y_at, weight), len(order), sum_shard, self._common):
            sums.total += result.total
            for gradient, rows, slopes in zip(sums.gradient, result.rows, result.slopes, strict=True):
                gradient[rows] += slopes
        self._seen += len(order)

    def _common(self) -> _Common:
        return _Common(self._objective, self._weights, self.bias)
