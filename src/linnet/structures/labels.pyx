# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One label per example: one place, one outcome per label, mu(y) the indicator of y; the cost 0/1, or that of a matrix."""

from libc.math cimport INFINITY, expf, log
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Structure, Tables
from linnet.structures.largest cimport largest

import numpy as np


cdef class Labels(Structure):
    cdef const float[:, ::1] cost       # the cost of each label (row) being taken for another (column); None where it is always 1

    def __init__(self, int n_labels, cost=None):
        self.name = "labels"
        self.outcomes = (n_labels,)
        self.has_marginals = True
        self.single = True
        self.cost = None if cost is None else np.ascontiguousarray(cost, np.float32)
        if cost is not None and (np.shape(cost) != (n_labels, n_labels) or np.any(np.diag(cost)) or not np.min(cost) >= 0):
            raise ValueError("expected a cost of 0 or more for each pair of labels, and of 0 for what is right")

    @property
    def costs(self):
        """The cost of each label (row) being taken for another (column); None where it is always 1."""
        return None if self.cost is None else np.asarray(self.cost)

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        return 1

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        """Write the best label, the first of equals."""
        cdef const float *score = theta.block[0]
        cdef int k, best = 0
        for k in range(1, theta.outcomes[0]):
            if score[k] > score[best]:
                best = k
        y_hat[0] = best

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        return 0

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        return largest(theta.block[0], theta.outcomes[0], k, y, scores)

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        return theta.block[0][y[0]]

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        """Compute the softmax. Where every label is impossible (all scores minus infinity), every probability is 0."""
        cdef const float *score = theta.block[0]
        cdef float *p = mu.block[0]
        cdef int k, n = theta.outcomes[0]
        cdef float most = -INFINITY, share
        cdef double z = 0
        for k in range(n):
            most = max(most, score[k])
        if most == -INFINITY:
            return most
        for k in range(n):
            p[k] = expf(score[k] - most)
            z += p[k]
        share = <float>(1 / z)
        for k in range(n):
            p[k] *= share
        return most + log(z)

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        table.block[0][y[0]] += amount

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        cdef int k
        for k in range(theta.outcomes[0]):
            if k != y[0]:
                theta.block[0][k] += amount if self.cost is None else amount * self.cost[y[0], k]
