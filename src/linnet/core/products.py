"""Sums of products that are the same to the last bit on every machine.

`@`, np.dot and np.linalg leave the order of additions to BLAS, which has another one for each kind of processor and number of
threads. np.einsum has one order, and for the sizes that linnet multiplies here it is as fast.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[Any]
_SUBSCRIPTS = {(1, 1): "j,j->", (1, 2): "j,jk->k", (2, 1): "ij,j->i", (2, 2): "ij,jk->ik"}


def times(a: Numbers, b: Numbers) -> Numbers:
    """The product `a @ b` of matrices and vectors.

    >>> times(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 10.0])).tolist()
    [21.0, 43.0]
    """
    return np.asarray(np.einsum(_SUBSCRIPTS[a.ndim, b.ndim], a, b))


def length(x: Numbers) -> float:
    """The length of a vector, ||x||, added up in float64.

    >>> length(np.array([3.0, 4.0]))
    5.0
    """
    return float(np.sqrt(np.einsum("j,j->", x, x, dtype=np.float64)))


def solved(H: npt.NDArray[np.float64], g: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The x with H x = g, for a matrix that is symmetric and positive definite, by Gaussian elimination.

    >>> solved(np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([4.0, 7.0])).tolist()
    [1.0, 2.0]
    """
    H, x = H.copy(), g.copy()
    for j in range(len(x) - 1):
        below = H[j + 1 :, j] / H[j, j]
        H[j + 1 :, j + 1 :] -= below[:, None] * H[j, j + 1 :]
        x[j + 1 :] -= below * x[j]
    for j in reversed(range(len(x))):
        x[j] /= H[j, j]
        x[:j] -= H[:j, j] * x[j]
    return x
