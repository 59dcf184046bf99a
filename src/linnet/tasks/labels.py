"""One label for each text."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet import io
from linnet.core.form import Block
from linnet.errors import DataError, UsageError
from linnet.evaluate import LabelsReport, evaluate_labels
from linnet.explain import Explanation, explain_text
from linnet.features import TextFeatures, TextLike, as_text
from linnet.io.columns import usual
from linnet.learners import learner
from linnet.learners.naive_bayes import documents
from linnet.model import Model
from linnet.structures.labels import Labels
from linnet.tasks.contract import Counts, Plan

DEFAULT_FEATURES = "words:1-2 punct bm25 min=2"
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
_PIECE = 256
_MOST_LABELS = 4096


@dataclass(frozen=True)
class Labelled:
    """Texts with the numbers of their labels."""

    text: pa.ChunkedArray | pa.Array
    y: npt.NDArray[np.int32]
    labels: tuple[str, ...]
    source: str
    columns: pa.Table | None = None
    """The others of the file."""

    def __len__(self) -> int:
        return len(self.y)

    @property
    def details(self) -> Mapping[str, Any]:
        return {}

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        return np.arange(len(self.y) + 1, dtype=np.int64)

    def part(self, rows: npt.NDArray[np.int64]) -> Labelled:
        columns = None if self.columns is None else self.columns.take(pa.array(rows))
        return Labelled(self.text.take(pa.array(rows)), self.y[rows], self.labels, self.source, columns)

    def texts(self) -> list[str]:
        texts: list[str] = self.text.to_pylist()
        return texts

    def column(self, name: str) -> list[Any] | None:
        found = None if self.columns is None else usual((name,), self.columns.column_names)
        return None if self.columns is None or found is None else list(self.columns.column(found).to_pylist())


class LabelsModel(Model):
    """A model that gives each text one label."""

    task: ClassVar[str] = "labels"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._names = np.array(self.labels, np.object_)

    @classmethod
    def structure(cls, features: TextFeatures, labels: tuple[str, ...]) -> Labels:
        return Labels(len(labels))

    @classmethod
    def n_features(cls, features: TextFeatures) -> tuple[int, ...]:
        return (features.n_features,)

    @classmethod
    def read_features(cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> TextFeatures:
        return TextFeatures.from_arrays(header, arrays)

    def _pieces(self, texts: TextLike) -> Iterator[tuple[Block]]:
        """The features of some texts at a time, few enough to stay in the cache until they are scored."""
        column = as_text(texts)
        for start in range(0, max(len(column), 1), _PIECE):
            piece = column.slice(start, _PIECE) if len(column) > _PIECE else column
            yield (Block(*self.features.transform(piece)),)

    def predict(self, texts: TextLike) -> list[str]:
        """The best label of each text."""
        with self._predictor() as predictor:
            y_hat = [predictor.argmax(piece)[0] for piece in self._pieces(texts)]
        labels: list[str] = self._names[np.concatenate(y_hat)].tolist()
        return labels

    def scores(self, texts: TextLike) -> npt.NDArray[np.float32]:
        """w.f(x, y): a row for each text, a column for each label."""
        with self._predictor() as predictor:
            return np.concatenate([predictor.scores(piece)[0] for piece in self._pieces(texts)])

    def predict_proba(self, texts: TextLike) -> npt.NDArray[np.float32]:
        """p(y | x): a row for each text, a column for each label. UsageError if the learner has no probabilities."""
        if not self.probabilistic:
            raise UsageError(
                f"the scores of learner {self.learner!r} are not probabilities. Train with 'logistic' or 'naive-bayes', "
                "or calibrate them: calibrate='sigmoid'."
            )
        with self._predictor() as predictor:
            return np.concatenate([predictor.marginals(piece)[0] for piece in self._pieces(texts)])

    def explain(self, text: str, label: str | None = None, against: str | None = None) -> Explanation:
        """What each feature and each word adds to the best label against the second best, or to the two given."""
        for name in (label, against):
            if name is not None and name not in self.labels:
                raise UsageError(f"the model has no label {name!r}. It has: {', '.join(self.labels)}.")
        return explain_text(self.features, self.W[0], self.labels, text, label, against)

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

    def evaluate(self, texts: TextLike, labels: Sequence[str]) -> LabelsReport:
        """Predict the texts and compare with their labels."""
        p = self.predict_proba(texts) if self.probabilistic else None
        return evaluate_labels(list(labels), self.predict(texts), self.labels, p)


class LabelsTask:
    name = "labels"
    description = "one label for each text"
    model = LabelsModel

    def read(self, data: Any, columns: Mapping[str, Any], labels: tuple[str, ...] | None = None) -> Labelled:
        if isinstance(data, tuple) and len(data) == 2 and not all(isinstance(part, str | os.PathLike) for part in data):
            text, column, source = as_text(data[0]), as_text([str(label) for label in data[1]]), "texts and labels"
            others = None
            if len(text) != len(column):
                raise DataError(f"expected as many labels as texts, found {len(column)} labels and {len(text)} texts.")
        else:
            dataset = io.read(data, **columns, least_labels=2 if labels is None else 1)
            text, column, source, others = dataset.text, dataset.labels, dataset.source, dataset.columns
        found = column.to_pylist()
        names = _names(found, source) if labels is None else labels
        number = {name: k for k, name in enumerate(names)}
        y = np.fromiter((number.get(name, -1) for name in found), np.int32, len(found))
        return Labelled(text, y, names, source, others)

    def weighted(
        self, features: TextFeatures, gold: Labelled, class_weight: str | Mapping[str, float] | None
    ) -> tuple[Labels, npt.NDArray[np.float32] | None]:
        """The weight of an example is that of its label. `balanced` gives every label the same weight in all."""
        structure = self.model.structure(features, gold.labels)
        if class_weight is None:
            return structure, None
        if isinstance(class_weight, str):
            if class_weight != "balanced":
                raise UsageError(f"expected class weights to be 'balanced' or label=weight, found {class_weight!r}.")
            count = np.maximum(np.bincount(gold.y, minlength=len(gold.labels)), 1)
            weight = len(gold) / (len(gold.labels) * count)
        else:
            unknown = set(class_weight) - set(gold.labels)
            if unknown:
                raise UsageError(
                    f"class weight for {sorted(unknown)[0]!r}, but the labels are {', '.join(gold.labels)}."
                )
            weight = np.array([class_weight.get(label, 1.0) for label in gold.labels], np.float64)
            if not np.all((weight >= 0) & (weight < np.inf)):
                raise UsageError("expected class weights of 0 or more.")
        return structure, weight.astype(np.float32)[gold.y]

    def plan(self, spec: str | None, gold: Labelled) -> Plan:
        return Plan(DEFAULT_FEATURES if spec is None else spec, "nb-svm")

    def candidates(self, spec: str | None, gold: Labelled) -> list[Plan]:
        """With the features of a spec, how far to trust naive Bayes and how far the data; without one, also which features."""
        if spec is not None:
            return [Plan(spec, "nb-svm", {"C": C, "power": power}) for power in (0.5, 0, 1) for C in (1, 0.3, 3)]
        is_short = gold.text.nbytes < _SHORT * len(gold)
        candidates = _CANDIDATES + _OF_SHORT_TEXTS if is_short else _CANDIDATES
        return [Plan(features, "nb-svm", {"C": C, "power": power}) for features, C, power in candidates]

    def fit(self, spec: str, gold: Labelled) -> tuple[TextFeatures, tuple[Block, ...]]:
        features = TextFeatures(spec)
        return features, (Block(*features.fit_transform(gold.text)),)

    def blocks(self, features: TextFeatures, gold: Labelled) -> tuple[Block, ...]:
        return (Block(*features.transform(gold.text)),)

    def counts(self, gold: Labelled, y_hat: npt.NDArray[np.int32]) -> Counts:
        return Counts("accuracy", (y_hat == gold.y).astype(np.float64), np.ones(len(gold)))


def _names(found: Sequence[str], source: str) -> tuple[str, ...]:
    """The labels in alphabetical order."""
    names = tuple(sorted(set(found)))
    if len(names) < 2:
        what = (
            f"every row has the label {names[0]!r}; learning needs at least two" if names else "there are no examples"
        )
        raise DataError(f"{what}.", source)
    if len(names) > _MOST_LABELS:
        raise DataError(
            f"found {len(names):,} different labels; at most {_MOST_LABELS:,}. Is the label column the right one?",
            source,
        )
    return names
