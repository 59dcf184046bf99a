# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Which outcomes of its one place an output uses: where mu(y) is not 0."""

from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Structure, Tables

import numpy as np


def used(Structure gen, const int32_t[::1] y, const int64_t[::1] y_at):
    """The number of an example and that of an outcome, for each outcome that the output of an example uses."""
    cdef Tables mu
    cdef int64_t i, found = 0, n = y_at.shape[0] - 1
    cdef int k, outcomes = gen.outcomes[0]
    table = np.zeros((n, outcomes), np.float32)
    cdef float[:, ::1] rows = table
    mu.n_blocks = 1
    mu.places[0] = 1
    mu.outcomes[0] = mu.stride[0] = outcomes
    for i in range(n):
        mu.block[0] = &rows[i, 0]
        gen.add(&mu, &y[y_at[i]], 1)
    return np.nonzero(table)
