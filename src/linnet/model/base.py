"""A trained model: features, weights and labels, and how they came about. Each task adds what it predicts."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Generic, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.blocks import Block
from linnet.core.nested import nested, under
from linnet.core.predictor import Predictor
from linnet.core.types import Array, Arrays, Data, Json, Output, Setting, State
from linnet.errors import ModelError, UsageError
from linnet.explain import Strong, strongest
from linnet.explain.strongest import Named
from linnet.features import Fields
from linnet.fitting.contract import F, Known, S
from linnet.fitting.registry import TASKS
from linnet.fitting.session import Session
from linnet.learners import learner
from linnet.learners.preset import Options
from linnet.learners.weights import Compressed, Matrix, blocks
from linnet.model.file import read_model, write_model

Weights = npt.NDArray[np.float32]
M = TypeVar("M", bound="Model")


@dataclass
class Model(ABC, Generic[F, S]):
    """What `linnet.train` and `linnet.load` return; what it predicts is in the subclass of its task."""

    features: F
    labels: tuple[str, ...]
    weights: tuple[Array, ...]
    """What the scorer of the learner holds. Of a linear model one array for each block: a row for the bias and for each
    feature, a column for each outcome."""
    learner: str
    options: Options = field(default_factory=dict)
    report: Mapping[str, Json] = field(default_factory=dict)
    """Epochs, why learning stopped, and which epoch the weights are from."""
    provenance: Mapping[str, Json] = field(default_factory=dict)
    """The data, the seed, the time, the version."""
    details: Mapping[str, Json] = field(default_factory=dict)
    """What the task wants to know of the training data later."""
    parts: Mapping[str, Model] = field(default_factory=dict)
    """Models that belong to this one, by name: a `reranker` chooses among its best outputs. Models that its features need, such
    as the taggers of a parser, are held by the features."""

    state: State | None = field(default=None, repr=False)
    """The state of its learning, where it was kept: a session goes on from there exactly."""

    task: ClassVar[str]
    called: ClassVar[str] = ""
    """While it is learned, where other models are learned for it: parser."""

    def __post_init__(self) -> None:
        self._gen = self.structure(self.features, self.labels, self.details)
        self._predictors = [self._over(self._gen)]

    @classmethod
    @abstractmethod
    def structure(cls, features: F, labels: tuple[str, ...], details: Mapping[str, Json]) -> S:
        """GEN(x) over the labels."""

    @classmethod
    @abstractmethod
    def n_features(cls, features: F, gen: S) -> tuple[int, ...]:
        """The number of features of each block of the structure."""

    @classmethod
    def fields(cls, features: F, gen: S) -> tuple[Fields | None, ...]:
        """Which features of each block belong together; () where none do."""
        return ()

    @classmethod
    def sequences(cls, features: F) -> bool:
        """Whether rows are in the order of a text, their values being places in it."""
        return False

    @classmethod
    def models_in(cls, features: F) -> Mapping[str, Model]:
        """The models that the features need, by name: a file keeps them as it keeps `parts`."""
        return {}

    @classmethod
    @abstractmethod
    def read_features(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> F:
        """The features of `features.header()` and `features.arrays()`, with the models among `parts` that they need."""

    @classmethod
    def indicators(cls, gen: S) -> tuple[Array | None, ...]:
        """For each block M, outcomes x labels: mu of each label. None: the outcomes are the labels, or have none."""
        return (None,) * len(gen.outcomes)

    @classmethod
    def of_labels(cls, gen: S, weights: Sequence[Array], n_labels: int) -> Matrix:
        """The weights of labels, of those of outcomes: sum over blocks g of W_g M_g."""
        first, *others = cls.indicators(gen)
        W_0, *more = blocks(weights, gen)
        if isinstance(W_0, Compressed):
            if first is not None:
                raise UsageError(
                    f"the weights of {gen.outcomes[0]:,} nodes are too many to be added up along all paths."
                )
            return W_0
        V = W_0[:, :n_labels] if first is None else W_0[:, : len(first)] @ first
        for W, M in zip(more, others, strict=True):
            if M is not None:
                V[0] += W[0, : len(M)] @ M
        return V

    @classmethod
    def moved(cls, before: Known, after: Known, gens: tuple[S, S]) -> tuple[npt.NDArray[np.int64], ...]:
        """Where the outcomes of each block of a structure are, when labels have come up behind those that there were.

        before, after: the labels and details. gens: the structures over these."""
        return tuple(np.arange(n) for n in gens[0].outcomes)

    @classmethod
    def decided(
        cls, predictor: Predictor[S], blocks: tuple[Block, ...], probable: bool
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """The best output of each example, and where each starts. `probable`: whether marginals are probabilities."""
        return predictor.argmax(blocks)

    @abstractmethod
    def batches(self, source: Data, format: str | None = None, text_col: str | None = None) -> Iterator[Data]:
        """The examples of one file, or of several, some at a time: each batch is what `answers` and `predict` take.

        `text_col` names the column of the text, where a file may have one.
        """

    @abstractmethod
    def predict(self, data: Data, /, *args: Setting, **decide: Setting) -> Sequence[Output]:
        """The best output of each example, as Python values."""

    @abstractmethod
    def answers(self, data: Data, *, proba: bool = False, top: int | None = None, **decide: Setting) -> pa.Table:
        """What the model says of a batch, or of what else `predict` takes: a table with a row for each example.

        proba: also how probable each label, tag, arc or bracket is, if the learner has probabilities.
        top: instead of the best output the so many best ones with their scores.
        decide: how to choose between outputs, as `predict` takes it.
        """

    @abstractmethod
    def explain(self, *args: Data, **kwargs: Setting) -> object:
        """Why the output of one example is the best: what each feature adds to it, against the next best."""

    @abstractmethod
    def evaluate(self, data: Data, /, *args: Data, **decide: Setting) -> object:
        """A report on how right the outputs of examples are, by the gold outputs that they have or come with."""

    def sample(self, n: int = 1, seed: int = 0) -> list[tuple[str, str]]:
        """n documents as the model believes that they come about, each with its label; UsageError if it has none."""
        raise UsageError(f"only models of labels can write documents, not those of task {self.task!r}.")

    def __repr__(self) -> str:
        return (
            f"<linnet model: {self.learner}, {len(self.labels)} labels, {self.features.n_features:,} features "
            f"({self.features.spec})>"
        )

    @property
    def reranker(self) -> Model | None:
        """The model that chooses among the best outputs of this one, where the best one is not taken at once."""
        return self.parts.get("reranker")

    @property
    def probabilistic(self) -> bool:
        """Whether probabilities mean what they say for this learner, or were made to."""
        return learner(self.learner).probabilistic or "calibrated" in self.report

    @property
    def W(self) -> tuple[Matrix, ...]:
        """The weights of a linear model, one array for each block, or a Compressed one; UsageError if it is another."""
        self._check_linear()
        return blocks(self.weights, self._gen)

    @cached_property
    def V(self) -> Matrix:
        """The weights of labels: a row for the bias and for each feature, a column for each label."""
        self._check_linear()
        return self.of_labels(self._gen, self.weights, len(self.labels))

    def _check_linear(self) -> None:
        learner(self.learner).check_linear()

    def _over(self, gen: S) -> Predictor[S]:
        """What was learned, over a structure."""
        return Predictor(gen, learner(self.learner).scorer(self.weights, self.options))

    @contextmanager
    def _predictor(self) -> Iterator[Predictor[S]]:
        """One for each call at a time: its tables must not be shared between threads."""
        predictor = self._predictors.pop() if self._predictors else self._over(self._gen)
        yield predictor
        self._predictors.append(predictor)

    def strongest(self, top: int = 10) -> dict[str, list[Strong]]:
        """The features that speak most strongly for each label."""
        self._check_linear()
        return self.strongest_of(self.features, self._gen, self.weights, self.labels, top)

    @classmethod
    def strongest_of(
        cls, features: F, gen: S, weights: Sequence[Array], labels: Sequence[str], top: int
    ) -> dict[str, list[Strong]]:
        """The same of weights over a structure."""
        named: object = features
        if not isinstance(named, Named):
            raise UsageError("the features have no names that could be shown.")
        return strongest(named, cls.of_labels(gen, weights, len(labels)), labels, top)

    def __reduce__(self) -> tuple[object, ...]:
        """A model pickles, and is copied, as its file has it: the header and the arrays."""
        return of_parts, (type(self), *parts_of(self))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file, all or nothing."""
        header, arrays = parts_of(self)
        header["version"] = self.provenance.get("linnet")
        write_model(path, header, arrays)

    def session(self, *, learner: str | None = None, options: Options | None = None) -> Session:
        """A session that goes on from this model, one example at a time, and does not change it.

        learner, options: how to go on; by default as the model was learned, where that learner learns one example at a time.
        """
        return Session.of_model(self, learner=learner, options=options)

    def update(self, x: Data, y: Output) -> Self:
        """The model after one more example and its right output, or after several of them. This one stays as it is."""
        session = self.session()
        session.learn(x, y)
        return cast(Self, session.model())


