"""The learner `auto`: it finds the plan that suits the data best, by trials on held-out parts, within a given time.

The plans race (Maron and Moore 1994): each learns from four fifths of the data and predicts the rest; plans that are worse
than the best by more than twice the standard error of the difference drop out; the others go on with the next fifth. Examples
of one group are never on both sides. If the user gives held-out data, the plans are tried on these alone.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json
from linnet.errors import DataError, UsageError, meant
from linnet.evaluate.folds import folds, groups_of
from linnet.fitting.contract import ClassWeight, Counts, Gold, Plan, Task, joined
from linnet.fitting.trials import Ready, decided, learn, make_ready
from linnet.learners import Option, Progress, learner

NAME = "auto"
SUMMARY = "picks features, learner and options on held-out parts of the data; labels only"
OPTIONS = {"seconds": Option(60.0, "the seconds that the search may take; then the best so far is taken", least=0)}

_FOLDS = 5
"""The number of parts that are held out in turn."""
_WORSE = 2.0
"""The number of standard errors by which a plan that drops out is worse than the best."""
_LAST = _FOLDS / (_FOLDS - 1)
"""How much longer learning from all of the data takes than learning from the training part of one fold."""


@dataclass
class Tried:
    """A plan, how right it was on each held-out part so far, and the seconds that this took."""

    plan: Plan
    held: list[Counts] = field(default_factory=list)
    seconds: float = 0.0

    def counts(self) -> Counts:
        return joined(self.held)

    def influence(self) -> npt.NDArray[np.float64]:
        """A number for each example, whose mean is the error of the plan and whose spread gives the standard error of it."""
        counts = self.counts()
        spread: npt.NDArray[np.float64] = (counts.right - counts.score * counts.total) / counts.total.mean()
        return counts.wrong(counts.score) + (spread if counts.less_is_better else -spread)

    def report(self) -> dict[str, Json]:
        return {
            "features": self.plan.features,
            "learner": self.plan.learner,
            "options": dict(self.plan.options),
            "measure": self.held[0].measure,
            "score": self.counts().score,
            "less_is_better": self.held[0].less_is_better,
            "n": len(self.counts().right),
            "seconds": round(self.seconds, 2),
        }


def checked(given: Mapping[str, Json]) -> float:
    """The seconds that the options give. Raise UsageError for any other option."""
    for name in given:
        if name not in OPTIONS:
            raise UsageError(f"learner {NAME!r} has no option {name!r}.{meant(name, OPTIONS)} It has: seconds.")
    option = OPTIONS["seconds"]
    return float(option.check(NAME, "seconds", given.get("seconds", option.default)))


def search(
    task: Task,
    plans: Sequence[Plan],
    gold: Gold,
    held_out: Gold | None,
    *,
    seconds: float,
    seed: int,
    class_weight: ClassWeight = None,
    epochs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Plan, list[Tried]]:
    """Find the best of the plans; return it, and all that were tried, the best first. Ctrl-C takes the best so far.

    Plans with the same features should follow each other, as these features are then made once for all of them.
    """
    began = time.monotonic()
    race = alive = [Tried(plan) for plan in plans]
    slowest = 0.0
    run = {"seed": seed, "epochs": epochs, "progress": progress}

    def is_late(wanted: float) -> bool:
        return slowest > 0 and time.monotonic() - began + (1 + _LAST) * wanted > seconds

    try:
        for training, test in _parts(gold, held_out, seed):
            for features, group in groupby(alive, key=lambda tried: tried.plan.features):
                if is_late(slowest):
                    raise TimeoutError
                started = time.monotonic()
                _try(make_ready(task, features, training, test, class_weight), list(group), run)
                slowest = max(slowest, time.monotonic() - started)
            alive = _still_in(alive)
            if len(alive) == 1:
                break
    except (KeyboardInterrupt, TimeoutError):
        pass
    seen = max(len(tried.held) for tried in race)
    # A plan with fewer parts has dropped out, or was not reached; the best is among the plans with the most parts.
    order = sorted(race, key=lambda tried: (len(tried.held) < seen, _wrong(tried)))
    return order[0].plan, [tried for tried in order if tried.held]


def _wrong(tried: Tried) -> float:
    counts = tried.counts() if tried.held else None
    return math.inf if counts is None else counts.wrong(counts.score)


def _still_in(alive: list[Tried]) -> list[Tried]:
    """The plans that are not clearly worse than the best."""
    best = min(alive, key=_wrong)
    worse = [tried.influence() - best.influence() for tried in alive]
    return [
        tried
        for tried, d in zip(alive, worse, strict=True)
        if d.mean() <= _WORSE * d.std() / np.sqrt(len(d)) or not d.any()
    ]


def _try(ready: Ready, group: list[Tried], run: Mapping[str, Json]) -> None:
    """Try all plans of a group on one part; none of them counts if this is interrupted."""
    done = []
    for tried in group:
        began = time.monotonic()
        preset = learner(tried.plan.learner)
        learned, predictor = learn(ready, tried.plan, **run)
        if learned.fit.interrupted:
            raise KeyboardInterrupt
        counts = ready.task.counts(ready.held, *decided(ready, preset, predictor, ready.held_examples))
        done.append((tried, counts, ready.seconds / len(group) + time.monotonic() - began))
    for tried, counts, seconds in done:
        tried.held.append(counts)
        tried.seconds += seconds


def _parts(gold: Gold, held_out: Gold | None, seed: int) -> Iterator[tuple[Gold, Gold]]:
    """Yield pairs of examples: those to learn from, and those to predict."""
    if held_out is not None:
        yield gold, held_out
        return
    groups = groups_of(gold)
    units = len(gold) if groups is None else int(groups.max()) + 1
    if units < 2:
        raise DataError(
            "there is only one group of examples, so none can be held out to choose a learner by. Name a learner."
        )
    k = min(_FOLDS, units)
    fold = folds(len(gold), k, y=gold.y.astype(np.int64), groups=None if groups is None else groups.tolist(), seed=seed)
    for held in range(k):
        yield gold.part(np.flatnonzero(fold != held)), gold.part(np.flatnonzero(fold == held))
