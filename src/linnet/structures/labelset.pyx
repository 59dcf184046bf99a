# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Any number of labels per example: one place, an outcome for each label, mu(y) the indicator of the set y.

    score(y)  = sum of theta_k over k in y
    argmax    = all k with theta_k > 0
    p(k in y) = 1 / (1 + exp -theta_k)          log Z = sum over k of log(1 + exp theta_k)
    cost      = |y - y'| + |y' - y|             (Hamming)

Every label is decided by itself, and so are its loss and its gradient: the hinge loss is the sum of those of single labels, and
the log loss that of single logistic regressions. An output is the number of its labels, and then those, in order.

Or a set is right or wrong as a whole: cost = 1 where y' is not y. With z_k = 1 for k in y, else -1, the best set that is not y flips
all k with z_k theta_k < 0, or, where there are none, the k where z_k theta_k is least; so it has its cost if this k has it,

    theta_k -= z_k,     k = argmin of z_k theta_k

which leaves the score of y, and of the best of all others its own plus 1.
"""

from libc.math cimport INFINITY, exp, log1p
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Structure, Tables

import numpy as np


cdef class Labelset(Structure):
    cdef readonly int n

    def __init__(self, int n_labels):
        if n_labels < 1:
            raise ValueError("expected at least one label")
        self.name = "labelset"
        self.n = n_labels
        self.outcomes = (n_labels,)
        self.has_marginals = True

    @property
    def one_outcome(self):
        return False

    @property
    def plain(self):
        return False

    @property
    def separate(self):
        return True

    def given(self, int g):
        return None

    def accuracy(self, y, y_at, y_hat, y_hat_at):
        """F1 of single labels (micro)."""
        gold, found = pairs(y, y_at), pairs(y_hat, y_hat_at)
        total = len(gold) + len(found)
        return 2 * len(np.intersect1d(gold, found, assume_unique=True)) / total if total else 1.0

    cdef int64_t room(self, int64_t places) noexcept nogil:
        return self.n + 1

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        return 1 + y[0]

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef int32_t k, found = 0
        for k in range(self.n):
            if theta.block[0][k] > 0:
                found += 1
                y_hat[found] = k
        y_hat[0] = found

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        cdef double total = 0
        cdef int32_t i
        for i in range(1, y[0] + 1):
            total += theta.block[0][y[i]]
        return total

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        cdef double logz = 0, small
        cdef float score
        cdef int32_t k
        for k in range(self.n):
            score = theta.block[0][k]
            small = exp(-abs(score))
            mu.block[0][k] = <float>((1 if score > 0 else small) / (1 + small))
            logz += max(score, 0) + log1p(small)
        return logz

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int32_t i
        for i in range(1, y[0] + 1):
            table.block[0][y[i]] += amount

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        cdef int32_t k
        for k in range(self.n):
            theta.block[0][k] += amount
        self.add(theta, y, -2 * amount)

    cdef void force(self, Tables *theta, const int32_t *y) noexcept nogil:
        pass


cdef class WholeSet(Labelset):
    """The same sets, where one wrong label is as bad as many."""

    def __init__(self, int n_labels):
        super().__init__(n_labels)
        self.name = "whole-set"

    @property
    def separate(self):
        return False

    def accuracy(self, y, y_at, y_hat, y_hat_at):
        """The share of sets that are right."""
        pairs = zip(np.split(y, y_at[1:-1]), np.split(y_hat, y_hat_at[1:-1]), strict=True)
        return float(np.mean([np.array_equal(*pair) for pair in pairs]))

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        cdef float *score = theta.block[0]
        cdef int32_t k, i = 1, least = 0
        cdef bint wanted, least_wanted = False
        cdef float margin, smallest = INFINITY
        for k in range(self.n):
            wanted = i <= y[0] and y[i] == k
            i += wanted
            margin = score[k] if wanted else -score[k]
            if margin < smallest:
                smallest, least, least_wanted = margin, k, wanted
        score[least] += -amount if least_wanted else amount


def pairs(const int32_t[::1] y, const int64_t[::1] y_at):
    """(example, label) of all sets, as one number each."""
    cdef int64_t i, k, at = 0, n = y_at.shape[0] - 1
    found = np.empty(max(y.shape[0] - n, 0), np.int64)
    cdef int64_t[::1] out = found
    for i in range(n):
        for k in range(y_at[i] + 1, y_at[i + 1]):
            out[at] = (i << 32) | y[k]
            at += 1
    return found[:at]
