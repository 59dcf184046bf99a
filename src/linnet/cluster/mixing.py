"""Online learners over shards, by iterative parameter mixing (McDonald, Hall and Mann 2010, "Distributed training strategies
for the structured perceptron").

In each epoch every shard k begins with the same weights w and learns one pass, to w_k. The next epoch begins, for each feature
j over the n_j shards that have it, with

    w'_j = w_j + b_j/n_j sum_k (w_kj - w_j),    b_j = min(n_j^0.15, b), and b = 1 or, for some learners, 1.5.

b = 1 is the mean of these shards. Over all K shards, as in the paper, a feature that one shard in 16 has would move by a
sixteenth of what is learned of it. Most features of texts are such features, and 40 epochs would not make up for it. For
learners whose steps close a margin and go no further, a little beyond the mean is better (docs/cluster.md); steps of a fixed
length are too long then, and twice the mean is too far for all. The preset says b.

The average over all steps goes along with the weights. In it the steps of epoch e count e^2: the first epochs are far from the
last ones, as each moves the weights by little more than a mean, and would hold the average back. Of what AdaGrad and AROW know
of each weight, the mean is taken. A learner that only counts begins with nothing, and its counts are summed: whole
numbers up to 2^24 are exact in float32, so that the counts are those of one machine, bit for bit.

A shard gets only the rows of the features that it has, and sends only the weights in them that it has changed. With w = a v
(core/weights.pyx), and sums over the shards that have the feature,

    w'_j      = 1/K sum_k a_k v_j + b_j/n_j sum_k a_k (v_kj - v_j)
    average  += e^2 (sum_k S_k v_j + K b_j/n_j sum_k [S_k (v_kj - v_j) - U_kj]).

The sums are float64, in the order of the shards.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from linnet.cluster.a_pass import Pass
from linnet.cluster.cutting import owners_of
from linnet.cluster.place import Place
from linnet.core.blocks import Block
from linnet.core.form import Structure
from linnet.core.loops.online import Online
from linnet.core.loops.row_sums import add_entries, mixed, moved2
from linnet.core.types import F32, F64, I32, I64, U32, Array, Arrays, Json, State
from linnet.errors import UsageError
from linnet.learners.examples import Examples
from linnet.learners.passes import Passes
from linnet.learners.preset import Make, Options, Preset, Weights

_POWER = 0.15
"""How b_j grows with the number of shards that have a feature."""
_NUMBERS = ("t", "counted", "total", "updates", "change", "size", "mistakes")
"""The numbers of `_Done` that a state of learning has."""


@dataclass(frozen=True)
class Worker:
    """What a worker has to know to make a learner."""

    make: Make
    preset: Preset
    options: Options
    gen: Structure
    bias: bool

    def core(self, n_features: tuple[int, ...]) -> Online:
        """A learner that has learned nothing, for so many features of each block."""
        core = self.make(self.preset, self.options, self.gen, n_features)
        assert isinstance(core, Online)
        core.bias = self.bias
        return core


@dataclass(frozen=True)
class _Begin:
    """What a shard begins a pass with."""

    worker: bytes
    """A pickled `Worker`: each task makes its own, since tasks that share a process must not share a structure."""
    arrays: Arrays
    """v and G of each block, as far as there are any, in the rows that the shard has."""
    passes: int
    """The number of passes before this one."""
    seed: tuple[int, int]
    """The seed of all shards, and the number of this one."""
    shuffle: bool


@dataclass(frozen=True)
class _Changes:
    """The weights of one block that a shard has changed in one pass."""

    at: U32
    """Where they are in the table of the rows that the shard has, row by row."""
    values: dict[str, F32]
    """v, U and G there, as far as there are any."""


@dataclass(frozen=True)
class _Result:
    """What one shard has learned in one pass."""

    a: float
    S: float
    total: float
    updates: int
    mistakes: int | None
    changes: list[_Changes]
    """The changes of each block."""


def learn_shard(begin: _Begin, shard: Examples) -> _Result:
    """Learn one pass over a shard."""
    worker: Worker = pickle.loads(begin.worker)
    core = worker.core(tuple(len(begin.arrays[f"v{g}"]) - 1 for g in range(len(shard.blocks))))
    seed, n = int(np.random.default_rng(begin.seed).integers(1 << 63)), len(shard)
    core.restore(begin.arrays, {"t": begin.passes * n, "seed": seed})
    core.begin()
    order = np.random.default_rng([*begin.seed, begin.passes]).permutation(n) if begin.shuffle else np.arange(n)
    core.run(shard.blocks, shard.y, shard.y_at, order, shard.weight)
    core.end()
    worker.gen.check()
    changes = [_changes(g, weights.arrays, begin.arrays) for g, weights in enumerate(core.weights)]
    return _Result(core.a, core.S, core.total, core.updates, core.mistakes, changes)


def _changes(g: int, after: Arrays, before: Arrays) -> _Changes:
    """Where block g has changed, and what is there now. U began with zeros."""
    if after["v"].size >= 1 << 32:
        raise UsageError(f"a shard has {after['v'].size:,} weights, and 4,294,967,295 are the most. Use more shards.")
    changed = np.zeros(after["v"].size, bool)
    for name, array in after.items():
        changed |= array.ravel() != (0 if name == "U" else before[f"{name}{g}"].ravel())
    at = np.flatnonzero(changed)
    return _Changes(at.astype(np.uint32), {name: array.ravel()[at] for name, array in after.items()})


@dataclass(frozen=True)
class _Done:
    """The result of all passes so far, in one object, since Ctrl-C may come at any moment."""

    arrays: Arrays
    """For each block v, the mixed weights; G, where there is one; and U, the sum of w over all steps, where those of
    epoch e count e^2."""
    t: int = 0
    counted: int = 0
    """The sum of e^2 over all steps, by which U is divided for the average."""
    total: float = 0.0
    updates: int = 0
    change: float = 0.0
    size: float = 0.0
    mistakes: int | None = None


class _Sums:
    """What the shards of one pass add up to."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays: dict[str, F64] = {name: np.zeros(array.shape) for name, array in arrays.items()}
        self.a = self.S = self.total = 0.0
        self.updates = 0
        self.mistakes: int | None = 0

    def add(self, result: _Result, shard: tuple[I64, ...], before: Arrays) -> None:
        """Add what one shard has learned in its rows."""
        for g, (rows, changes) in enumerate(zip(shard, result.changes, strict=True)):
            at, values, old = changes.at, changes.values, before[f"v{g}"]
            steps = (self.arrays[f"U{g}"], values["U"], result.S) if "U" in values else ()
            add_entries(self.arrays[f"v{g}"], rows, at, values["v"], result.a, old, *steps)
            if "G" in values:
                add_entries(self.arrays[f"G{g}"], rows, at, values["G"], 1, before[f"G{g}"])
        self.a += result.a
        self.S += result.S
        self.total += result.total
        self.updates += result.updates
        if self.mistakes is not None:
            self.mistakes = None if result.mistakes is None else self.mistakes + result.mistakes

    def mixed(self, before: Arrays, shares: Mapping[str, F64], n_shards: int, count: float) -> dict[str, Array]:
        """The arrays after the pass. `shares` has for each row of each array the factor of what each of its shards has
        changed, and `count` is how much a step of this pass counts in the average, e^2."""
        after: dict[str, Array] = {}
        for name, sums in self.arrays.items():
            share = shares[name]
            if name[0] == "U":
                after[name] = mixed(
                    before[name], 1, sums, count * n_shards * share, before[f"v{name[1:]}"], count * self.S
                )
            else:
                after[name] = mixed(before[name], self.a / n_shards if name[0] == "v" else 1, sums, share)
        return after


