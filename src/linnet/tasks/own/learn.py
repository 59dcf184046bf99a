"""Structures of one's own: from Python objects to examples and to a model (structures/interface.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

import linnet
from linnet.core.blocks import Block
from linnet.core.types import Data, Output
from linnet.errors import DataError, UsageError
from linnet.features.attributes import AttributeFeatures
from linnet.fitting.problem import Problem
from linnet.learners import Examples, Fit, Progress
from linnet.learners.preset import Options
from linnet.structures.interface import Structure
from linnet.structures.own import Own
from linnet.tasks.own.features import OwnFeatures, starts_of
from linnet.tasks.own.model import OwnModel, name_of


def learn(
    structure: Structure | type[Structure],
    X: Sequence[Data],
    Y: Sequence[Output],
    *,
    learner: str = "averaged-mira",
    options: Options | None = None,
    epochs: int | None = None,
    dev: tuple[Sequence[Data], Sequence[Output]] | None = None,
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
    learning = Problem.of_examples(kind, features, gen, examples).learning(learner, options or {})

    def between(fit: Fit) -> None:
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
        details={"structure": name_of(of)},
    )


def _some(X: Sequence[Data], Y: Sequence[Output]) -> Sequence[Data]:
    if len(X) != len(Y) or not len(X):
        raise DataError(f"expected as many outputs as examples, and some, found {len(Y)} and {len(X)}.")
    return X


def _examples(gen: Own, blocks: tuple[Block, ...], Y: Sequence[Output]) -> Examples:
    places = np.stack([np.diff(starts) for starts in starts_of(blocks[: len(gen.own_outcomes)])], axis=1)
    y, y_at = gen.encoded(Y, places[:, 0])
    for i, (number, sizes) in enumerate(zip(y[y_at[:-1]].tolist(), places.tolist(), strict=True)):
        try:
            gen.fits(number, sizes)
        except UsageError as error:
            raise DataError(f"output {i}: {error}") from None
    return Examples(blocks, y, y_at)
