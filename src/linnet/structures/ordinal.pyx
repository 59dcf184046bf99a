# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Ratings 0 < 1 < ... < K - 1: one score for all, and a threshold between each two (Crammer and Singer 2001, "Pranking with
ranking").

    block 0:  1 x 1             s = w.x
    block 1:  1 x (K - 1)       minus the thresholds, -b_r; no features but the constant one
    mu(y)     = (y; 1 for r < y, else 0)
    score(y)  = sum over r < y of (s - b_r)

Each threshold that s has passed adds to the score, so with b_1 <= b_2 <= ... the best rating is the number of those passed, as
in PRank; and it is an argmax, so it is also defined where they are out of order. The cost is |y - y'|.
"""

from libc.math cimport exp, log
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Answers, Phi, Structure, Tables, with_sign


cdef class Ordinal(Structure):
    cdef readonly int n

    def __init__(self, int n_ratings):
        if n_ratings < 2:
            raise ValueError(f"expected at least two ratings, found {n_ratings}")
        self.name = "ordinal"
        self.n = n_ratings
        self.outcomes = (1, n_ratings - 1)
        self.has_marginals = True

    @property
    def plain(self):
        return False

    def given(self, int g):
        return None

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        return 2 * self.n + 8

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        return 1

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        """The lowest of the best."""
        cdef double total = 0, best = 0
        cdef int32_t r
        y_hat[0] = 0
        for r in range(theta.outcomes[1]):
            total += theta.block[0][0] + theta.block[1][r]
            if total > best:
                best = total
                y_hat[0] = r + 1

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        cdef double total = 0
        cdef int32_t r
        for r in range(y[0]):
            total += theta.block[0][0] + theta.block[1][r]
        return total

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        """mu_0 = E[y], mu_1[r] = P(y > r)."""
        cdef double *p = <double *>theta.work
        cdef double total = 0, most = 0, z = 0, above = 0
        cdef int32_t r, n = theta.outcomes[1]
        p[0] = 0
        for r in range(n):
            total += theta.block[0][0] + theta.block[1][r]
            p[r + 1] = total
            most = max(most, total)
        for r in range(n + 1):
            p[r] = exp(p[r] - most)
            z += p[r]
        total = 0
        for r in range(n - 1, -1, -1):
            above += p[r + 1]
            mu.block[1][r] = <float>(above / z)
            total += above / z
        mu.block[0][0] = <float>total
        return most + log(z)

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int32_t r
        table.block[0][0] += y[0] * amount
        for r in range(y[0]):
            table.block[1][r] += amount

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        cdef int32_t r
        for r in range(theta.outcomes[1]):
            theta.block[1][r] += -amount if r < y[0] else amount

    cdef Answers ask(self, Tables *theta, const int32_t *y, Phi phi, Tables *r) noexcept nogil:
        """Is the rating above t? s - b_t says so, for each threshold."""
        cdef Answers out
        cdef float *margin = theta.block[1]
        cdef float *slope = r.block[1]
        cdef int t, n = theta.outcomes[1]
        out.value = 0
        out.asked = out.active = 0
        for t in range(n):
            margin[t] += theta.block[0][0]
            slope[t] = 1 if t < y[0] else 0
        with_sign(margin, slope, n)
        phi.slopes(margin, n, &out)
        with_sign(margin, slope, n)
        for t in range(n):
            slope[t] = margin[t]
            r.block[0][0] += margin[t]
        return out

