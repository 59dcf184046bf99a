"""Models of user-defined structures, and their files (structures/interface.py)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar, Unpack, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core import arrow
from linnet.core.schema import ListOf, Record, Schema, Text
from linnet.core.types import Arrays, Data, Json, Output, Setting
from linnet.errors import DataError, ModelError, UsageError
from linnet.explain import Strong, strongest
from linnet.features.attributes import AttributeFeatures
from linnet.features.sizes import Sizes
from linnet.fitting.contract import Task
from linnet.io.formats import FileOptions
from linnet.model.base import Model, model_from_parts, parts_of_model, read
from linnet.structures.interface import Structure, Table
from linnet.structures.own import Own
from linnet.tasks.own.answers import as_json, parts_with_shares
from linnet.tasks.own.features import OwnFeatures
from linnet.tasks.own.gold import starts_of
from linnet.tasks.own.measures import OwnReport
from linnet.tasks.own.task import OwnTask
from linnet.tasks.sentences.answers import best, check_one

Floats = npt.NDArray[np.float64]


class OwnModel(Model[OwnFeatures, Own]):
    """A model of a user-defined structure, as `linnet.learn` returns it."""

    task: ClassVar[str] = "own"
    own_labels: ClassVar[tuple[str, ...] | None] = ()
    details_schema: ClassVar[Schema] = Record({"structure": Text()}, open=True)
    own: ClassVar[Structure]
    """The structure that the user has defined."""

    @classmethod
    def over(cls, structure: Structure | type[Structure]) -> type[OwnModel]:
        """The class of models of a structure."""
        own = structure() if isinstance(structure, type) else structure
        return type("OwnModel", (cls,), {"own": own})

    @classmethod
    def name_of_structure(cls) -> str:
        """The name of the class of the structure, and of its module, as a file keeps it."""
        return name_of(cls.own)

    def own_task(self) -> Task:
        return cast("Task", OwnTask(type(self)))  # OwnTask has no `counts`, but a session does not ask for them.

    @classmethod
    def structure(cls, features: OwnFeatures, labels: tuple[str, ...], details: Mapping[str, Json]) -> Own:
        return Own(cls.own)

    @classmethod
    def sizes(cls, features: OwnFeatures, gen: Own) -> Sizes:
        return Sizes((*(block.n_features for block in features.blocks), *([0] if gen.hides else [])))

    @classmethod
    def read_features(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> OwnFeatures:
        Record({"attributes": ListOf(ListOf(Text(), distinct=True))}).check(header, "features")
        if arrays:
            raise ValueError("the features have arrays that belong to nothing")
        return OwnFeatures(cls.own, [AttributeFeatures.from_names(names) for names in header["attributes"]])

    def __reduce__(self) -> tuple[object, ...]:
        """The class of such a model is made when it is needed, so it pickles with its structure."""
        return _of_parts, (self.own, *parts_of_model(self))

    def in_brief(self) -> str:
        return f"{self.learner} over {self.details['structure']}, {self.features.n_features:,} features"

    def predict(self, X: Sequence[Data]) -> list[Output]:
        """Predict the output of each x."""
        return [self.own.argmax(theta) for theta in self.scores(X)]

    def answers(
        self, data: Sequence[Data], *, proba: bool = False, top: int | None = None, **decide: Setting
    ) -> pa.Table:
        """A table with the `output` of each x as a string of JSON, and the probability of each of its `parts`; with `top`, the
        `best` outputs instead."""
        check_one(proba, top, "structures", "outputs", "parts")
        if top is not None:
            found = self.predict_k(data, top)
            return arrow.table({"best": best(found, lambda Y: {"output": arrow.texts(map(as_json, Y))})})
        Y = self.predict(data, **decide)
        columns = {"output": arrow.texts(map(as_json, Y))}
        if proba:
            columns["parts"] = parts_with_shares([list(self.own.mu(y)) for y in Y], self.predict_proba(data))
        return arrow.table(columns)

    def batches(self, source: Data, *, text: str | None = None, **how: Unpack[FileOptions]) -> Iterator[Data]:
        """Raise UsageError, as linnet cannot read files of user-defined structures."""
        raise UsageError(
            f"linnet cannot read files for {type(self.own).__name__}. Read them in Python, and pass the examples to predict."
        )

    def explain(self, *args: Data, **kwargs: Setting) -> object:
        """Raise UsageError, as the parts of user-defined structures have no names to explain outputs by."""
        raise UsageError(
            f"the parts of {type(self.own).__name__} have no names to explain an output by. Use strongest() to "
            "see its features."
        )

    def predict_k(self, X: Sequence[Data], k: int) -> list[list[tuple[Output, float]]]:
        """Find the k best outputs of each x, or as many as there are, with their scores, the best first."""
        if not self.own.has_k_best:
            raise UsageError(
                f"{type(self.own).__name__} has no k best outputs. Define best_k(theta, k) or outputs(places) in it."
            )
        return [
            [(y, score(self.own, theta, y)) for y in self.own.best_k([table.copy() for table in theta], k)]
            for theta in self.scores(X)
        ]

    def predict_proba(self, X: Sequence[Data]) -> list[Sequence[Table]]:
        """The probability of each part, as arrays of places x outcomes for each block of each x."""
        if not (self.own.has_marginals and self.probabilistic):
            raise UsageError(
                f"learner {self.learner!r} over {type(self.own).__name__} has no probabilities. Use 'crf', and define "
                "marginals(theta) or outputs(places)."
            )
        return [self.own.marginals(theta)[1] for theta in self.scores(X)]

    def scores(self, X: Sequence[Data]) -> Iterator[list[Table]]:
        """Yield the scores theta of each x: an array of places x outcomes for each block."""
        if not len(X):
            return
        blocks = self.features.transform(X)
        with self._predictor() as predictor:
            tables = predictor.scores(blocks)
        self._gen.check()
        self._gen.forget()
        cuts = [list(pairwise(starts.tolist())) for starts in starts_of(blocks[: len(self._gen.own_outcomes)])]
        for spans in zip(*cuts, strict=True):
            yield [table[a:b].astype(np.float64) for table, (a, b) in zip(tables, spans, strict=False)]

    def evaluate(self, X: Sequence[Data], Y: Sequence[Output]) -> OwnReport:
        """Predict X and compare with Y."""
        if len(X) != len(Y) or not len(X):
            raise DataError(f"expected as many outputs as examples, and at least one, found {len(Y)} and {len(X)}.")
        right, both, total, cost = 0, 0, 0, 0.0
        for y, y_hat in zip(Y, self.predict(X), strict=True):
            parts, found = (sorted(map(tuple, self.own.mu(output))) for output in (y, y_hat))
            right += parts == found
            cost += self.own.cost(y, y_hat)
            first, others = ({part for part in some if part[0] == 0} for some in (parts, found))
            both += len(first & others)
            total += len(first) + len(others)
        n = len(Y)
        return OwnReport(n, right / n, 2 * both / total if total else 1.0, cost / n)

    def strongest(self, top: int = 10) -> dict[str, list[Strong]]:
        """The features that speak most strongly for each outcome of each block."""
        best: dict[str, list[Strong]] = {}
        for g, (features, W) in enumerate(zip(self.features.blocks, self.W, strict=False)):
            best |= strongest(features, W, [f"block {g}, outcome {k}" for k in range(self.own.outcomes[g])], top)
        return best


def score(structure: Structure, theta: Sequence[Table], y: Output) -> float:
    """The score of an output, <theta, mu(y)>."""
    return float(sum(theta[g][place, outcome] for g, place, outcome in structure.mu(y)))


def _of_parts(of: Structure, header: Mapping[str, Json], arrays: Arrays) -> OwnModel:
    """The model of such parts over a structure."""
    return model_from_parts(OwnModel.over(of), header, arrays)


def load(path: str | os.PathLike[str], structure: Structure | type[Structure]) -> OwnModel:
    """Read the model file of a user-defined structure, which must be the one that it was learned with."""
    kind = OwnModel.over(structure)
    model = read(path, lambda task: kind if task == OwnModel.task else None)
    if not isinstance(model, OwnModel) or not _same(model.details["structure"], name_of(kind.own)):
        raise ModelError(
            f"{os.fspath(path)}: the model was learned with the structure {model.details.get('structure')!r}, not with "
            f"{name_of(kind.own)!r}."
        )
    return model


def name_of(structure: Structure) -> str:
    """The module and the name of the class of a structure."""
    return f"{type(structure).__module__}:{type(structure).__qualname__}"


def _same(one: str, other: str) -> bool:
    """Whether two names are of the same class. The modules may differ, as that of a script does when it is imported."""
    return one.partition(":")[2] == other.partition(":")[2]
