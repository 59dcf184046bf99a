"""Values that stand for nothing: None, NaN, and what pandas has for them."""

from __future__ import annotations

import math

import numpy as np

_TYPES = ("NAType", "NaTType")  # pandas.NA and pandas.NaT


def is_absent(value: object) -> bool:
    """Whether a value stands for nothing.

    >>> [is_absent(value) for value in (None, float("nan"), np.float32("nan"), "", 0)]
    [True, True, True, False, False]
    """
    if isinstance(value, float | np.floating):
        return math.isnan(value)
    return value is None or type(value).__name__ in _TYPES
