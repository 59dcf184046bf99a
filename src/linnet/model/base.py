"""A trained model: its features, weights and labels, and how it was trained. Each task has a subclass that predicts."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, Unpack, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.blocks import Block
from linnet.core.form import Structure
from linnet.core.named_arrays import arrays_of, flattened
from linnet.core.predictor import Predictor
from linnet.core.products import times
from linnet.core.schema import DictOf, Either, ListOf, Real, Record, Schema, Text, Whole, collecting, with_numbers
from linnet.core.scorer import Scorer
from linnet.core.types import F32, I64, Array, Arrays, Bools, Data, Integers, Json, Output, Setting, State
from linnet.errors import ModelError, UsageError
from linnet.features.sizes import Sizes
from linnet.fitting.kinds import F, S
from linnet.fitting.registry import TASKS
from linnet.io.formats import FileOptions
from linnet.learners import learner
from linnet.learners.preset import Options
from linnet.model.checking import Checking
from linnet.model.file import check_replaced, read_model, write_model
from linnet.model.report_schema import OPTION, PROVENANCE, REPORT
from linnet.report.shown import Shown

if TYPE_CHECKING:
    from linnet.explain import Strong
    from linnet.fitting.contract import Columns, Known, Task
    from linnet.fitting.session import Session
    from linnet.learners.weights import Matrix
    from linnet.model.decisions import Decided
    from linnet.model.support import SupportVector

Weights = npt.NDArray[np.float32]
_STATE = Record({"online": Record(open=True)}, {"length2": Real(0)}, open=True)
"""The numbers of the state of learning; the learner knows those of `online`, and training/checkpoint.py all others."""
_MODEL = Record(
    {
        "task": Text(),
        "labels": ListOf(Text(), distinct=True),
        "outcomes": ListOf(Whole(1), 1),
        "features": Record(open=True),
        "learner": Text(),
        "scorer": Text(),
        "options": DictOf(OPTION),
        "report": REPORT,
        "provenance": PROVENANCE,
        "details": Record(open=True),
    },
    {
        "parts": DictOf(Record(open=True)),
        "state": _STATE,
        "schema": Whole(),
        "version": Either(Text()),
        "arrays": Record(open=True),
        "packed": Record(open=True),
    },
)
"""The header of a model, as `parts_of_model` writes it. Its features and its details have schemas of their own."""
M = TypeVar("M", bound="Model")


@dataclass(repr=False)
class Model(Shown, ABC, Generic[F, S]):
    """A model as `linnet.train` and `linnet.load` return it. The subclass of its task says what it predicts."""

    features: F
    labels: tuple[str, ...]
    weights: tuple[Array, ...]
    """The arrays that the learner computes scores with. A linear model has one for each block, with a row for the bias and for
    each feature and a column for each outcome."""
    learner: str
    options: Options = field(default_factory=dict)
    report: Mapping[str, Json] = field(default_factory=dict)
    """How learning went: its epochs, why it stopped, and which epoch the weights are from."""
    provenance: Mapping[str, Json] = field(default_factory=dict)
    """The origin of the model: the data, the seed, what was asked for, the version of linnet."""
    details: Mapping[str, Json] = field(default_factory=dict)
    """Facts about the training data that the task needs later, such as the tag scheme."""
    parts: Mapping[str, Model] = field(default_factory=dict)
    """Models that belong to this one, by name. The `reranker` chooses among the best outputs. Models that the features need,
    such as the taggers of a parser, are held by the features."""

    state: State | None = field(default=None, repr=False)
    """The state of learning, if it was kept: from it, a session goes on as if learning had never stopped."""

    details_schema: ClassVar[Schema] = Record(open=True)
    """What the details may be, as a model file has them."""
    own_labels: ClassVar[tuple[str, ...] | None] = None
    """The labels of every model of the task; None where they are those of the data."""
    drawn_by: ClassVar[str] = "linnet.model.terminal:model_facts"
    task: ClassVar[str]
    rivals: ClassVar[bool] = False
    """Whether an output uses exactly one outcome at each place of block 0, so that a number that is added to the scores of all
    of them changes nothing."""
    called: ClassVar[str] = ""
    """The name of the model in messages on progress, such as "parser", where several models are learned."""

    def __post_init__(self) -> None:
        self._gen = self.structure(self.features, self.labels, self.details)
        self._predictors = [self._predictor_over(self._gen)]
        self._checking: Checking | None = None

    @classmethod
    @abstractmethod
    def structure(cls, features: F, labels: tuple[str, ...], details: Mapping[str, Json]) -> S:
        """GEN(x), the set of possible outputs, for these labels."""

    @classmethod
    @abstractmethod
    def sizes(cls, features: F, gen: S) -> Sizes:
        """How many features each block of the structure has, and what a learner has to know of them."""

    @classmethod
    def models_in(cls, features: F) -> Mapping[str, Model]:
        """The models that the features need, by name. A model file keeps them beside the `parts`."""
        return {}

    @classmethod
    def usual_values(cls, features: F, gen: S) -> tuple[F32 | None, ...]:
        """How large the values of features usually are: for each block the root of the mean square of each feature over
        examples, or None if the features do not tell."""
        return (None,) * len(gen.outcomes)

    @classmethod
    def without(cls, features: F, gen: S, wanted: Sequence[Bools]) -> tuple[F, tuple[F32, ...]]:
        """The features without those that are not wanted, given a flag for each feature of each block; and for each
        block the factor by which the weights of each old feature are to be multiplied, 0 if the feature was removed.
        Features that cannot be removed are kept: here all of them are."""
        return features, tuple(np.ones(len(flags), np.float32) for flags in wanted)

    @classmethod
    def united(cls, features: Sequence[F]) -> tuple[F, list[tuple[tuple[Integers, F32], ...]]]:
        """The features of several models of the same specification as one; and for each model, for each block, the new number
        of each feature, and what its weights are to be multiplied by. Raise UsageError if they cannot be united."""
        raise UsageError(f"models of task {cls.task!r} are not merged. Train on all data at once.")

    @classmethod
    def outcomes_of(cls, numbers: Integers, gen: S) -> tuple[Integers, ...]:
        """For each block the new number of each outcome, given the new number of each label. Raise UsageError if outcomes are
        not those of single labels."""
        if gen.outcomes != (len(numbers),):
            raise UsageError(
                "the models have their labels in different orders, and weights for more than single labels. Train one of them "
                "by `linnet train --from` the other."
            )
        return (numbers,)

    @classmethod
    @abstractmethod
    def read_features(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> F:
        """Make features again from their `header()` and `arrays()`, with the models among `parts` that they need."""

    @classmethod
    def indicators(cls, gen: S) -> tuple[Array | None, ...]:
        """For each block the matrix M, outcomes x labels, that holds mu of each label; None where the outcomes are the
        labels, or have none."""
        return (None,) * len(gen.outcomes)

    @classmethod
    def weights_of_labels(cls, gen: S, weights: Sequence[Array], n_labels: int) -> Matrix:
        """The weights of labels, computed from the weights of outcomes: the sum over blocks g of W_g M_g."""
        from linnet.learners.weights import Compressed, blocks

        first, *others = cls.indicators(gen)
        W_0, *more = blocks(weights, gen)
        if isinstance(W_0, Compressed):
            if first is not None:
                raise UsageError(
                    f"the tree has {gen.outcomes[0]:,} nodes, too many to add up weights along each path. The model "
                    "predicts, but it cannot be explained."
                )
            return W_0
        V = W_0[:, :n_labels] if first is None else times(W_0[:, : len(first)], first)
        for W, M in zip(more, others, strict=True):
            if M is not None:
                V[0] += times(W[0, : len(M)], M)
        return V

    @classmethod
    def moved(cls, before: Known, after: Known, gens: tuple[S, S]) -> tuple[npt.NDArray[np.int64], ...]:
        """For each block, the numbers that its outcomes have after labels were added.

        before, after: the labels and details before and after that. gens: the structures over them."""
        return tuple(np.arange(n) for n in gens[0].outcomes)

    @classmethod
    def decided(
        cls, predictor: Predictor[S], blocks: tuple[Block, ...], probable: bool
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """The predicted output of each example, and where each starts. `probable`: whether marginals are probabilities."""
        best: tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]] = predictor.argmax(blocks)
        return best

    @classmethod
    def n_wrong(cls, y: npt.NDArray[np.int32], y_at: I64, y_hat: npt.NDArray[np.int32], y_hat_at: I64) -> int:
        """The number of examples whose output is wrong, given the gold outputs and the predicted ones."""
        cuts = zip(pairwise(y_at.tolist()), pairwise(y_hat_at.tolist()), strict=True)
        return sum(not cls._is_right(y[a:b], y_hat[c:d]) for (a, b), (c, d) in cuts)

    @classmethod
    def _is_right(cls, y: npt.NDArray[np.int32], y_hat: npt.NDArray[np.int32]) -> bool:
        return bool(np.array_equal(y, y_hat))

    @abstractmethod
    def batches(self, source: Data, *, text: str | None = None, **how: Unpack[FileOptions]) -> Iterator[Data]:
        """Read the examples of one file or several in batches, each of which can be passed to `answers` and `predict`.

        text: the name of the column with the text, for files that have columns.
        """

    def typed(self, texts: Sequence[str]) -> Data:
        """What people type, as a batch that `answers` and `predict` take; a text may become several examples."""
        return list(texts)

    def decisions(self, data: Data) -> Sequence[Decided]:
        """The output of each example of a batch as decisions, which people can question and correct one by one."""
        raise UsageError(
            f"outputs of task {self.task!r} cannot be corrected part by part. Pass whole outputs to a session."
        )

    @abstractmethod
    def predict(self, data: Data, /, *args: Setting, **decide: Setting) -> Sequence[Output]:
        """Predict the output of each example, as Python values. data: examples, rows with named columns, or the path of a file
        as an os.PathLike."""

    @abstractmethod
    def answers(self, data: Data, *, proba: bool = False, top: int | None = None, **decide: Setting) -> pa.Table:
        """Answer a batch, or whatever else `predict` takes, with a table that has a row for each example.

        proba: add the probability of each label, tag, arc or bracket, if the learner has probabilities.
        top: instead of the best output, give this many of the best outputs with their scores.
        decide: how to choose between outputs: further arguments of `predict`.
        """

    @abstractmethod
    def explain(self, *args: Data, **kwargs: Setting) -> object:
        """Explain why the output of one example is better than the next best: what each feature adds to the difference."""

    @abstractmethod
    def evaluate(self, data: Data, /, *args: Data, **decide: Setting) -> object:
        """Predict examples and report how right the outputs are, compared with their gold outputs. data: what `linnet.train`
        takes, such as a path, a table, or examples followed by their outputs."""

    def sample(self, n: int = 1, seed: int = 0) -> list[tuple[str, str]]:
        """Draw n documents from the model, each with its label. Raise UsageError for a task that cannot."""
        raise UsageError(f"only models of labels can write documents, not those of task {self.task!r}.")

    def _called_here(self) -> str:
        return "linnet model"

    def in_brief(self) -> str:
        return (
            f"{self.learner}, {len(self.labels)} labels, {self.features.n_features:,} features ({self.features.spec})"
        )

    @property
    def reranker(self) -> Model | None:
        """The model that chooses among the best outputs of this one; None where the best output is taken."""
        return self.parts.get("reranker")

    @property
    def probabilistic(self) -> bool:
        """Whether the scores are logarithms of probabilities, by which the model decides: its learner gives them, or they were
        calibrated."""
        return learner(self.learner).probabilistic or "calibrated" in self.report

    @property
    def has_probabilities(self) -> bool:
        """Whether the model can say how sure it is: its scores are probabilities, or held-out examples told how sure they
        are."""
        return self.probabilistic or "sureness" in self.report

    @property
    def W(self) -> tuple[Matrix, ...]:
        """The weights of a linear model, one array or Compressed array for each block. Raise UsageError for other models."""
        from linnet.learners.weights import blocks

        self._check_linear()
        return blocks(self.weights, self._gen)

    @cached_property
    def V(self) -> Matrix:
        """The weights of labels: a row for the bias and for each feature, a column for each label."""
        self._check_linear()
        return self.weights_of_labels(self._gen, self.weights, len(self.labels))

    @property
    def is_linear(self) -> bool:
        """Whether the model has a weight for each feature and outcome, which explanations need."""
        return learner(self.learner).linear

    def _check_linear(self) -> None:
        learner(self.learner).check_linear()

    def _predictor_over(self, gen: S) -> Predictor[S]:
        """A predictor over a structure with what was learned."""
        return Predictor(gen, learner(self.learner).scorer(self.weights, self.options))

    @contextmanager
    def _predictor(self) -> Iterator[Predictor[S]]:
        """Lend a predictor to one call at a time: its tables must not be shared between threads. If the call raises,
        the predictor is not used again."""
        if self._checking is not None:
            self._checking.look()
        predictor = self._predictors.pop() if self._predictors else self._predictor_over(self._gen)
        yield predictor
        predictor.release()
        self._predictors.append(predictor)

    def strongest(self, top: int = 10) -> dict[str, list[Strong]]:
        """The features that speak most strongly for each label."""
        self._check_linear()
        return self.strongest_of(self.features, self._gen, self.weights, self.labels, top)

    @classmethod
    def strongest_of(
        cls, features: F, gen: S, weights: Sequence[Array], labels: Sequence[str], top: int
    ) -> dict[str, list[Strong]]:
        """The features that speak most strongly for each label, by weights over a structure."""
        from linnet.explain.strongest import Named, strongest

        named: object = features
        if not isinstance(named, Named):
            raise UsageError("the features have no names that could be shown.")
        return strongest(named, cls.weights_of_labels(gen, weights, len(labels)), labels, top)

    def support_vectors(self) -> list[SupportVector]:
        """The examples that the weights are a sum of, each with its alpha, the largest first. A kernel model has them in its
        weights; other learners in the dual have their rows and texts if they were kept: `linnet.train(..., keep_support=True)`.
        Raise UsageError where there are none."""
        from linnet.model.support import support_vectors

        return support_vectors(self)

    @property
    def outcomes(self) -> tuple[int, ...]:
        """The number of outcomes of each block of the structure."""
        outcomes: tuple[int, ...] = self._gen.outcomes
        return outcomes

    @property
    def scorer_name(self) -> str:
        """The name of what computes scores from the weights: linear, kernel, ..."""
        return str(self._predictor_over(self._gen).scorer.name)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy a model as the header and the arrays of its file."""
        return model_from_parts, (type(self), *parts_of_model(self))

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the model file. If writing fails, a file that was there stays as it was.

        force: whether to replace a file that is not a model. Without it, raise UsageError.
        """
        if not force:
            check_replaced(path)
        header, arrays = parts_of_model(self)
        header["version"] = self.provenance.get("linnet")
        write_model(path, header, arrays)

    def verify(self) -> None:
        """Wait until the file that the model was loaded from has been checked to its last byte, and raise ModelError if it is
        damaged. A large model answers before that; a small one was checked when it was loaded."""
        if self._checking is not None:
            self._checking.wait()

    def compact(
        self, *, size: int | str | None = None, keep: float | None = None, dev: Data = None, eight_bit: bool = False
    ) -> Self:
        """A smaller model: without the weights that matter least, and without features that have no weight left.

        size: how large its file may be: a number of bytes, "5MB", "300KB", or "25%" of what it is.
        keep: the share of the answers on `dev` that must stay the same; the model is made as small as that allows. With
            neither size nor keep, only features without any weight are removed.
        dev: examples for `keep`, whose outputs need not be known: a path, or what `predict` takes.
        eight_bit: whether weights are rounded to 255 values, so that each takes a byte of the file. The model scores with the
            rounded weights, and is explained by them.
        """
        from linnet.model.compacting import compacted  # not imported by programs that only predict

        self.verify()
        return cast(Self, compacted(self, size, keep, dev, eight_bit))

    def merge(self, *others: Model) -> Self:
        """One model of this one and others with the same task, learner, specification of features and labels: features are
        united by name, and weights are averaged. Raise UsageError for models that cannot be merged."""
        from linnet.model.merging import merged  # not imported by programs that only predict

        self.verify()
        for model in others:
            model.verify()
        return cast(Self, merged([self, *others]))

    def own_task(self) -> Task:
        """The task of this model, with the settings that it was trained with."""
        return TASKS.named(self.task).as_trained(self.details)

    def gold(self, data: Data, outputs: Data = None, columns: Columns | None = None) -> Any:
        """Gold examples of whatever `linnet.train` takes, numbered by the labels of this model.

        columns: the format of files, and the names of columns: `format`, `text_col` and `label_col`.
        """
        from linnet.fitting.contract import Known
        from linnet.fitting.reading import read_gold
        from linnet.io.python_values import brought

        return read_gold(self.own_task(), brought(data, outputs), columns or {}, Known(self.labels, self.details))

    def session(self, *, learner: str | None = None, options: Options | None = None) -> Session:
        """Begin a session that goes on learning from this model, one example at a time. The model itself does not change.

        learner, options: how to go on. By default it goes on as the model was learned, if that learner can.
        """
        from linnet.fitting.session import Session  # not imported by programs that only predict

        self.verify()
        return Session.from_model(self, learner=learner, options=options)

    def update(self, x: Data, y: Output) -> Self:
        """Learn one more example with its right output, or several; return the new model. This one stays as it is."""
        session = self.session()
        session.learn(x, y)
        return cast(Self, session.model())


def parts_of_model(model: Model) -> tuple[dict[str, Json], dict[str, Array]]:
    """The header and the arrays of a model, as its file keeps them."""
    model.verify()
    weights = {str(g): block for g, block in enumerate(model.weights)}
    arrays = flattened({"weights": weights, "features": model.features.arrays()})
    header: dict[str, Json] = {
        "task": model.task,
        "labels": list(model.labels),
        "outcomes": list(model.outcomes),
        "features": model.features.header(),
        "learner": model.learner,
        "scorer": model.scorer_name,
        "options": dict(model.options),
        "report": dict(model.report),
        "provenance": dict(model.provenance),
        "details": dict(model.details),
    }
    for name, part in {**model.models_in(model.features), **model.parts}.items():
        own_header, own_arrays = parts_of_model(part)
        header.setdefault("parts", {})[name] = own_header
        arrays |= flattened({"parts": flattened({name: own_arrays})})
    if model.state is not None:
        arrays |= flattened({"state": model.state[0]})
        header["state"] = dict(model.state[1])
    return header, arrays


def model_from_parts(kind: type[M], header: Mapping[str, Json], arrays: Arrays) -> M:
    """Make a model from a header and arrays, which may come from anyone. Raise ValueError, KeyError, TypeError,
    OverflowError or MemoryError where they do not fit each other."""
    _MODEL.check(header)
    kind.details_schema.check(header["details"], "details")
    if kind.own_labels is not None and tuple(header["labels"]) != kind.own_labels:
        raise ValueError(f"labels are not {kind.own_labels}")
    of_weights = arrays_of("weights", arrays)
    _check_names(header, arrays)
    _check_outcomes(header, of_weights)
    parts = _inner(header.get("parts", {}), arrays_of("parts", arrays))
    features = kind.read_features(header["features"], arrays_of("features", arrays), parts)
    labels, details, preset = tuple(header["labels"]), header["details"], learner(header["learner"])
    weights = tuple(of_weights[str(g)] for g in range(len(of_weights)))
    options = preset.checked(header["options"])
    _check_weights(preset.scorer(weights, options), header, kind, features, kind.structure(features, labels, details))
    needed = kind.models_in(features)
    return kind(
        features=features,
        labels=labels,
        weights=weights,
        learner=preset.name,
        options=options,
        report=with_numbers(header["report"], REPORT),
        provenance=header["provenance"],
        details=details,
        parts={name: part for name, part in parts.items() if name not in needed},
        state=(arrays_of("state", arrays), header["state"]) if "state" in header else None,
    )


def _check_names(header: Mapping[str, Json], arrays: Arrays) -> None:
    """Raise ValueError where an array belongs to no part of a model."""
    first = {"weights", "features"} | {name for name in ("parts", "state") if name in header}
    for name in arrays:
        part, _, rest = name.partition(".")
        if part not in first or (part == "parts" and not any(rest.startswith(f"{one}.") for one in header["parts"])):
            raise ValueError(f"array {name!r} belongs to nothing")


def _check_outcomes(header: Mapping[str, Json], weights: Arrays) -> None:
    """Raise ValueError where the header has more outcomes than there are weights, or too few for its labels, so that a
    forged header cannot ask for a structure larger than memory. Each outcome has at least one weight. There are as many
    outcomes as labels, or more; or one less, where they are the thresholds between labels."""
    if sum(header["outcomes"]) > sum(array.size for array in weights.values()):
        raise ValueError(f"weights for {header['outcomes']} outcomes, but fewer weights than that")
    if len(header["labels"]) > max(header["outcomes"]) + 1:
        raise ValueError(f"{len(header['labels'])} labels, but weights for {header['outcomes']} outcomes")


def _check_weights(
    scorer: Scorer, header: Mapping[str, Json], kind: type[Model], features: Any, gen: Structure
) -> None:
    """Raise ValueError unless the weights are all that a scorer over this structure relies on."""
    if header["outcomes"] != list(gen.outcomes):
        raise ValueError(f"weights for {header['outcomes']} outcomes, but {len(header['labels'])} labels")
    if header["scorer"] != scorer.name:
        raise ValueError(f"learner {header['learner']!r} with a scorer {header['scorer']!r}")
    scorer.check(gen, kind.sizes(features, gen).n_features)


def _inner(headers: Mapping[str, Json], arrays: Arrays) -> dict[str, Model]:
    """The models inside another model; the header of each names its task."""
    return {
        name: model_from_parts(TASKS.model(header["task"]), header, arrays_of(name, arrays))
        for name, header in headers.items()
    }


def read(path: str | os.PathLike[str], model_of: Callable[[str], type[Model] | None]) -> Model:
    """Read a model file. Raise ModelError if it is damaged, not a model, or of a task that is not known."""
    with collecting() as checks:
        model = _read(path, model_of)
    if checks:
        model._checking = Checking(os.fspath(path), checks)
    return model


def _read(path: str | os.PathLike[str], model_of: Callable[[str], type[Model] | None]) -> Model:
    header, arrays = read_model(path)
    kind = model_of(str(header.get("task")))
    if kind is None:
        raise ModelError(
            f"{os.fspath(path)}: this linnet has no task {header.get('task')!r}. Name the file that adds it by --with or "
            "linnet.use, or upgrade linnet."
        )
    try:
        return model_from_parts(kind, header, arrays)
    except MemoryError:
        raise ModelError(f"{os.fspath(path)}: the model needs more memory than there is. Use a smaller one.") from None
    except (KeyError, ValueError, TypeError, OverflowError) as error:
        why = " ".join(str(error).split())
        raise ModelError(
            f"{os.fspath(path)}: the model file is damaged: its parts do not fit each other ({why:.300}). Train it again."
        ) from error
