"""Choosing the most frequent features, whatever the order of the examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]


def first_of_equals(often: npt.NDArray[np.uint32], which: Flags, n: int, name: Callable[[int], Any]) -> Flags:
    """The flags of the n most frequent of the features that are flagged in `which`. Of those that are as frequent as the
    last, the first by their names are taken. Only these are named, and what was seen first does not matter.

    >>> first_of_equals(np.array([2, 1, 1, 3], np.uint32), np.ones(4, bool), 3, "dcba".__getitem__).tolist()
    [True, False, True, True]
    """
    if np.count_nonzero(which) <= n:
        return which
    least = np.partition(often[which], -n)[-n]
    kept: Flags = which & (often > least)
    equal = np.flatnonzero(which & (often == least))
    room = n - np.count_nonzero(kept)
    kept[equal if room == len(equal) else sorted(equal.tolist(), key=name)[:room]] = True
    return kept
