"""Constituents as decisions: each can be given another label, or be none. The rest of the tree is then predicted anew
to suit that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any

import numpy as np

from linnet.core.predictor import Predictor
from linnet.core.types import I32, Data, Output
from linnet.explain.differences import Part
from linnet.model.decisions import Clamped, Decision, Wanted, free
from linnet.structures.brackets import Brackets
from linnet.tasks.brackets.why import ScoredSpans

_NONE = "no constituent"
_SHOWN = 4
"""The number of words up to which reasons show all words of a span."""


class BracketDecisions(Clamped):
    """The constituents of one sentence. The first choice for each is that it is no constituent."""

    def __init__(
        self,
        x: Data,
        words: Sequence[str],
        spans: ScoredSpans,
        predictor: Predictor[Any],
        labels: Sequence[str],
        line: Callable[[I32], str],
    ) -> None:
        """line: a function that writes an output as a tree in brackets."""
        super().__init__(x, predictor, spans.blocks)
        self.words, self.labels, self.scored, self.line = words, labels, spans, line
        self.firsts, self.lasts = Brackets.spans(len(words)).tolist()
        self.y = predictor.argmax(self.blocks)[0]
        # y is 0 for a span that is not in the tree, 1 for one that the tree does not show, and 1 + k for one with label
        # k.
        order = np.flatnonzero(self.y > 1).tolist()
        self.places = sorted(order, key=lambda place: (self.firsts[place], -self.lasts[place]))

    def over(self, places: Sequence[int]) -> BracketDecisions:
        """A copy of this sentence with decisions about other spans, given by their places in y, whether they are
        constituents or not."""
        found = copy(self)
        found.places = list(places)
        return found

    def decisions(self) -> list[Decision]:
        choices = (_NONE, *self.labels[1:])
        return [Decision(self._words_at(place), choices, max(int(self.y[place]) - 1, 0)) for place in self.places]

    def allowed(self, y: I32) -> list[Sequence[int]]:
        """The label that the gold tree has at each constituent that was found, or none."""
        return [[max(int(y[place]) - 1, 0)] if y[place] >= 0 else [] for place in self.places]

    def place(self, number: int) -> tuple[Sequence[str], range]:
        place = self.places[number]
        return self.words, range(self.firsts[place], self.lasts[place] + 1)

    def _words_at(self, place: int) -> str:
        return " ".join(self.words[self.firsts[place] : self.lasts[place] + 1])

    def forced(self, wanted: Wanted) -> I32:
        found = free(len(self.y))
        for number, choice in wanted.items():
            place = self.places[number]
            found[place] = 1 + choice if choice else self.predictor.gen.hidden
        return found

    def holds(self, y: I32, wanted: Wanted) -> bool:
        found = {number: int(y[self.places[number]]) for number in wanted}
        return all(found[number] == 1 + choice if choice else found[number] <= 1 for number, choice in wanted.items())

    def written(self, y: I32) -> Output:
        return self.line(y)

    def differences(self, y: I32, other: I32) -> Iterable[Part]:
        return self.scored.differences(self.scored.uses(y.tolist()), self.scored.uses(other.tolist()))

    def where(self, part: Part) -> str:
        """The words of a span; of a long one the first and the last ones."""
        words = self._words_at(part.token).split(" ")
        return " ".join(words if len(words) <= _SHOWN else [*words[: _SHOWN // 2], "…", *words[-_SHOWN // 2 :]])
