"""Examples that are lists, and not rows of a matrix."""

from __future__ import annotations

from typing import Any

from linnet.errors import DataError
from linnet.io.python_values import is_several

_OF_NUMBERS = "biufcmM"
"""The kinds of NumPy's types that are no text, and no objects."""


def listed(values: Any, what: str) -> list[Any]:
    """Give the values as a list. DataError for a matrix, and for what has no values.

    >>> import numpy as np
    >>> listed(np.zeros((2, 3)), "sentences")
    Traceback (most recent call last):
    linnet.errors.DataError: expected a list of sentences, found ndarray. A matrix of numbers is for LinearClassifier.
    """
    kind = getattr(getattr(values, "dtype", None), "kind", "O")
    if hasattr(values, "toarray") or (getattr(values, "ndim", 1) > 1 and kind in _OF_NUMBERS):
        raise DataError(
            f"expected a list of {what}, found {type(values).__name__}. A matrix of numbers is for LinearClassifier."
        )
    if not is_several(values):
        raise DataError(f"expected a list of {what}, found {type(values).__name__}: {values!r:.60}.")
    return list(values)
