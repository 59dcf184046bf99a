"""What the tasks over texts share: one place with the features of a text, and an output that is made of labels."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet import io
from linnet.core.arrow import numbers
from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.errors import DataError, UsageError, meant
from linnet.explain import Explanation, explain_text
from linnet.features import Fields, SparseRows, Table, TextFeatures, TextLike
from linnet.io.columns import usual
from linnet.io.labels import label_name
from linnet.learners import Preset
from linnet.model import Model
from linnet.tasks.contract import Counts, Plan
from linnet.tasks.costs import cheapest, costs_of
from linnet.tasks.tables import as_table, looked_at
from linnet.tasks.text_presets import default_features

MOST_LABELS = 4096
"""Of which each text has one."""
_PIECE = 256

Ints = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Row = str | Mapping[str, Any] | Table
"""A text; or one with its other columns, as a dict or as a table of one row."""


@dataclass(frozen=True)
class Texts:
    """Texts with their outputs as numbers: y[y_at[i]:y_at[i + 1]] is that of text i."""

    text: pa.ChunkedArray | pa.Array
    y: Ints
    y_at: Offsets
    labels: tuple[str, ...]
    source: str
    columns: pa.Table | None = None
    """The others of the file."""
    details: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.y_at) - 1

    def part(self, rows: Offsets) -> Texts:
        columns = None if self.columns is None else self.columns.take(numbers(rows))
        size = self.y_at[rows + 1] - self.y_at[rows]
        at = np.concatenate([np.zeros(1, np.int64), np.cumsum(size)])
        y = self.y[np.repeat(self.y_at[rows] - at[:-1], size) + np.arange(at[-1])]
        return Texts(self.text.take(numbers(rows)), y, at, self.labels, self.source, columns, self.details)

    def texts(self) -> list[str]:
        texts: list[str] = self.text.to_pylist()
        return texts

    def table(self) -> Table:
        return Table(self.text, self.columns, self.source, find=partial(io.find_line, self.source))

    def column(self, name: str) -> list[Any] | None:
        found = None if self.columns is None else usual((name,), self.columns.column_names)
        return None if self.columns is None or found is None else list(self.columns.column(found).to_pylist())


class TextModel(Model):
    """A model of texts."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._names = np.array(self.labels, np.object_)

    @classmethod
    def n_features(cls, features: TextFeatures, gen: Any) -> tuple[int, ...]:
        return features.n_features, *(0 for _ in gen.outcomes[1:])

    @classmethod
    def fields(cls, features: TextFeatures, gen: Any) -> tuple[Fields | None, ...]:
        return features.fields, *(None for _ in gen.outcomes[1:])

    @classmethod
    def read_features(cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> TextFeatures:
        return TextFeatures.from_arrays(header, arrays)

    @staticmethod
    def blocks(gen: Any, rows: SparseRows) -> tuple[Block, ...]:
        """The rows of the texts are the first block; any other has no features but the bias."""
        return Block(*rows), *(Block(*no_features(len(rows))) for _ in gen.outcomes[1:])

    def table(self, texts: TextLike) -> Table:
        """Texts, with the columns that the features look at."""
        return looked_at(texts, self.features.spec)

    def _pieces(self, texts: TextLike) -> Iterator[tuple[Block, ...]]:
        """The features of some texts at a time, few enough to stay in the cache until they are scored."""
        table = self.table(texts)
        for start in range(0, max(len(table), 1), _PIECE):
            piece = table.slice(start, _PIECE) if len(table) > _PIECE else table
            yield self.blocks(self._gen, self.features.transform(piece))

    def outputs(self, texts: TextLike) -> tuple[Ints, Offsets]:
        """The best output of each text, in numbers."""
        with self._predictor() as predictor:
            found = [self.decided(predictor, piece, self.probabilistic) for piece in self._pieces(texts)]
        if len(found) == 1:
            return found[0]
        sizes = np.concatenate([np.diff(at) for _, at in found])
        return np.concatenate([y for y, _ in found]), np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])

    def scores(self, texts: TextLike) -> Floats:
        """w.f(x, y): a row for each text, a column for each label."""
        with self._predictor() as predictor:
            return np.concatenate([self._of_labels(predictor.scores(piece)) for piece in self._pieces(texts)])

    def _of_labels(self, theta: Sequence[Floats]) -> Floats:
        """The scores of labels, of those of outcomes: sum over blocks g of theta_g M_g."""
        parts = zip(theta, self.indicators(self._gen), strict=True)
        total: Floats = sum(table if M is None else table @ M for table, M in parts)  # type: ignore[assignment]
        return total

    def predict_proba(self, texts: TextLike) -> Floats:
        """p(y | x): a row for each text, a column for each label. UsageError if the learner has no probabilities."""
        if not self.probabilistic:
            raise UsageError(
                f"the scores of learner {self.learner!r} are not probabilities. Train with 'logistic' or 'naive-bayes', "
                "or calibrate them: calibrate='sigmoid'."
            )
        with self._predictor() as predictor:
            found = [self.probabilities(self._gen, predictor.marginals(piece)) for piece in self._pieces(texts)]
        return np.concatenate(found)

    @classmethod
    def probabilities(cls, gen: Any, mu: Sequence[Floats]) -> Floats:
        """Of labels, of those of outcomes."""
        return mu[0]

    def number(self, label: str) -> int:
        """UsageError, with what was meant, if the model has no such label."""
        if label not in self.labels:
            some = ", ".join(self.labels[:20]) + (", ..." if len(self.labels) > 20 else "")
            raise UsageError(f"the model has no label {label!r}.{meant(label, self.labels)} It has: {some}.")
        return self.labels.index(label)

    def explain(self, text: Row, label: str | None = None, against: str | None = None) -> Explanation:
        """What each feature and each word adds to the best label against the second best, or to the two given."""
        y, other = (None if name is None else self.number(name) for name in (label, against))
        return explain_text(self.features, self.V, self.labels, self.row(text), y, other)

    def row(self, text: Row) -> Table:
        return self.table([text] if isinstance(text, str | Mapping) else text)


