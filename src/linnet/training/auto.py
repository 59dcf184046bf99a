"""The learner `auto`: it finds the plan that suits the data best, by trials on held-out parts, within a given time.

The plans race (Maron and Moore 1994): each learns from four fifths of the data and predicts the rest; plans that are worse
than the best by more than twice the standard error of the difference drop out; the others go on with the next fifth. Worse is
meant by the measure of the task: accuracy, F1, mean absolute error and so on. Examples of one group are never on both sides. If
the user gives held-out data, the plans are tried on these alone.

The first plan is the usual one of the task. Where no other is better by more than one standard error, it is taken, as it was
chosen on other data before (the rule of Breiman et al. 1984, with the usual plan in the place of the simplest one).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json
from linnet.errors import DataError, UsageError, meant
from linnet.evaluate.folds import folds, groups_of, strips
from linnet.fitting.contract import ClassWeight, Counts, Gold, Plan, Task, joined
from linnet.fitting.fitting import Finisher, Recipe
from linnet.fitting.trials import Ready, decided, learn, make_ready
from linnet.learners import Option, Progress, learner
from linnet.training.job import AUTO
from linnet.training.thresholds import Thresholds

SUMMARY = "picks features, learner and options on held-out parts of the data, where a task has several plans"
OPTIONS = {
    "seconds": Option(60.0, "the seconds that the search may take; then the best so far is taken", least=0, most=1e7)
}

_FOLDS = 5
"""The number of parts that are held out in turn."""
_WORSE = 2.0
"""The number of standard errors by which a plan that drops out is worse than the best."""
_BETTER = 1.0
"""The number of standard errors by which a plan has to be better than the usual one to take its place."""
_LAST = _FOLDS / (_FOLDS - 1)
"""How much longer learning from all of the data takes than learning from the training part of one fold."""


@dataclass
class Tried:
    """A plan, how right it was on each held-out part so far, and the seconds that this took, with the features."""

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
        }


def checked(given: Mapping[str, Json]) -> float:
    """The seconds that the options give. Raise UsageError for any other option."""
    for name in given:
        if name not in OPTIONS:
            raise UsageError(f"learner {AUTO!r} has no option {name!r}.{meant(name, OPTIONS)} It has: seconds.")
    option = OPTIONS["seconds"]
    return float(option.check(AUTO, "seconds", given.get("seconds", option.default)))


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
    """Find the best of the plans, of which the first is the usual one; return it, and all that were tried: the chosen one, then
    the best of the others. Ctrl-C takes the best so far.

    Plans with the same features should follow each other, as these features are then made once for all of them.
    """
    began = time.monotonic()
    race = alive = [Tried(plan) for plan in plans]
    slowest = 0.0
    passes = {"seed": seed, "epochs": epochs}

    def check_time() -> None:
        """Raise TimeoutError if there is no time for one more trial, and for learning from all of the data after it."""
        if slowest > 0 and time.monotonic() - began + (1 + _LAST) * slowest > seconds:
            raise TimeoutError

    try:
        for training, test in _parts(gold, held_out, seed):
            for features, group in groupby(alive, key=lambda tried: tried.plan.features):
                check_time()
                ready = make_ready(task, features, training, test, class_weight)
                for tried in group:
                    check_time()
                    took = _try(ready, tried, class_weight, passes, progress)
                    slowest = max(slowest, took)
            alive = _still_in(alive)
            if len(alive) == 1:
                break
    except (KeyboardInterrupt, TimeoutError):
        _even(alive)
    seen = max(len(tried.held) for tried in race)
    # A plan with fewer parts has dropped out, or was not reached; the best is among the plans with the most parts.
    order = sorted(race, key=lambda tried: (len(tried.held) < seen, _wrong(tried)))
    usual = race[0]
    if len(usual.held) == seen and not _is_worse(usual, order[0], _BETTER):
        order.sort(key=lambda tried: tried is not usual)
    return order[0].plan, [tried for tried in order if tried.held]


def _wrong(tried: Tried) -> float:
    counts = tried.counts() if tried.held else None
    return math.inf if counts is None else counts.wrong(counts.score)


def _still_in(alive: list[Tried]) -> list[Tried]:
    """The plans that are not clearly worse than the best."""
    best = min(alive, key=_wrong)
    return [tried for tried in alive if not _is_worse(tried, best, _WORSE)]


def _is_worse(tried: Tried, than: Tried, errors: float) -> bool:
    """Whether a plan is worse than another by more than this number of standard errors of the difference."""
    d = tried.influence() - than.influence()
    return bool(d.mean() > errors * d.std() / np.sqrt(len(d)))


def _even(alive: list[Tried]) -> None:
    """Leave out the last part if only some of the plans have been tried on it, unless it is the first."""
    done = min(len(tried.held) for tried in alive)
    for tried in alive:
        if done:
            del tried.held[done:]


def _try(
    ready: Ready,
    tried: Tried,
    class_weight: ClassWeight,
    passes: Mapping[str, Json],
    progress: Callable[[Progress], None] | None,
) -> float:
    """Try a plan on one part; return the seconds that it took, with the features. An interrupted trial does not count."""
    began = time.monotonic()
    preset = learner(tried.plan.learner)
    finishers = _finishers(ready, tried.plan, class_weight, passes)
    learned, predictor = learn(ready, tried.plan, finishers, progress=progress, **passes)
    if learned.fit.interrupted:
        raise KeyboardInterrupt
    tried.held.append(ready.task.counts(ready.held, *decided(ready, preset, predictor, ready.held_examples)))
    took = ready.seconds + time.monotonic() - began
    tried.seconds += took
    return took


def _finishers(ready: Ready, plan: Plan, class_weight: ClassWeight, passes: Mapping[str, Json]) -> list[Finisher]:
    """The thresholds that training would set, as scores without them decide otherwise."""
    measure = ready.task.measure_of(learner(plan.learner), ready.training)
    if measure is None:
        return []
    learning = ready.fitting.learning(plan)
    recipe = Recipe(ready.task, replace(plan, options=dict(learning.options)), class_weight, passes)
    return [Thresholds(measure, recipe, ready.training, learning)]


def _parts(gold: Gold, held_out: Gold | None, seed: int) -> Iterator[tuple[Gold, Gold]]:
    """Yield pairs of examples: those to learn from, and those to predict.

    Examples with one label each are held out at random, so that labels are spread evenly. Others, such as sentences,
    are held out together with their neighbours (`strips`): these are alike, and a new sentence has no neighbours in the
    training data.
    """
    if held_out is not None:
        yield gold, held_out
        return
    groups = groups_of(gold)
    units = len(gold) if groups is None else int(groups.max()) + 1
    if units < 2:
        raise DataError(
            "there is only one group of examples, so none can be held out to choose a learner by. Name a learner."
        )
    k, single = min(_FOLDS, units), len(gold.y) == len(gold)
    if groups is None and not single:
        fold = strips(len(gold), k)
    else:
        y = gold.y.astype(np.int64) if single else None
        fold = folds(len(gold), k, y=y, groups=None if groups is None else groups.tolist(), seed=seed)
    for held in range(k):
        yield gold.part(np.flatnonzero(fold != held)), gold.part(np.flatnonzero(fold == held))
