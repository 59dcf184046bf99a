"""Ascent in the dual (core/dual.pyx), by coordinates for every loss that has one (core/coordinate.pyx)."""

from __future__ import annotations

from typing import Any

from linnet.errors import UsageError


def by_outcome(gen: Any) -> bool:
    """Whether each question is about an outcome of the one place that there is: a label, a node of a tree, a threshold."""
    return bool(gen.single or gen.separate or (len(gen.outcomes) == 1 and gen.one_outcome and not gen.plain))


def coordinate(gen: Any, loss: Any, *, asked: str, instead: str) -> Any:
    """How to climb, over one label or a set of them; with the loss of questions over all that is decided by outcomes."""
    from linnet.core.coordinate import Coordinate
    from linnet.losses.each import Each

    if not (by_outcome(gen) if isinstance(loss, Each) else gen.single or gen.separate):
        raise UsageError(
            f"{asked} learns each outcome by itself, and those of structure {gen.name!r} depend on each other. Use {instead}."
        )
    if not loss.has_dual:
        raise UsageError(f"loss {loss.name!r} has no dual that {asked} could go up. Use {instead}.")
    return Coordinate()


def ascent(gen: Any, loss: Any, n_features: tuple[int, ...], climb: Any, **scale: float) -> Any:
    """The dual of a linear model. `scale` is C, or lam = 1 / (C n)."""
    from linnet.core.dual import Dual
    from linnet.steps.constant import Constant

    return Dual(gen, loss, Constant(), n_features, climb=climb, **scale)
