"""Epochs over examples: shuffling, progress, early stopping, and when to give up."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.core.form import Block
from linnet.core.online import Online
from linnet.core.predictor import Predictor
from linnet.errors import DivergedError, UsageError
from linnet.features import SparseRows
from linnet.learners.preset import Preset, Weights

# Between two pieces Python looks at signals and shows progress.
_PIECE_SECONDS = 0.1
# Times the log loss of guessing: beyond that, learning has run away.
_RUNAWAY = 10.0


@dataclass(frozen=True)
class Examples:
    """Blocks of features with their gold outputs: y[y_at[i]:y_at[i + 1]] is that of example i."""

    blocks: tuple[Block, ...]
    y: npt.NDArray[np.int32]
    y_at: npt.NDArray[np.int64]
    weight: npt.NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.y_at) - 1

    @classmethod
    def labelled(
        cls, rows: SparseRows, y: npt.NDArray[np.int32], weight: npt.NDArray[np.float32] | None = None
    ) -> Examples:
        """One place and one label each."""
        return cls((Block(*rows),), y, np.arange(len(y) + 1, dtype=np.int64), weight)

    def total_weight(self) -> float:
        return float(len(self)) if self.weight is None else float(self.weight.sum(dtype=np.float64))

    def length2(self) -> float:
        """The mean of ||x||^2 over all places of the first block, the bias counted."""
        return float(self.blocks[0].length2())


@dataclass(frozen=True)
class Epoch:
    """What one pass over the data did."""

    epoch: int
    loss: float
    updates: int
    moved: float
    dev: float | None
    seconds: float


@dataclass(frozen=True)
class Progress:
    epoch: int
    epochs: int
    share: float
    """Of all epochs, from 0 to 1."""
    left: float
    """Seconds, if all epochs are run."""
    last: Epoch | None


@dataclass
class Fit:
    """Weights, one array per block, and how they came about."""

    weights: list[Weights]
    history: list[Epoch] = field(default_factory=list)
    stopped: str = ""
    best: int = 0
    """The epoch that the weights are from."""
    interrupted: bool = False

    def report(self) -> dict[str, Any]:
        return {"epochs": [asdict(epoch) for epoch in self.history], "stopped": self.stopped, "best": self.best}


class Learning:
    """A learner over a structure, at work: run() for epochs, partial() for a few examples at a time."""

    def __init__(
        self,
        preset: Preset,
        options: Mapping[str, Any],
        gen: Any,
        n_features: tuple[int, ...],
        length2: float = 2.0,
    ) -> None:
        if preset.structures and gen.name not in preset.structures:
            raise UsageError(f"learner {preset.name!r} does not work with structure {gen.name!r} yet. Use another.")
        self.preset = preset
        self.options = preset.checked(options)
        self.gen = gen
        self._safe_eta = 1 / length2
        if self.options.get("eta") == "auto":
            self.options["eta"] = self._safe_eta
        loss = preset.loss(self.options)
        if loss.needs_marginals and not gen.has_marginals:
            raise UsageError(
                f"loss {loss.name!r} needs marginals, which structure {gen.name!r} does not have. "
                "Use 'hinge' or 'perceptron'."
            )
        self.online = Online(gen, loss, preset.step(self.options), n_features, averaged=preset.averaged)

    def weights(self) -> list[Weights]:
        """What has been learned so far, ready to predict with."""
        learned = self.online.average() if self.preset.averaged else self.online.last()
        return self.preset.finish(learned, self.gen.outcomes, self.options)

    def partial(self, examples: Examples) -> None:
        """One pass over some examples in their order."""
        for _ in self._pass(examples, np.arange(len(examples))):
            pass
        if not math.isfinite(self.online.total):
            self._diverged(self.online.total)

    def run(
        self,
        examples: Examples,
        *,
        epochs: int | None = None,
        seed: int = 0,
        dev: Examples | None = None,
        patience: int = 3,
        tol: float = 1e-3,
        shuffle: bool = True,
        fit: Fit | None = None,
        progress: Callable[[Progress], None] | None = None,
        after_epoch: Callable[[Fit], None] | None = None,
    ) -> Fit:
        """Pass over the examples until `epochs`, until the weights move by less than `tol` of their length in an
        epoch, or until `patience` epochs have not improved on `dev`. Ctrl-C ends it early; what was learned is kept.

        Epoch e is shuffled by (seed, e) alone, so a run that goes on from an earlier `fit` sees what it would have
        seen.
        """
        n = epochs if epochs is not None and not self.preset.one_pass else self.preset.usual_epochs(len(examples))
        fit = Fit([]) if fit is None else fit
        start = len(fit.history)
        fit.stopped = f"all {n} epochs are done" if n > 1 else "one pass is all there is"
        began = time.perf_counter()
        try:
            for e in range(start, n):
                order = np.arange(len(examples))
                if shuffle and not self.preset.one_pass:
                    order = np.random.default_rng([seed, e]).permutation(len(examples))
                for share in self._pass(examples, order):
                    if progress is not None:
                        done = (e - start + share) / (n - start)
                        left = (time.perf_counter() - began) * (1 - done) / done
                        progress(Progress(e + 1, n, done, left, fit.history[-1] if fit.history else None))
                self._record(fit, examples, dev, time.perf_counter() - began, track=n > 1 and tol > 0)
                if after_epoch is not None:
                    after_epoch(fit)
                why = self._why_stop(fit, patience, tol) if n > 1 else ""
                if why:
                    fit.stopped = why
                    break
        except KeyboardInterrupt:
            fit.interrupted = True
            fit.stopped = f"interrupted after {len(fit.history)} of {n} epochs"
        if dev is None or not fit.history:
            fit.best = len(fit.history)
            fit.weights = self.weights()
        return fit

    def _record(self, fit: Fit, examples: Examples, dev: Examples | None, seconds: float, *, track: bool) -> None:
        """Add what this epoch did to the history, and keep its weights if they are the best on dev."""
        loss = self.online.total / max(examples.total_weight(), 1e-12)
        decisions = len(examples.y) / max(len(examples), 1)
        if not loss < _RUNAWAY * decisions * math.log(max(2, *self.gen.outcomes)):
            self._diverged(loss)
        moved = math.nan
        if track:
            change, size = self.online.moved()
            moved = change / size if size else 0.0
        score = None
        if dev is not None:
            weights = self.weights()
            score = accuracy(self.gen, weights, dev)
            if all(score > epoch.dev for epoch in fit.history if epoch.dev is not None):
                fit.best, fit.weights = len(fit.history) + 1, weights
        fit.history.append(Epoch(len(fit.history) + 1, loss, self.online.updates, moved, score, seconds))

    def _why_stop(self, fit: Fit, patience: int, tol: float) -> str:
        last = fit.history[-1]
        if last.dev is not None and last.epoch - fit.best >= patience:
            return f"{patience} epochs brought nothing on the held-out part"
        if last.updates == 0 or (tol > 0 and last.moved < tol):
            return "the weights stopped moving"
        return ""

    def _pass(self, examples: Examples, order: npt.NDArray[np.int64]) -> Iterator[float]:
        """One epoch in pieces of about 0.1 s; yields the share that is done."""
        self.online.total = 0.0
        self.online.updates = 0
        at, piece = 0, 256
        while at < len(order):
            began = time.perf_counter()
            self.online.run(examples.blocks, examples.y, examples.y_at, order[at : at + piece], examples.weight)
            at += piece
            seconds = time.perf_counter() - began
            piece = int(min(piece * 4, max(256, piece * _PIECE_SECONDS / max(seconds, 1e-6))))
            yield min(at / len(order), 1.0)

    def _diverged(self, loss: float) -> None:
        """Say so when steps are so long that learning runs away, to a loss far above that of knowing nothing."""
        eta = self.options.get("eta")
        if isinstance(eta, float):
            raise DivergedError(
                f"the learning rate eta={eta:g} is too large: the mean loss of the last epoch is {loss:.3g}. "
                f"Try --set eta={min(self._safe_eta, eta / 10):.1g}."
            )


def accuracy(gen: Any, weights: list[Weights], examples: Examples) -> float:
    """The share of decisions that are right: of labels, of tags."""
    y_hat, _ = Predictor(gen, weights).argmax(examples.blocks)
    return float(np.mean(y_hat == examples.y))
