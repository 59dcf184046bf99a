"""Checkpoints: the state of long learning, kept beside the output so that an interrupted run can go on."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

import numpy as np

from linnet.core.types import Array
from linnet.errors import UsageError
from linnet.features.contract import Features
from linnet.learners import Epoch, Examples, Fit, Learning
from linnet.model.base import Model
from linnet.tasks import load

_CHECKPOINT_SECONDS = 60.0
_SHARE_OF_WRITING = 0.05
"""Of the time, at most."""
_WORTH_KEEPING = 1.0
"""Seconds of learning: what took less is sooner had again than resumed."""
_OF_FIT = ("best", "runs", "stopped")


def fingerprint(features: Features, examples: Examples, dev: Examples | None, settings: tuple[object, ...]) -> int:
    """A number that another run would not have: other examples, other weights of theirs, another order."""
    parts: list[Array] = [*features.arrays().values(), examples.y, examples.y_at]
    parts += [np.asarray(part) for block in examples.blocks for part in block.identity()]
    parts += [part for part in (examples.weight, dev.y if dev is not None else None) if part is not None]
    crc = zlib.crc32(repr(settings).encode())
    for part in parts:
        crc = zlib.crc32(np.ascontiguousarray(part).view(np.uint8).data if part.size else b"", crc)
    return crc


class Checkpoints:
    """Writes a checkpoint once a minute and when learning is interrupted; takes it away when learning is done.

    There is no other copy of the state: it is written as it is between two pieces of an epoch.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        learning: Learning,
        model_of: Callable[[Fit], Model],
        fingerprint: Callable[[], int],
    ) -> None:
        self.path = None if path is None else Path(path)
        self.learning = learning
        self.model_of = model_of
        self.fingerprint = cache(fingerprint)
        self.began = time.monotonic()
        self.next = self.began + _CHECKPOINT_SECONDS
        self.kept = False

    def between(self, fit: Fit) -> None:
        now = time.monotonic()
        if self.path is None or (now < self.began + _WORTH_KEEPING if fit.interrupted else now < self.next):
            return
        self._write(fit)
        done = time.monotonic()
        self.next = done + max(_CHECKPOINT_SECONDS, (done - now) / _SHARE_OF_WRITING)

    def done(self, fit: Fit) -> None:
        if self.path is not None and not (fit.interrupted and self.kept):
            self.path.unlink(missing_ok=True)

    def _write(self, fit: Fit) -> None:
        """The state as it is, with what is needed to choose between epochs."""
        assert self.path is not None
        arrays, numbers = self.learning.state()
        history = [asdict(epoch) for epoch in fit.history]
        state = {"online": numbers, "history": history, "data": self.fingerprint()}
        state |= {name: getattr(fit, name) for name in _OF_FIT}
        total = {f"total{g}": block for g, block in enumerate(fit.total)}
        replace(self.model_of(fit), state=(arrays | total, state)).save(self.path)
        self.kept = True

    def resumed(self) -> Fit:
        if self.path is None or not self.path.exists():
            raise UsageError(
                f"there is no checkpoint {os.fspath(self.path or '')!r} to go on from. Train without --resume."
            )
        model = load(self.path)
        state = model.state
        learning = self.learning
        options = learning.preset.checked(model.options) if model.learner == learning.preset.name else None
        if state is None or options != learning.options:
            raise UsageError(
                f"{self.path} is from another learner ({model.learner}). Use the options that it was made with."
            )
        arrays, numbers = state
        if numbers["data"] != self.fingerprint():
            raise UsageError(f"{self.path} is from other data or features. Train without --resume.")
        total = {name: np.array(array) for name, array in arrays.items() if name.startswith("total")}
        learning.restore({name: array for name, array in arrays.items() if name not in total}, numbers["online"])
        history = [Epoch(**epoch | {"moved": float(epoch["moved"])}) for epoch in numbers["history"]]
        fit = Fit(
            [],
            history,
            total=[total[name] for name in sorted(total, key=lambda name: int(name.removeprefix("total")))],
            **{name: numbers[name] for name in _OF_FIT},
        )
        if any(epoch.dev is not None for epoch in fit.this_run()):
            fit.weights = [np.array(block) for block in model.weights]
        self.kept = True
        return fit
