"""Scores made into probabilities: p(y | x) = softmax(a w.f(x, y) + b_y), with a and b fitted to held-out scores.

The result is the linear model with weights a w and b added to the bias, so it predicts, explains and is kept as every
other; what its features contribute are log odds.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from linnet.errors import UsageError
from linnet.evaluate.calibration import fit_sigmoid
from linnet.evaluate.folds import folds
from linnet.fitting.contract import Task
from linnet.fitting.trials import by_fold, decision_scores
from linnet.learners import Learning
from linnet.learners.weights import bias, scaled
from linnet.model.base import Model

_FOLDS = 5


class Calibration:
    """How to calibrate a model of these examples: each fold of them is scored by a model that learned from the others."""

    def __init__(
        self, how: str, task: Task, gold: Any, spec: str, learning: Learning, class_weight: Any, **run: Any
    ) -> None:
        if how != "sigmoid":
            raise UsageError(f"expected calibrate to be 'sigmoid', found {how!r}.")
        if len(learning.gen.outcomes) > 1:
            raise UsageError(
                f"calibrate=sigmoid is for labels that stand alone; structure {learning.gen.name!r} has others. "
                "For probabilities of tags train with 'crf'."
            )
        learning.preset.check_linear()
        self.gold = gold
        self.fold_of = folds(len(gold), min(_FOLDS, len(gold)), y=gold.y, seed=run["seed"])
        system = task, spec, gold, learning.preset, dict(learning.options)
        self.by_fold = partial(by_fold, self.fold_of, *system, class_weight=class_weight, **run)

    def of(self, model: Model) -> Model:
        scores = np.empty((len(self.gold.y), len(model.labels)), np.float32)
        for held, examples, predictor in self.by_fold():
            scores[held] = decision_scores(predictor, examples)
        sigmoid = fit_sigmoid(scores, self.gold.y)
        weights = tuple(scaled(model.weights, sigmoid.a))
        bias(weights, 0, len(sigmoid.b))[:] += sigmoid.b.astype(np.float32)
        calibrated = {"a": sigmoid.a, "b": sigmoid.b.tolist(), "folds": int(self.fold_of.max()) + 1}
        return replace(model, weights=weights, report={**model.report, "calibrated": calibrated})
