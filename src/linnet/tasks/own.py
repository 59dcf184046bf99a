"""Structures of one's own: from Python objects to examples, to a model and its file (structures/interface.py)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

import linnet
from linnet.core.blocks import Block
from linnet.errors import DataError, ModelError, UsageError
from linnet.explain import Strong, strongest
from linnet.features.attributes import AttributeFeatures
from linnet.learners import Examples, Learning, Progress
from linnet.learners import learner as named
from linnet.model import Model, read
from linnet.structures.interface import Structure, Table
from linnet.structures.own import Own

Floats = npt.NDArray[np.float64]


class OwnFeatures:
    """The attributes of the places of each block."""

    def __init__(self, of: Structure, blocks: list[AttributeFeatures]) -> None:
        self.of = of
        self.blocks = blocks
        self.spec = f"those of {type(of).__name__}"

    @property
    def n_features(self) -> int:
        return sum(block.n_features for block in self.blocks)

    def header(self) -> dict[str, Any]:
        return {"attributes": [block.attributes for block in self.blocks]}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {}

    def fit_blocks(self, X: Sequence[Any]) -> tuple[Block, ...]:
        return self._made(X, AttributeFeatures.fit_transform)

    def transform(self, X: Sequence[Any]) -> tuple[Block, ...]:
        return self._made(X, AttributeFeatures.transform)

    def _made(self, X: Sequence[Any], rows: Callable[[AttributeFeatures, Sequence[Any]], Any]) -> tuple[Block, ...]:
        found = list(map(self._places, range(len(X)), X))
        blocks = []
        for features, places in zip(self.blocks, zip(*found, strict=True), strict=True):
            starts = np.concatenate([[0], np.cumsum([len(part) for part in places])]).astype(np.int64)
            blocks.append(Block(*rows(features, places), starts))
        if self.of.own_cost:
            n = len(X)
            blocks.append(Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32)))
        return tuple(blocks)

    def _places(self, i: int, x: Any) -> Sequence[Any]:
        found = self.of.features(x)
        lists = isinstance(found, Sequence) and len(found) == len(self.blocks)
        if lists and all(isinstance(places, Sequence) and not isinstance(places, str) for places in found):
            return found
        raise DataError(
            f"expected features of example {i} to be a list of places for each of {len(self.blocks)} blocks, found "
            f"{found!r:.60}."
        )


@dataclass(frozen=True)
class OwnReport:
    n: int
    accuracy: float
    """The share of outputs that are right as a whole."""
    f1: float
    """Of the parts of block 0: where each place has one outcome, the share of places that are right."""
    mean_cost: float

    def __str__(self) -> str:
        return f"{self.n} examples: accuracy {self.accuracy:.3f}, F1 of parts {self.f1:.3f}, mean cost {self.mean_cost:.3f}"


class OwnModel(Model):
    """What `linnet.learn` returns."""

    task: ClassVar[str] = "own"
    of: ClassVar[Structure]

    @classmethod
    def over(cls, structure: Structure | type[Structure]) -> type[OwnModel]:
        """The models of a structure."""
        of = structure() if isinstance(structure, type) else structure
        return type("OwnModel", (cls,), {"of": of})

    @classmethod
    def structure(cls, features: OwnFeatures, labels: tuple[str, ...], details: Mapping[str, Any]) -> Own:
        return Own(cls.of)

    @classmethod
    def n_features(cls, features: OwnFeatures, gen: Own) -> tuple[int, ...]:
        return (*(block.n_features for block in features.blocks), *([0] if gen.hides else []))

    @classmethod
    def read_features(cls, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> OwnFeatures:
        return OwnFeatures(cls.of, [AttributeFeatures.of(names) for names in header["attributes"]])

    def __repr__(self) -> str:
        return f"<linnet model: {self.learner} over {self.details['structure']}, {self.features.n_features:,} features>"

    def predict(self, X: Sequence[Any]) -> list[Any]:
        """The best output of each x."""
        return [self.of.argmax(theta) for theta in self.scores(X)]

    def predict_k(self, X: Sequence[Any], k: int) -> list[list[tuple[Any, float]]]:
        """The k best outputs of each x, or as many as there are, with their scores, the best first."""
        if not self.of.has_k_best:
            raise UsageError(
                f"{type(self.of).__name__} has no k best outputs. Write best_k(theta, k), or outputs(places)."
            )
        return [
            [(y, score(self.of, theta, y)) for y in self.of.best_k([table.copy() for table in theta], k)]
            for theta in self.scores(X)
        ]

    def predict_proba(self, X: Sequence[Any]) -> list[Sequence[Table]]:
        """The probability of each part, as arrays of places x outcomes for each block of each x."""
        if not (self.of.has_marginals and self.probabilistic):
            raise UsageError(
                f"learner {self.learner!r} over {type(self.of).__name__} has no probabilities. Use 'crf', and write "
                "marginals(theta), or outputs(places)."
            )
        return [self.of.marginals(theta)[1] for theta in self.scores(X)]

    def scores(self, X: Sequence[Any]) -> Iterator[list[Table]]:
        """theta of each x: an array of places x outcomes for each block."""
        if not len(X):
            return
        blocks = self.features.transform(X)
        with self._predictor() as predictor:
            tables = predictor.scores(blocks)
        self._gen.check()
        self._gen.forget()
        cuts = [list(pairwise(block.arrays()[3].tolist())) for block in blocks[: len(self._gen.own_outcomes)]]
        for spans in zip(*cuts, strict=True):
            yield [table[a:b].astype(np.float64) for table, (a, b) in zip(tables, spans, strict=False)]

    def evaluate(self, X: Sequence[Any], Y: Sequence[Any]) -> OwnReport:
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


def score(of: Structure, theta: Sequence[Table], y: Any) -> float:
    """<theta, mu(y)>"""
    return float(sum(theta[g][place, outcome] for g, place, outcome in of.mu(y)))


def learn(
    structure: Structure | type[Structure],
    X: Sequence[Any],
    Y: Sequence[Any],
    *,
    learner: str = "averaged-mira",
    options: Mapping[str, Any] | None = None,
    epochs: int | None = None,
    dev: tuple[Sequence[Any], Sequence[Any]] | None = None,
    min_freq: int = 0,
    seed: int = 0,
    patience: int = 3,
    tol: float = 1e-3,
    progress: Callable[[Progress], None] | None = None,
) -> OwnModel:
    """Learn a structure of one's own from examples X and their right outputs Y, with any learner.

    dev: further examples and outputs; learning then stops when it no longer helps there.
    min_freq: features at fewer places are left out.
    """
    kind = OwnModel.over(structure)
    of = kind.of
    gen = Own(of)
    features = OwnFeatures(of, [AttributeFeatures(min_freq) for _ in of.outcomes])
    examples = _examples(gen, features.fit_blocks(_some(X, Y)), Y)
    held = None if dev is None else _examples(gen, features.transform(_some(*dev)), dev[1])
    learning = Learning(named(learner), options or {}, gen, kind.n_features(features, gen), examples.length2())

    def between(fit: Any) -> None:
        gen.check()
        gen.forget()

    try:
        fit = learning.run(
            examples, epochs=epochs, seed=seed, dev=held, patience=patience, tol=tol, progress=progress, between=between
        )
    finally:
        gen.check()
    return kind(
        features=features,
        labels=(),
        weights=tuple(fit.weights),
        learner=learning.preset.name,
        options=learning.options,
        report=fit.report(),
        provenance={"linnet": linnet.__version__, "seed": seed, "n": len(X)},
        details={"structure": _name(of)},
    )


def load(path: str | os.PathLike[str], structure: Structure | type[Structure]) -> OwnModel:
    """The model of a file, over the structure that it was learned with. Nothing in the file is executed."""
    kind = OwnModel.over(structure)
    model, _ = read(path, lambda task: kind if task == OwnModel.task else None)
    if not isinstance(model, OwnModel) or not _same(model.details["structure"], _name(kind.of)):
        raise ModelError(
            f"{os.fspath(path)}: the model is over the structure {model.details.get('structure')!r}, not over "
            f"{_name(kind.of)!r}."
        )
    return model


def _name(of: Structure) -> str:
    return f"{type(of).__module__}:{type(of).__qualname__}"


def _same(one: str, other: str) -> bool:
    """Whether they name the same class; the module may have become another, as that of a script has."""
    return one.partition(":")[2] == other.partition(":")[2]


def _some(X: Sequence[Any], Y: Sequence[Any]) -> Sequence[Any]:
    if len(X) != len(Y) or not len(X):
        raise DataError(f"expected as many outputs as examples, and some, found {len(Y)} and {len(X)}.")
    return X


def _examples(gen: Own, blocks: tuple[Block, ...], Y: Sequence[Any]) -> Examples:
    places = np.stack([np.diff(block.arrays()[3]) for block in blocks[: len(gen.own_outcomes)]], axis=1)
    y, y_at = gen.encoded(Y, places[:, 0])
    for i, (number, sizes) in enumerate(zip(y[y_at[:-1]].tolist(), places.tolist(), strict=True)):
        try:
            gen.fits(number, sizes)
        except UsageError as error:
            raise DataError(f"output {i}: {error}") from None
    return Examples(blocks, y, y_at)
