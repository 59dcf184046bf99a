"""Rows of features with their values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class SparseRows(NamedTuple):
    """Row i has the features indices[indptr[i]:indptr[i + 1]], with their values."""

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.indptr) - 1
