"""Examples without outputs as a step after learning: what was learned becomes the teacher of a student (fitting/student.py)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from linnet.core.memory import give_back
from linnet.fitting.choosing_student import chosen
from linnet.fitting.contract import Gold
from linnet.fitting.fitting import Fitting, Learned, Recipe
from linnet.fitting.student import MOST_OF_FOLDS, Use
from linnet.learners import Learning


@dataclass(frozen=True)
class Taught:
    """A step that lets a student learn from the examples without outputs. It comes before held-out examples judge the model,
    and before all finishers."""

    recipe: Recipe
    gold: Gold
    needs_learning: ClassVar[bool] = False

    def finish(self, learned: Learned, fitting: Fitting, learning: Learning) -> Learned:
        if learned.fit.interrupted:
            return learned
        use = self._chosen(fitting) if self.recipe.task.chooses_student else Use.BOTH
        student = self.recipe.student(fitting, self.gold)
        if student is None:
            return learned
        examples = student.taught(fitting, learning, learned.weights)
        student = replace(student, blocks=())  # Features with vectors take much memory, and are not needed any more.
        weights = use.of(learned.weights, student.learned_from(examples, fitting))
        said = {**learned.report["unlabelled"], "model": use.value, "other kind": student.other_kind}
        return replace(learned, weights=tuple(weights), use=use, report={**learned.report, "unlabelled": said})

    def _chosen(self, fitting: Fitting) -> Use:
        """What becomes the model. It is chosen with few of the examples without outputs, before the features of all of them
        take memory."""
        few = self.recipe.student(fitting, self.gold, MOST_OF_FOLDS)
        use = Use.BOTH if few is None else chosen(self.recipe, self.gold, fitting, few)
        del few
        give_back()
        return use


def taught(recipe: Recipe, gold: Gold) -> list[Taught]:
    """A list of the step; it is empty where there are no examples without outputs."""
    return [] if recipe.task.unlabelled(gold) is None else [Taught(recipe, gold)]
