"""All texts of a pool, judged by the outputs that some of them have.

Features are made of all texts once, so that vectors of words and topics are learned from those without outputs, too. A teacher
learns from the texts with outputs and scores all. `linnet label` ranks texts by these scores; `linnet.Pool` adds those of a
student, which learns from what the teacher says about a sample of the other texts (fitting/student.py).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.core.types import I64, Json, Reals
from linnet.features import SparseRows, Table, TextFeatures
from linnet.fitting.contract import Plan, Task
from linnet.fitting.fitting import Fitting, fitting_of
from linnet.fitting.student import Student, Use
from linnet.learners import Fit, Learning
from linnet.tasks.texts.gold import Texts
from linnet.tasks.texts.model import TextModel

PASSES: Mapping[str, Json] = {"epochs": None, "seed": 0, "tol": 1e-3, "shuffle": True}
"""What `Learning.run` is told where there is time: the usual number of epochs, or fewer when `tol` is reached."""
QUICK: Mapping[str, Json] = {**PASSES, "tol": 1e-2}
"""What it is told where a person waits for the answer: it may stop ten times as far from the optimum."""


class Judge:
    """The texts of a pool with their features, and what learns from those that have outputs."""

    def __init__(self, task: Task[Texts, TextFeatures], table: Table, spec: str) -> None:
        """Make the features of a specification from all texts of a table."""
        assert issubclass(task.model, TextModel)
        self.task, self._model = task, task.model
        self.features = TextFeatures(spec)
        self.rows = self.features.fit_transform(table)
        self._blocks: tuple[Block, ...] = ()

    def teacher(
        self, gold: Texts, which: I64, plan: Plan, passes: Mapping[str, Json], further: SparseRows | None = None
    ) -> tuple[Fitting, Learning, Fit]:
        """Let a teacher learn from the texts with outputs. Return these texts made ready, the learner, and what it has learned.

        which: the numbers of the texts that `gold` has the outputs of.
        further: features of examples that are not among the texts, whose outputs follow those of the texts in `gold`.
        """
        structure, _ = self.task.weighted(self.features, gold, None)
        rows = self.features.to_learn(self.rows.take(which))
        blocks = self._model.blocks(structure, rows if further is None else rows.followed_by(further))
        fitting = fitting_of(self.task, self.features, structure, blocks, gold)
        learning = fitting.learning(plan)
        return fitting, learning, learning.run(fitting.examples, take=True, **passes)

    def student(
        self, fitting: Fitting, which: I64, plan: Plan, passes: Mapping[str, Json], most: int | None = None
    ) -> Student:
        """A student that is to learn from the texts with the numbers `which`, which have no outputs. most: where there are
        more of them, it learns from this many, taken evenly."""
        if most is not None and len(which) > most:
            which = which[np.linspace(0, len(which) - 1, most).astype(np.int64)]
        return Student(plan, passes, self._model.blocks(fitting.structure, self.rows.take(which)))

    def scores(self, gold: Texts, which: I64, plan: Plan, further: SparseRows | None = None, sample: int = 0) -> Reals:
        """The scores of all texts by what a teacher has learned: a row for each text, a column for each label.

        sample: the number of other texts that a student learns from, whose weights are added to those of the teacher; with 0
            there is no student.
        """
        fitting, learning, teacher = self.teacher(gold, which, plan, QUICK, further)
        weights, structure, model = list(teacher.weights), fitting.structure, self._model
        if sample:
            student = self.student(fitting, self.without(which), plan, QUICK, sample)
            weights = Use.BOTH.of(weights, student.learned(fitting, learning, weights))
        # Blocks hold features alone: of the structure, only the number of its blocks matters.
        if len(self._blocks) != len(structure.outcomes):
            self._blocks = model.blocks(structure, self.rows)
        theta = Predictor(structure, learning.scorer(weights)).scores(self._blocks)
        found: Reals = model.scores_of_labels(structure, theta)
        return found

    def without(self, which: I64) -> I64:
        """The numbers of all other texts."""
        return np.delete(np.arange(len(self.rows)), which)
