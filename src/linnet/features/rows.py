"""Rows of features with their values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class SparseRows(NamedTuple):
    """Sparse rows: row i has the features indices[indptr[i]:indptr[i + 1]], with their values."""

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def beside(self, other: SparseRows, first: int) -> SparseRows:
        """Each row followed by the row of `other`, whose features are numbered from `first` on."""
        lengths = np.stack([np.diff(self.indptr), np.diff(other.indptr)], axis=1)
        is_other = np.repeat(np.tile([False, True], len(self)), lengths.ravel())
        indices, values = np.empty(len(is_other), np.uint32), np.empty(len(is_other), np.float32)
        indices[~is_other], indices[is_other] = self.indices, other.indices + np.uint32(first)
        values[~is_other], values[is_other] = self.values, other.values
        return SparseRows(self.indptr + other.indptr, indices, values)
