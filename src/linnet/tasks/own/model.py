"""Models of structures of one's own, and their files (structures/interface.py)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core import arrow
from linnet.core.types import Arrays, Data, Json, Output, Setting
from linnet.errors import DataError, ModelError, UsageError
from linnet.explain import Strong, strongest
from linnet.features.attributes import AttributeFeatures
from linnet.model.base import Model, read
from linnet.structures.interface import Structure, Table
from linnet.structures.own import Own
from linnet.tasks.own.answers import as_json, parts_with_shares
from linnet.tasks.own.features import OwnFeatures, starts_of
from linnet.tasks.own.measures import OwnReport
from linnet.tasks.sentences.answers import best, check_one

Floats = npt.NDArray[np.float64]


class OwnModel(Model[OwnFeatures, Own]):
    """What `linnet.learn` returns."""

    task: ClassVar[str] = "own"
    of: ClassVar[Structure]

    @classmethod
    def over(cls, structure: Structure | type[Structure]) -> type[OwnModel]:
        """The models of a structure."""
        of = structure() if isinstance(structure, type) else structure
        return type("OwnModel", (cls,), {"of": of})

    @classmethod
    def structure(cls, features: OwnFeatures, labels: tuple[str, ...], details: Mapping[str, Json]) -> Own:
        return Own(cls.of)

    @classmethod
    def n_features(cls, features: OwnFeatures, gen: Own) -> tuple[int, ...]:
        return (*(block.n_features for block in features.blocks), *([0] if gen.hides else []))

    @classmethod
    def read_features(cls, header: Mapping[str, Json], arrays: Arrays, parts: Mapping[str, Model]) -> OwnFeatures:
        return OwnFeatures(cls.of, [AttributeFeatures.from_names(names) for names in header["attributes"]])

    def __repr__(self) -> str:
        return f"<linnet model: {self.learner} over {self.details['structure']}, {self.features.n_features:,} features>"

    def predict(self, X: Sequence[Data]) -> list[Output]:
        """The best output of each x."""
        return [self.of.argmax(theta) for theta in self.scores(X)]

    def answers(
        self, data: Sequence[Data], *, proba: bool = False, top: int | None = None, **decide: Setting
    ) -> pa.Table:
        """The `output` of each x as a string of JSON, with the probability of each of its `parts`; or with `top` the `best`
        outputs."""
        check_one(proba, top, "structures", "outputs", "parts")
        if top is not None:
            found = self.predict_k(data, top)
            return arrow.table({"best": best(found, lambda Y: {"output": arrow.texts(map(as_json, Y))})})
        Y = self.predict(data, **decide)
        columns = {"output": arrow.texts(map(as_json, Y))}
        if proba:
            columns["parts"] = parts_with_shares([list(self.of.mu(y)) for y in Y], self.predict_proba(data))
        return arrow.table(columns)

    def batches(self, source: Data, format: str | None = None, text_col: str | None = None) -> Iterator[Data]:
        """There are none: UsageError."""
        raise UsageError(
            f"{type(self.of).__name__} has no files of its own. Read them, and pass the examples to predict."
        )

    def explain(self, *args: Data, **kwargs: Setting) -> object:
        """There is none: UsageError."""
        raise UsageError(
            f"the parts of {type(self.of).__name__} have no names to explain an output by. strongest() has its features."
        )

    def predict_k(self, X: Sequence[Data], k: int) -> list[list[tuple[Output, float]]]:
        """The k best outputs of each x, or as many as there are, with their scores, the best first."""
        if not self.of.has_k_best:
            raise UsageError(
                f"{type(self.of).__name__} has no k best outputs. Write best_k(theta, k), or outputs(places)."
            )
        return [
            [(y, score(self.of, theta, y)) for y in self.of.best_k([table.copy() for table in theta], k)]
            for theta in self.scores(X)
        ]

    def predict_proba(self, X: Sequence[Data]) -> list[Sequence[Table]]:
        """The probability of each part, as arrays of places x outcomes for each block of each x."""
        if not (self.of.has_marginals and self.probabilistic):
            raise UsageError(
                f"learner {self.learner!r} over {type(self.of).__name__} has no probabilities. Use 'crf', and write "
                "marginals(theta), or outputs(places)."
            )
        return [self.of.marginals(theta)[1] for theta in self.scores(X)]

    def scores(self, X: Sequence[Data]) -> Iterator[list[Table]]:
        """theta of each x: an array of places x outcomes for each block."""
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
            raise DataError(f"expected as many outputs as examples, and some, found {len(Y)} and {len(X)}.")
        right, both, total, cost = 0, 0, 0, 0.0
        for y, y_hat in zip(Y, self.predict(X), strict=True):
            parts, found = (sorted(map(tuple, self.of.mu(output))) for output in (y, y_hat))
            right += parts == found
            cost += self.of.cost(y, y_hat)
            first, others = ({part for part in some if part[0] == 0} for some in (parts, found))
            both += len(first & others)
            total += len(first) + len(others)
        n = len(Y)
        return OwnReport(n, right / n, 2 * both / total if total else 1.0, cost / n)

    def strongest(self, top: int = 10) -> dict[str, list[Strong]]:
        """The features that speak most strongly for each outcome of each block."""
        best: dict[str, list[Strong]] = {}
        for g, (features, W) in enumerate(zip(self.features.blocks, self.W, strict=False)):
            best |= strongest(features, W, [f"block {g}, outcome {k}" for k in range(self.of.outcomes[g])], top)
        return best


def score(of: Structure, theta: Sequence[Table], y: Output) -> float:
    """<theta, mu(y)>"""
    return float(sum(theta[g][place, outcome] for g, place, outcome in of.mu(y)))


def load(path: str | os.PathLike[str], structure: Structure | type[Structure]) -> OwnModel:
    """The model of a file, over the structure that it was learned with. Nothing in the file is executed."""
    kind = OwnModel.over(structure)
    model = read(path, lambda task: kind if task == OwnModel.task else None)
    if not isinstance(model, OwnModel) or not _same(model.details["structure"], name_of(kind.of)):
        raise ModelError(
            f"{os.fspath(path)}: the model is over the structure {model.details.get('structure')!r}, not over "
            f"{name_of(kind.of)!r}."
        )
    return model


def name_of(of: Structure) -> str:
    return f"{type(of).__module__}:{type(of).__qualname__}"


def _same(one: str, other: str) -> bool:
    """Whether they name the same class; the module may have become another, as that of a script has."""
    return one.partition(":")[2] == other.partition(":")[2]
