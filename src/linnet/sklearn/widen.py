"""More classes than there were: the state of a learner, in wider rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.core.weights import stride_of

Arrays = Mapping[str, npt.NDArray[Any]]
_RAGGED = ("indptr0", "outcomes0", "entries0")


def widened(arrays: Arrays, where: npt.NDArray[np.int32], n_outcomes: int) -> dict[str, npt.NDArray[Any]]:
    """The arrays of `Online.state()` with outcome k at where[k] among n_outcomes; the new outcomes are zero.

    Zero is what the weights, the past (U), the squared gradients (G) and the counts of an outcome are before anything
    is learned of it. Arrays of block 0 end in 0; the others (the first layer of a network) have no outcomes. Rows that have
    only what was changed name their outcomes.

    >>> widened({"v0": np.array([[1.0, 2.0]], np.float32)}, np.array([0, 2]), 3)["v0"].tolist()
    [[1.0, 0.0, 2.0, 0.0]]
    """
    wide = dict(arrays)
    for name, array in arrays.items():
        if name == "outcomes0":
            wide[name] = where.astype(np.uint32)[array]
        if not name.endswith("0") or name in _RAGGED:
            continue
        wide[name] = np.zeros((len(array), stride_of(n_outcomes)), array.dtype)
        wide[name][:, where] = array[:, : len(where)]
    return wide
