"""`auto`: which of several plans suits the data, found on held-out parts of it in a given time.

The plans race (Maron and Moore 1994): each learns from four fifths of the data and predicts the rest; those that are
worse than the best by more than twice the standard error of the difference drop out; and so on with the next fifth. What
belongs to one group is never on both sides. Held-out data of the user's own is the only part there is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.core.predictor import Predictor
from linnet.errors import DataError, UsageError, meant
from linnet.evaluate.folds import folds, groups_of
from linnet.learners import Examples, Learning, Option, Progress, learner
from linnet.tasks.contract import Gold, Plan, Task

NAME = "auto"
SUMMARY = "picks features, learner and options on held-out parts of the data; labels only"
OPTIONS = {"seconds": Option(60.0, "how long to look for them, in all; the best so far is taken then", least=0)}

_FOLDS = 5
_WORSE = 2.0
# To learn from all of the data in the end takes longer than from a part of them.
_LAST = _FOLDS / (_FOLDS - 1)

Right = npt.NDArray[np.bool_]


@dataclass
class Tried:
    """A plan, and which of the examples that were held out it got right."""

    plan: Plan
    right: list[Right] = field(default_factory=list)
    seconds: float = 0.0

    def report(self) -> dict[str, Any]:
        return {
            "features": self.plan.features,
            "learner": self.plan.learner,
            "options": dict(self.plan.options),
            "accuracy": float(np.mean(np.concatenate(self.right))),
            "n": sum(map(len, self.right)),
            "seconds": round(self.seconds, 2),
        }


def checked(given: Mapping[str, Any]) -> float:
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
    class_weight: Any = None,
    epochs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Plan, list[Tried]]:
    """The best of the plans, and what each of them did, the best first. Ctrl-C takes the best so far.

    Plans of the same features should stand together: these are made once for all of them.
    """
    began = time.monotonic()
    race = alive = [Tried(plan) for plan in plans]
    slowest = 0.0
    run = {"seed": seed, "epochs": epochs, "progress": progress, "take": True}

    def is_late(wanted: float) -> bool:
        return slowest > 0 and time.monotonic() - began + (1 + _LAST) * wanted > seconds

    try:
        for training, test in _parts(gold, held_out, seed):
            for features, group in groupby(alive, key=lambda tried: tried.plan.features):
                if is_late(slowest):
                    raise TimeoutError
                started = time.monotonic()
                _try(task, features, list(group), training, test, class_weight, run)
                slowest = max(slowest, time.monotonic() - started)
            alive = _still_in(alive)
            if len(alive) == 1:
                break
    except (KeyboardInterrupt, TimeoutError):
        pass
    seen = max(len(tried.right) for tried in race)
    # What has seen less has dropped out, or was not reached: of those that have seen most, the best.
    order = sorted(race, key=lambda tried: (len(tried.right) < seen, -_accuracy(tried)))
    return order[0].plan, [tried for tried in order if tried.right]


def _accuracy(tried: Tried) -> float:
    return float(np.mean(np.concatenate(tried.right))) if tried.right else 0.0


def _still_in(alive: list[Tried]) -> list[Tried]:
    """Those that are not worse than the best for all that is known."""
    best = np.concatenate(max(alive, key=_accuracy).right).astype(np.float64)
    worse = [best - np.concatenate(tried.right) for tried in alive]
    return [
        tried
        for tried, d in zip(alive, worse, strict=True)
        if d.mean() <= _WORSE * d.std() / np.sqrt(len(d)) or not d.any()
    ]


def _try(
    task: Task,
    features: str,
    group: list[Tried],
    gold: Gold,
    test: Gold,
    class_weight: Any,
    run: Mapping[str, Any],
) -> None:
    began = time.monotonic()
    fitted, blocks = task.fit(features, gold)
    structure, weights = task.weighted(fitted, gold, class_weight)
    examples = Examples(blocks, gold.y, gold.y_at, weights)
    unseen = task.blocks(fitted, test)
    made = (time.monotonic() - began) / len(group)
    done = []
    for tried in group:
        began = time.monotonic()
        learning = Learning(
            learner(tried.plan.learner),
            tried.plan.options,
            structure,
            task.model.n_features(fitted),
            examples.length2(),
        )
        fit = learning.run(examples, **run)
        if fit.interrupted:
            raise KeyboardInterrupt
        y_hat, _ = Predictor(structure, learning.scorer(fit.weights)).argmax(unseen)
        done.append((tried, y_hat == test.y, made + time.monotonic() - began))
    for tried, right, seconds in done:
        tried.right.append(right)
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
