"""A reranker: a second model that chooses among the k best outputs of a first model, by features of whole outputs.

It is learned from outputs of held-out sentences (Collins and Koo 2005): each fold is tagged or parsed by a model that has
learned from the other folds. Otherwise the reranker would trust the scores of the first model more than it can on new text.
The cost of an output is the number of its errors by the measure of the task.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, cast

import numpy as np

from linnet.errors import DataError, UsageError
from linnet.evaluate.folds import strips
from linnet.fitting.contract import Gold, Rerankable
from linnet.fitting.fitting import Fitting, Learned, Recipe
from linnet.fitting.progress import Steps
from linnet.fitting.registry import TASKS
from linnet.io.lists.lists import Lists
from linnet.learners import Learning
from linnet.model import Model

_FOLDS = 5
"""The number of parts that are held out in turn."""


class Reranking:
    """A finisher that learns a reranker for the k best outputs of the model."""

    needs_learning: ClassVar[bool] = False

    def __init__(self, k: int, recipe: Recipe, gold: Gold, steps: Steps) -> None:
        task = recipe.task
        if not isinstance(task, Rerankable):
            raise UsageError(f"rerank is for tags and dependency trees, not for task {task.name!r}. Leave it out.")
        if k < 2:
            raise UsageError(f"expected rerank to be at least 2, the number of outputs to choose from, found {k}.")
        if len(gold) < 2:
            raise DataError(
                "found one sentence, but rerank holds sentences out and needs at least two. Add sentences, or "
                "leave out rerank.",
                gold.source,
            )
        self.k, self.task, self.recipe, self.gold, self.steps = k, task, recipe, gold, steps
        self.fold_of = strips(len(gold), _FOLDS)

    def finish(self, learned: Learned, fitting: Fitting, learning: Learning) -> Learned:
        """Add a reranker to what was learned; if learning it is interrupted, there is none."""
        if learned.fit.interrupted:
            return learned
        try:
            return replace(learned, parts={**learned.parts, "reranker": self._reranker()})
        except KeyboardInterrupt:
            stopped = {"stopped": "interrupted before it could rerank"}
            return replace(learned, report={**learned.report, **stopped})

    def _reranker(self) -> Model:
        steps = self.steps.inside("reranking")
        task = TASKS.named("rerank")
        found = Lists([one for lists in self._by_fold(steps) for one in lists.lists], self.gold.source)
        gold = task.read(found, {})
        plan = self.task.second_look
        return Recipe(task, plan).learn(replace(gold, details={**gold.details, "k": self.k}), steps)

    def _by_fold(self, steps: Steps) -> Iterator[Lists]:
        """Yield for each fold the k best outputs of its sentences, by a model that has not seen them."""
        task, gold = self.task.unseen(self.recipe.plan.features, self.gold, steps)
        folds = np.unique(self.fold_of)
        own = steps.inside(f"held-out {task.model.called}", len(folds))
        for fold in folds:
            rest, held = (gold.part(np.flatnonzero(part)) for part in (self.fold_of != fold, self.fold_of == fold))
            model = cast(Any, replace(self.recipe, task=task).learn(rest, own))
            sentences = model.completed(held.sentences)
            found = model.candidates(sentences, self.k)
            each = held.part(np.repeat(np.arange(len(held)), [len(rows) for rows, _ in found]))
            y = np.concatenate([rows.ravel() for rows, _ in found])
            counts = task.counts(each, y, each.y_at)
            yield model.lists(sentences, found, (counts.total - counts.right).tolist())
