"""Learning with a user-defined structure (structures/interface.py): from Python objects to a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import linnet
from linnet.core.types import Data, Output
from linnet.errors import DataError
from linnet.features.attributes import AttributeFeatures
from linnet.fitting.fitting import Problem
from linnet.learners import Examples, Learning, Progress
from linnet.learners.learning import end_of
from linnet.learners.preset import Options
from linnet.structures.interface import Structure
from linnet.structures.own import Own
from linnet.tasks.own.features import OwnFeatures
from linnet.tasks.own.gold import encoded_examples
from linnet.tasks.own.model import OwnModel, name_of

if TYPE_CHECKING:
    from linnet.fitting.trace import Tracer
    from linnet.fitting.traced import Step


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
    watch: Callable[[Step], bool] | None = None,
) -> OwnModel:
    """Learn a user-defined structure from examples X and their right outputs Y, with any learner.

    dev: held-out examples and outputs. Learning then stops when results on them no longer improve.
    min_freq: features that are at fewer places are left out.
    watch: a function that is told each step of learning (fitting/traced.py), as long as it returns True.
    """
    kind = OwnModel.over(structure)
    own = kind.own
    gen = Own(own)
    features = OwnFeatures(own, [AttributeFeatures(min_freq) for _ in own.outcomes])
    examples = encoded_examples(gen, features.fit_blocks(_some(X, Y)), Y)
    held = None if dev is None else encoded_examples(gen, features.transform(_some(*dev)), dev[1])
    learning = Problem(gen, kind.sizes(features, gen), examples.length2()).learning(learner, options or {})
    course = learning.course(
        examples, epochs=epochs, seed=seed, dev=held, patience=patience, tol=tol, progress=progress
    )
    try:
        fit = end_of(course) if watch is None else _tracer(learning, examples, features, gen, X).tell(course, watch)
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
        details={"structure": name_of(own)},
    )


def _tracer(learning: Learning, examples: Examples, features: OwnFeatures, gen: Own, X: Sequence[Data]) -> Tracer:
    """What tells the steps of learning in words: examples and outputs as Python shows them, attributes by their names."""
    from linnet.fitting.notation import Notation
    from linnet.fitting.trace import Tracer

    def notation(i: int) -> Notation:
        return Notation(
            text=str(X[i]),
            feature=lambda block, j: features.blocks[block].name(j),
            outcome=lambda block, k: str(k) if gen.outcomes[block] > 1 else "",
            output=lambda y: str(gen.outputs[y[0]]) if y[0] >= 0 else "none",
            place=lambda block, place: f"place {place}" if block == 0 else f"block {block}, place {place}",
        )

    return Tracer(learning, examples, notation)


def _some(X: Sequence[Data], Y: Sequence[Output]) -> Sequence[Data]:
    if len(X) != len(Y) or not len(X):
        raise DataError(f"expected as many outputs as examples, and at least one, found {len(Y)} and {len(X)}.")
    return X
