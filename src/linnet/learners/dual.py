"""Coordinate ascent in the dual, for every loss that has one (core/coordinate.pyx)."""

from __future__ import annotations

from typing import Any

from linnet.errors import UsageError


def ascent(gen: Any, loss: Any, n_features: tuple[int, ...], *, asked: str, instead: str, **scale: float) -> Any:
    """Over outputs that are one label or a set of them. `scale` is C, or lam = 1 / (C n)."""
    from linnet.core.coordinate import Coordinate
    from linnet.steps.constant import Constant

    if not (gen.single or gen.separate):
        raise UsageError(
            f"{asked} is for outputs that are one label or a set of them, which those of structure {gen.name!r} are not. "
            f"Use {instead}."
        )
    if not loss.has_dual:
        raise UsageError(f"loss {loss.name!r} has no dual that {asked} could go up. Use {instead}.")
    return Coordinate(gen, loss, Constant(), n_features, **scale)
