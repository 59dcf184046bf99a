# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Counts to values: damped, weighted by how rare a feature is, and normalised, one row at a time.

The features of a text are in parts, one for each kind of features (words, characters, ...). Where tf says how often a feature is in
the text, its damped value is one of

    COUNTS      tf
    PRESENCE    1
    LOG         1 + ln tf
    BM25        2.2 tf / (tf + 1.2 (0.25 + 0.75 length / average))

with the length of a part the sum of its counts in this text, and `average` the mean length over all texts. The damped value is
multiplied by the feature's idf, if there is one. Then each part is normalised by itself (norm 1: L1, 2: L2, 0: not at all) and
multiplied by the weight of the part, and the row is normalised again: as each part has norm 1 by then, the norm of the row follows
from the weights of the parts that are not empty. Most counts are small, so their damped values are looked up in a table: one
for all rows or, for BM25, one for each part of a row.
"""

from libc.math cimport fabs, log, sqrt
from libc.stdint cimport int64_t, uint8_t, uint32_t

cdef extern from "rows.h" nogil:
    void linnet_prefetch(const void *p)
    enum: LINNET_AHEAD

cdef enum Count:
    COUNTS = 0
    PRESENCE = 1
    LOG = 2
    BM25 = 3


cdef class Weighting:
    """How counts become values, as the user's specification of features says. count: a number of `Count`. parts[j] is the part of
    feature j; None where there is only one. Parts from `free_from` on, such as those of vectors, are neither damped nor normalised:
    their values are multiplied by the weight of the part alone. average: the mean length of each part over the texts that were
    learned from."""

    def __init__(self, *, int count, const float[::1] idf, int norm, const uint8_t[::1] parts, weights, average, int free_from):
        cdef int b
        if len(weights) > MAX_PARTS:
            raise ValueError(f"at most {MAX_PARTS} parts")
        self.owners = (idf, parts)              # keeps the arrays alive that the pointers lead to
        self.count, self.norm, self.free_from, self.n_parts = count, norm, free_from, len(weights)
        self.inverse = &idf[0] if idf is not None and idf.shape[0] else NULL
        self.part = &parts[0] if parts is not None and parts.shape[0] else NULL
        for b in range(self.n_parts):
            self.weights[b], self.average[b] = weights[b], average[b]
        for b in range(1, FEW):                 # BM25 has a table of its own for each row instead
            self.usual[b] = damped(count, b, 0)

    def rows(self, const int64_t[::1] indptr, const uint32_t[::1] indices, float[::1] values):
        """Turn the counts of rows into values, in place."""
        cdef int64_t i, n = indptr.shape[0] - 1
        if values.shape[0] == 0:
            return
        with nogil:
            for i in range(n):
                self.row(&indices[0] + indptr[i], &values[0] + indptr[i], indptr[i + 1] - indptr[i])

    cdef void row(self, const uint32_t *indices, float *values, int64_t n) noexcept nogil:
        """Turn the counts of one row into values, in place."""
        cdef double size[MAX_PARTS]
        cdef double slack[MAX_PARTS]
        cdef double own[MAX_PARTS][FEW]
        cdef const double *few[MAX_PARTS]
        cdef double scale[MAX_PARTS]
        cdef double total = 0
        cdef float factor
        cdef int b, k
        cdef int64_t i
        for b in range(self.n_parts):
            size[b] = slack[b] = 0
            few[b] = self.usual
        if self.count == BM25:
            if self.part == NULL:
                slack[0] = summed(values, n)
            else:
                for i in range(n):
                    slack[self.part[indices[i]]] += values[i]
            for b in range(self.n_parts):
                if slack[b] > 0:                # the length of the part, which becomes what it adds to the denominator
                    slack[b] = 1.2 * (0.25 + 0.75 * slack[b] / self.average[b])
                    few[b] = own[b]
                    for k in range(1, FEW):
                        own[b][k] = damped(BM25, k, slack[b])
        if self.part == NULL and self.free_from > 0:
            if self.norm:
                size[0] = weighted(self.count, self.inverse, self.norm == 1, indices, values, n, few[0], slack[0])
            else:
                weigh(self.count, self.inverse, indices, values, n, few[0], slack[0])
        elif self.part != NULL:
            for i in range(n):
                b = self.part[indices[i]]
                if b < self.free_from:
                    size[b] += weighted(self.count, self.inverse, self.norm == 1, indices + i, values + i, 1, few[b], slack[b])
        # Each part that is not empty gets the norm |weight|, so the norm of the whole row is that of these weights.
        for b in range(self.n_parts):
            scale[b] = self.weights[b]
            if self.norm and b < self.free_from and size[b] > 0:
                scale[b] /= size[b] if self.norm == 1 else sqrt(size[b])
                total += fabs(self.weights[b]) if self.norm == 1 else self.weights[b] * self.weights[b]
        if total > 0:
            total = total if self.norm == 1 else sqrt(total)
            for b in range(min(self.free_from, self.n_parts)):
                scale[b] /= total
        elif self.n_parts == 1 and self.weights[0] == 1:
            return
        if self.part == NULL:
            factor = <float>scale[0]
            for i in range(n):
                values[i] *= factor
        else:
            for i in range(n):
                values[i] *= <float>scale[self.part[indices[i]]]


cdef inline double summed(const float *values, int64_t n) noexcept nogil:
    """The sum of counts. These are whole numbers, so the sum is exact in any order, and four sums at a time are quicker."""
    cdef double sums[4]
    cdef int64_t i = 0
    cdef int k
    sums[:] = [0, 0, 0, 0]
    while i + 4 <= n:
        for k in range(4):
            sums[k] += values[i + k]
        i += 4
    while i < n:
        sums[0] += values[i]
        i += 1
    return sums[0] + sums[1] + sums[2] + sums[3]


cdef inline void weigh(int count, const float *inverse, const uint32_t *indices, float *values, int64_t n, const double *few,
                       double slack) noexcept nogil:
    """Turn the counts of features of one part into values, where these are not normalised: `weighted` without its sum. few: the
    damped values of the counts from 1 to FEW - 1."""
    cdef double tf
    cdef int64_t i
    for i in range(n):
        tf = values[i]
        tf = few[<int>tf] if tf < FEW else damped(count, tf, slack)
        if inverse != NULL:
            if i + LINNET_AHEAD < n:
                linnet_prefetch(inverse + indices[i + LINNET_AHEAD])
            tf *= inverse[indices[i]]
        values[i] = <float>tf


cdef inline double weighted(int count, const float *inverse, bint absolute, const uint32_t *indices, float *values, int64_t n,
                            const double *few, double slack) noexcept nogil:
    """Turn the counts of features of one part into values that are not normalised yet, and return the sum of their absolute values
    (`absolute`) or of their squares. few: the damped values of the counts from 1 to FEW - 1."""
    cdef double tf, size = 0
    cdef int64_t i
    for i in range(n):
        tf = values[i]
        tf = few[<int>tf] if tf < FEW else damped(count, tf, slack)
        if inverse != NULL:
            if i + LINNET_AHEAD < n:
                linnet_prefetch(inverse + indices[i + LINNET_AHEAD])
            tf *= inverse[indices[i]]
        values[i] = <float>tf
        size += fabs(tf) if absolute else tf * tf
    return size


cdef inline double damped(int count, double tf, double slack) noexcept nogil:
    """The value of a count, before it is weighted by how rare its feature is. slack: for BM25, what the length of the part adds to
    the denominator."""
    if count == PRESENCE:
        return 1
    if count == LOG:
        return 1 + log(tf)
    if count == BM25:
        return 2.2 * tf / (tf + slack)
    return tf
