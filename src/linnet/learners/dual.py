"""Coordinate ascent in the dual, for every loss that has one (core/coordinate.pyx)."""

from __future__ import annotations

from typing import Any

from linnet.errors import UsageError


def ascent(gen: Any, loss: Any, n_features: tuple[int, ...], *, asked: str, instead: str, **scale: float) -> Any:
    """Over outputs that are one label. `scale` is C, or lam = 1 / (C n)."""
    from linnet.core.coordinate import Coordinate
    from linnet.steps.constant import Constant

    if not gen.single:
        raise UsageError(
            f"{asked} is for outputs that are one label, which those of structure {gen.name!r} are not. Use {instead}."
        )
    return Coordinate(gen, loss, Constant(), n_features, **scale)
