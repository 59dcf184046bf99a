# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Ratings 0 < 1 < ... < K - 1, with a threshold between each two neighbours. A score s_r says whether the rating is
above threshold r.

    score(y)  = sum over r < y of s_r,      s_r > 0 where threshold r is passed

    shared    s_r = w.x - b_r               one score for all thresholds (Crammer and Singer 2001, "Pranking with ranking")
              block 0: 1 x 1, w.x; block 1: 1 x (K - 1), minus the thresholds, -b_r, with no features but the constant one
              mu(y) = (y; 1 for r < y, else 0)
    own       s_r = w_r.x                   a score for each threshold (Frank and Hall 2001)
              block 0: 1 x (K - 1);  mu(y) = 1 for r < y, else 0

Each threshold that is passed adds to the score, so with b_1 <= b_2 <= ... the best rating is the number of those passed, as
in PRank; and it is an argmax, so it is also defined where they are out of order. The cost is how far y and y' are apart: |y - y'|,
or the sum of the gaps between them. While learning, gaps are divided by their mean, so that their unit does not matter.
"""

from libc.math cimport exp, log
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Answers, Phi, Structure, Tables, with_sign
from linnet.structures.largest cimport largest

import numpy as np


cdef class Ordinal(Structure):
    cdef readonly int n
    cdef readonly object gaps       # the distance between each rating and the next
    cdef float[::1] margin          # the same distances, divided by their mean
    cdef int last                   # the number of the block of the thresholds

    def __init__(self, int n_ratings, gaps=None, bint own=False):
        """`gaps` are the distances between neighbouring ratings, 1 if not given; `own` says that each threshold has its own
        score."""
        if n_ratings < 2:
            raise ValueError(f"expected at least two ratings, found {n_ratings}")
        self.gaps = np.ones(n_ratings - 1) if gaps is None else np.asarray(gaps, np.float64)
        if np.shape(self.gaps) != (n_ratings - 1,) or not np.min(self.gaps) > 0:
            raise ValueError(f"expected a gap above 0 between each two of {n_ratings} ratings, found {gaps}")
        self.margin = (self.gaps / np.mean(self.gaps)).astype(np.float32)
        self.name = "ordinal"
        self.n = n_ratings
        self.last = self.telling = 0 if own else 1
        self.outcomes = self.last * (1,) + (n_ratings - 1,)
        self.has_marginals = True

    @property
    def costs(self):
        """The cost of each rating (row) being taken for another (column): how far they are apart."""
        at = np.concatenate([[0], np.cumsum(self.gaps)])
        return np.abs(at[:, None] - at).astype(np.float32)

    @property
    def plain(self):
        return False

    def given(self, int g):
        return None

    def most_uses(self, int g):
        return self.n - 1 if g < self.last else 1

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        return 2 * self.n + 8

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        return 1

    cdef double passed(self, const Tables *theta, int32_t r) noexcept nogil:
        """s_r, which is above 0 where threshold r is passed."""
        return theta.block[self.last][r] + (theta.block[0][0] if self.last else 0)

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        """Write the best rating, the highest of equals: a score exactly on a threshold passes it."""
        cdef double total = 0, best = 0
        cdef int32_t r
        y_hat[0] = 0
        for r in range(self.n - 1):
            total += self.passed(theta, r)
            if total >= best:
                best = total
                y_hat[0] = r + 1

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        cdef double total = 0
        cdef int32_t r
        for r in range(y[0]):
            total += self.passed(theta, r)
        return total

    cdef double *sums(self, const Tables *theta) noexcept nogil:
        """Compute the score of each rating in the work space."""
        cdef double *S = <double *>theta.work
        cdef int32_t r
        S[0] = 0
        for r in range(self.n - 1):
            S[r + 1] = S[r] + self.passed(theta, r)
        return S

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        return self.workspace(places)

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        return largest(self.sums(theta), self.n, k, y, scores)

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        """Compute P(y > r) for each threshold; where thresholds share a score, its marginal is E[y]."""
        cdef double *p = self.sums(theta)
        cdef double total = 0, most = 0, z = 0, above = 0
        cdef int32_t r
        for r in range(self.n):
            most = max(most, p[r])
        for r in range(self.n):
            p[r] = exp(p[r] - most)
            z += p[r]
        total = 0
        for r in range(self.n - 2, -1, -1):
            above += p[r + 1]
            mu.block[self.last][r] = <float>(above / z)
            total += above / z
        if self.last:
            mu.block[0][0] = <float>total
        return most + log(z)

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int32_t r
        if self.last:
            table.block[0][0] += y[0] * amount
        for r in range(y[0]):
            table.block[self.last][r] += amount

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        cdef int32_t r
        for r in range(self.n - 1):
            theta.block[self.last][r] += -amount * self.margin[r] if r < y[0] else amount * self.margin[r]

    cdef Answers ask(self, Tables *theta, const int32_t *y, Phi phi, Tables *r) noexcept nogil:
        """Ask for each threshold t whether the rating is above it, which s_t answers."""
        cdef Answers out
        cdef float *margin = theta.block[self.last]
        cdef float *slope = r.block[self.last]
        cdef int t, n = self.n - 1
        out.value = 0
        out.asked = out.active = 0
        for t in range(n):
            margin[t] = <float>self.passed(theta, t)
            slope[t] = 1 if t < y[0] else 0
        with_sign(margin, slope, n)
        phi.slopes(margin, n, &out)
        with_sign(margin, slope, n)
        for t in range(n):
            slope[t] = margin[t]
            if self.last:
                r.block[0][0] += margin[t]
        return out
