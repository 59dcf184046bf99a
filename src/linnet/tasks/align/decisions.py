"""Links as decisions: each target token can be linked to another source token, or to none. The other links are then
predicted anew to suit that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from linnet.core.predictor import Predictor
from linnet.core.types import I32, Output
from linnet.explain.differences import Part
from linnet.model.decisions import Clamped, Decision, Wanted, free
from linnet.tasks.align.why import NOTHING, ScoredPair, source_of

_NO_LINK = "no link"


class LinkDecisions(Clamped):
    """The links of the target tokens of one pair. The first choice is no link."""

    def __init__(
        self, source: Sequence[str], target: Sequence[str], predictor: Predictor[Any], pair: ScoredPair
    ) -> None:
        super().__init__((list(source), list(target)), predictor, pair.blocks)
        self.source, self.target, self.pair = source, target, pair

    def decisions(self) -> list[Decision]:
        y = self._table(self.predictor.argmax(self.blocks)[0])
        choices = (_NO_LINK, *self.source)
        return [Decision(word, choices, 1 + source_of(y, j)) for j, word in enumerate(self.target)]

    def allowed(self, y: I32) -> list[Sequence[int]]:
        """The right choices for each target token: its sure links, or no link where it has none, and then its possible
        links."""
        gold = self._table(y)
        links = [[1 + np.flatnonzero(gold[:, j] == kind) for kind in (1, 2)] for j in range(len(self.target))]
        return [[*(sure.tolist() or [0]), *possible.tolist()] for sure, possible in links]

    def place(self, number: int) -> tuple[Sequence[str], range]:
        at = len(self.source) + 1 + number
        return [*self.source, "|||", *self.target], range(at, at + 1)

    def _table(self, y: I32) -> I32:
        return y.reshape(len(self.source), len(self.target))

    def forced(self, wanted: Wanted) -> I32:
        found = self._table(free(len(self.source) * len(self.target)))
        for j, choice in wanted.items():
            found[:, j] = 0
            if choice:
                found[choice - 1, j] = 1
        return found.ravel()

    def holds(self, y: I32, wanted: Wanted) -> bool:
        return all(source_of(self._table(y), j) == choice - 1 for j, choice in wanted.items())

    def written(self, y: I32) -> Output:
        return [(int(i), int(j)) for i, j in np.argwhere(self._table(y))]

    def differences(self, y: I32, other: I32) -> Iterable[Part]:
        return self.pair.differences(self.pair.uses(self._table(y)), self.pair.uses(self._table(other)))

    def where(self, part: Part) -> str:
        return self.target[part.token] if part.token != NOTHING else ""
