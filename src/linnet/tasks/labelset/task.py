"""Any number of labels for each text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from linnet.core.form import Structure
from linnet.core.types import Data, Json
from linnet.errors import DataError, UsageError
from linnet.features import TextFeatures
from linnet.fitting.contract import Columns, Counts, Known, Plan
from linnet.learners import Preset
from linnet.tasks.labelset.gold import as_outputs, sets_of
from linnet.tasks.labelset.model import LabelsetModel, structure_of
from linnet.tasks.texts.gold import Floats, Ints, Offsets, Texts, read_texts
from linnet.tasks.texts.model import TextModel
from linnet.tasks.texts.task import TextTask

if TYPE_CHECKING:
    from linnet.tasks.commands import Commands

_MOST_CELLS = 1 << 28
_THRESHOLDS = ("auto", "micro", "macro", "none")
FEATURES = "words:1 log tfidf min=2"


@dataclass(frozen=True)
class LabelsetTask(TextTask):
    """`separator` stands between the labels of a row where they are one string."""

    separator: str | None = None
    thresholds: str = "auto"
    costs: str = "hamming"

    name = "labelset"
    description = "any number of labels for each text"
    per_place: ClassVar[bool] = False
    settings: ClassVar[Mapping[str, str]] = {
        "separator": "what stands between the labels of a text; a comma if not said",
        "thresholds": "micro or macro: from which score on a label is in a set is chosen for this F1, on held-out parts; "
        "none: from 0 on; auto is micro, and none for probabilities and for very many texts and labels",
        "costs": "what a margin is for: hamming, each label that is wrong; subset, each set that is, however many labels are",
    }
    model: ClassVar[type[TextModel]] = LabelsetModel

    def __post_init__(self) -> None:
        if self.thresholds not in _THRESHOLDS:
            raise UsageError(f"expected thresholds to be {' or '.join(_THRESHOLDS)}, found {self.thresholds!r}.")
        structure_of(self.costs, 1)

    @property
    def commands(self) -> Commands:
        from linnet.tasks.labelset import commands

        return commands

    def plan(self, spec: str | None, gold: Texts) -> Plan:
        """In its dual, nb-svm remembers a number for each text and label, and it decides on each label by itself."""
        usual = "averaged-mira" if self.costs == "subset" else "averaged-perceptron" if _is_large(gold) else "nb-svm"
        return Plan(FEATURES if spec is None else spec, usual)

    def measure_of(self, learner: Preset, gold: Texts) -> str | None:
        """Probabilities stay what they are, and what is large is not learned again, unless thresholds are asked for."""
        auto = None if learner.probabilistic or not learner.linear or _is_large(gold) else "micro"
        return {"auto": auto, "none": None}.get(self.thresholds, self.thresholds)

    def as_trained(self, details: Mapping[str, Json]) -> Self:
        return replace(self, separator=details.get("separator"), costs=details.get("costs", self.costs))

    def read(self, data: Data, columns: Columns, known: Known | None = None) -> Texts:
        several = {"several": True, "separator": self.separator}
        text, found, source, others = read_texts(data, columns, least_labels=1, **several)
        names = (known or Known((), {}, grows=True)).labels_with(name for one in found for name in one)
        if not names:
            raise DataError("no row has a label; learning needs at least one.", source)
        number = {name: k for k, name in enumerate(names)}
        sets = [[number.get(name, -1) for name in one] for one in found]
        details = {"separator": self.separator, "costs": self.costs}
        return Texts(text, *as_outputs(sets), names, source, others, details)

    def weighted(
        self, features: TextFeatures, gold: Texts, class_weight: str | Mapping[str, float] | None
    ) -> tuple[Structure, Floats | None]:
        if class_weight is not None:
            raise UsageError("class weights are for texts with one label each. Leave out class-weight.")
        return self.model.structure(features, gold.labels, gold.details), None

    def counts(self, gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
        """F1 of single labels = 2 right / (predicted + gold); or which sets are right."""
        right, size = np.zeros(len(gold)), np.zeros(len(gold))
        pairs = list(zip(sets_of(gold.y, gold.y_at), sets_of(y_hat, y_hat_at), strict=True))
        if self.costs == "subset":
            return Counts("accuracy", np.array([np.array_equal(*pair) for pair in pairs], np.float64), size + 1)
        for i, (y, found) in enumerate(pairs):
            right[i], size[i] = 2 * len(np.intersect1d(y[y >= 0], found)), len(y) + len(found)
        return Counts("F1", right, size)


def _is_large(gold: Texts) -> bool:
    return len(gold) * len(gold.labels) > _MOST_CELLS


TASK = LabelsetTask()
