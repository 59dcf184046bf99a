"""Sets of labels by thresholds: a label is in the set where its score is above t_k, and t is set by scores of examples that
were held out, for the best F1 (evaluate/thresholds.py).

The result is the linear model with t taken off the bias, so that a label is in the set where it scores above 0, as ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.evaluate.folds import folds
from linnet.evaluate.thresholds import thresholds
from linnet.fitting.contract import Task
from linnet.fitting.trials import Ready, Then, by_fold
from linnet.learners import Examples, Fit, Learning, Preset
from linnet.learners.preset import Weights
from linnet.learners.weights import bias
from linnet.model.base import Model

_FOLDS = 5
_NEAR = 0.2
"""Of the optimum, for the scores of a fold."""


class Thresholds:
    """How to set those of a model of these examples: each fold of them is scored by what was learned from the others."""

    def __init__(
        self, measure: str, task: Task, gold: Any, spec: str, learning: Learning, class_weight: Any, **run: Any
    ) -> None:
        learning.preset.check_linear()
        self.measure, self.gold, self.learning = measure, gold, learning
        self.fold_of = folds(len(gold), min(_FOLDS, len(gold)), seed=run["seed"])
        system = task, spec, gold, learning.preset, learning.options
        self.by_fold = partial(by_fold, self.fold_of, *system, class_weight=class_weight, **run)

    def t(self, examples: Examples) -> npt.NDArray[np.float64]:
        """Of each label, by what was learned from these examples. Some learners need not learn again without a fold: they take
        off what its examples have added."""
        found = self.learning.held_out(examples, self.fold_of, _NEAR)
        if found is not None:
            return thresholds(found, self.gold.y, self.gold.y_at, self.measure)
        ordered = self.gold.part(np.argsort(self.fold_of, kind="stable"))
        scores = (predictor.scores(held.blocks)[0] for _, held, predictor in self.by_fold())
        return thresholds(scores, ordered.y, ordered.y_at, self.measure)

    def of(self, model: Model, t: npt.NDArray[np.float64]) -> Model:
        take_off(model.weights, t)
        return replace(model, report={**model.report, "thresholds": self.measure})


def take_off(weights: Sequence[Weights], t: npt.NDArray[np.float64]) -> None:
    bias(weights, 0, len(t))[:] -= t.astype(np.float32)


def thresholded(ready: Ready, preset: Preset, spec: str, **run: Any) -> Then | None:
    """What `train` would do with the weights of this learner before they predict; None: nothing."""
    measure = ready.task.measure_of(preset, ready.training)
    if measure is None:
        return None

    def then(learning: Learning, fit: Fit) -> None:
        take_off(
            fit.weights, Thresholds(measure, ready.task, ready.training, spec, learning, None, **run).t(ready.examples)
        )

    return then
