"""A model that gives each text one label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import ClassVar

import numpy as np

from linnet.core.types import Json
from linnet.errors import UsageError
from linnet.evaluate.losses import log_softmax
from linnet.features import TextFeatures, TextLike
from linnet.learners import learner
from linnet.learners.documents import documents
from linnet.structures.labels import Labels
from linnet.tasks.labels.measures import LabelsReport, evaluate_labels
from linnet.tasks.texts.costs import Costs, cheapest, matrix, mean_cost
from linnet.tasks.texts.model import OneLabelModel


class LabelsModel(OneLabelModel[Labels]):
    """A model that gives each text one label."""

    task: ClassVar[str] = "labels"

    @classmethod
    def structure(cls, features: TextFeatures | None, labels: tuple[str, ...], details: Mapping[str, Json]) -> Labels:
        return Labels(len(labels), details.get("costs"))

    def predict(self, texts: TextLike, *, costs: Costs | str | None = None) -> list[str]:
        """The best label of each text. With costs, given here or in training, that of least expected cost, if the learner has
        probabilities; else costs are what it learned with."""
        if costs is None:
            return super().predict(texts)
        labels: list[str] = self._names[cheapest(self.predict_proba(texts), matrix(costs, self.labels))].tolist()
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
        features = self.features
        drawn = documents(self.weights[0], len(self.labels), self.options, features.mean_length, rng, features.fields)
        return [(self.labels[y], " ".join(map(features.said, js.tolist(), x))) for y, js, x in islice(drawn, n)]

    def evaluate(self, texts: TextLike, labels: Sequence[str], *, costs: Costs | str | None = None) -> LabelsReport:
        """Predict the texts and compare with their labels."""
        table = self.table(texts)
        predicted, theta = self.predict(table, costs=costs), self.scores(table)
        p = np.exp(log_softmax(theta)) if self.probabilistic else None
        report = evaluate_labels(list(labels), predicted, self.labels, p, theta, table.text)
        C = self._gen.costs if costs is None else matrix(costs, self.labels)
        return report if C is None else replace(report, mean_cost=mean_cost(labels, predicted, C, self.labels))
