"""Flags of tokens or of places, counted by the sentence that they belong to."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


def per_sentence(flags: npt.NDArray[np.bool_], starts: Ints) -> Ints:
    """The number of flags that are set in each sentence. Sentence s has those from starts[s] to starts[s + 1].

    >>> per_sentence(np.array([True, False, True, True]), np.array([0, 3, 3, 4])).tolist()
    [2, 0, 1]
    """
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(flags)])
    return np.diff(before[starts])
