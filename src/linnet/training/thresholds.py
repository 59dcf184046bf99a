"""Thresholds for sets of labels: label k is in the set if its score is above t_k. The thresholds are those with the best F1 on
held-out examples (evaluate/thresholds.py).

The result is a linear model with t subtracted from the bias, so that a label is in the set if it scores above 0, as before.
"""

from __future__ import annotations

from dataclasses import replace
from math import gcd
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json
from linnet.evaluate.calibration import fit_scale
from linnet.evaluate.expected import expected_sets
from linnet.evaluate.folds import folds
from linnet.evaluate.sureness import Sureness
from linnet.evaluate.thresholds import thresholds
from linnet.fitting.contract import Gold
from linnet.fitting.fitting import Fitting, Learned, Recipe
from linnet.fitting.student import Use
from linnet.learners import Learning
from linnet.learners.weights import bias

Floats = npt.NDArray[np.float32]

_MOST_CELLS = 20_000_000
"""The largest number of scores, examples times labels, that are judged."""
_ENOUGH = 100_000
"""The number of scores from which on no more of them are needed to tell their scale."""
_FOLDS = 5
"""The number of parts that are held out in turn."""
_NEAR = 0.2
"""How near to the optimum the scores of a held-out fold have to be, as a share of the objective."""


class Thresholds:
    """A finisher that sets thresholds, by scores that each fold gets from a model of the other folds."""

    needs_learning: ClassVar[bool] = True

    def __init__(self, measure: str, recipe: Recipe, gold: Gold, learning: Learning) -> None:
        learning.preset.check_linear()
        self.measure, self.recipe, self.gold = measure, recipe, gold
        self.fold_of = folds(len(gold), min(_FOLDS, len(gold)), seed=recipe.passes["seed"])

    def finish(self, learned: Learned, fitting: Fitting, learning: Learning) -> Learned:
        """Subtract the thresholds from the bias. Nobody else holds the weights yet, so they are changed in place."""
        if learned.fit.interrupted:
            return learned
        t, said = self._thresholds(fitting, learning, learned.use)
        bias(learned.weights, 0, len(t))[:] -= t.astype(np.float32)
        return replace(learned, report={**learned.report, "thresholds": self.measure, **said})

    def _thresholds(
        self, fitting: Fitting, learning: Learning, use: Use
    ) -> tuple[npt.NDArray[np.float64], dict[str, Json]]:
        """The threshold of each label, and what the held-out scores say about the model with these thresholds, for its report.
        Some learners need not learn again for each fold: they subtract what the examples of the fold have added."""
        y, y_at = self.gold.y, self.gold.y_at
        has_student = self.recipe.task.unlabelled(self.gold) is not None
        found = None if has_student else learning.held_out(fitting.examples, self.fold_of, _NEAR, exact=False)
        if found is not None:
            t = thresholds(found, y, y_at, self.measure)
            return t, self._judged(t, fitting, learning) if found.size <= _MOST_CELLS else {}
        ordered = self.gold.part(np.argsort(self.fold_of, kind="stable"))
        by_fold = self.recipe.by_fold(
            self.gold, self.fold_of, lambda held, predictor: predictor.scores(held.blocks)[0], fitting, use
        )
        if not has_student or len(self.gold) * len(fitting.labels) > _MOST_CELLS:
            return thresholds((found for _, found in by_fold), ordered.y, ordered.y_at, self.measure), {}
        scores = np.concatenate([found for _, found in by_fold])
        t = thresholds(scores, ordered.y, ordered.y_at, self.measure)
        return t, judged_sets(scores - t.astype(np.float32), ordered.y, ordered.y_at)

    def _judged(self, t: npt.NDArray[np.float64], fitting: Fitting, learning: Learning) -> dict[str, Json]:
        """What can be expected of the model with these thresholds, told from the first fold."""
        held = self.fold_of == 0
        found = learning.held_out(fitting.examples, np.where(held, 0, -1), _NEAR)
        assert found is not None, "this learner remembers its examples"
        part = self.gold.part(np.flatnonzero(held))
        return judged_sets(found - t.astype(np.float32), part.y, part.y_at)


def judged_sets(scores: Floats, y: npt.NDArray[np.int32], y_at: npt.NDArray[np.int64]) -> dict[str, Json]:
    """What held-out scores say of sets, for the report: how right they are (`expected`), and how sure each score is
    (`sureness`, whose b is 0: the thresholds are where a label is as probable as not). A label with a score above 0 is in the
    set."""
    sizes = y[y_at[:-1]]
    has = np.zeros(scores.shape, np.bool_)
    has[np.repeat(np.arange(len(sizes)), sizes), np.delete(y, y_at[:-1])] = True
    apart = max(1, scores.size // _ENOUGH)
    while gcd(apart, scores.shape[1]) > 1:  # Such a step would pass over some labels every time.
        apart += 1
    some = scores.ravel()[::apart]
    return {
        "expected": expected_sets(has, scores > 0).as_dict(),
        "sureness": Sureness(fit_scale(some, has.ravel()[::apart]), 0.0)._asdict(),
    }
