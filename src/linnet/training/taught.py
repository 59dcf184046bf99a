"""Examples without outputs as a step after learning: what was learned becomes the teacher of a student (fitting/student.py)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from linnet.fitting.contract import Gold
from linnet.fitting.fitting import Fitting, Learned, Recipe
from linnet.learners import Learning


@dataclass(frozen=True)
class Taught:
    """A finisher that lets a student learn from the examples without outputs, and adds what it has learned."""

    recipe: Recipe
    gold: Gold
    needs_learning: ClassVar[bool] = False

    def finish(self, learned: Learned, fitting: Fitting, learning: Learning) -> Learned:
        if learned.fit.interrupted:
            return learned
        student = self.recipe.student(fitting, self.gold)
        if student is None:
            return learned
        return replace(learned, weights=tuple(student.joins(fitting, learning, learned.weights)))


def taught(recipe: Recipe, gold: Gold) -> list[Taught]:
    """The step, where there are examples without outputs."""
    return [] if recipe.task.unlabelled(gold) is None else [Taught(recipe, gold)]
