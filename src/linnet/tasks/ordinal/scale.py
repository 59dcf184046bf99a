"""Ratings by name and as numbers: how far they are from each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def rating(name: str) -> str:
    """A rating by its usual name: 7.0 is 7."""
    value = number_of(name)
    if value is None:
        return name
    return str(int(value)) if value.is_integer() else repr(value)


def scale(ratings: Sequence[str]) -> npt.NDArray[np.float64]:
    """Where ratings are that are in order: numbers that go up or down where these say, all else at 0, 1, 2, ..."""
    numbers = [value for value in map(number_of, ratings) if value is not None]
    value = np.array(numbers)
    goes_one_way = np.all(np.diff(value) > 0) or np.all(np.diff(value) < 0)
    return value if len(value) == len(ratings) and goes_one_way else np.arange(len(ratings), dtype=np.float64)


def is_number(name: str) -> bool:
    return number_of(name) is not None


def number_of(name: str) -> float | None:
    try:
        value = float(name)
    except ValueError:
        return None
    return value if np.isfinite(value) else None
