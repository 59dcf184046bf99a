# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Any number of labels per example: one place, an outcome for each label, mu(y) the indicator of the set y.

    score(y)  = sum of theta_k over k in y
    argmax    = all k with theta_k > 0
    p(k in y) = 1 / (1 + exp -theta_k)          log Z = sum over k of log(1 + exp theta_k)
    cost      = |y - y'| + |y' - y|             (Hamming)

Every label is decided by itself, and so are its loss and its gradient: the hinge loss is the sum of those of single labels, and
the log loss that of single logistic regressions. An output is the number of its labels, and then those, in order.

In `WholeSet`, a set is right or wrong as a whole: cost = 1 where y' is not y. With z_k = 1 for k in y, else -1, the
best set that is not y flips all k with z_k theta_k < 0, or, where there are none, the k where z_k theta_k is least. In
both cases it flips the k where z_k theta_k is least, so that it gets its cost if the cost is added at this k alone,

    theta_k -= z_k,     k = argmin of z_k theta_k

which adds 1 to the score of the best other set against that of y. Among the k best other sets, only those that flip
this k get their cost.

The k best sets are the best one with some labels flipped, each of which costs |theta_k|. Labels are numbered in the
order of what their flip costs. Each set of flips is then met once, starting from the empty set: from a set whose last
flip is i, two others follow, one with i + 1 added and one with i + 1 in the place of i. Neither costs less than the set
itself, so the two are looked at only when the set has been taken. No more than the k cheapest labels matter.
"""

from libc.math cimport INFINITY, exp, log1p
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from linnet.core.form cimport Structure, Tables

import numpy as np

cdef struct Flip:
    double cost
    int32_t label

cdef struct Flips:
    double cost
    int32_t last            # the last and dearest flip of the set; -1 for none
    int32_t rest            # the number of the set that has its other flips


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
    def has_forced(self):
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

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        # The work space holds flips, sets that are taken and sets that come next, and whether each label is flipped.
        return <int64_t>(k * sizeof(Flip) + (2 * k + 2) * sizeof(Flips)) // 4 + self.n

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        cdef Flips *taken = <Flips *>theta.work
        cdef Flips *next = taken + k
        cdef Flip *flip = <Flip *>(next + k + 2)
        cdef int32_t *flipped = <int32_t *>(flip + k)
        cdef int32_t i, best, open = 1, found = 0, n = cheapest(theta.block[0], self.n, k, flip)
        cdef double most = 0
        memset(flipped, 0, self.n * sizeof(int32_t))
        for i in range(self.n):
            most += max(theta.block[0][i], 0)
        next[0].cost, next[0].last, next[0].rest = 0, -1, -1
        while open and found < k:
            best = 0
            for i in range(1, open):
                if next[i].cost < next[best].cost:
                    best = i
            taken[found] = next[best]
            open -= 1
            next[best] = next[open]
            i = taken[found].last + 1
            if i < n:
                next[open].cost = taken[found].cost + flip[i].cost
                next[open].last, next[open].rest = i, found
                open += 1
                if i > 0:
                    next[open].cost = taken[found].cost + flip[i].cost - flip[i - 1].cost
                    next[open].last, next[open].rest = i, taken[found].rest
                    open += 1
            scores[found] = most - taken[found].cost
            self.flip(theta, taken, found, flip, flipped, y + found * (self.n + 1))
            found += 1
        return found

    cdef void flip(self, const Tables *theta, const Flips *taken, int32_t of, const Flip *flip, int32_t *flipped,
                   int32_t *y) noexcept nogil:
        """Write into y the best set with these flips applied."""
        cdef int32_t k, at = of, n = 0
        while taken[at].last >= 0:
            flipped[flip[taken[at].last].label] = 1
            at = taken[at].rest
        for k in range(self.n):
            if (theta.block[0][k] > 0) != flipped[k]:
                n += 1
                y[n] = k
            flipped[k] = 0
        y[0] = n

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
    """Sets of labels in which one wrong label is as bad as many: a set is right or wrong as a whole."""

    def __init__(self, int n_labels):
        super().__init__(n_labels)
        self.name = "whole-set"

    @property
    def separate(self):
        return False

    @property
    def independent(self):
        return True

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


cdef int32_t cheapest(const float *score, int32_t n, int k, Flip *flip) noexcept nogil:
    """Find the k labels that cost least to flip, the cheapest first, and return how many there are. A label out of GEN(x)
    cannot be flipped."""
    cdef int32_t i, at, found = 0
    cdef double cost
    for i in range(n):
        cost = abs(score[i])
        if cost == INFINITY or (found == k and cost >= flip[k - 1].cost):
            continue
        at = found if found < k else k - 1
        while at > 0 and flip[at - 1].cost > cost:
            flip[at] = flip[at - 1]
            at -= 1
        flip[at].cost, flip[at].label = cost, i
        found = min(found + 1, k)
    return found


def pairs(const int32_t[::1] y, const int64_t[::1] y_at):
    """The pairs (example, label) of all sets, each as one number."""
    cdef int64_t i, k, at = 0, n = y_at.shape[0] - 1
    found = np.empty(max(y.shape[0] - n, 0), np.int64)
    cdef int64_t[::1] out = found
    for i in range(n):
        for k in range(y_at[i] + 1, y_at[i + 1]):
            out[at] = (i << 32) | y[k]
            at += 1
    return found[:at]
