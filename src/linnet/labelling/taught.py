"""A learner of outputs with many parts: a session learns each answer, and ranks a part of the pool with what it knows by then.

An answer is one lesson, together with some of the answers before it in turn, so that each is learned from several times. What a
session knows depends on the answers and their order alone: it is the same after a restart, and after answers that were
given and taken back.

To find the best two outputs of all examples takes too long between two answers where there are many. So only some are looked at
after each answer: those that the model was least sure of before, and then the next ones of the pool in turn. For all
others, how sure the model is was found some answers ago.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from linnet.core.types import I64, Reals
from linnet.errors import UsageError
from linnet.fitting.session import Session
from linnet.labelling.events import Answer
from linnet.labelling.inputs import Inputs
from linnet.labelling.learner import Answers
from linnet.model.base import Model

if TYPE_CHECKING:
    from linnet.labelling.structured import StructuredKind

_EARLIER = 8
"""The largest number of earlier answers in a lesson, beside the one that is new."""
_LEARNER = "averaged-mira"
"""The learner of the session: its steps are just large enough to correct an example, whatever the structure is."""
_LEAST_SURE = 0.25
"""The share of `StructuredKind.looks` that goes to the examples that the model was least sure of before."""


@dataclass(frozen=True, eq=False)
class Taught:
    """The belief of a model that a session has taught."""

    kind: StructuredKind
    inputs: Inputs
    model: Model
    margin: Reals
    _found: dict[int, Answer] = field(default_factory=dict)

    def guesses(self, rows: Sequence[int]) -> list[Answer]:
        new = [row for row in rows if row not in self._found]
        if new:
            found = self.kind.predicted(self.model, self.inputs.part(np.array(new)))
            self._found.update(zip(new, found, strict=True))
        return [self._found[row] for row in rows]

    def again(self, row: int, answer: Answer, fixed: Sequence[int]) -> Answer:
        self.kind.check_shape(self.inputs, row, answer)
        if not all(0 <= k < self.kind.places(self.inputs, row) for k in fixed):
            raise UsageError(f"expected numbers of places below {self.kind.places(self.inputs, row)}, found another.")
        decided = self.kind.decided(self.model, self.inputs.part(np.array([row])), fixed)
        return self.kind.answer(decided.output(self.kind.wanted(decided, answer, fixed)))


class Lessons:
    """A session that is kept in step with the answers: it learns those that are new, and takes back those that are
    gone."""

    def __init__(self, kind: StructuredKind, inputs: Inputs, features: str | None) -> None:
        self.kind, self.inputs = kind, inputs
        self.features = features or kind.spec(inputs)
        self._given: list[tuple[int, Answer]] = []
        """The answers that the session has learned, in their order."""
        self._began = 0
        """The number of answers that the session began with, which it cannot take back."""
        self._session: Session | None = None
        self.progress = 0, 0
        """How many answers have been learned from, and how many there are."""

    def follow(self, answers: Sequence[tuple[int, Answer]]) -> Model | None:
        """Learn what is new in these answers, and take back what is not among them. Return the model, which may be used
        until the next call; None where the answers are too few."""
        same = next(
            (i for i, (one, other) in enumerate(zip(self._given, answers, strict=False)) if one != other),
            min(len(self._given), len(answers)),
        )
        if self._session is not None and same < self._began:
            self._session = None
        if self._session is None:
            self._begin(answers)
        elif same < len(self._given):
            self._session.undo(len(self._given) - same)
            self._given = self._given[:same]
        if self._session is None:
            return None
        for n in range(len(self._given), len(answers)):
            self._session.learn(*self._examples([answers[n], *_earlier(answers, n)]))
            self._given.append(answers[n])
            self.progress = len(self._given), len(answers)
        return self._session.current()

    def _begin(self, answers: Sequence[tuple[int, Answer]]) -> None:
        """Begin with as few answers as are enough."""
        for n in range(1, len(answers) + 1):
            if self.kind.is_enough([answer for _, answer in answers[:n]]):
                X, Y = self._examples(answers[:n])
                task = self.kind.task_for(self.inputs)
                self._session = Session.begin(task, X, Y, features=self.features, learner=_LEARNER)
                self._began, self._given = n, list(answers[:n])
                return

    def _examples(self, answers: Sequence[tuple[int, Answer]]) -> tuple[list[object], list[object]]:
        X = [self.inputs.example(row) for row, _ in answers]
        return X, [self.kind.output(self.inputs, row, answer) for row, answer in answers]


def _earlier(answers: Sequence[tuple[int, Answer]], n: int) -> list[tuple[int, Answer]]:
    """Some of the first n answers, others in each lesson. The lessons are in rounds: those of a round go through all
    answers that were there when it began, and then the next round begins."""
    begin = 1
    while begin + (lessons := -(-begin // _EARLIER)) <= n:
        begin += lessons
    first = (n - begin) * _EARLIER
    return list(answers[first : min(first + _EARLIER, begin)])


class SessionLearner:
    """A learner that goes on with each answer."""

    def __init__(self, kind: StructuredKind, inputs: Inputs, rows: I64, features: str | None) -> None:
        """rows: the examples that may be asked for, which are ranked, in their order."""
        self.kind, self.inputs, self.rows, self.features = kind, inputs, rows, features
        self._lessons = Lessons(kind, inputs, features)
        self._margin: Reals = np.full(len(inputs), np.inf)
        self._sizes = inputs.sizes()
        self._next = 0

    @property
    def lessons(self) -> tuple[int, int]:
        return self._lessons.progress

    def wait(self) -> None:
        """Return at once: nothing is made in the background."""

    def learn(self, labels: Sequence[str], answers: Answers) -> Taught | None:
        model = self._lessons.follow(list(answers.items()))
        if model is None:
            return None
        self._rank(model, answers)
        return Taught(self.kind, self.inputs, model, self._margin.copy())

    def course(self, labels: Sequence[str], answers: Answers, sizes: Sequence[int]) -> Iterator[Taught | None]:
        """Teach another session from the beginning, without ranking the pool anew."""
        lessons, given = Lessons(self.kind, self.inputs, self.features), list(answers.items())
        for size in sizes:
            model = lessons.follow(given[:size])
            yield None if model is None else Taught(self.kind, self.inputs, model, self._margin)

    def _rank(self, model: Model, answers: Answers) -> None:
        """Find anew how sure the model is of the examples that it was least sure of, and of the next ones of the
        pool."""
        answered = np.zeros(len(self.inputs), np.bool_)
        answered[list(answers)] = True
        left = self.rows[~answered[self.rows]]
        if not len(left):
            return
        known = left[np.isfinite(self._margin[left])]
        unsure = known[np.argsort(self._margin[known], kind="stable")]
        around = np.roll(self.rows, -self._next)
        first = self._within(unsure, _LEAST_SURE * self.kind.looks)
        then = self._within(around[~answered[around]], self.kind.looks - self._sizes[first].sum())
        if len(then):
            self._next = (int(np.flatnonzero(self.rows == then[-1])[0]) + 1) % len(self.rows)
        rows = np.unique(np.concatenate([first, then]))
        self._margin[rows] = self.kind.margins(model, self.inputs.part(rows))

    def _within(self, rows: I64, most: float) -> I64:
        """The first examples that are together no larger than this, but at least one."""
        return rows[: max(1, int(np.searchsorted(np.cumsum(self._sizes[rows]), most, "right")))]