def parts_of(model: Model) -> tuple[dict[str, Json], dict[str, Array]]:
    """The header and the arrays of a model, as a file has them or another model that it is a part of."""
    weights = {str(g): block for g, block in enumerate(model.weights)}
    arrays = nested({"weights": weights, "features": model.features.arrays()})
    header: dict[str, Json] = {
        "task": model.task,
        "labels": list(model.labels),
        "outcomes": list(model._gen.outcomes),
        "features": model.features.header(),
        "learner": model.learner,
        "scorer": model._over(model._gen).scorer.name,
        "options": dict(model.options),
        "report": dict(model.report),
        "provenance": dict(model.provenance),
        "details": dict(model.details),
    }
    for name, part in {**model.models_in(model.features), **model.parts}.items():
        own_header, own_arrays = parts_of(part)
        header.setdefault("parts", {})[name] = own_header
        arrays |= nested({"parts": nested({name: own_arrays})})
    if model.state is not None:
        arrays |= nested({"state": model.state[0]})
        header["state"] = dict(model.state[1])
    return header, arrays


def of_parts(kind: type[M], header: Mapping[str, Json], arrays: Arrays) -> M:
    """The model of such parts; ValueError, KeyError, TypeError or OverflowError where they do not fit each other."""
    weights = under("weights", arrays)
    parts = _inner(header.get("parts", {}), under("parts", arrays))
    features = kind.read_features(header["features"], under("features", arrays), parts)
    needed = kind.models_in(features)
    model = kind(
        features=features,
        labels=tuple(header["labels"]),
        weights=tuple(weights[str(g)] for g in range(len(weights))),
        learner=learner(header["learner"]).name,
        options=learner(header["learner"]).checked(header["options"]),
        report=_with_numbers(header["report"]),
        provenance=header["provenance"],
        details=header["details"],
        parts={name: part for name, part in parts.items() if name not in needed},
        state=(under("state", arrays), header["state"]) if "state" in header else None,
    )
    _check(model, header)
    return model


