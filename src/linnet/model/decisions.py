"""The output of one example as decisions: parts of it that people can question and correct one by one.

A tag, the head of a token, a link, a label: when one of them is given another value, the rest of the output is found again
under this constraint, by the structure itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.core.types import I32, Data, Output
from linnet.errors import UsageError
from linnet.explain.differences import Part
from linnet.report.reasons import Reason

Wanted = Mapping[int, int]
"""What an output is to have: the numbers of decisions, each with the number of the choice that it must have."""


@dataclass(frozen=True)
class Decision:
    """A part of an output: what it is about, the values that it may have, and the number of the one that it has."""

    about: str
    choices: tuple[str, ...]
    value: int


class Decided(ABC):
    """One example and its best output, as decisions."""

    x: Data
    """The example, as a session learns from it."""

    @abstractmethod
    def decisions(self) -> Sequence[Decision]:
        """The decisions of the best output."""

    @abstractmethod
    def output(self, wanted: Wanted) -> Output:
        """The best output in which some decisions have these values, as a session learns from it. Raise UsageError where there
        is none."""

    @abstractmethod
    def reasons(self, this: Wanted, that: Wanted) -> list[Reason]:
        """What each feature adds to the score of the best output with `this` against the best output with `that`, the largest
        first. The contributions sum to the difference of both scores."""

    def check(self, wanted: Wanted) -> None:
        """Raise UsageError where there is no such decision or no such choice."""
        known = self.decisions()
        for number, choice in wanted.items():
            if not 0 <= number < len(known):
                raise UsageError(f"expected the number of a decision from 0 to {len(known) - 1}, found {number}.")
            n = len(known[number].choices)
            if not 0 <= choice < n:
                raise UsageError(f"expected the number of a choice from 0 to {n - 1}, found {choice}.")


class OfWords(Decided):
    """Decisions about words of a sentence, of which a gold output says what is right."""

    @abstractmethod
    def allowed(self, y: I32) -> list[Sequence[int]]:
        """For each decision the choices that are right by a gold output, given as its integers, the best known first; none
        where the model does not know the right one."""

    @abstractmethod
    def place(self, number: int) -> tuple[Sequence[str], range]:
        """The words of the example, and which of them the decision of this number is about."""


class Clamped(OfWords):
    """Decisions of a structure whose outputs can be forced, integer by integer."""

    def __init__(self, x: Data, predictor: Predictor[Any], blocks: tuple[Block, ...]) -> None:
        self.x = x
        self.predictor = predictor
        self.blocks = blocks

    @abstractmethod
    def forced(self, wanted: Wanted) -> I32:
        """What is demanded of the output, as `Predictor.argmax` takes it: for each integer of the output the value that
        it must have, -1 where it is free, or -2 - k where it must not be k."""

    @abstractmethod
    def holds(self, y: I32, wanted: Wanted) -> bool:
        """Whether an output has these values."""

    @abstractmethod
    def written(self, y: I32) -> Output:
        """An output as a session learns from it."""

    @abstractmethod
    def differences(self, y: I32, other: I32) -> Iterable[Part]:
        """What each feature adds to the score of one output against another."""

    @abstractmethod
    def where(self, part: Part) -> str:
        """The word at which a feature stands; "" where it stands at none."""

    def best(self, wanted: Wanted) -> I32:
        """The best output with these values. Raise UsageError where there is none."""
        self.check(wanted)
        y: I32 = self.predictor.argmax(self.blocks, self.forced(wanted))[0]
        if not self.holds(y, wanted):
            raise UsageError("no output has all of these values at once. Ask for fewer of them.")
        return y

    def output(self, wanted: Wanted) -> Output:
        return self.written(self.best(wanted))

    def reasons(self, this: Wanted, that: Wanted) -> list[Reason]:
        parts = self.differences(self.best(this), self.best(that))
        return [(self.where(part), part.what, part.contribution) for part in parts]


def free(n: int) -> I32:
    """The argument `forced` of `Predictor.argmax` that demands nothing of n integers."""
    return np.full(n, -1, np.int32)
