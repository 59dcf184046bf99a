"""Any number of labels for each text: as a set, or as all of them in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

import linnet.structures.ranking as structures
from linnet.errors import DataError, UsageError
from linnet.evaluate.labelsets import LabelsetCounts, LabelsetReport, Ranking
from linnet.explain import Explanation, explain_text
from linnet.features import TextFeatures, TextLike
from linnet.learners import Preset
from linnet.structures.labelset import Labelset, WholeSet
from linnet.tasks.contract import Counts, Plan
from linnet.tasks.text import Floats, Ints, Offsets, Row, TextModel, Texts, TextTask, read_texts
from linnet.tasks.text_presets import default_features

_BATCH = 1024
_CELLS = 1 << 20
_MOST_CELLS = 1 << 28
_THRESHOLDS = ("auto", "micro", "macro", "none")
_COSTS = {"hamming": Labelset, "subset": WholeSet}
FEATURES = "words:1 log tfidf min=2"


class LabelsetModel(TextModel):
    """A model that gives each text a set of labels."""

    task: ClassVar[str] = "labelset"

    @classmethod
    def structure(cls, features: TextFeatures, labels: tuple[str, ...], details: Mapping[str, Any]) -> Labelset:
        return structure_of(details.get("costs", "hamming"), len(labels))

    def predict(self, texts: TextLike, *, at_least: float | None = None) -> list[list[str]]:
        """The labels of each text: those that score above 0, or that are as probable as is asked."""
        if at_least is not None:
            if not 0 <= at_least <= 1:
                raise UsageError(f"expected a probability between 0 and 1, found {at_least:g}.")
            return [self._names[p >= at_least].tolist() for p in self.predict_proba(texts)]
        y, at = self.outputs(texts)
        return [self._names[y[a + 1 : b]].tolist() for a, b in pairwise(at.tolist())]

    def explain(self, text: Row, label: str | None = None, against: str | None = None) -> Explanation:
        """What each feature and each word adds to the score of the best label, or of the one given; above 0 it is in the
        set. Against another label, what it adds to the one more than to the other."""
        y, other = (None if name is None else self.number(name) for name in (label, against))
        return explain_text(self.features, self.V, self.labels, self.row(text), y, other, alone=against is None)

    def evaluate(self, texts: TextLike, labels: Sequence[Sequence[str]]) -> LabelsetReport | Ranking:
        """Predict the texts and compare with the labels that they have."""
        return self._compared(texts, labels)

    def _compared(self, texts: TextLike, labels: Sequence[Sequence[str]]) -> LabelsetReport:
        counts = LabelsetCounts(self.labels)
        table = self.table(texts)
        n = max(1, min(_BATCH, _CELLS // len(self.labels)))
        for start in range(0, len(labels), n):
            some = table.slice(start, n)
            counts.add(labels[start : start + n], self.predict(some), self.scores(some))
        return counts.report()


class RankingModel(LabelsetModel):
    """A model that puts all labels into the order in which they suit a text."""

    task: ClassVar[str] = "ranking"

    @classmethod
    def structure(cls, features: TextFeatures, labels: tuple[str, ...], details: Mapping[str, Any]) -> Any:
        return structures.Ranking(len(labels))

    def predict(self, texts: TextLike, *, at_least: float | None = None) -> list[list[str]]:
        """All labels for each text, the best first."""
        if at_least is not None:
            raise UsageError("a ranking has no probabilities. Train with --task labelset.")
        y, at = self.outputs(texts)
        return [self._names[y[a + 1 : b]].tolist() for a, b in pairwise(at.tolist())]

    def evaluate(self, texts: TextLike, labels: Sequence[Sequence[str]]) -> Ranking:
        """Rank the labels of the texts and compare with those that they have."""
        found = self._compared(texts, labels).ranking
        if found is None:
            raise DataError("there is nothing to evaluate: no text has a label that the model knows.")
        return found


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

    def plan(self, spec: str | None, gold: Texts) -> Plan:
        """In its dual, nb-svm remembers a number for each text and label, and it decides on each label by itself."""
        usual = "averaged-mira" if self.costs == "subset" else "averaged-perceptron" if _is_large(gold) else "nb-svm"
        return Plan(FEATURES if spec is None else spec, usual)

    def measure_of(self, learner: Preset, gold: Texts) -> str | None:
        """Probabilities stay what they are, and what is large is not learned again, unless thresholds are asked for."""
        auto = None if learner.probabilistic or not learner.linear or _is_large(gold) else "micro"
        return {"auto": auto, "none": None}.get(self.thresholds, self.thresholds)

    def read(self, data: Any, columns: Mapping[str, Any], like: Texts | None = None) -> Texts:
        several = {"several": True, "separator": self.separator}
        text, found, source, others = read_texts(data, columns, least_labels=1, **several)
        names = tuple(sorted({name for one in found for name in one})) if like is None else like.labels
        if not names:
            raise DataError("no row has a label; learning needs at least one.", source)
        number = {name: k for k, name in enumerate(names)}
        sets = [[number.get(name, -1) for name in one] for one in found]
        details = {"separator": self.separator, "costs": self.costs}
        return Texts(text, *as_outputs(sets), names, source, others, details)

    def weighted(
        self, features: TextFeatures, gold: Texts, class_weight: str | Mapping[str, float] | None
    ) -> tuple[Any, Floats | None]:
        if class_weight is not None:
            raise UsageError("class weights are for texts with one label each. Leave out class-weight.")
        return self.model.structure(features, gold.labels, gold.details), None

    def counts(self, gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
        """F1 of single labels = 2 right / (predicted + gold); or which sets are right."""
        right, size = np.zeros(len(gold)), np.zeros(len(gold))
        pairs = list(zip(_sets(gold.y, gold.y_at), _sets(y_hat, y_hat_at), strict=True))
        if self.costs == "subset":
            return Counts("accuracy", np.array([np.array_equal(*pair) for pair in pairs], np.float64), size + 1)
        for i, (y, found) in enumerate(pairs):
            right[i], size[i] = 2 * len(np.intersect1d(y[y >= 0], found)), len(y) + len(found)
        return Counts("F1", right, size)


class RankingTask(LabelsetTask):
    name = "ranking"
    description = "all labels for each text in order, the relevant ones first"
    model = RankingModel

    settings: ClassVar[Mapping[str, str]] = {"separator": LabelsetTask.settings["separator"]}

    def plan(self, spec: str | None, gold: Texts) -> Plan:
        return Plan(default_features(gold.text) if spec is None else spec, "pa2")

    def measure_of(self, learner: Preset, gold: Texts) -> None:
        """A ranking has no threshold."""

    def counts(self, gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
        """The average precision of texts that have a label: the share of right labels down to each right one."""
        right, size = np.zeros(len(gold)), np.zeros(len(gold))
        for i, (y, found) in enumerate(zip(_sets(gold.y, gold.y_at), _sets(y_hat, y_hat_at), strict=True)):
            places = np.flatnonzero(np.isin(found, y)) + 1
            right[i] = np.sum(np.arange(1, len(places) + 1) / places) / max(len(y), 1)
            size[i] = len(y) > 0
        return Counts("average precision", right, size)


def structure_of(costs: str, n_labels: int) -> Labelset:
    """By what is to be right: each label, or the set."""
    if costs not in _COSTS:
        raise UsageError(f"expected costs to be {' or '.join(_COSTS)}, found {costs!r}.")
    return _COSTS[costs](n_labels)


def _is_large(gold: Texts) -> bool:
    return len(gold) * len(gold.labels) > _MOST_CELLS


def as_outputs(sets: Sequence[Sequence[int]]) -> tuple[Ints, Offsets]:
    """Each set as the number of its labels, and then those, in order."""
    at = np.zeros(len(sets) + 1, np.int64)
    np.cumsum([1 + len(one) for one in sets], out=at[1:])
    y = [number for one in sets for number in (len(one), *sorted(one))]
    return np.array(y, np.int32), at


def _sets(y: Ints, y_at: Offsets) -> list[Ints]:
    return [y[a + 1 : b] for a, b in pairwise(y_at.tolist())]
