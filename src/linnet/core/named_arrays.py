"""Arrays of several parts in one flat dict, as a model file holds them: array NAME of part `a` has the key `a.NAME`."""

from __future__ import annotations

from collections.abc import Mapping

from linnet.core.types import Array

Arrays = Mapping[str, Array]


def flattened(parts: Mapping[str, Arrays]) -> dict[str, Array]:
    """The arrays of all parts in one dict.

    >>> flattened({"weights": {"0": 1}, "features": {"df": 2}})
    {'weights.0': 1, 'features.df': 2}
    """
    return {f"{part}.{name}": array for part, arrays in parts.items() for name, array in arrays.items()}


def arrays_of(part: str, arrays: Arrays) -> dict[str, Array]:
    """The arrays of one part of such a dict, by their names in the part; none, where it has no such part.

    >>> arrays_of("weights", {"weights.0": 1, "features.df": 2})
    {'0': 1}
    """
    prefix = f"{part}."
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
