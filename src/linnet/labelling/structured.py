"""Kinds of labelling whose outputs have many parts, such as tags, heads or links."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from linnet.core.types import I64, Data, Output, Reals
from linnet.fitting.contract import Counts, Known, Task
from linnet.labelling.events import Answer
from linnet.labelling.inputs import Inputs
from linnet.labelling.kind import Kind
from linnet.labelling.learner import Learner
from linnet.labelling.pool import Pool
from linnet.labelling.taught import SessionLearner
from linnet.model.base import Model
from linnet.model.decisions import Decided, Wanted


class StructuredKind(Kind):
    """Examples whose outputs a session learns, and whose parts can be corrected one by one."""

    looks: ClassVar[int] = 15_000
    """How much of the pool is scored anew after each answer: the sum of the sizes of its examples, which are numbers of
    tokens or of possible links."""

    def learner(self, pool: Pool, rows: I64, features: str | None, seed_words: Mapping[str, Sequence[str]]) -> Learner:
        return SessionLearner(self, pool.inputs, rows, features)

    def task_for(self, inputs: Inputs) -> Task:
        """The task that learns from these examples."""
        return self.task

    def places(self, inputs: Inputs, row: int) -> int:
        """The number of places of an example that can be corrected one by one: its tokens."""
        return len(inputs.shown(row))

    def spec(self, inputs: Inputs) -> str | None:
        """The features for a session that begins with a few examples; None for the usual ones of the task."""
        return None

    def check_shape(self, inputs: Inputs, row: int, answer: Answer) -> None:
        """Raise UsageError where an answer does not have the right number and kind of parts. Unlike for `check`, they
        need not fit together, as arcs do not while people draw a tree."""
        self.check(inputs, row, answer, ())

    @abstractmethod
    def is_enough(self, answers: Sequence[Answer]) -> bool:
        """Whether a session can begin with these answers."""

    @abstractmethod
    def answer(self, output: Output) -> Answer:
        """An output of the task as an answer."""

    def predicted(self, model: Model, data: Data) -> list[Answer]:
        """What a model would answer for examples."""
        return [self.answer(output) for output in model.predict(data)]

    def margins(self, model: Model, data: Data) -> Reals:
        """How sure a model is of each example: the difference between the scores of its best two outputs."""
        found = model.answers(data, top=2)["best"].to_pylist()
        return np.array([best[0]["score"] - best[1]["score"] if len(best) > 1 else np.inf for best in found])

    def decided(self, model: Model, data: Data, fixed: Sequence[int]) -> Decided:
        """The decisions of one example, among them those about the `fixed` places."""
        found: Decided = model.decisions(data)[0]
        return found

    @abstractmethod
    def wanted(self, decided: Decided, answer: Answer, fixed: Sequence[int]) -> Wanted:
        """The decisions that give an output what the answer has at the `fixed` places. Raise UsageError where the model
        does not know such a decision."""

    def counts(
        self,
        inputs: Inputs,
        rows: Sequence[int],
        answers: Sequence[Answer],
        guesses: Sequence[Answer],
        labels: Sequence[str],
    ) -> Counts:
        """The measure of the task."""
        X, task, known = [inputs.example(row) for row in rows], self.task_for(inputs), self.known(labels)
        found, gold = (
            task.read((X, [self.output(inputs, row, one) for row, one in zip(rows, some, strict=True)]), {}, known)
            for some in (guesses, answers)
        )
        return task.counts(gold, found.y, found.y_at)

    def known(self, labels: Sequence[str]) -> Known | None:
        """What the task has to know of all outputs before it reads some of them, given all labels; None where the
        outputs tell it themselves."""
        return None
