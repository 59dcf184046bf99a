"""Labels as decisions: the one label of a text, or for each label whether a text has it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from linnet.core.types import Data, Label, Output
from linnet.model.decisions import Decided, Decision, Wanted
from linnet.report.reasons import Reason
from linnet.tasks.texts.why import Explanation

Explain = Callable[[int, int | None], Explanation]
"""A function that explains a label against another, given the numbers of both, or its score alone where the other is
None."""


class LabelDecision(Decided):
    """The label of one text."""

    def __init__(self, x: Data, about: str, labels: Sequence[Label], best: int, explain: Explain) -> None:
        self.x, self.about, self.labels, self.best, self.explain = x, about, labels, best, explain

    def decisions(self) -> list[Decision]:
        return [Decision(self.about, tuple(map(str, self.labels)), self.best)]

    def output(self, wanted: Wanted) -> Output:
        self.check(wanted)
        return self.labels[wanted.get(0, self.best)]

    def reasons(self, this: Wanted, that: Wanted) -> list[Reason]:
        self.check(this)
        self.check(that)
        mine, other = this.get(0, self.best), that.get(0, self.best)
        return [] if mine == other else reasons_of(self.explain(mine, other))


class FirstLabelDecision(LabelDecision):
    """The label that comes first in a ranking. A session learns that it is the only right one."""

    def output(self, wanted: Wanted) -> Output:
        return [super().output(wanted)]


class LabelsetDecisions(Decided):
    """For each label, whether one text has it."""

    def __init__(self, x: Data, labels: Sequence[Label], has: Sequence[bool], explain: Explain) -> None:
        self.x, self.labels, self.has, self.explain = x, labels, has, explain

    def decisions(self) -> list[Decision]:
        return [Decision(str(label), ("no", "yes"), int(has)) for label, has in zip(self.labels, self.has, strict=True)]

    def _with(self, wanted: Wanted) -> list[bool]:
        self.check(wanted)
        return [bool(wanted.get(k, has)) for k, has in enumerate(self.has)]

    def output(self, wanted: Wanted) -> Output:
        return [label for label, has in zip(self.labels, self._with(wanted), strict=True) if has]

    def reasons(self, this: Wanted, that: Wanted) -> list[Reason]:
        """The score of a set is the sum of the scores of its labels."""
        found: list[Reason] = []
        for k, (mine, other) in enumerate(zip(self._with(this), self._with(that), strict=True)):
            if mine != other:
                sign = 1 if mine else -1
                parts = reasons_of(self.explain(k, None))
                found += [(str(self.labels[k]), what, sign * contribution) for _, what, contribution in parts]
        return sorted(found, key=lambda reason: -abs(reason[2]))


def reasons_of(explanation: Explanation) -> list[Reason]:
    """The bias and what each feature adds, the largest first."""
    found = [("", "bias", explanation.bias), *(("", c.feature, c.contribution) for c in explanation.contributions)]
    return sorted(found, key=lambda reason: -abs(reason[2]))
