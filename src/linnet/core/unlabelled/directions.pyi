from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.core.types import F32, I64, U32

def directions(
    indptr: I64,
    indices: U32,
    values: F32,
    n_columns: int,
    k: int,
    passes: int = 2,
    keys: npt.NDArray[np.uint64] | None = None,
    run: Callable[..., Iterable[Any]] = ...,
) -> F32:
    """The k leading right singular vectors of sparse rows, as an array with a row for each column of the matrix.

    keys: a number for each column, from which its row of the random Z is made, so that the result does not depend on
        the order of columns; without keys, the row depends on the place of the column.
    run: `map`, or that of a pool of threads.
    """

def project(indptr: I64, indices: U32, values: F32, table: F32) -> F32:
    """Sparse rows times a table with a row for each of their columns. The table has a multiple of 8 columns."""
