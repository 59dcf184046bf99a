# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Dual coordinate ascent: one example at a time, each time to the best of all that it could add to w (Hsieh, Chang, Lin,
Keerthi and Sundararajan 2008; Shalev-Shwartz and Zhang 2013).

    theta = X_i W
    r     = m_i - m'_i, m'_i the best that the loss knows in its dual
    W    -= X_i^T r,   m_i = m'_i

All outcomes are scored in one pass over the features and changed in another. For outputs that are one outcome of one place, or a
set of them.

Most examples of a hinge soon stay where they are, at 0 or at C. One that had no step in the last idle_i passes is looked at where
idle_i is a power of 2, and counts between with what it had when it was last looked at. That is shrinking (Hsieh et al., sec. 3.2)
without thresholds: nothing is left out for good, and the gap that decides is measured over all.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memcpy, memset

from linnet.core.dual cimport Dual
from linnet.core.form cimport Ascent, Block, Sparse

import numpy as np


cdef class Coordinate(Dual):
    cdef object lengths             # q_i = ||x_i||^2, the bias counted
    cdef double *q
    cdef object idles               # idle_i: passes since its last step
    cdef uint32_t *idle
    cdef object parts               # loss_i and theta_i.m_i, when it was last looked at
    cdef double *part

    def remember(self, tuple blocks):
        cdef double[::1] q
        cdef uint32_t[::1] idle
        cdef double[:, ::1] part
        cdef int64_t n = (<Block>blocks[0]).n
        super().remember(blocks)
        if self.lengths is None:
            self.lengths = np.empty(n)
            if self.idles is None:
                self.idles = np.zeros(n, np.uint32)
                self.parts = np.zeros((n, 2))
            if n:
                q, idle, part = self.lengths, self.idles, self.parts
                self.q, self.idle, self.part = &q[0], &idle[0], &part[0, 0]
            measure(&(<Block>blocks[0]).x, self.q, n)

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef Ascent out
        cdef int k, n = self.r.stride[0]
        cdef bint supports = False
        cdef double norm2 = 0
        cdef uint32_t *idle = self.idle + i
        cdef double *part = self.part + 2 * i
        cdef float *m = self.m_rows[0] + i * n
        cdef float *r = self.r.block[0]
        if not self.still:
            self.t += 1
        if weight <= 0:
            return 0
        if self.still or idle[0] & (idle[0] - 1) == 0:
            self.score(0, i, self.w[0].v, 1)
            part[1] = 0
            for k in range(n):
                part[1] += <double>self.theta.block[0][k] * m[k]
            self.clear(&self.r)
            out = self.loss.ascend(self.gen, &self.theta, y, m, self.q[i], self.C * weight, &self.r)
            part[0] = out.value
            self.gap += out.left
            for k in range(n):
                r[k] = m[k] - <float>(m[k] - r[k])      # as m can hold it
                norm2 += <double>r[k] * r[k]
        self.total += weight * part[0]
        self.length2 += part[1]
        if self.still:
            if norm2 > 0:
                idle[0] = 0
            return 0
        idle[0] = 0 if norm2 > 0 else idle[0] + 1
        if norm2 > 0:
            for k in range(n):
                m[k] -= r[k]
            self.steps2 += self.q[i] * norm2
            self.updates += 1
            self.update(i, 1)
        for k in range(n):
            supports |= m[k] != 0
        self.support += supports
        return 0

    def held_out(self, tuple blocks, y, y_at, weight, fold, double tol, int most=100):
        """The scores of examples that were learned from, of each as if it had not been, nor any other of its fold.

        What the examples of a fold have added is taken off w; then the others go on from where they are until the duality gap is a
        share of tol, which over texts takes a pass or two. Of what was learned nothing changes.
        """
        cdef int64_t n = (<Block>blocks[0]).n
        weight = np.ones(n, np.float32) if weight is None else np.asarray(weight)
        arrays, numbers = self.state()
        kept = {name: array.copy() for name, array in arrays.items()}
        scores = np.empty((n, self.theta.outcomes[0]), np.float32)
        try:
            for k in np.unique(fold):
                out = fold == k
                self.remember(blocks)
                self.forget(blocks, np.flatnonzero(out))
                others = np.where(out, 0, weight).astype(np.float32)
                for _ in range(most):
                    self.begin()
                    self.idles[:] = 0
                    self.run(blocks, y, y_at, np.flatnonzero(~out), others)
                    if self._share() <= tol:
                        break
                self.score_some(np.flatnonzero(out), scores)
                self.restore(kept, numbers)
        finally:
            self.restore(kept, numbers)
        return scores

    cdef int forget(self, tuple blocks, const int64_t[::1] some) except -1:
        """Take off w what some examples have added to it."""
        cdef int64_t k, i
        cdef int stride = self.r.stride[0]
        self.take(blocks, tuple([w.n_rows for w in self.weights]))
        self.r.places[0] = 1
        with nogil:
            for k in range(some.shape[0]):
                i = some[k]
                memcpy(self.r.block[0], self.m_rows[0] + i * stride, stride * sizeof(float))
                memset(self.m_rows[0] + i * stride, 0, stride * sizeof(float))
                self.update(i, 1)
        return 0

    cdef int score_some(self, const int64_t[::1] some, float[:, ::1] out) except -1:
        cdef int64_t k, i
        cdef int n = self.theta.outcomes[0]
        with nogil:
            for k in range(some.shape[0]):
                i = some[k]
                self.score(0, i, self.w[0].v, 1)
                memcpy(&out[i, 0], self.theta.block[0], n * sizeof(float))
        return 0

    def state(self):
        arrays, numbers = super().state()
        if self.idles is not None:
            arrays |= {"idle": self.idles, "part": self.parts}
        return arrays, numbers

    def restore(self, arrays, numbers):
        super().restore(arrays, numbers)
        self.lengths = None
        if "idle" in arrays:
            self.idles, self.parts = np.array(arrays["idle"]), np.array(arrays["part"])


cdef void measure(const Sparse *x, double *q, int64_t n) noexcept nogil:
    cdef int64_t i, j
    for i in range(n):
        q[i] = 1
        for j in range(x.indptr[i], x.indptr[i + 1]):
            q[i] += <double>x.values[j] * x.values[j]
