"""What can be expected of a model, found while it is trained: how right it will be on new texts, and how sure of an answer.

Both are estimated from the scores of examples that were held out. A learner in the dual knows what each example has
added to its weights, so it subtracts that of some examples again, which takes a fraction of the time of training; any
other learner learns once more without these examples. What was learned does not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from linnet.core.long_arrays import pieces
from linnet.core.predictor import Predictor
from linnet.core.types import I64, Integers, Json
from linnet.evaluate.calibration import fit_sureness
from linnet.evaluate.expected import expected
from linnet.evaluate.folds import folds, groups_of
from linnet.fitting.contract import Gold, Task
from linnet.fitting.fitting import Fitting, Learned, Recipe
from linnet.fitting.student import Use
from linnet.learners import Examples, Learning, Preset
from linnet.learners.preset import Weights
from linnet.tasks.texts.model import OneLabelModel
from linnet.tasks.texts.task import OneLabel

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Answers = tuple[Ints, Ints, Floats]
"""Right labels as numbers, predicted ones, and the scores of all labels."""

_FOLDS = 5
"""The number of parts into which the examples are cut."""
_ENOUGH = 3000
"""The number of held-out examples from which on no further part is held out, where that costs little."""
_ENOUGH_AGAIN = 2000
"""The number of held-out examples that are enough where the learner has to learn once more for each part."""
_MOST_HELD = 50_000
"""The largest number of examples that are held out: one from each of as many stretches of the data. The standard error is then
at most a quarter of a percentage point."""
_LEAST = 20
"""The number of examples below which an estimate would say nothing."""
_MOST_AGAIN = 100_000
"""The largest number of examples from which a learner learns once more for the estimate."""
_NEAR = 0.005
"""How near to the optimum the weights without a part have to be, as a share of the objective."""


class Estimate:
    """A finisher that adds to the report what can be expected of the model (`judged`)."""

    def __init__(self, recipe: Recipe, gold: Gold, learning: Learning, parts: Sequence[I64]) -> None:
        """parts: the numbers of the examples of each part that is held out."""
        self.needs_learning = _takes_off(learning, recipe.task, gold)
        self.recipe, self.parts = recipe, parts
        self.gold = None if self.needs_learning else gold

    def finish(self, learned: Learned, fitting: Fitting, learning: Learning) -> Learned:
        if learned.fit.interrupted:
            return learned
        if self.gold is None:
            found = self._without_parts(fitting, learning)
        else:
            found = self._learned_again(self.gold, learning.preset, fitting, learned.use)
        said = judged(fitting, learning.preset, *found)
        if "calibrated" in learned.report:
            said.pop("sureness", None)  # The scores are those of probabilities already.
        return replace(learned, report={**learned.report, **said})

    def _without_parts(self, fitting: Fitting, learning: Learning) -> Answers:
        examples = fitting.examples
        home = examples.blocks[0]
        fold_of = home.kept(len(examples), np.int8)
        for piece in pieces(len(examples)):
            fold_of[piece] = -1
            home.give_back()
        self._number(fold_of)
        theta = learning.held_out(examples, fold_of, _NEAR)
        assert theta is not None, "this learner remembers its examples"
        scores = _kind(fitting.task).scores_of_labels(fitting.structure, (theta,))
        held = np.sort(np.concatenate(self.parts))
        return examples.y[held], scores.argmax(axis=1).astype(np.int32), scores

    def _number(self, fold_of: Integers) -> None:
        """Write the number of its part at each example that is held out."""
        for k, part in enumerate(self.parts):
            fold_of[part] = k

    def _learned_again(self, gold: Gold, preset: Preset, fitting: Fitting, use: Use) -> Answers:
        fold_of = np.full(len(gold), -1, np.int64)
        self._number(fold_of)
        task = self.recipe.task
        found = self.recipe.by_fold(
            gold, fold_of, lambda held, predictor: answers(task, preset, predictor, held), fitting, use
        )
        y, y_hat, scores = (np.concatenate(parts) for parts in zip(*(one for _, one in found), strict=True))
        return y, y_hat, scores


def estimates(recipe: Recipe, gold: Gold, learning: Learning) -> list[Estimate]:
    """The estimate that suits a training. There is none for outputs that are not one label, learners without weights, learners
    that would take too long to learn once more, and too few examples."""
    groups, n = groups_of(gold), len(gold)
    units = n if groups is None else int(groups.max()) + 1
    takes_off = _takes_off(learning, recipe.task, gold)
    if not (isinstance(recipe.task, OneLabel) and learning.preset.linear and units >= 2 and n >= _LEAST):
        return []
    if not takes_off and n > _MOST_AGAIN:
        return []
    return [Estimate(recipe, gold, learning, _parts(recipe, gold, groups, units, takes_off))]


def _parts(recipe: Recipe, gold: Gold, groups: I64 | None, units: int, takes_off: bool) -> list[I64]:
    """The numbers of the examples of each part that is held out: fifths of the examples until they are enough, or one part
    where there are very many."""
    n, seed = len(gold), recipe.passes["seed"]
    if groups is None and n > _FOLDS * _MOST_HELD:
        # One example is drawn from each of _MOST_HELD stretches. They do not overlap, so that no example is drawn
        # twice.
        begins = np.arange(_MOST_HELD + 1) * n // _MOST_HELD
        return [np.random.default_rng([seed, 0xF01D]).integers(begins[:-1], begins[1:])]
    k = min(_FOLDS, units)
    fold_of = folds(n, k, y=gold.y, groups=None if groups is None else groups.tolist(), seed=seed)
    enough = np.cumsum(np.bincount(fold_of, minlength=k)) >= (_ENOUGH if takes_off else _ENOUGH_AGAIN)
    last = int(enough.argmax()) if enough.any() else k - 1
    return [np.flatnonzero(fold_of == part) for part in range(last + 1)]


def judged_by(fitting: Fitting, learning: Learning, weights: Sequence[Weights], held: Examples) -> dict[str, Json]:
    """What examples that were held out say about a model with these weights, for its report; {} for outputs that are not one
    label."""
    if not isinstance(fitting.task, OneLabel):
        return {}
    predictor = Predictor(fitting.structure, learning.scorer(weights))
    return judged(fitting, learning.preset, *answers(fitting.task, learning.preset, predictor, held))


def answers(task: Task, preset: Preset, predictor: Predictor, examples: Examples) -> Answers:
    """The right labels of examples as numbers, the predicted ones, and the scores of all labels."""
    kind = _kind(task)
    y_hat, _ = kind.decided(predictor, examples.blocks, preset.probabilistic)
    return examples.y, y_hat, kind.scores_of_labels(predictor.gen, predictor.scores(examples.blocks))


def judged(fitting: Fitting, preset: Preset, y: Ints, y_hat: Ints, scores: Floats) -> dict[str, Json]:
    """What to add to the report: how right the answers were (`expected`) and, unless the scores are those of probabilities, how
    sure they are (`sureness`). Labels of -1 are not known to the model, and always wrong."""
    known = y >= 0
    task = fitting.task
    assert isinstance(task, OneLabel)
    if not known.any():
        return {}
    costs = task.model.structure(None, fitting.labels, fitting.details).costs
    found = expected(y[known], y_hat[known], fitting.labels, costs, task.cost)
    return {"expected": found.as_dict()} | (
        {} if preset.probabilistic else {"sureness": fit_sureness(scores[known], y[known])._asdict()}
    )


def _takes_off(learning: Learning, task: Task, gold: Gold) -> bool:
    """Whether a learner can subtract what held-out examples have added to its weights. Where there is a student, it
    would have to learn again, too."""
    return learning.remembers and len(learning.gen.outcomes) == 1 and task.unlabelled(gold) is None


def _kind(task: Task) -> type[OneLabelModel]:
    assert isinstance(task, OneLabel)
    return task.model
