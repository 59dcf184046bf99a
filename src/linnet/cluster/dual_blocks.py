"""Learners in the dual over shards: each shard goes up the dual for its own examples, and what all have found is added up
(Jaggi et al. 2014, "Communication-efficient distributed dual coordinate ascent"; Ma et al. 2015 for adding up; Richtárik and
Takáč 2016 for a factor of each feature).

In each epoch shard k begins with the same w, holds the examples of the others still, and finds changes dm_k of what its own
examples have added to w. The next epoch begins with

    w' = w + sum_k d_k,    d_k = X_k^T dm_k.

Changes of several shards add up in the features that they share. With n_j the number of shards that have feature j,

    1/2 ||w'||^2  <=  1/2 ||w||^2 + sum_k [w.d_k + 1/2 sum_j n_j d_kj^2],

so that the dual never falls if every shard sees each of its own steps n_j times as large in feature j. That is the machine over
the rows x_j sqrt(n_j) with the weights w_j / sqrt(n_j). A feature that only one shard has is learned as on one machine. The
optimum and the duality gap are those of one machine, whatever the number of shards.

Such steps are short where many shards share what matters, so that they have momentum (Beck and Teboulle 2009, "FISTA"). With d
the change of w in the last epoch, and d_k the part of shard k in it, shard k begins with

    w_j + beta (d_j - n_j d_kj),    beta = (s - 1) / s',    s' = (1 + sqrt(1 + 4 s^2)) / 2,

which is the slope of the dual at w + beta d, seen from the dm = 0 of the shard. Where a step turns against the last one, s
begins with 1 again (O'Donoghue and Candès 2015).
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from linnet.cluster.a_pass import Pass
from linnet.cluster.cutting import Shard, owners_of, shards_of
from linnet.cluster.mixing import Worker
from linnet.cluster.place import Place
from linnet.core.blocks import Block
from linnet.core.form import Loss
from linnet.core.long_arrays import within
from linnet.core.loops.batch import dot
from linnet.core.loops.dual import Dual, share_of
from linnet.core.loops.row_sums import add_entries, mixed
from linnet.core.loops.scaled import scaled_block
from linnet.core.types import F32, F64, I32, I64, U32, Array, Arrays, Json, State
from linnet.learners.around import AsksInside
from linnet.learners.contract import Core
from linnet.learners.examples import Examples
from linnet.learners.mirrored import Mirrored
from linnet.learners.passes import Passes
from linnet.learners.preset import Weights
from linnet.learners.scaled import Scaled
from linnet.learners.svm import in_dual

_NUMBERS = ("t", "total", "updates", "change", "size", "gap", "length2", "support", "pace", "beta")
"""The numbers of `_Done` that a state of learning has."""
_TIMES = 4
"""How often a shard goes over its examples in an epoch. Its steps are short, and adding up the changes of all shards
costs more than another time over the examples."""


@dataclass(frozen=True)
class _Begin:
    """What a shard begins a pass with."""

    worker: bytes
    """A pickled `Worker`: each task makes its own, since tasks that share a process must not share a structure."""
    arrays: Arrays
    """v of each block in the rows that the shard has; and, after the first pass, what the learner remembers of its examples."""
    C: float
    passes: int
    """The number of passes before this one."""
    seed: tuple[int, int]
    """The seed of all shards, and the number of this one."""
    shuffle: bool
    times: int
    """How often to go over the examples."""

    def machine(self) -> Dual:
        """The learner that goes on from here."""
        worker: Worker = pickle.loads(self.worker)
        n_blocks = len(worker.gen.outcomes)
        n_features = tuple(len(self.arrays[f"v{g}"]) - 1 for g in range(n_blocks))
        core = worker.make(worker.preset, worker.options, worker.gen, n_features)
        machine = machine_of(core, worker, n_features)
        assert isinstance(machine, Dual)
        machine.bias = worker.bias
        machine.weigh_losses(self.C)
        machine.restore(self.arrays, {"support": 0})
        machine.wake()
        return machine


def machine_of(core: Core, worker: Worker, n_features: tuple[int, ...]) -> Core:
    """The Core in the dual that a core over shards learns with. Of `Scaled` it is the Core inside. In the place of
    `Mirrored`, which learns one of two labels, it is a new Core that learns both."""
    machine: Core = core.core if isinstance(core, Scaled) else core
    if isinstance(machine, Mirrored):
        return in_dual(worker.preset, worker.options, worker.gen, n_features)
    return machine


@dataclass(frozen=True)
class _Result:
    """What one shard has found in one pass."""

    total: float
    updates: int
    gap: float
    length2: float
    support: int
    """By how much the number of support vectors has changed: the machine of a shard begins to count at 0."""
    changes: list[tuple[U32, F32]]
    """For each block the indices at which v has changed, counted row by row over the rows that the shard has, and by
    how much."""
    examples: Arrays
    """What the learner remembers of the examples, by name."""


def climb_shard(begin: _Begin, shard: Examples) -> _Result:
    """Go over the examples of a shard `times` times. Losses and the gap are those of the first time, when w is nearest
    to that of all shards."""
    machine = begin.machine()
    n, random = len(shard), np.random.default_rng([*begin.seed, begin.passes])
    seen: list[tuple[float, int, float, float]] = []
    for _ in range(begin.times):
        order = random.permutation(n) if begin.shuffle else np.arange(n)
        machine.begin()
        machine.run(shard.blocks, shard.y, shard.y_at, order, shard.weight)
        seen.append((machine.total, machine.updates, machine.gap, machine.length2))
    machine.gen.check()
    arrays, _ = machine.state()
    changes = [_changes(arrays[name], old) for name, old in begin.arrays.items() if name[0] == "v"]
    examples = {name: array for name, array in arrays.items() if name[0] != "v"}
    return _Result(*seen[0], machine.support, changes, examples)


def _changes(new: Array, old: Array) -> tuple[U32, F32]:
    moved = new.ravel() - old.ravel()
    at = np.flatnonzero(moved)
    return at.astype(np.uint32), moved[at]


def measure_shard(begin: _Begin, shard: Examples) -> tuple[float, float, float]:
    """The share of the examples of a shard in the duality gap, in ||w||^2 and in the sum of the losses."""
    return begin.machine().measured(shard.blocks, shard.y, shard.y_at, shard.weight)


@dataclass(frozen=True)
class _Done:
    """The result of all passes so far, in one object, since Ctrl-C may come at any moment."""

    arrays: Arrays
    """v of each block, which is w; and, after the first pass, what the learner remembers of all examples."""
    t: int = 0
    total: float = 0.0
    updates: int = 0
    change: float = 0.0
    size: float = 0.0
    gap: float = 0.0
    length2: float = 0.0
    support: int = 0
    pace: float = 1.0
    """s of the momentum."""
    beta: float = 0.0
    momentum: Arrays = field(default_factory=dict)
    """For each block `d`, the change of w in the last pass; and the changes of all shards, one shard after the other:
    `moved`, the changes themselves, `moved_at`, their indices in the rows of the shard, and `moved_n`, how many each
    shard has."""

    def own(self, k: int, g: int) -> tuple[Array, Array]:
        """Where shard k has changed block g in the last pass, and the changes."""
        begin, end = (int(self.momentum[f"moved_n{g}"][:n].sum()) for n in (k, k + 1))
        return self.momentum[f"moved_at{g}"][begin:end], self.momentum[f"moved{g}"][begin:end]


class DualBlocks(Passes, AsksInside):
    """The Core of learners in the dual over shards: a pass lets every shard find changes for its own examples, and its end adds
    these up."""

    _done: _Done

    def __init__(self, whole: Dual, worker: Worker, place: Place, n_shards: int, *, shuffle: bool) -> None:
        """`whole` is the learner as it would learn from all examples."""
        self._whole = whole
        self._worker = worker
        self._shuffle = shuffle
        self._names = [f"v{g}" for g in range(len(whole.weights))]
        self._done = _Done({name: np.array(whole.state()[0][name]) for name in self._names})
        self._factors: list[F64] = []
        """sqrt(n_j) for each row of each block."""
        self._places: list[dict[str, I64]] = []
        """For each shard, the rows of its examples in the arrays of what is remembered of all examples, by the name of
        the array. Those under "" are for arrays with one row for each example."""
        self._pass = Pass(place, n_shards, self._cut)
        self.settled = False
        """Whether the gap that the shards saw on their way, summed, is within the tolerance. If the true gap is still
        above it, what is left is between shards, such as their shares in the bias, and hundreds of further epochs would
        change the objective by a thousandth."""
        self.begin()

    @property
    def loss(self) -> Loss:
        """The loss that is made small."""
        return self._whole.loss

    @property
    def support(self) -> int:  # type: ignore[override]
        """The number of support vectors."""
        return self._done.support

    def _cut(self, examples: Examples, n: int) -> list[Shard]:
        """The shards of the examples, with the features times sqrt(n_j)."""
        shards = shards_of(examples, n)
        owners = owners_of([shard.rows for shard in shards], [len(self._done.arrays[name]) for name in self._names])
        self._factors = [np.sqrt(np.maximum(of, 1)) for of in owners]
        starts = [block.starts() for block in examples.blocks]
        self._places = []
        for k in range(len(shards)):
            numbers = np.arange(k, len(examples), len(shards))
            places = {f"m{g}": within(at, numbers)[0] for g, at in enumerate(starts)}
            self._places.append({"": numbers, **places})
        return [replace(shard, examples=self._scaled(shard)) for shard in shards]

    def _scaled(self, shard: Shard) -> Examples:
        blocks = []
        for block, rows, factors in zip(shard.examples.blocks, shard.rows, self._factors, strict=True):
            own = factors[rows].astype(np.float32)
            blocks.append(scaled_block(block, own[1:], own[0]))
        return replace(shard.examples, blocks=tuple(blocks))

    def begin(self) -> None:
        """Begin a new pass, with w of all shards."""
        self._pass.begin()
        self._sums = [np.zeros(self._done.arrays[name].shape) for name in self._names]
        self._results: list[_Result] = []
        self._n = 0

    def run(self, blocks: tuple[Block, ...], y: I32, y_at: I64, order: I64, weight: F32 | None = None) -> None:
        """Wait until the shards have done as many further examples of this pass as `order` has, and add up their
        changes."""
        self._n = len(y_at) - 1
        examples = Examples(blocks, y, y_at, weight)
        for rows, result in self._pass.results(examples, len(order), climb_shard, self._begin):
            for sums, own, (at, moved) in zip(self._sums, rows, result.changes, strict=True):
                add_entries(sums, own, at, moved, 1)
            self._results.append(result)

    def _begin(self, k: int) -> _Begin:
        """What shard k begins this pass with."""
        return self._begun(k, self._done.beta)

    def _begun(self, k: int, beta: float) -> _Begin:
        """What shard k begins with, where the momentum counts beta: the weights w_j / sqrt(n_j), as the module says,
        and what is remembered of the examples of the shard."""
        done, arrays = self._done, {}
        for g, (name, rows) in enumerate(zip(self._names, self._pass.shards[k], strict=True)):
            w = done.arrays[name][rows].astype(np.float64)
            if beta:
                w += beta * done.momentum[f"d{g}"][rows]
            w /= self._factors[g][rows, None]
            if beta:
                at, moved = done.own(k, g)
                w.ravel()[at] -= beta * moved
            arrays[name] = w.astype(np.float32)
        for name, array in done.arrays.items():
            if name not in self._names:
                arrays[name] = array[self._rows(k, name)]
        worker = pickle.dumps(replace(self._worker, bias=self.bias))
        C, times = self._whole.C_over(self._n), 1 if len(self._pass.shards) == 1 else _TIMES
        return _Begin(worker, arrays, C, self._done.t // self._n, (self.seed, k), self._shuffle, times)

    def _rows(self, k: int, name: str) -> I64:
        """The rows of an array over all examples that belong to the examples of shard k."""
        places = self._places[k]
        return places.get(name, places[""])

    def end(self) -> None:
        """End a pass: add up what the shards have found."""
        before, results = self._done.arrays, self._results
        after: dict[str, Array] = {}
        momentum: dict[str, Array] = {}
        change2 = size2 = 0.0
        for name, sums, factors in zip(self._names, self._sums, self._factors, strict=True):
            after[name] = mixed(before[name], 1, sums, 1 / factors)
            moved = (after[name] - before[name]).ravel()
            change2 += dot(moved, moved)
            size2 += dot(after[name].ravel(), after[name].ravel())
            momentum[f"d{name[1:]}"] = moved.reshape(after[name].shape)
        for g in range(len(self._names)):
            of_shards = [result.changes[g] for result in results]
            momentum[f"moved_n{g}"] = np.array([len(at) for at, _ in of_shards], np.uint32)
            momentum[f"moved_at{g}"] = np.concatenate([at for at, _ in of_shards])
            momentum[f"moved{g}"] = np.concatenate([moved for _, moved in of_shards])
        for name, first in results[0].examples.items():
            n = sum(len(result.examples[name]) for result in results)
            after[name] = np.empty((n, *first.shape[1:]), first.dtype)
            for k, result in enumerate(results):
                after[name][self._rows(k, name)] = result.examples[name]
        self._done = _Done(
            after,
            self._done.t + self._n,
            _sum(results, lambda result: result.total),
            sum(result.updates for result in results),
            math.sqrt(change2),
            math.sqrt(size2),
            _sum(results, lambda result: result.gap),
            _sum(results, lambda result: result.length2),
            self._done.support + sum(result.support for result in results),
            *self._paced(momentum, change2),
            momentum,
        )

    def _paced(self, now: Arrays, change2: float) -> tuple[float, float]:
        """s and beta of the momentum after a pass: `now` has its changes d, and change2 is ||d||^2."""
        last, s = self._done.momentum, self._done.pace
        along = sum(dot(last[name].ravel(), now[name].ravel()) for name in last if name[0] == "d")
        if len(self._pass.shards) == 1 or self._done.beta * along > change2:
            return 1.0, 0.0
        further = (1 + math.sqrt(1 + 4 * s * s)) / 2
        return further, (s - 1) / further

    def left(self, blocks: tuple[Block, ...], y: I32, y_at: I64, weight: F32 | None, tol: float) -> float:
        """The duality gap as a share of the primal objective. It is summed from what the shards saw on their way; only
        where that sum is within `tol` is the gap measured again, with the same w in all shards."""
        n = len(y_at) - 1
        C = self._whole.C_over(n)
        seen = share_of(self._done.gap, self._done.length2, self._done.total, C)
        self.settled = seen <= tol
        if not self.settled:
            return seen
        self._n = n
        self._pass.begin()
        examples, still = Examples(blocks, y, y_at, weight), partial(self._begun, beta=0)
        parts = [part for _, part in self._pass.results(examples, n, measure_shard, still)]
        self._pass.begin()
        gap, length2, total = (math.fsum(numbers) for numbers in zip(*parts, strict=True))
        return share_of(gap, length2, total, C)

    def last(self) -> list[Weights]:
        """The weights, one array per block."""
        return [np.array(self._done.arrays[name]) for name in self._names]

    def settle(self, averaged: bool) -> list[Weights]:
        """The weights. Nothing else is kept, so that nothing can be learned afterwards."""
        weights = [self._done.arrays[name] for name in self._names]
        del self._done, self._sums, self._results, self._pass, self._whole
        return weights

    def add_up(self, blocks: tuple[Block, ...]) -> None:
        """Compute w again as the sum of what each example has added, over blocks whose features have other values."""
        whole = self.inside
        whole.add_up(blocks)
        self._done = replace(self._done, arrays={name: np.array(array) for name, array in whole.state()[0].items()})

    @property
    def inside(self) -> Dual:
        """The learner of one machine, in the state that all shards have reached together. This process alone asks it
        for held-out scores and support vectors."""
        self._whole.bias = self.bias
        self._whole.restore(self._done.arrays, {"support": self._done.support})
        return self._whole

    def state(self) -> State:
        """The state needed to go on exactly: arrays by name, and numbers by name."""
        numbers = {name: getattr(self._done, name) for name in _NUMBERS}
        return {**self._done.arrays, **self._done.momentum}, {"seed": self.seed, "settled": self.settled, **numbers}

    def restore(self, arrays: Arrays, numbers: Mapping[str, Json]) -> None:
        """Go on from `state()`."""
        own = {name: np.array(array) for name, array in arrays.items()}
        momentum = {name: own.pop(name) for name in arrays if name[0] == "d" or name.startswith("moved")}
        self._done = _Done(own, momentum=momentum, **{name: numbers[name] for name in _NUMBERS})
        self.seed, self.settled = numbers["seed"], numbers["settled"]
        self.begin()


def _sum(results: list[_Result], what: Callable[[_Result], float]) -> float:
    return math.fsum(map(what, results))
