"""One label for each text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from linnet.errors import UsageError
from linnet.evaluate import LabelsReport, evaluate_labels
from linnet.features import TextFeatures, TextLike
from linnet.learners import learner
from linnet.learners.naive_bayes import documents
from linnet.structures.labels import Labels
from linnet.tasks.contract import Plan
from linnet.tasks.costs import Costs, cheapest, matrix, mean_cost
from linnet.tasks.text import DEFAULT_FEATURES, OneLabel, TextModel, Texts

_CANDIDATES = (
    (DEFAULT_FEATURES, 1, 0.5),
    (DEFAULT_FEATURES, 0.3, 0.5),
    ("words:1 punct log tfidf min=2", 1, 0.5),
    ("words:1-3 punct bm25 min=2", 1, 0.5),
    ("words:1-3 punct presence l2 min=2", 3, 0.5),
    ("words:1-3 punct presence l2 min=2", 3, 1),
    ("words:1-2 chars:3-5 punct bm25 min=2", 1, 0.5),
    ("words:1-2 chars:3-5 punct bm25 min=2", 0.3, 0.5),
    ("words:1-2 chars:2-5*0.5 punct presence tfidf min=2", 1, 0.5),
)
"""Features, C and power of `auto`: the same features together, and what takes long last."""
_OF_SHORT_TEXTS = (
    ("words:1-2 chars:2-5*0.7 start:1-3*0.4 pairs:1-2*0.4 punct presence tfidf min=2", 2, 0.5),
    ("words:1-2 chars:2-5*0.7 start:1-3*0.4 pairs:1-2*0.4 punct presence tfidf min=2", 2, 0),
)
"""The same for questions and single sentences, where much is said by how the text begins."""
# Bytes in the mean.
_SHORT = 200


class LabelsModel(TextModel):
    """A model that gives each text one label."""

    task: ClassVar[str] = "labels"

    @classmethod
    def structure(cls, features: TextFeatures, labels: tuple[str, ...], details: Mapping[str, Any]) -> Labels:
        return Labels(len(labels), details.get("costs"))

    def predict(self, texts: TextLike, *, costs: Costs | str | None = None) -> list[str]:
        """The best label of each text. With costs, given here or in training, that of least expected cost, if the learner has
        probabilities; else costs are what it learned with."""
        C = self.details.get("costs") if costs is None else matrix(costs, self.labels)
        if C is not None and (self.probabilistic or costs is not None):
            y_hat: npt.NDArray[np.integer[Any]] = cheapest(self.predict_proba(texts), np.asarray(C, np.float32))
        else:
            y_hat, _ = self.outputs(texts)
        labels: list[str] = self._names[y_hat].tolist()
        return labels

    def sample(self, n: int = 1, seed: int = 0) -> list[tuple[str, str]]:
        """n documents as naive Bayes believes that they come about, each with its label: features drawn one by one, given
        the label alone. UsageError for a learner that says nothing of x."""
        preset = learner(self.learner)
        if not (preset.generative and preset.linear):
            raise UsageError(
                f"learner {self.learner!r} does not say how probable each feature is, so it cannot write documents. "
                "Use 'naive-bayes'."
            )
        if self.features.spec.hash_bits:
            raise UsageError("hash= keeps no words to write documents with. Train without it.")
        rng = np.random.default_rng(seed)
        drawn = documents(self.weights[0], len(self.labels), self.options, self.features.mean_length, rng)
        return [(self.labels[y], " ".join(map(self.features.name, js.tolist()))) for y, js in islice(drawn, n)]

    def evaluate(self, texts: TextLike, labels: Sequence[str], *, costs: Costs | str | None = None) -> LabelsReport:
        """Predict the texts and compare with their labels."""
        p = self.predict_proba(texts) if self.probabilistic else None
        predicted = self.predict(texts, costs=costs)
        report = evaluate_labels(list(labels), predicted, self.labels, p)
        C = self.details.get("costs") if costs is None else matrix(costs, self.labels)
        if C is None:
            return report
        return replace(report, mean_cost=mean_cost(labels, predicted, np.asarray(C, np.float32), self.labels))


@dataclass(frozen=True)
class LabelsTask(OneLabel):
    costs: Costs | str | None = None

    name = "labels"
    description = "one label for each text"
    settings: ClassVar[Mapping[str, str]] = {
        "costs": "a file with a label, the one that it is taken for and what that costs on each line; 1 where nothing is said"
    }
    model = LabelsModel

    def names(self, found: Sequence[str], source: str) -> tuple[tuple[str, ...], Mapping[str, Any]]:
        names, details = super().names(found, source)
        return names, details if self.costs is None else {"costs": matrix(self.costs, names).tolist()}

    def plan(self, spec: str | None, gold: Texts) -> Plan:
        """Where errors differ in cost, what costs least follows from probabilities."""
        return Plan(
            DEFAULT_FEATURES if spec is None else spec, "nb-svm", calibrate=None if self.costs is None else "sigmoid"
        )

    def candidates(self, spec: str | None, gold: Texts) -> list[Plan]:
        """With the features of a spec, how far to trust naive Bayes and how far the data; without one, also which features."""
        if spec is not None:
            return [Plan(spec, "nb-svm", {"C": C, "power": power}) for power in (0.5, 0, 1) for C in (1, 0.3, 3)]
        is_short = gold.text.nbytes < _SHORT * len(gold)
        candidates = _CANDIDATES + _OF_SHORT_TEXTS if is_short else _CANDIDATES
        return [Plan(features, "nb-svm", {"C": C, "power": power}) for features, C, power in candidates]
