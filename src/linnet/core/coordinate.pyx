# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Dual coordinate ascent: one example at a time, each time to the best of all that it could add to w (Hsieh, Chang, Lin,
Keerthi and Sundararajan 2008; Shalev-Shwartz and Zhang 2013).

    theta = X_i W
    r     = m_i - m'_i, m'_i the best that the loss knows in its dual
    W    -= X_i^T r,   m_i = m'_i

All outcomes are scored in one pass over the features and changed in another. For outputs that are one outcome of one place.
"""

from libc.stdint cimport int32_t, int64_t

from linnet.core.dual cimport Dual
from linnet.core.form cimport Ascent, Block, Sparse

import numpy as np


cdef class Coordinate(Dual):
    cdef object lengths             # q_i = ||x_i||^2, the bias counted
    cdef double *q

    def remember(self, tuple blocks):
        cdef double[::1] q
        super().remember(blocks)
        if self.lengths is None:
            self.lengths = np.empty((<Block>blocks[0]).n)
            q = self.lengths
            self.q = &q[0] if q.shape[0] else NULL
            measure(&(<Block>blocks[0]).x, self.q, q.shape[0])

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef Ascent out
        cdef int k, n = self.r.stride[0]
        cdef bint supports = False
        cdef double norm2 = 0
        cdef float *m = self.m_rows[0] + i * n
        cdef const float *r
        if not self.still:
            self.t += 1
        if weight <= 0:
            return 0
        self.score(0, i, self.w[0].v, 1)
        for k in range(n):
            self.length2 += <double>self.theta.block[0][k] * m[k]
        self.clear(&self.r)
        out = self.loss.ascend(self.gen, &self.theta, y, m, self.q[i], self.C * weight, &self.r)
        self.total += weight * out.value
        self.gap += out.left
        if self.still:
            return 0
        r = self.r.block[0]
        for k in range(n):
            norm2 += <double>r[k] * r[k]
            m[k] -= r[k]
            supports |= m[k] != 0
        self.support += supports
        if norm2 > 0:
            self.steps2 += self.q[i] * norm2
            self.updates += 1
            self.update(i, 1)
        return 0


cdef void measure(const Sparse *x, double *q, int64_t n) noexcept nogil:
    cdef int64_t i, j
    for i in range(n):
        q[i] = 1
        for j in range(x.indptr[i], x.indptr[i + 1]):
            q[i] += <double>x.values[j] * x.values[j]
