"""Here SciPy's sparse matrices become rows of the core, and back, without copying what need not be copied."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse import _sparsetools
from sklearn import get_config

from linnet.errors import DataError
from linnet.features import SparseRows

Matrix = Any
"""This is a SciPy CSR matrix or array."""

# The core keeps feature numbers in 32 bits, and a row of weights more than there are features.
_MOST_FEATURES = 2**32 - 2


def to_csr(rows: SparseRows, n_features: int) -> Matrix:
    """Make rows SciPy's CSR. Feature numbers are below 2^31, so that their 32 bits mean the same with a sign."""
    # In scikit-learn 1.9 users may choose; older ones return matrices.
    kind = sparse.csr_array if get_config().get("sparse_interface") == "sparray" else sparse.csr_matrix
    return kind((rows.values, rows.indices.view(np.int32), rows.indptr), shape=(len(rows), n_features))


def to_rows(X: Matrix) -> SparseRows:
    """Give the rows of a CSR matrix of float32; 32-bit indices are taken as they are."""
    indices = X.indices.view(np.uint32) if X.indices.dtype == np.int32 else X.indices.astype(np.uint32)
    return SparseRows(X.indptr.astype(np.int64, copy=False), indices, X.data)


def as_csr(X: Any) -> Matrix:
    """Make a matrix that scikit-learn has checked CSR in float32. Duplicates may be left in it."""
    if X.shape[1] > _MOST_FEATURES:
        raise DataError(f"expected at most {_MOST_FEATURES} features, found {X.shape[1]}.")
    if not sparse.issparse(X):
        X = sparse.csr_array(X)
    if X.dtype == np.float32:
        return X
    with np.errstate(over="ignore"):
        values = X.data.astype(np.float32)
    if not np.isfinite(values).all():
        raise DataError(f"X contains values too large for float32, whose limit is {np.finfo(np.float32).max:.3g}.")
    return type(X)((values, X.indices, X.indptr), shape=X.shape)


def without_duplicates(X: Matrix) -> Matrix:
    """Give the matrix itself if no row names a column twice, else a copy with such entries summed.

    theta = x.W does not mind x_j + x_j, but ||x||^2 does.
    """
    n, d = X.shape
    if X.has_canonical_format or _sparsetools.csr_count_blocks(n, d, 1, 1, X.indptr, X.indices) == X.nnz:
        return X
    X = X.copy()
    X.sum_duplicates()
    return X