class OneLabelModel(TextModel):
    """A model that gives each text one label."""

    @classmethod
    def decided(cls, predictor: Predictor, blocks: tuple[Block, ...], probable: bool) -> tuple[Ints, Offsets]:
        """Where errors differ in cost and there are probabilities, what costs least by these."""
        C = predictor.gen.costs if probable else None
        if C is None:
            return super().decided(predictor, blocks, probable)
        y_hat = cheapest(cls.probabilities(predictor.gen, predictor.marginals(blocks)), C)
        return y_hat, np.arange(len(y_hat) + 1)

    def predict(self, texts: TextLike) -> list[str]:
        """The label of each text."""
        labels: list[str] = self._names[self.outputs(texts)[0]].tolist()
        return labels

    def explain(self, text: Row, label: str | None = None, against: str | None = None) -> Explanation:
        """What each feature and each word adds to the label of a text against the best other, or to the two given."""
        row = self.row(text)
        return super().explain(row, self.predict(row)[0] if label is None else label, against)


class TextTask:
    """What such tasks do alike."""

    name: ClassVar[str]
    per_place: ClassVar[bool] = True
    settings: ClassVar[Mapping[str, str]] = {}
    model: ClassVar[type[TextModel]]

    def plan(self, spec: str | None, gold: Texts) -> Plan:
        return Plan(default_features(gold.text) if spec is None else spec, "averaged-mira")

    def measure_of(self, learner: Preset, gold: Texts) -> str | None:
        return None

    def fit(self, spec: str, gold: Texts) -> tuple[TextFeatures, tuple[Block, ...]]:
        features = TextFeatures(spec)
        rows = features.fit_transform(gold.table())
        return features, self.model.blocks(self._gen(features, gold), rows)

    def blocks(self, features: TextFeatures, gold: Texts) -> tuple[Block, ...]:
        return self.model.blocks(self._gen(features, gold), features.transform(gold.table()))

    def _gen(self, features: TextFeatures, gold: Texts) -> Any:
        return self.model.structure(features, gold.labels, gold.details)


