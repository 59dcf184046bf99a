"""Scores made into probabilities: p(y | x) = softmax(a w.f(x, y) + b_y), with a and b fitted to held-out scores.

The result is a linear model with the weights a w, and b added to the bias, so it predicts, explains and is saved like every
other model; the contributions of its features are log odds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from linnet.errors import UsageError
from linnet.evaluate.calibration import fit_sigmoid
from linnet.evaluate.folds import folds
from linnet.fitting.contract import Gold
from linnet.fitting.fitting import Fitting, Learned, Recipe
from linnet.fitting.trials import decision_scores
from linnet.learners import Learning
from linnet.learners.weights import bias, scaled

_FOLDS = 5
"""The number of parts that are held out in turn."""


class Calibration:
    """A finisher that turns scores into probabilities, by scores that each fold gets from a model of the other folds."""

    needs_learning: ClassVar[bool] = False

    def __init__(self, how: str, recipe: Recipe, gold: Gold, learning: Learning) -> None:
        if how != "sigmoid":
            raise UsageError(f"expected calibrate=sigmoid, found {how!r}.")
        if len(learning.gen.outcomes) > 1:
            raise UsageError(
                f"calibrate=sigmoid is for texts with one label, not for structure {learning.gen.name!r}. Leave it "
                "out; the learner 'crf' has probabilities for tags and trees."
            )
        learning.preset.check_linear()
        self.recipe, self.gold = recipe, gold
        self.fold_of = folds(len(gold), min(_FOLDS, len(gold)), y=gold.y, seed=recipe.passes["seed"])

    def finish(self, learned: Learned, fitting: Fitting, learning: Learning) -> Learned:
        """Multiply the weights by a, and add b to the bias."""
        if learned.fit.interrupted:
            return learned
        scores = np.empty((len(self.gold.y), len(fitting.labels)), np.float32)
        of_folds = self.recipe.by_fold(
            self.gold,
            self.fold_of,
            lambda examples, predictor: decision_scores(predictor, examples),
            fitting,
            learned.use,
        )
        for held, found in of_folds:
            scores[held] = found
        sigmoid = fit_sigmoid(scores, self.gold.y)
        weights = tuple(scaled(learned.weights, sigmoid.a))
        bias(weights, 0, len(sigmoid.b))[:] += sigmoid.b.astype(np.float32)
        calibrated = {"a": sigmoid.a, "b": sigmoid.b.tolist(), "folds": int(self.fold_of.max()) + 1}
        return replace(learned, weights=weights, report={**learned.report, "calibrated": calibrated})
