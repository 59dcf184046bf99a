"""The best candidate of a list as a decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from linnet.core.types import Data, Output
from linnet.explain.differences import Scored, Use
from linnet.model.decisions import Decided, Decision, Wanted
from linnet.report.reasons import Reason


class CandidateDecision(Decided):
    """The decision which candidate of one list is the best. In the output for a session it costs 0, and every other one
    1."""

    def __init__(self, x: Data, texts: Sequence[str], scored: Callable[[], Scored], best: int) -> None:
        self.x, self.texts, self.scored, self.best = x, tuple(texts), scored, best

    def decisions(self) -> list[Decision]:
        return [Decision("best candidate", self.texts, self.best)]

    def output(self, wanted: Wanted) -> Output:
        self.check(wanted)
        chosen = wanted.get(0, self.best)
        return [float(c != chosen) for c in range(len(self.texts))]

    def reasons(self, this: Wanted, that: Wanted) -> list[Reason]:
        self.check(this)
        self.check(that)
        mine, other = (Use(0, wanted.get(0, self.best), 0, 0, "") for wanted in (this, that))
        return [("", part.what, part.contribution) for part in self.scored().differences([mine], [other])]
