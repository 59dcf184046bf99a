"""A model that is learned while another one is being made: one that tags or prunes for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from linnet.fitting.contract import Plan, Task
from linnet.fitting.progress import telling
from linnet.learners import Examples, Learning, Progress, learner

Watcher = Callable[[Progress], None] | None
_watcher: ContextVar[Watcher] = ContextVar("watcher", default=None)


@contextmanager
def watched(progress: Watcher) -> Iterator[None]:
    """Tell of the progress of all that is learned meanwhile."""
    token = _watcher.set(progress)
    try:
        yield
    finally:
        _watcher.reset(token)


def learned(task: Task, gold: Any, plan: Plan, *, class_weight: Any = None, **run: Any) -> Any:
    """What a task learns of gold examples by a plan."""
    progress = telling(_watcher.get())
    features, blocks = task.fit(plan.features, gold)
    structure, weights = task.weighted(features, gold, class_weight)
    examples = Examples(blocks, gold.y, gold.y_at, weights)
    n_features = task.model.n_features(features, structure)
    learning = Learning(learner(plan.learner), plan.options, structure, n_features, examples.length2())
    fit = learning.run(examples, take=True, progress=progress, **run)
    if fit.interrupted:
        raise KeyboardInterrupt(fit.stopped)
    return task.model(
        features=features,
        labels=gold.labels,
        weights=tuple(fit.weights),
        learner=learning.preset.name,
        options=learning.options,
        details=gold.details,
    )
