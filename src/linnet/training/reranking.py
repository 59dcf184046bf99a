"""A second look: a model that chooses among the k best outputs of another one, by features of whole outputs.

It is learned from outputs of sentences that were held out (Collins and Koo 2005): each fold is tagged or parsed by a model that
has learned from the others, or its score would be trusted more than it can be on new text. What an output costs is what is
wrong with it by the measure of the task.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from linnet.errors import DataError, UsageError
from linnet.evaluate.folds import strips
from linnet.fitting.contract import Plan, Rerankable, Task
from linnet.fitting.inner import learned
from linnet.fitting.progress import steps
from linnet.io.lists.lists import Lists
from linnet.learners import Learning
from linnet.model.base import Model

_FOLDS = 5


class Reranking:
    """How to learn what reranks the k best outputs of a model of these examples."""

    def __init__(
        self, k: int, task: Task, gold: Any, spec: str, learning: Learning, class_weight: Any, **run: Any
    ) -> None:
        if not isinstance(task, Rerankable):
            raise UsageError(f"rerank is for tags and dependency trees, not for task {task.name!r}. Leave it out.")
        if k < 2:
            raise UsageError(f"expected rerank to be at least 2 outputs to choose from, found {k}.")
        if len(gold) < 2:
            raise DataError("one sentence is too few for rerank, which learns from sentences held out.", gold.source)
        self.k, self.task, self.gold, self.class_weight, self.run = k, task, gold, class_weight, run
        self.plan = Plan(spec, learning.preset.name, dict(learning.options))
        self.fold_of = strips(len(gold), _FOLDS)

    def of(self, model: Model) -> Model:
        """The model with its reranker; as it is, if this is interrupted."""
        try:
            with steps("reranking"):
                return replace(model, reranker=self._learned())
        except KeyboardInterrupt:
            return replace(model, report={**model.report, "stopped": "interrupted before it could rerank"})

    def _learned(self) -> Model:
        from linnet.tasks.rerank.task import RerankTask  # when it is needed: other models need not wait for it

        task = RerankTask()
        gold = task.read(Lists([one for lists in self._by_fold() for one in lists.lists], self.gold.source), {})
        plan = self.task.second_look
        model: Model = learned(task, replace(gold, details={**gold.details, "k": self.k}), plan)
        return model

    def _by_fold(self) -> Iterator[Lists]:
        """The k best outputs of the sentences of each fold."""
        task, gold = self.task.unseen(self.plan.features, self.gold)
        folds = np.unique(self.fold_of)
        with steps(f"held-out {task.model.called}", len(folds)):
            for fold in folds:
                rest, held = (gold.part(np.flatnonzero(own)) for own in (self.fold_of != fold, self.fold_of == fold))
                model = learned(task, rest, self.plan, class_weight=self.class_weight, **self.run)
                sentences = model.completed(held.sentences)
                found = model.candidates(sentences, self.k)
                n = [len(rows) for rows, _ in found]
                each = held.part(np.repeat(np.arange(len(held)), n))
                y = np.concatenate([rows.ravel() for rows, _ in found])
                counts = task.counts(each, y, each.y_at)
                yield model.lists(sentences, found, (counts.total - counts.right).tolist())