class Mixing(Passes):
    """The Core of online learners over shards: a pass lets every shard learn from the same weights, and its end mixes them."""

    _done: _Done

    def __init__(self, whole: Online, worker: Worker, place: Place, n_shards: int, *, shuffle: bool) -> None:
        """`whole` is the learner as it would learn from all examples; the weights begin with its arrays."""
        self._worker = worker
        self._shuffle = shuffle
        self._counts = whole.loss.only_counts
        self._pass = Pass(place, n_shards)
        self._share_of_rows: dict[str, F64] = {}
        self._done = _Done({name: np.array(array) for name, array in whole.state()[0].items()})
        self.begin()

    @property
    def mistakes(self) -> int | None:  # type: ignore[override]
        """The number of wrong outputs of the last pass, each counted before it was learned from by its shard."""
        return self._done.mistakes

    def begin(self) -> None:
        """Begin a new pass, with the mixed weights."""
        self._pass.begin()
        self._sums = _Sums(self._done.arrays)
        self._n = 0

    def run(self, blocks: tuple[Block, ...], y: I32, y_at: I64, order: I64, weight: F32 | None = None) -> None:
        """Wait until the shards have done as many further examples of this pass as `order` has, and add up what they
        learned."""
        self._n = len(y_at) - 1
        examples = Examples(blocks, y, y_at, weight)
        for rows, result in self._pass.results(examples, len(order), learn_shard, self._begin):
            self._sums.add(result, rows, self._done.arrays)

    def _begin(self, k: int) -> _Begin:
        """What shard k begins this pass with."""
        rows = self._pass.shards[k]
        arrays = {name: array[rows[int(name[1:])]] for name, array in self._done.arrays.items() if name[0] != "U"}
        worker = pickle.dumps(replace(self._worker, bias=self.bias))
        return _Begin(worker, arrays, self._done.t // self._n, (self.seed, k), self._shuffle)

    def end(self) -> None:
        """End a pass: mix what the shards have learned."""
        sums, before = self._sums, self._done.arrays
        count = (self._done.t // self._n + 1) ** 2
        after = sums.mixed(before, self._shares(), len(self._pass.shards), count)
        change2 = size2 = 0.0
        for name, new in after.items():
            if name[0] == "v":
                change, size = moved2(new, before[name])
                change2 += change
                size2 += size
        t = self._done.t + self._n
        counted = self._done.counted + count * self._n
        self._done = _Done(
            after, t, counted, sums.total, sums.updates, math.sqrt(change2), math.sqrt(size2), sums.mistakes
        )

    def _shares(self) -> dict[str, F64]:
        """The factor of what a shard has changed in each row of each array: b_j / n_j, or 1 for learners that count."""
        if not self._share_of_rows:
            owners = owners_of(self._pass.shards, [len(v) for v in self._all("v")])
            for name in self._done.arrays:
                n = np.maximum(owners[int(name[1:])], 1.0)
                beyond = 1 if name[0] == "G" else np.minimum(n**_POWER, self._worker.preset.mixing)
                self._share_of_rows[name] = np.ones(len(n)) if self._counts else beyond / n
        return self._share_of_rows

    def last(self) -> list[Weights]:
        """The mixed weights, one array per block."""
        return [np.array(array) for array in self._all("v")]

    def average(self) -> list[Weights]:
        """The weights averaged over all steps of all shards."""
        return [array / np.float32(max(self._done.counted, 1)) for array in self._all("U")]

    def settle(self, averaged: bool) -> list[Weights]:
        """The weights. Nothing else is kept, so that nothing can be learned afterwards."""
        weights = self.average() if averaged else self._all("v")
        del self._done, self._sums, self._pass
        return weights

    def _all(self, name: str) -> list[Array]:
        arrays = self._done.arrays
        return [arrays[f"{name}{g}"] for g in range(sum(key[0] == "v" for key in arrays))]

    def left(self, *examples: object) -> None:
        """The distance to the optimum, which an online learner does not know: None."""

    def state(self) -> State:
        """The state needed to go on exactly: arrays by name, and numbers by name."""
        return dict(self._done.arrays), {"seed": self.seed, **{name: getattr(self._done, name) for name in _NUMBERS}}

    def restore(self, arrays: Arrays, numbers: Mapping[str, Json]) -> None:
        """Go on from `state()`."""
        self._done = _Done(
            {name: np.array(array) for name, array in arrays.items()}, **{name: numbers[name] for name in _NUMBERS}
        )
        self.seed = numbers["seed"]
        self.begin()