class OneLabel(TextTask):
    """Tasks in which an output is one label."""

    cost: ClassVar[str] = "mean cost"
    """What the mean of the costs is called, where labels have costs."""

    def read(self, data: Any, columns: Mapping[str, Any], like: Texts | None = None) -> Texts:
        text, found, source, others = read_texts(data, columns, least_labels=2 if like is None else 1)
        found = list(map(self.label, found))
        names, details = self.names(found, source) if like is None else (like.labels, like.details)
        number = {name: k for k, name in enumerate(names)}
        y = np.fromiter((number.get(name, -1) for name in found), np.int32, len(found))
        return Texts(text, y, np.arange(len(y) + 1), names, source, others, details)

    def label(self, name: str) -> str:
        """By its usual name."""
        return name

    def names(self, found: Sequence[str], source: str) -> tuple[tuple[str, ...], Mapping[str, Any]]:
        """The labels in the order of their numbers, and what the model has to know of them."""
        return checked_names(sorted(set(found)), source), {}

    def weighted(
        self, features: TextFeatures, gold: Texts, class_weight: str | Mapping[str, float] | None
    ) -> tuple[Any, Floats | None]:
        """The weight of an example is that of its label. `balanced` gives every label the same weight in all."""
        structure = self.model.structure(features, gold.labels, gold.details)
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

    def counts(self, gold: Texts, y_hat: Ints, y_hat_at: Offsets) -> Counts:
        C = self.model.structure(None, gold.labels, gold.details).costs
        if C is None:
            return Counts("accuracy", (y_hat == gold.y).astype(np.float64), np.ones(len(gold)))
        return Counts(self.cost, costs_of(gold.y, y_hat, C), np.ones(len(gold)), less_is_better=True)


def read_texts(
    data: Any, columns: Mapping[str, Any], *, least_labels: int, **several: Any
) -> tuple[pa.ChunkedArray | pa.Array, list[Any], str, pa.Table | None]:
    """Texts, their labels (with `several`, lists of them), where they are from, and the other columns."""
    if not is_pair(data):
        dataset = io.read(data, **columns, **several, least_labels=least_labels)
        labels = dataset.label_sets() if several else dataset.label_list()
        return dataset.text, labels, dataset.source, dataset.columns
    table, given = as_table(data[0]), list(data[1])
    text, others = table.text, table.columns
    if len(text) != len(given):
        raise DataError(f"expected as many labels as texts, found {len(given)} labels and {len(text)} texts.")
    if not several:
        return text, [str(label) for label in given], "texts and labels", others
    sets = [[one] if isinstance(one, str) else list(one) for one in given]
    return text, [list(dict.fromkeys(filter(None, map(label_name, one)))) for one in sets], "texts and labels", others


def is_pair(data: Any) -> bool:
    """Whether data are texts and labels in Python, and not paths."""
    return isinstance(data, tuple) and len(data) == 2 and not all(isinstance(part, str | os.PathLike) for part in data)


def checked_names(names: Sequence[str], source: str) -> tuple[str, ...]:
    if len(names) < 2:
        what = (
            f"every row has the label {names[0]!r}; learning needs at least two" if names else "there are no examples"
        )
        raise DataError(f"{what}.", source)
    if len(names) > MOST_LABELS:
        raise DataError(
            f"found {len(names):,} different labels; at most {MOST_LABELS:,}. Is the label column the right one?",
            source,
        )
    return tuple(names)


def no_features(n: int) -> SparseRows:
    """Places with nothing but the bias."""
    return SparseRows(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))
