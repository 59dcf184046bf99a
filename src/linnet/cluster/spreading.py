"""A learner over shards: the preset of its name, with a Core that lets shards learn and puts their results together."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from linnet.cluster.dual_blocks import DualBlocks, machine_of
from linnet.cluster.mixing import Mixing, Worker
from linnet.cluster.place import Here, Place
from linnet.cluster.summing import Summing
from linnet.core.form import Structure
from linnet.core.loops.dual import Dual
from linnet.core.loops.online import Online
from linnet.core.ragged import Ragged
from linnet.errors import UsageError
from linnet.learners.batch import Gradients
from linnet.learners.contract import Core
from linnet.learners.preset import Make, Options, Preset
from linnet.learners.scaled import Scaled

if TYPE_CHECKING:
    from distributed import Client


_MORE = 4
"""Learning from shards takes at most this many times the usual epochs of one machine."""


@dataclass(frozen=True, kw_only=True)
class _OverShards(Preset):
    """A learner that learns from shards."""

    alone: Preset
    """The learner on one machine."""
    n_shards: int

    def usual_epochs(self, n: int) -> int:
        """The usual number of epochs over n examples. In an epoch each shard learns from its own examples alone, so that there
        are as many epochs as over these, but not many times those of one machine."""
        more = min(_MORE, self.n_shards)
        return replace(self.alone, epochs=more * self.alone.epochs).usual_epochs(n // self.n_shards)


@dataclass(frozen=True)
class Spreading:
    """How learners learn from shards: where, from how many, and whether each shard is shuffled before each pass."""

    place: Place
    n_shards: int
    shuffle: bool = True

    def __call__(self, preset: Preset) -> Preset:
        """The preset of a learner, made to learn from shards. For a learner that cannot, making its Core raises
        UsageError."""

        def solver(options: Options) -> Make | None:
            make = preset.solver(options)
            return None if make is None else self._make(preset, make)

        own = {field.name: getattr(preset, field.name) for field in fields(preset)}
        own |= {"core": self._make(preset, preset.core), "solver": solver}
        return _OverShards(**own, alone=preset, n_shards=self.n_shards)

    def _make(self, preset: Preset, make: Make) -> Make:
        def made(_: Preset, options: Options, gen: Structure, n_features: tuple[int, ...]) -> Core:
            return self._core(Worker(make, preset, options, gen, bias=True), n_features)

        return made

    def _core(self, worker: Worker, n_features: tuple[int, ...]) -> Core:
        preset, options = worker.preset, worker.options
        whole = worker.make(preset, options, worker.gen, n_features)
        if isinstance(whole, Gradients):
            _check_travels(worker)
            return Summing(preset, options, worker.gen, n_features, self.place, self.n_shards)
        machine = machine_of(whole, worker, n_features)
        if type(machine) is Dual:
            _check_travels(worker)
            blocks = DualBlocks(machine, worker, self.place, self.n_shards, shuffle=self.shuffle)
            return whole.around(blocks) if isinstance(whole, Scaled) else blocks
        in_parts = preset.linear and not preset.needs_all and preset.solver(options) is None
        if not (in_parts and isinstance(whole, Online)):
            raise UsageError(
                f"learner {preset.name!r} cannot learn from shards with these options. Those that can are nb-svm, svm, "
                "naive-bayes, perceptron, averaged-perceptron, mira, averaged-mira, pa, pa2, arow, scw, scw2, pegasos, "
                "logistic and crf."
            )
        if any(isinstance(weights, Ragged) for weights in whole.weights):
            raise UsageError(
                f"with so many labels and features, learner {preset.name!r} keeps only the weights that it has changed, which "
                "cannot be mixed yet. Use fewer features, or leave out the cluster and the shards."
            )
        _check_travels(worker)
        return Mixing(whole, worker, self.place, self.n_shards, shuffle=self.shuffle)


def _check_travels(worker: Worker) -> None:
    """Raise UsageError where the learner or the structure cannot be sent to workers."""
    try:
        pickle.dumps(worker)
    except (TypeError, AttributeError, pickle.PicklingError) as error:
        raise UsageError(
            f"structure {worker.gen.name!r} or learner {worker.preset.name!r} cannot be sent to workers ({error}). Leave out "
            "the cluster and the shards."
        ) from None


@contextmanager
def spreading(
    cluster: str | Client | None, n: int, *, shuffle: bool, tls: tuple[str, str, str] | None = None
) -> Iterator[Spreading]:
    """The `Spreading` over n shards at a cluster of Dask, or in this process where `cluster` is None. The connection to
    the cluster is open inside the `with` block."""
    if n < 1:
        raise UsageError(f"expected at least one shard, found {n}.")
    if cluster is None:
        if tls is not None:
            raise UsageError("certificates are for a cluster. Add its address, or leave them out.")
        yield Spreading(Here(), n, shuffle)
        return
    from linnet.cluster.on_dask import opened

    with opened(cluster, tls) as place:
        yield Spreading(place, n, shuffle)
