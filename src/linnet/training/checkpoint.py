"""Checkpoints: files that keep the state of a long training, so that `--resume` can go on after an interruption.

A checkpoint is there from the first minute of learning until the model is written, so that whatever happens, no more than about
a minute of learning is lost. What comes before and after learning is done again; it gives the same bits as before.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path

import numpy as np

from linnet.core.blocks import Block
from linnet.core.long_arrays import pieces
from linnet.core.schema import ListOf, Record, Text, Whole
from linnet.core.types import Array, Arrays, Json
from linnet.errors import LinnetError, ModelError, UsageError
from linnet.features.contract import Features
from linnet.io.bytes.atomic import check_writable
from linnet.learners import Epoch, Examples, Fit, Learning
from linnet.model.base import Model
from linnet.model.file import check_replaced
from linnet.model.report_schema import EPOCH
from linnet.tasks import load

_STATE = Record(
    {
        "online": Record(open=True),
        "history": ListOf(Record({**EPOCH.required, "seconds": EPOCH.optional["seconds"]}, EPOCH.optional)),
        "data": Whole(0, 2**32 - 1),
        "best": Whole(),
        "runs": Whole(),
        "stopped": Text(),
    }
)
"""What the numbers of a checkpoint may be."""
_CHECKPOINT_SECONDS = 60.0
"""The least seconds between two checkpoints."""
_SHARE_OF_WRITING = 0.05
"""The largest share of the time that writing checkpoints may take."""
_WORTH_KEEPING = 1.0
"""The seconds of learning from which a checkpoint is written on an interruption. To repeat less is quicker than to resume."""


def fingerprint(
    features: Features,
    examples: Examples,
    dev: Examples | None,
    settings: tuple[object, ...],
    begins_with: Sequence[Array] = (),
) -> int:
    """A checksum of all that determines a run. A run with other examples, other weights of them, another order, or other
    weights to begin with has another one."""
    home = examples.blocks[0]
    blocks = (*examples.blocks, *(dev.blocks if dev is not None else ()))
    last = [part for part in (examples.weight, dev.y if dev is not None else None) if part is not None]
    parts = chain(features.arrays().values(), (examples.y, examples.y_at), last, begins_with)
    crc = zlib.crc32(repr(settings).encode())
    for part in parts:
        crc = _added(part, crc, home)
    for block in blocks:
        crcs: dict[int, int] = {}
        # The arrays of a block come in pieces, side by side, and each array has a checksum of its own. So it does not
        # matter how large the pieces are.
        for beside in block.identity():
            for k, part in enumerate(beside):
                crcs[k] = _added(part, crcs.get(k, 0), home)
        crc = zlib.crc32(repr(sorted(crcs.items())).encode(), crc)
    return crc


def _added(array: Array, crc: int, home: Block) -> int:
    """The checksum with the numbers of an array added to it, some at a time."""
    for piece in pieces(len(array)):
        crc = zlib.crc32(np.ascontiguousarray(array[piece]).view(np.uint8).data, crc)
        home.give_back()
    return crc


def was_interrupted(model: Model) -> bool:
    """Whether the training of a model was interrupted, so that its checkpoint is still of use."""
    return "interrupted" in model.report["stopped"]


class Checkpoints:
    """Writes a checkpoint once a minute and when learning is interrupted.

    The state is written in the middle of an epoch, between two pieces of it, without a copy in memory.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        learning: Learning,
        model_of: Callable[[Fit], Model],
        fingerprint: int,
    ) -> None:
        if path is not None:
            _check_file(path)
            check_replaced(path)  # A file that is there will be overwritten, and deleted in the end.
            check_writable(path)
        self.path = None if path is None else Path(path)
        self.learning = learning
        self.model_of = model_of
        self.fingerprint = fingerprint
        self.began = time.monotonic()
        self.next = self.began + _CHECKPOINT_SECONDS

    def between(self, fit: Fit) -> None:
        """Write a checkpoint if it is time for one. The learner calls this between two pieces of an epoch."""
        now = time.monotonic()
        if self.path is None or (now < self.began + _WORTH_KEEPING if fit.interrupted else now < self.next):
            return
        self._write(fit)
        done = time.monotonic()
        self.next = done + max(_CHECKPOINT_SECONDS, (done - now) / _SHARE_OF_WRITING)

    def after_epoch(self, fit: Fit) -> None:
        """Write a checkpoint after an epoch over shards, which a cluster has worked for, if it is worth keeping."""
        if self.path is not None and time.monotonic() >= self.began + _WORTH_KEEPING:
            self._write(fit)

    def _write(self, fit: Fit) -> None:
        """Write the state, with what is needed to choose between epochs later."""
        assert self.path is not None
        arrays, numbers = self.learning.state()
        history = [asdict(epoch) for epoch in fit.history]
        state = {"online": numbers, "history": history, "data": self.fingerprint}
        state |= {"best": fit.best, "runs": fit.runs, "stopped": fit.stopped}
        total = {f"total{g}": block for g, block in enumerate(fit.total)}
        try:
            replace(self.model_of(fit), state=(arrays | total, state)).save(self.path)
        except LinnetError as error:
            before = " --resume goes on from that." if self.path.exists() else ""
            raise LinnetError(f"{error}{before}") from error

    def resumed(self, epochs: int | None) -> Fit | None:
        """Read the checkpoint, and give the learner the state in it; None where there is none, as the training was interrupted
        before it had learned much. Raise UsageError if it is from another run, or from one of more epochs than are asked
        for."""
        if self.path is None:
            raise UsageError("resume goes on from a checkpoint, and none is named. Name it, or leave out resume.")
        if not self.path.exists():
            return None
        model = load(self.path)
        state = model.state
        learning = self.learning
        options = learning.preset.checked(model.options) if model.learner == learning.preset.name else None
        if state is None or options != learning.options:
            raise UsageError(
                f"{self.path} is from learner {model.learner!r} or from other options of it. Train with the learner "
                "and the options of the interrupted run, or without --resume."
            )
        arrays, numbers = state
        self._check(arrays, numbers)
        if numbers["data"] != self.fingerprint:
            raise UsageError(
                f"{self.path} is from other data, features or seed. Train with those of the interrupted run, or "
                "without --resume."
            )
        total = {name: np.array(array) for name, array in arrays.items() if name.startswith("total")}
        learning.restore({name: array for name, array in arrays.items() if name not in total}, numbers["online"])
        history = [_restored(epoch) for epoch in numbers["history"]]
        fit = Fit(
            [],
            history,
            total=[total[name] for name in sorted(total, key=lambda name: int(name.removeprefix("total")))],
            best=numbers["best"],
            runs=numbers["runs"],
            stopped=numbers["stopped"],
        )
        if any(epoch.dev is not None for epoch in fit.this_run()):
            fit.weights = [np.array(block) for block in model.weights]
        self._check_total(fit)
        done = len(fit.this_run())
        if epochs is not None and done > epochs:
            raise UsageError(
                f"{self.path} has {done} epochs behind it, more than the {epochs} that are asked for. Ask for as many as "
                "before, or train without --resume."
            )
        return fit

    def _check(self, arrays: Arrays, numbers: Mapping[str, Json]) -> None:
        """Raise ModelError unless the state, which may come from anyone, is as `_write` writes it."""
        try:
            _STATE.check(numbers, "state")
            for name in arrays:
                if name.startswith("total"):
                    int(name.removeprefix("total"))
        except ValueError as error:
            raise self._damaged(error) from None

    def _check_total(self, fit: Fit) -> None:
        """Raise ModelError unless the sum over earlier runs fits the weights of the learner, and the best epoch is one
        that is done."""
        try:
            if fit.total:
                self.learning.scorer(fit.total).check(self.learning.gen, self.learning.n_features)
            if bool(fit.total) != bool(fit.runs) or not 0 <= fit.best <= len(fit.history):
                raise ValueError("the runs and the epochs that are done do not fit each other")
        except (ValueError, IndexError) as error:
            raise self._damaged(error) from None

    def _damaged(self, error: Exception) -> ModelError:
        return ModelError(f"{self.path}: the checkpoint is damaged ({error}). Train without --resume.")


def _check_file(path: str | os.PathLike[str]) -> None:
    """Raise UsageError for what is there and is no file, as it would be deleted in the end, be it /dev/null; and a named pipe
    might never be read."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise UsageError(
            f"cannot keep the state of training in '{os.fspath(path)}': it is there and is no file. Name another checkpoint."
        )


def _restored(epoch: Mapping[str, Json]) -> Epoch:
    """An epoch of a checkpoint. Numbers that JSON does not have, such as nan, are strings there."""
    numbers: dict[str, Json] = {
        name: float(value) if isinstance(value, str) else value for name, value in epoch.items()
    }
    return Epoch(**numbers)
