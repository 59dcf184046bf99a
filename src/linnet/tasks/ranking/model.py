"""Models that put all labels in order for a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Unpack

import linnet.structures.ranking as structures
from linnet.core.types import Data, Json, Label
from linnet.errors import DataError, UsageError
from linnet.features import Table, TextFeatures, TextLike
from linnet.io.formats import FileOptions
from linnet.tasks.labelset.measures import Ranking
from linnet.tasks.labelset.model import LabelsetModel
from linnet.tasks.texts.gold import Floats, Ints

if TYPE_CHECKING:
    from linnet.model.decisions import Decided


class RankingModel(LabelsetModel):
    """A model that puts all labels into the order in which they suit a text."""

    task: ClassVar[str] = "ranking"

    @classmethod
    def structure(
        cls, features: TextFeatures | None, labels: tuple[str, ...], details: Mapping[str, Json]
    ) -> structures.Ranking:
        return structures.Ranking(len(labels))

    def predict(self, texts: TextLike, *, at_least: float | None = None) -> list[list[Label]]:
        """Put all labels in order for each text, the best first."""
        self._check(at_least)
        y, at = self.outputs(texts)
        return [self._names[y[a + 1 : b]].tolist() for a, b in pairwise(at.tolist())]

    def _decision(self, row: Table) -> Decided:
        from linnet.tasks.texts.decisions import FirstLabelDecision

        best = int(self.outputs(row)[0][1])
        explain = partial(self._explain_numbers, row)
        return FirstLabelDecision(self._taught(row), "first label", self.label_values, best, explain)

    @classmethod
    def _is_right(cls, y: Ints, y_hat: Ints) -> bool:
        """Whether the labels of the set come before all others."""
        n = int(y[0])
        return set(y[1 : 1 + n].tolist()) == set(y_hat[1 : 1 + n].tolist())

    @property
    def probabilistic(self) -> bool:
        """False: an order of labels has no probability of each label, whatever the learner is."""
        return False

    def predict_proba(self, texts: TextLike) -> Floats:
        raise UsageError("a ranking has no probabilities. Train with --task labelset.")

    @staticmethod
    def _check(at_least: float | None) -> None:
        if at_least is not None:
            raise UsageError("a ranking has no probabilities, so it takes no at_least. Train with --task labelset.")

    def evaluate(
        self,
        data: Data,
        labels: Sequence[Sequence[Label]] | None = None,
        *,
        text: str | None = None,
        label: str | None = None,
        at_least: float | None = None,
        **how: Unpack[FileOptions],
    ) -> Ranking:
        """Rank the labels for each text, and compare with the labels that the texts have."""
        self._check(at_least)
        columns = {"text_col": text, "label_col": label, **how}
        found = self._compared(self.labelled(data, labels, columns)).ranking
        if found is None:
            raise DataError("there is nothing to evaluate: no text has a label that the model knows.")
        return found


MODEL = RankingModel
