"""A trained model: features, weights and labels, and how they came about."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.core.form import Block
from linnet.core.predictor import Predictor
from linnet.errors import ModelError, UsageError
from linnet.evaluate import LabelsReport, evaluate_labels
from linnet.explain import Explanation, Strong, explain_text, strongest
from linnet.features import TextFeatures, TextLike, as_text
from linnet.io.model_file import read_model, write_model
from linnet.learners import learner
from linnet.structures.labels import Labels

_PIECE = 256


@dataclass
class Model:
    """What `linnet.train` and `linnet.load` return."""

    features: TextFeatures
    labels: tuple[str, ...]
    weights: npt.NDArray[np.float32]
    learner: str
    options: Mapping[str, Any] = field(default_factory=dict)
    report: Mapping[str, Any] = field(default_factory=dict)
    """Epochs, why learning stopped, and which epoch the weights are from."""
    provenance: Mapping[str, Any] = field(default_factory=dict)
    """The data, the seed, the time, the version."""

    def __post_init__(self) -> None:
        self._gen = Labels(len(self.labels))
        self._names = np.array(self.labels, np.object_)
        self._predictors = [Predictor(self._gen, [self.weights])]

    def __repr__(self) -> str:
        return (
            f"<linnet model: {self.learner}, {len(self.labels)} labels, {self.features.n_features:,} features "
            f"({self.features.spec})>"
        )

    @property
    def probabilistic(self) -> bool:
        """Whether `predict_proba` means what it says for this learner."""
        return learner(self.learner).probabilistic

    @contextmanager
    def _predictor(self) -> Iterator[Predictor]:
        """One for each call at a time: its tables must not be shared between threads."""
        predictor = self._predictors.pop() if self._predictors else Predictor(self._gen, [self.weights])
        yield predictor
        self._predictors.append(predictor)

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
                f"the scores of learner {self.learner!r} are not probabilities. Train with 'logistic' or 'naive-bayes'."
            )
        with self._predictor() as predictor:
            return np.concatenate([predictor.marginals(piece)[0] for piece in self._pieces(texts)])

    def explain(self, text: str, label: str | None = None, against: str | None = None) -> Explanation:
        """What each feature and each word adds to the best label against the second best, or to the two given."""
        for name in (label, against):
            if name is not None and name not in self.labels:
                raise UsageError(f"the model has no label {name!r}. It has: {', '.join(self.labels)}.")
        return explain_text(self.features, self.weights, self.labels, text, label, against)

    def strongest(self, top: int = 10) -> dict[str, list[Strong]]:
        """The features that speak most strongly for each label."""
        return strongest(self.features, self.weights, self.labels, top)

    def evaluate(self, texts: TextLike, labels: Sequence[str]) -> LabelsReport:
        """Predict the texts and compare with their labels."""
        p = self.predict_proba(texts) if self.probabilistic else None
        return evaluate_labels(list(labels), self.predict(texts), self.labels, p)

    def save(
        self,
        path: str | os.PathLike[str],
        state: tuple[Mapping[str, npt.NDArray[Any]], Mapping[str, Any]] | None = None,
    ) -> None:
        """Write the model file, all or nothing. `state` is what learning needs to go on exactly."""
        arrays = {"weights": self.weights} | {f"features.{k}": v for k, v in self.features.arrays().items()}
        header: dict[str, Any] = {
            "task": "labels",
            "labels": list(self.labels),
            "outcomes": len(self.labels),
            "features": self.features.header(),
            "learner": self.learner,
            "options": dict(self.options),
            "report": dict(self.report),
            "provenance": dict(self.provenance),
            "version": self.provenance.get("linnet"),
        }
        if state is not None:
            arrays |= {f"state.{name}": array for name, array in state[0].items()}
            header["state"] = dict(state[1])
        write_model(path, header, arrays)


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model file. ModelError, in one sentence, if it is damaged or not a model."""
    return load_with_state(path)[0]


def load_with_state(
    path: str | os.PathLike[str],
) -> tuple[Model, tuple[dict[str, npt.NDArray[Any]], dict[str, Any]] | None]:
    """The model, and the state of its learning if the file has it."""
    header, arrays = read_model(path)
    if header.get("task") != "labels":
        raise ModelError(
            f"{os.fspath(path)}: this linnet has no task {header.get('task')!r}. Upgrade linnet to read it."
        )
    try:
        features = TextFeatures.from_arrays(header["features"], _under("features.", arrays))
        model = Model(
            features=features,
            labels=tuple(header["labels"]),
            weights=arrays["weights"],
            learner=learner(header["learner"]).name,
            options=learner(header["learner"]).checked(header["options"]),
            report=_with_numbers(header["report"]),
            provenance=header["provenance"],
        )
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise ModelError(f"{os.fspath(path)}: the parts of the model do not fit each other ({error}).") from error
    if header.get("outcomes") != len(model.labels):
        raise ModelError(
            f"{os.fspath(path)}: weights for {header.get('outcomes')} labels, but {len(model.labels)} labels."
        )
    if model.weights.shape[0] != features.n_features + 1:
        raise ModelError(f"{os.fspath(path)}: {features.n_features} features, but {len(model.weights) - 1} weights.")
    return model, (_under("state.", arrays), header["state"]) if "state" in header else None


def _with_numbers(report: dict[str, Any]) -> dict[str, Any]:
    """The report as it was written: JSON has no nan."""
    epochs = [epoch | {"moved": float(epoch["moved"])} for epoch in report.get("epochs", [])]
    return report | {"epochs": epochs}


def _under(prefix: str, arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
