"""Learners by gradients of all examples, over shards: each shard sums the gradient of its examples, and the sums are added up
in the order of the shards. The objective is that of one machine; only the order of its sum is another.

A shard gets and sends the rows of the features that it has.
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
from linnet.core.types import F32, F64, I32, I64, Arrays
from linnet.learners.batch import Gradients
from linnet.learners.examples import Examples
from linnet.learners.preset import Options, Preset


@dataclass(frozen=True)
class _Begin:
    """What a shard begins a pass with."""

    objective: bytes
    """The preset, its options and the structure, pickled: tasks that share a process must not share a structure."""
    arrays: Arrays
    """w of each block in the rows that the shard has."""
    bias: bool


@dataclass(frozen=True)
class _Result:
    """The sums of one shard."""

    total: float
    gradient: list[F64]


def sum_shard(begin: _Begin, shard: Examples) -> _Result:
    """Sum the losses of a shard and their gradient."""
    preset, options, gen = pickle.loads(begin.objective)
    weights = list(begin.arrays.values())
    batch = Batch(gen, preset.loss_over(gen, options), weights, [np.zeros(w.shape) for w in weights])
    batch.bias = begin.bias
    batch.run(shard.blocks, shard.y, shard.y_at, np.arange(len(shard)), shard.weight)
    gen.check()
    return _Result(batch.total, batch.gradient)


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
        """Wait until the shards have done as many further examples of this pass as `order` has, and add up their
        gradients."""
        sums = self._parts[0]
        for rows, result in self._pass.results(Examples(blocks, y, y_at, weight), len(order), sum_shard, self._begin):
            sums.total += result.total
            for gradient, at, slopes in zip(sums.gradient, rows, result.gradient, strict=True):
                gradient[at] += slopes
        self._seen += len(order)

    def _begin(self, k: int) -> _Begin:
        blocks = enumerate(zip(self._weights, self._pass.shards[k], strict=True))
        return _Begin(self._objective, {f"w{g}": w[rows] for g, (w, rows) in blocks}, self.bias)
