"""The work of a comparison: every part of the data by every system. Features are made once for all learners, folds run in
threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace

import numpy as np

from linnet.comparison.table import Ints, System
from linnet.core.threads import available, limited
from linnet.errors import LinnetError
from linnet.evaluate.curves import subsets
from linnet.fitting.contract import Gold, Measure, Plan, Task
from linnet.fitting.fitting import Finisher, Recipe
from linnet.fitting.trials import Ready, Trial, attempt, make_ready
from linnet.learners import Fit, Preset
from linnet.training.thresholds import Thresholds

CURVE_FOLDS = 3
"""The number of folds from which a learning curve is made."""
TOP = 10
"""The number of features and mistakes that are shown."""


@dataclass(frozen=True)
class Step:
    """The progress of a comparison."""

    share: float
    left: float
    """Seconds that are left, about."""
    what: str


@dataclass(frozen=True, eq=False)
class Part:
    """A part of the data: what to learn from, and what to hold out."""

    kind: str
    """The kind of the part: fold, test or curve."""
    fold: int
    rows: Ints | None
    """The rows to learn from; all where it is None."""
    held_rows: Ints | None
    """The rows that are held out; the test part where it is None."""


Done = dict[tuple[Part, System], Trial]


class _StoppedError(Exception):
    """Raised in the threads of a comparison when someone pressed Ctrl-C."""


@dataclass
class Work:
    """Runs a job for each part of the data and each specification of features, in threads on all cores. A job makes the
    features once, and runs one learner after the other over them."""

    task: Task
    whole: Gold
    held: Gold | None
    fold_of: Ints
    plans: dict[str, Plan]
    presets: list[Preset]
    seed: int
    progress: Callable[[Step], None] | None
    measure: Measure
    refused: dict[System, str] = field(default_factory=dict)
    interrupted: bool = False

    def __post_init__(self) -> None:
        self.parts = list(self._parts())
        self.systems = [System(plan.features, preset.name) for plan in self.plans.values() for preset in self.presets]
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._size = {part: len(self.whole if part.rows is None else part.rows) for part in self.parts}
        self._total = sum(self._size.values()) * len(self.systems)
        self._seen = 0
        self._began = time.perf_counter()

    def _parts(self) -> Iterator[Part]:
        n = max(int(self.fold_of.max()) + 1, 0)
        kept = [np.flatnonzero(self.fold_of != fold) for fold in range(n)]
        out = [np.flatnonzero(self.fold_of == fold) for fold in range(n)]
        for fold in range(n):
            yield Part("fold", fold, kept[fold], out[fold])
        if self.held is not None:
            # Without folds, the test part takes the place of the only one.
            yield Part("test" if n else "fold", n, None, None)
        for fold in range(min(n, CURVE_FOLDS)):
            for some in subsets(len(kept[fold]), self.seed):
                yield Part("curve", fold, kept[fold][some], out[fold])
        if not n:
            for some in subsets(len(self.whole), self.seed):
                yield Part("curve", n, some, None)

    def run(self) -> Done:
        done: Done = {}
        pool = ThreadPoolExecutor(available())
        jobs = [pool.submit(self._job, part, plan, done) for part in self.parts for plan in self.plans.values()]
        try:
            for job in as_completed(jobs):
                job.result()
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            self._stop.set()
            pool.shutdown(cancel_futures=True)
        return done

    def _job(self, part: Part, plan: Plan, done: Done) -> None:
        with limited(1):
            self._run(part, plan, done)

    def _run(self, part: Part, plan: Plan, done: Done) -> None:
        systems = [(System(plan.features, preset.name), preset) for preset in self.presets]
        try:
            ready = self._ready(part, plan)
        except LinnetError as error:
            for system, _ in systems:
                self._refuse(part, system, error)
                self._show(part, system)
            return
        for system, preset in systems:
            if self._stop.is_set():
                return
            if system not in self.refused:
                self._learn(part, ready, system, preset, plan, done)
            self._show(part, system)

    def _ready(self, part: Part, plan: Plan) -> Ready:
        training = self.whole if part.rows is None else self.whole.part(part.rows)
        held = self.held if part.held_rows is None else self.whole.part(part.held_rows)
        assert held is not None
        return make_ready(self.task, plan.features, training, held)

    def _learn(self, part: Part, ready: Ready, system: System, preset: Preset, plan: Plan, done: Done) -> None:
        own = Plan(plan.features, preset.name, plan.options if preset.name == plan.learner else {})
        first = part.kind == "fold" and part.fold == 0
        try:
            trial = attempt(
                ready,
                own,
                finishers=self._finishers(ready, preset, own),
                seed=self.seed,
                between=self._between,
                measure=self.measure,
                believes=part.kind == "fold",
                top=TOP if first else 0,
            )
        except LinnetError as error:
            self._refuse(part, system, error)
        except _StoppedError:
            pass
        else:
            done[part, system] = trial

    def _finishers(self, ready: Ready, preset: Preset, plan: Plan) -> list[Finisher]:
        """What `train` would do with the weights of this learner before they predict."""
        measure = self.task.measure_of(preset, ready.training)
        if measure is None:
            return []
        learning = ready.fitting.learning(plan)
        passes = {"seed": self.seed, "between": self._between}
        recipe = Recipe(self.task, replace(plan, options=dict(learning.options)), None, passes)
        return [Thresholds(measure, recipe, ready.training, learning)]

    def _between(self, fit: Fit) -> None:
        if self._stop.is_set():
            raise _StoppedError

    def _refuse(self, part: Part, system: System, error: LinnetError) -> None:
        """Leave out a system that cannot learn from a part, since all systems are compared on the same parts. Where that
        is one of the growing parts, it has no learning curve, but is compared."""
        if part.kind != "curve":
            self.refused.setdefault(system, str(error))

    def _show(self, part: Part, system: System) -> None:
        with self._lock:
            self._seen += self._size[part]
            if self.progress is not None:
                share = self._seen / self._total
                left = (time.perf_counter() - self._began) * (1 - share) / share
                self.progress(Step(share, left, f"{part.kind} {part.fold + 1}, {system.learner}"))
