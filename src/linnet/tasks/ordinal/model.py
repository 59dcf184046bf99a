"""Models that give each text a rating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Unpack

import numpy as np

from linnet.core.types import Data, Json, Label
from linnet.features import TextFeatures
from linnet.io.formats import FileOptions
from linnet.structures.ordinal import Ordinal
from linnet.tasks.ordinal.measures import OrdinalReport, evaluate_ordinal
from linnet.tasks.ordinal.scale import rating, scale
from linnet.tasks.texts.gold import Floats
from linnet.tasks.texts.label_types import spelled
from linnet.tasks.texts.model import OneLabelModel

OWN, SHARED = "own", "shared"


class OrdinalModel(OneLabelModel[Ordinal]):
    """A model that gives each text a rating, by thresholds between ratings. Each threshold has a score of its own, or all share
    one score."""

    task: ClassVar[str] = "ordinal"

    @classmethod
    def structure(cls, features: TextFeatures | None, labels: tuple[str, ...], details: Mapping[str, Json]) -> Ordinal:
        return Ordinal(len(labels), np.abs(np.diff(scale(labels))), details.get("score", OWN) == OWN)

    @classmethod
    def indicators(cls, gen: Ordinal) -> tuple[Floats, ...]:
        """The thresholds that each rating has passed: rating number y has passed y of them."""
        passed = np.triu(np.ones((gen.n - 1, gen.n), np.float32), 1)
        return (passed,) if len(gen.outcomes) == 1 else (np.arange(gen.n, dtype=np.float32)[None], passed)

    @classmethod
    def probabilities(cls, gen: Ordinal, mu: Sequence[Floats]) -> Floats:
        """The probability of each rating, p(y) = P(y > r - 1) - P(y > r)."""
        return -np.diff(mu[-1], axis=1, prepend=1, append=0)

    def evaluate(
        self,
        data: Data,
        labels: Sequence[Label] | None = None,
        *,
        text: str | None = None,
        label: str | None = None,
        **how: Unpack[FileOptions],
    ) -> OrdinalReport:
        """Predict texts and compare with their ratings. data: texts, whose ratings follow; or a table or a file with both."""
        found = self.labelled(data, labels, {"text_col": text, "label_col": label, **how})
        return evaluate_ordinal(
            list(map(rating, found.labels)), list(map(spelled, self.predict(found.table))), self.labels
        )


MODEL = OrdinalModel
