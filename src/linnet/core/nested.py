"""Arrays of several objects in one dict, as a model file holds them: those of object `a` are under `a.NAME`."""

from __future__ import annotations

from collections.abc import Mapping

from linnet.core.types import Array

Arrays = Mapping[str, Array]


def nested(parts: Mapping[str, Arrays]) -> dict[str, Array]:
    return {f"{part}.{name}": array for part, arrays in parts.items() for name, array in arrays.items()}


def under(part: str, arrays: Arrays) -> dict[str, Array]:
    prefix = f"{part}."
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
