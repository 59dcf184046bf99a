"""Sets of labels as lists of numbers, and back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from linnet.tasks.texts.gold import Ints, Offsets


def as_outputs(sets: Sequence[Sequence[int]]) -> tuple[Ints, Offsets]:
    """Write each set as its size followed by the numbers of its labels in order; return all, and where each set starts."""
    at = np.zeros(len(sets) + 1, np.int64)
    np.cumsum([1 + len(one) for one in sets], out=at[1:])
    y = [number for one in sets for number in (len(one), *sorted(one))]
    return np.array(y, np.int32), at


def sets_of(y: Ints, y_at: Offsets) -> list[Ints]:
    """The labels of each set, by number."""
    return [y[a + 1 : b] for a, b in pairwise(y_at.tolist())]
