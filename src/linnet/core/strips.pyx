# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""W after learning, where it is mostly zero: a matrix in compressed rows, with the arrays indptr, outcomes and values; row 0 is
the bias. While learning, ragged.pyx keeps such rows.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from linnet.core.weights cimport stride_for

import numpy as np

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)


cdef int check(const uint64_t[::1] indptr, const uint32_t[::1] outcomes, int64_t n_values, int n_outcomes) except -1:
    """Raise ValueError if these arrays are not a matrix of n_outcomes columns."""
    cdef int64_t j, rows = indptr.shape[0] - 1, n = outcomes.shape[0]
    cdef bint fits = rows >= 0 and n == n_values
    with nogil:
        if fits:
            fits = indptr[0] == 0 and indptr[rows] == <uint64_t>n
            for j in range(rows):
                fits = fits and indptr[j] <= indptr[j + 1] and indptr[j + 1] - indptr[j] <= <uint64_t>n_outcomes
            for j in range(n):
                fits = fits and outcomes[j] < <uint32_t>n_outcomes
    if not fits:
        raise ValueError(f"indptr, outcomes and values are not the rows of a matrix with {n_outcomes} columns")
    return 0


cdef class Strips:
    """The rows of a matrix given as indptr, outcomes and values, ready to be scored; the first row, the bias, is kept in
    full."""

    def __init__(self, const uint64_t[::1] indptr, const uint32_t[::1] outcomes, const float[::1] values, int n_outcomes):
        cdef int64_t j
        cdef uint64_t e
        check(indptr, outcomes, values.shape[0], n_outcomes)
        if indptr.shape[0] < 2:
            raise ValueError("there is no row for the bias")
        self.owners = (indptr, outcomes, values)
        self.n_rows = indptr.shape[0] - 1
        self.bias = <float *>linnet_zeros(stride_for(n_outcomes) * sizeof(float))
        self.strips = <Strip *>linnet_zeros(self.n_rows * sizeof(Strip))
        if self.bias == NULL or self.strips == NULL:
            raise MemoryError(f"no memory for the weights of {self.n_rows} features")
        for e in range(indptr[1]):
            self.bias[outcomes[e]] += values[e]
        if outcomes.shape[0] == 0:
            return
        for j in range(self.n_rows - 1):
            self.strips[j].k = <uint32_t *>&outcomes[0] + indptr[j + 1]
            self.strips[j].v = <float *>&values[0] + indptr[j + 1]
            self.strips[j].n = <uint32_t>(indptr[j + 2] - indptr[j + 1])
            if self.strips[j].n == <uint32_t>n_outcomes and in_order(&self.strips[j]):
                self.strips[j].size = FULL

    def __dealloc__(self):
        linnet_free(self.bias)
        linnet_free(self.strips)


cdef bint in_order(const Strip *row) noexcept nogil:
    cdef uint32_t e
    for e in range(row.n):
        if row.k[e] != e:
            return False
    return True


def by_block(weights):
    """The arrays of a linear model, grouped by block: (W,) or (indptr, outcomes, values) for each."""
    blocks, at = [], 0
    while at < len(weights):
        n = 1 if weights[at].ndim == 2 else 3
        blocks.append(tuple(weights[at:at + n]))
        at += n
    return blocks


def add(ours, theirs):
    """The sum of two compressed matrices with the same number of rows."""
    cdef const uint64_t[::1] a_at = ours[0], b_at = theirs[0]
    cdef const uint32_t[::1] a_k = ours[1], b_k = theirs[1]
    cdef const float[::1] a = ours[2], b = theirs[2]
    cdef int64_t j, n = 0, rows = a_at.shape[0] - 1
    cdef uint64_t e
    if b_at.shape[0] - 1 != rows:
        raise ValueError(f"{rows} and {b_at.shape[0] - 1} rows of weights")
    most = 1 + max([int(part[1].max(initial=0)) for part in (ours, theirs)])
    starts, places = np.zeros(rows + 1, np.uint64), np.full(most, -1, np.int64)
    names, numbers = np.empty(a.shape[0] + b.shape[0], np.uint32), np.empty(a.shape[0] + b.shape[0], np.float32)
    cdef uint64_t[::1] indptr = starts
    # The entry of each outcome in the sum. It counts only if it lies in the current row.
    cdef int64_t[::1] where = places
    cdef uint32_t[::1] k = names
    cdef float[::1] v = numbers
    with nogil:
        for j in range(rows):
            for e in range(a_at[j], a_at[j + 1]):
                where[a_k[e]] = n
                k[n], v[n] = a_k[e], a[e]
                n += 1
            for e in range(b_at[j], b_at[j + 1]):
                if where[b_k[e]] >= <int64_t>indptr[j]:
                    v[where[b_k[e]]] += b[e]
                else:
                    k[n], v[n] = b_k[e], b[e]
                    n += 1
            indptr[j + 1] = n
    return starts, names[:n].copy(), numbers[:n].copy()
