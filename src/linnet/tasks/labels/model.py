"""Models that give each text one label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from linnet.core.types import Data, Json, Label
from linnet.errors import UsageError
from linnet.features import TextFeatures, TextLike
from linnet.io.formats import FileOptions
from linnet.learners import learner
from linnet.structures.labels import Labels
from linnet.tasks.texts.costs import Costs, cheapest, matrix, mean_cost
from linnet.tasks.texts.label_types import spelled
from linnet.tasks.texts.model import OneLabelModel

if TYPE_CHECKING:
    from linnet.tasks.labels.measures import LabelsReport


Joint = npt.NDArray[np.float64]


class LabelsModel(OneLabelModel[Labels]):
    """A model that gives each text one label."""

    task: ClassVar[str] = "labels"
    rivals: ClassVar[bool] = True

    @classmethod
    def structure(cls, features: TextFeatures | None, labels: tuple[str, ...], details: Mapping[str, Json]) -> Labels:
        return Labels(len(labels), details.get("costs"))

    def predict(self, texts: TextLike, *, costs: Costs | str | None = None) -> list[Label]:
        """Predict the label of each text. With costs, given here or in training, it is the label of least expected cost, if the
        model has probabilities."""
        if costs is None:
            return super().predict(texts)
        labels: list[Label] = self._names[cheapest(self.predict_proba(texts), matrix(costs, self.labels))].tolist()
        return labels

    def joint(self, texts: TextLike) -> Joint:
        """ln P(x, y) by a naive Bayes model: a row for each text, a column for each label, -inf where both cannot be together.
        By event=multinomial it is the probability of how often each word occurs, by event=categorical that of the words in
        their order. Raise UsageError for other learners, and for features that are not counts."""
        from linnet.learners.joint import CERTAIN, COMPLEMENT, coefficients_of

        preset = learner(self.learner)
        if not (preset.generative and preset.linear) or self.options["event"] == COMPLEMENT:
            event = f" with event={COMPLEMENT}" if preset.generative and preset.linear else ""
            raise UsageError(
                f"learner {self.learner!r}{event} has no joint probability of texts and labels. Train with 'naive-bayes', and "
                "event=multinomial, categorical or bernoulli."
            )
        self._check_whole()
        table = self.table(texts)
        orders = coefficients_of(self.features.transform(table), self.options, self.features.fields)
        if orders is None:
            raise UsageError(
                f"the multinomial story is one of counts, and features of {str(self.features.spec)!r} have other values. Train "
                "with counts or presence and without tfidf, bm25, l1 and l2, or with event=categorical."
            )
        theta: Joint = self.scores(table).astype(np.float64)
        theta[theta < -CERTAIN / 2] = -np.inf
        return theta + orders[:, None]

    def _check_whole(self) -> None:
        """Raise UsageError if only differences between labels are left of the probabilities of features."""
        if "compacted" in self.provenance:
            raise UsageError(
                "the model was made smaller by `compact`, which keeps the differences between labels, and not the "
                "probabilities of features. Use the whole model."
            )

    def sample(self, n: int = 1, seed: int = 0) -> list[tuple[str, str]]:
        """Draw n documents from a naive Bayes model, each with its label: words are drawn one by one, given the label alone.
        Raise UsageError for other learners."""
        from linnet.learners.documents import documents

        preset = learner(self.learner)
        if not (preset.generative and preset.linear):
            raise UsageError(
                f"learner {self.learner!r} has no probabilities of features, so it cannot write documents. "
                "Train with 'naive-bayes'."
            )
        self._check_whole()
        if self.features.spec.hash_bits:
            raise UsageError(
                "features with hash= keep no words, so the model cannot write documents. Train without hash=."
            )
        rng = np.random.default_rng(seed)
        features = self.features
        words, length = features.written()
        if not len(words) and not features.spec.columns:
            raise UsageError(
                f"the features {str(features.spec)!r} have neither words nor characters, so the model cannot write documents. "
                "Train with words:1."
            )
        drawn = documents(self.weights[0], len(self.labels), self.options, words, length, rng, features.fields)
        return [(self.labels[y], features.as_text(js.tolist(), x)) for y, js, x in islice(drawn, n)]

    def evaluate(
        self,
        data: Data,
        labels: Sequence[Label] | None = None,
        *,
        text: str | None = None,
        label: str | None = None,
        costs: Costs | str | None = None,
        **how: Unpack[FileOptions],
    ) -> LabelsReport:
        """Predict texts and compare with their labels. data: texts, whose labels follow; or a table or a file with both, in the
        columns that the model was trained with or in those that `text` and `label` name."""
        # Imported when it is needed: who only predicts does not wait for it.
        from linnet.tasks.labels.measures import evaluate_labels

        found = self.labelled(data, labels, {"text_col": text, "label_col": label, **how})
        table, gold = found.table, list(found.labels)
        predicted, theta = list(map(spelled, self.predict(table, costs=costs))), self.scores(table)
        p = self.predict_proba(table) if self.has_probabilities else None
        report = evaluate_labels(gold, predicted, self.labels, p, theta, table.text, found.row_numbers)
        C = self._gen.costs if costs is None else matrix(costs, self.labels)
        return report if C is None else replace(report, mean_cost=mean_cost(gold, predicted, C, self.labels))


MODEL = LabelsModel
