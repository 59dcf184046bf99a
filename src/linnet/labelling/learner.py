"""What learns from answers. From those so far it tells how sure it is of the examples of the pool, and what it would
answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from linnet.core.types import Reals
from linnet.labelling.events import Answer

Answers = Mapping[int, Answer]
"""The answers to some examples, keyed by the numbers of the examples."""


class Belief(Protocol):
    """What a learner believes about the examples of the pool. It holds until the learner learns again."""

    @property
    def margin(self) -> Reals:
        """How sure the learner is of each example, infinite for one that it has not scored yet. The example that it is
        least sure of is asked for next."""

    def guesses(self, rows: Sequence[int]) -> list[Answer]:
        """What it would answer for some examples."""

    def again(self, row: int, answer: Answer, fixed: Sequence[int]) -> Answer:
        """The best answer for an example that has at the `fixed` places what this answer has there. Raise UsageError where
        there is none."""


class Learner(Protocol):
    """What learns from answers. Whoever makes a `Labelling` may give it another object with these methods."""

    @property
    def features(self) -> str | None:
        """The specification of the features that it learns from by now; None for the usual ones of the task. A belief is
        learned anew when it has changed, which may happen between two answers."""

    @property
    def lessons(self) -> tuple[int, int]:
        """How many answers it has learned from one by one, and how many there are, so that people see how long it still
        takes; (0, 0) for one that learns from all at once."""

    def wait(self) -> None:
        """Return when no better features are being made in the background. After that, what it learns depends on answers
        alone."""

    def learn(self, labels: Sequence[str], answers: Answers) -> Belief | None:
        """What follows from the answers; None where they are too few to learn from."""

    def course(self, labels: Sequence[str], answers: Answers, sizes: Sequence[int]) -> Iterator[Belief | None]:
        """Yield what follows from the first n answers, for each n of `sizes`, which grow."""


def first(answers: Answers, n: int) -> dict[int, Answer]:
    """The first n answers."""
    return {row: answers[row] for row in list(answers)[:n]}