def _inner(headers: Mapping[str, Json], arrays: Arrays) -> dict[str, Model]:
    """The models inside another one. Each says of which task it is."""
    return {
        name: of_parts(TASKS.named(header["task"]).model, header, under(name, arrays))
        for name, header in headers.items()
    }


def read(path: str | os.PathLike[str], model_of: Callable[[str], type[Model] | None]) -> Model:
    """The model of a file. ModelError, in one sentence, if it is damaged, not a model, or of a task that is not known."""
    header, arrays = read_model(path)
    kind = model_of(str(header.get("task")))
    if kind is None:
        raise ModelError(
            f"{os.fspath(path)}: this linnet has no task {header.get('task')!r}. Upgrade linnet to read it."
        )
    try:
        return of_parts(kind, header, arrays)
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        raise ModelError(f"{os.fspath(path)}: the parts of the model do not fit each other ({error}).") from error


def _check(model: Model, header: Mapping[str, Json]) -> None:
    if header.get("outcomes") != list(model._gen.outcomes):
        raise ValueError(f"weights for {header.get('outcomes')} outcomes, but {len(model.labels)} labels")
    predictor = model._over(model._gen)
    if header.get("scorer") != predictor.scorer.name:
        raise ValueError(f"learner {model.learner!r} with a scorer {header.get('scorer')!r}")
    for rows, n in zip(predictor.n_rows, model.n_features(model.features, model._gen), strict=True):
        if rows != n + 1:
            raise ValueError(f"{n} features, but {rows - 1} weights")


def _with_numbers(report: dict[str, Json]) -> dict[str, Json]:
    """The report as it was written: JSON has no nan."""
    epochs = [epoch | {"moved": float(epoch["moved"])} for epoch in report.get("epochs", [])]
    return report | ({"epochs": epochs} if epochs else {})
