"""Ratings as names and as numbers, which say how far apart they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def rating(name: str) -> str:
    """The usual name of a rating: 7.0 becomes 7."""
    value = number_of(name)
    if value is None:
        return name
    return str(int(value)) if value.is_integer() else repr(value)


def scale(ratings: Sequence[str]) -> npt.NDArray[np.float64]:
    """The position of each rating: its number, if all are numbers that only go up or only go down, else 0, 1, 2, ..."""
    numbers = [value for value in map(number_of, ratings) if value is not None]
    value = np.array(numbers)
    goes_one_way = np.all(np.diff(value) > 0) or np.all(np.diff(value) < 0)
    return value if len(value) == len(ratings) and goes_one_way else np.arange(len(ratings), dtype=np.float64)


def is_number(name: str) -> bool:
    return number_of(name) is not None


def number_of(name: str) -> float | None:
    """The number that a name spells, or None."""
    try:
        value = float(name)
    except ValueError:
        return None
    return value if np.isfinite(value) else None
