"""`auto`: which of several plans suits the data, found on held-out parts of it in a given time.

The plans race (Maron and Moore 1994): each learns from four fifths of the data and predicts the rest; those that are
worse than the best by more than twice the standard error of the difference drop out; and so on with the next fifth. What
belongs to one group is never on both sides. Held-out data of the user's own is the only part there is.
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
OPTIONS = {"seconds": Option(60.0, "how long to look for them, in all; the best so far is taken then", least=0)}

_FOLDS = 5
_WORSE = 2.0
# To learn from all of the data in the end takes longer than from a part of them.
_LAST = _FOLDS / (_FOLDS - 1)


@dataclass
class Tried:
    """A plan, and how right it was on the examples that were held out."""

    plan: Plan
    held: list[Counts] = field(default_factory=list)
    seconds: float = 0.0

    def counts(self) -> Counts:
        return joined(self.held)

    def influence(self) -> npt.NDArray[np.float64]:
        """What each example adds to what is wrong: its mean is that, and its spread that of the ratio of sums."""
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
    """The seconds that options name; UsageError for any other."""
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
    """The best of the plans, and what each of them did, the best first. Ctrl-C takes the best so far.

    Plans of the same features should stand together: these are made once for all of them.
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
    # What has seen less has dropped out, or was not reached: of those that have seen most, the best.
    order = sorted(race, key=lambda tried: (len(tried.held) < seen, _wrong(tried)))
    return order[0].plan, [tried for tried in order if tried.held]


def _wrong(tried: Tried) -> float:
    counts = tried.counts() if tried.held else None
    return math.inf if counts is None else counts.wrong(counts.score)


def _still_in(alive: list[Tried]) -> list[Tried]:
    """Those that are not worse than the best for all that is known."""
    best = min(alive, key=_wrong)
    worse = [tried.influence() - best.influence() for tried in alive]
    return [
        tried
        for tried, d in zip(alive, worse, strict=True)
        if d.mean() <= _WORSE * d.std() / np.sqrt(len(d)) or not d.any()
    ]


def _try(ready: Ready, group: list[Tried], run: Mapping[str, Json]) -> None:
    """All of a group, or none where it is interrupted."""
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
    """What to learn from and what to predict, one after the other."""
    if held_out is not None:
        yield gold, held_out
        return
    groups = groups_of(gold)
    units = len(gold) if groups is None else int(groups.max()) + 1
    if units < 2:
        raise DataError("there is only one group of examples, so none can be held out to choose by. Name a learner.")
    k = min(_FOLDS, units)
    fold = folds(len(gold), k, y=gold.y.astype(np.int64), groups=None if groups is None else groups.tolist(), seed=seed)
    for held in range(k):
        yield gold.part(np.flatnonzero(fold != held)), gold.part(np.flatnonzero(fold == held))
