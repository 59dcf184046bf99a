"""Models that give each text a set of labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, TypeAlias, Unpack

import pyarrow as pa

from linnet.core import arrow
from linnet.core.types import Data, Json, Label, Setting
from linnet.errors import UsageError, check_choice
from linnet.evaluate.sureness import Sureness
from linnet.features import Table, TextFeatures, TextLike
from linnet.io.formats import FileOptions
from linnet.structures.labelset import Labelset, WholeSet
from linnet.tasks.labelset.measures import LabelsetCounts, LabelsetReport, Ranking
from linnet.tasks.texts.answers import column_of_sets, sets_with_shares
from linnet.tasks.texts.gold import Floats, Found, Row
from linnet.tasks.texts.label_types import spelled
from linnet.tasks.texts.model import TextModel

if TYPE_CHECKING:
    from linnet.model.decisions import Decided
    from linnet.structures.ranking import Ranking as RankedLabels
    from linnet.tasks.texts.why import Explanation

    Sets: TypeAlias = Labelset | RankedLabels
else:
    Sets = Labelset

_BATCH = 1024
"""The largest number of texts that are evaluated at a time."""
_CELLS = 1 << 20
"""The largest number of scores of texts and labels that are kept at a time."""
_COSTS = {"hamming": Labelset, "subset": WholeSet}


class LabelsetModel(TextModel[Sets]):
    """A model that gives each text a set of labels."""

    task: ClassVar[str] = "labelset"
    several: ClassVar[bool] = True

    @classmethod
    def structure(cls, features: TextFeatures | None, labels: tuple[str, ...], details: Mapping[str, Json]) -> Sets:
        return structure_of(details.get("costs", "hamming"), len(labels))

    @classmethod
    def sure(cls, sureness: Sureness, scores: Floats) -> Floats:
        """The probability of each label to be in the set, given its score and how sure scores are."""
        return sureness.each(scores)

    def predict(self, texts: TextLike, *, at_least: float | None = None) -> list[list[Label]]:
        """Predict the labels of each text: those that score above 0, or those with at least the probability `at_least`."""
        if at_least is not None:
            if not 0 <= at_least <= 1:
                raise UsageError(f"expected at_least to be a probability between 0 and 1, found {at_least:g}.")
            return [self._names[p >= at_least].tolist() for p in self.predict_proba(texts)]
        y, at = self.outputs(texts)
        return [self._names[y[a + 1 : b]].tolist() for a, b in pairwise(at.tolist())]

    def answers(self, data: TextLike, *, proba: bool = False, top: int | None = None, **decide: Setting) -> pa.Table:
        """A table with the labels of each text as `prediction` and, with `proba`, their probabilities as `confidence`; with
        `top`, the best labels instead, as prediction_1, score_1 and so on, whether in the set or not."""
        table = self.table(data)
        if top is not None:
            return self.best_labels(table, top)
        sets = self.predict(table, **decide)
        if proba:
            return arrow.table(sets_with_shares(self.label_values, sets, self.predict_proba(table)))
        return arrow.table({"prediction": column_of_sets(sets, self.label_values)})

    def _decision(self, row: Table) -> Decided:
        from linnet.tasks.texts.decisions import LabelsetDecisions

        inside = set(self.predict(row)[0])
        has = [label in inside for label in self.label_values]
        return LabelsetDecisions(self._taught(row), self.label_values, has, partial(self._explain_numbers, row))

    def explain(self, text: Row, label: Label = None, against: Label = None) -> Explanation:
        """Explain the score of the best label of a text, or of a given one: what each feature and each word adds. A label that
        scores above 0 is in the set. With `against`, explain the difference of the scores of two labels."""
        return self._explain(text, label, against, alone=against is None)

    def evaluate(
        self,
        data: Data,
        labels: Sequence[Sequence[Label]] | None = None,
        *,
        text: str | None = None,
        label: str | None = None,
        at_least: float | None = None,
        **how: Unpack[FileOptions],
    ) -> LabelsetReport | Ranking:
        """Predict texts and compare with the labels that they have. data: texts, whose lists of labels follow; or a table or a
        file with both."""
        columns = {"text_col": text, "label_col": label, **how}
        return self._compared(self.labelled(data, labels, columns), at_least)

    def _compared(self, gold: Found, at_least: float | None = None) -> LabelsetReport:
        counts, wanted = LabelsetCounts(self.labels), list(gold.labels)
        n = max(1, min(_BATCH, _CELLS // len(self.labels)))
        for start in range(0, len(wanted), n):
            some = gold.table.slice(start, n)
            sets = [list(map(spelled, one)) for one in self.predict(some, at_least=at_least)]
            counts.add(wanted[start : start + n], sets, self.scores(some))
        return counts.report()


def structure_of(costs: str, n_labels: int) -> Labelset:
    """The structure that counts single labels ("hamming") or whole sets ("subset") as right or wrong."""
    check_choice("costs to be ", costs, _COSTS)
    return _COSTS[costs](n_labels)


MODEL = LabelsetModel
