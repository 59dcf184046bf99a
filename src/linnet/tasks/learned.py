"""A model that is learned while another one is being made: one that tags or prunes for it."""

from __future__ import annotations

from typing import Any

from linnet.learners import Examples, Learning, learner
from linnet.tasks.contract import Plan, Task


def learned(task: Task, gold: Any, plan: Plan, **run: Any) -> Any:
    """What a task learns of gold examples by a plan."""
    features, blocks = task.fit(plan.features, gold)
    structure, weights = task.weighted(features, gold, None)
    examples = Examples(blocks, gold.y, gold.y_at, weights)
    n_features = task.model.n_features(features, structure)
    learning = Learning(learner(plan.learner), plan.options, structure, n_features, examples.length2())
    fit = learning.run(examples, take=True, **run)
    return task.model(
        features=features,
        labels=gold.labels,
        weights=tuple(fit.weights),
        learner=learning.preset.name,
        options=learning.options,
        details=gold.details,
    )
