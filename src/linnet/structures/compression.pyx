# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Which tokens of a sentence to keep (McDonald 2006, "Discriminative sentence compression with soft syntactic evidence").

    GEN(x) = all subsets of the tokens 1..T;  0 stands before the sentence, T + 1 after it, and both are kept
    block 0:  T x 2        drop or keep token t
    block 1:  pairs x 1    tokens i < j that are kept with nothing kept between them

    best[j] = max over i < j of best[i] + pair[i, j]   + keep[j] - drop[j]                  best[0] = sum of all drops
    sum[j]  = log sum over i < j of exp(sum[i] + pair[i, j])   + keep[j] - drop[j]          back to front likewise

Both are one recurrence over (max, +) or (log sum exp, +). With a budget, best[j, n] is over those that keep n tokens up to j.
Where the budget contradicts what is forced, so that no output is left, the best is as forced, and as near to the budget as that
allows.

Pairs at most `reach` apart have a place each; all pairs farther apart that end in j share one place, so that a sentence
has about T x reach places. Places are in the order of j, and for each j in the order of i, with the shared place last.
"""

from libc.math cimport INFINITY, exp
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Tables
from linnet.structures.parts cimport Part, Parted
from linnet.structures.sums cimport log_add

import numpy as np


cdef class Compression(Parted):
    cdef readonly int reach
    cdef readonly double least      # smallest share of the tokens to keep; `most` is the largest
    cdef readonly double most

    def __init__(self, int reach=12, *, double least=0, double most=1):
        if reach < 1:
            raise ValueError(f"expected a reach of at least 1, found {reach}")
        if not 0 <= least <= most <= 1:
            raise ValueError(f"expected 0 <= least <= most <= 1, found {least:g} and {most:g}")
        self.name = "compression"
        self.outcomes = (2, 1)
        self.has_marginals = True
        self.reach = reach
        self.least = least
        self.most = most

    def pairs(self, int64_t T):
        """i and j of each pair of a sentence of T tokens, in the order of their places; i = -1 stands for the farther ones."""
        cdef int64_t i, j, at = 0, n = self.before(T + 2)
        left, right = np.empty(n, np.int64), np.empty(n, np.int64)
        cdef int64_t[::1] a = left, b = right
        for j in range(1, T + 2):
            for i in range(max(0, j - self.reach), j):
                a[at], b[at] = i, j
                at += 1
            if j > self.reach:
                a[at], b[at] = -1, j
                at += 1
        return left, right

    cdef inline int64_t before(self, int64_t j) noexcept nogil:
        """The number of places of the pairs that end before j."""
        if j <= self.reach + 1:
            return j * (j - 1) // 2
        return self.reach * (self.reach + 1) // 2 + (j - 1 - self.reach) * (self.reach + 1)

    cdef inline int64_t place(self, int64_t i, int64_t j) noexcept nogil:
        return self.before(j) + (self.reach if j - i > self.reach else i - max(0, j - self.reach))

    cdef inline int64_t rounded(self, double share, int64_t T) noexcept nogil:
        return <int64_t>(share * T + 0.5)

    cdef inline bint counts(self) noexcept nogil:
        return self.least > 0 or self.most < 1

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        # The work space holds, as doubles, best scores and the way back for each token and count; or sums forward, backward
        # and over the farther pairs.
        cdef int64_t n = self.rounded(self.most, places) + 1 if self.counts() else 1
        return 4 * (places + 3) * (n + 2) + 64

    cdef inline double gain(self, const Tables *theta, int64_t j) noexcept nogil:
        """The score that keeping token j adds; 0 after the sentence."""
        cdef const float *row = theta.block[0] + (j - 1) * theta.stride[0]
        return row[1] - (row[0] if row[0] > -INFINITY else 0) if j <= theta.places[0] else 0

    cdef inline bint must(self, const Tables *theta, int64_t j) noexcept nogil:
        """Whether token j must be kept, so that no pair may pass over it."""
        return 1 <= j <= theta.places[0] and theta.block[0][(j - 1) * theta.stride[0]] == -INFINITY

    cdef double dropped(self, const Tables *theta) noexcept nogil:
        """The score of the sentence without any token that can be dropped, pairs not counted."""
        cdef int64_t t
        cdef double total = 0
        for t in range(theta.places[0]):
            if not self.must(theta, t + 1):
                total += theta.block[0][t * theta.stride[0]]
        return total

    cdef int64_t cut_room(self, int64_t places) noexcept nogil:
        return 2 * (2 * places + self.before(places + 2))

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        if self.search(theta, y_hat) == -INFINITY:
            self.keep_as_forced(theta, y_hat)

    cdef bint whole(self, const Tables *theta, Part *part) noexcept nogil:
        if self.search(theta, part.y) == -INFINITY:
            return False
        part.value = self.score(theta, part.y)
        return True

    cdef void keep_as_forced(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        """Keep only the tokens that must be kept, if these are more than the budget; else all that may be kept."""
        cdef int64_t t, T = theta.places[0], n = 0
        for t in range(T):
            n += self.must(theta, t + 1)
        for t in range(T):
            y_hat[t] = (self.must(theta, t + 1) if n > self.rounded(self.most, T)
                        else theta.block[0][t * theta.stride[0] + 1] > -INFINITY)

    cdef double search(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        """Write the best output within the budget, and return a number that is -inf if there is none."""
        cdef int64_t i, j, n, T = theta.places[0], last = T + 1
        cdef int64_t first = self.rounded(self.least, T) if self.counts() else 0
        cdef int64_t N = self.rounded(self.most, T) + 1 if self.counts() else 1, step, open = 0
        cdef double *best = <double *>theta.work
        cdef double *far = best + (T + 2) * N
        cdef int32_t *far_from = <int32_t *>(far + N)
        cdef int32_t *back = far_from + N
        cdef double score, pair, found
        for n in range(N):
            best[n] = 0 if n == 0 else -INFINITY
            far[n] = -INFINITY
            far_from[n] = 0
        for j in range(1, last + 1):
            step = self.counts() and j <= T
            i = j - self.reach - 1
            if self.must(theta, j - 1):
                open = j - 1
            for n in range(N):
                best[j * N + n] = -INFINITY
                back[j * N + n] = 0
                if i < open:
                    far[n] = -INFINITY
                if i >= open and best[i * N + n] > far[n]:
                    far[n] = best[i * N + n]
                    far_from[n] = <int32_t>i
            for i in range(max(open, j - self.reach), j):
                pair = theta.block[1][self.place(i, j) * theta.stride[1]]
                for n in range(step, N):
                    score = best[i * N + n - step] + pair
                    if score > best[j * N + n]:
                        best[j * N + n] = score
                        back[j * N + n] = <int32_t>i
            if j > self.reach:
                pair = theta.block[1][(self.before(j) + self.reach) * theta.stride[1]]
                for n in range(step, N):
                    if far[n - step] + pair > best[j * N + n]:
                        best[j * N + n] = far[n - step] + pair
                        back[j * N + n] = far_from[n - step]
            for n in range(N):
                best[j * N + n] += self.gain(theta, j)
        n = first
        for i in range(first, N):
            if best[last * N + i] > best[last * N + n]:
                n = i
        found = best[last * N + n]
        for j in range(T):
            y_hat[j] = 0
        j = back[last * N + n]
        while j > 0:
            y_hat[j - 1] = 1
            i = back[j * N + n]
            n -= self.counts()
            j = i
        return found

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        cdef int64_t i = 0, j, T = theta.places[0]
        cdef double total = 0
        for j in range(1, T + 2):
            if j <= T:
                total += theta.block[0][(j - 1) * theta.stride[0] + y[j - 1]]
            if j == T + 1 or y[j - 1]:
                total += theta.block[1][self.place(i, j) * theta.stride[1]]
                i = j
        return total

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        cdef int64_t i, j, T = theta.places[0], last = T + 1, open = 0, close = last
        cdef double *ahead = <double *>theta.work           # sums over what is kept up to j, with j itself
        cdef double *behind = ahead + T + 2                 # sums over what is kept after j
        cdef double *far = behind + T + 2                   # sums over all tokens too far from j for a place of their own
        cdef double beyond = -INFINITY, logz, through, p
        ahead[0] = 0
        for j in range(1, last + 1):
            i = j - self.reach - 1
            if self.must(theta, j - 1):
                open = j - 1
            far[j] = -INFINITY if i < open else log_add(far[j - 1], ahead[i])
            ahead[j] = -INFINITY
            for i in range(max(open, j - self.reach), j):
                ahead[j] = log_add(ahead[j], ahead[i] + theta.block[1][self.place(i, j) * theta.stride[1]])
            if j > self.reach:
                ahead[j] = log_add(ahead[j], far[j] + self.far_pair(theta, j))
            ahead[j] += self.gain(theta, j)
        logz = ahead[last]
        behind[last] = 0
        for i in range(T, -1, -1):
            j = i + self.reach + 1
            if self.must(theta, i + 1):
                close = i + 1
                beyond = -INFINITY
            if j <= close:
                beyond = log_add(beyond, behind[j] + self.gain(theta, j) + self.far_pair(theta, j))
            behind[i] = beyond
            for j in range(i + 1, min(i + self.reach, close) + 1):
                through = theta.block[1][self.place(i, j) * theta.stride[1]] + self.gain(theta, j) + behind[j]
                behind[i] = log_add(behind[i], through)
                mu.block[1][self.place(i, j) * mu.stride[1]] = <float>exp(ahead[i] + through - logz)
        for j in range(1, last + 1):
            if j > self.reach:
                p = exp(far[j] + self.far_pair(theta, j) + self.gain(theta, j) + behind[j] - logz)
                mu.block[1][(self.before(j) + self.reach) * mu.stride[1]] = <float>p
            if j <= T:
                p = exp(ahead[j] + behind[j] - logz)
                mu.block[0][(j - 1) * mu.stride[0] + 1] = <float>p
                mu.block[0][(j - 1) * mu.stride[0]] = <float>max(1 - p, 0)
        return logz + self.dropped(theta)

    cdef inline double far_pair(self, const Tables *theta, int64_t j) noexcept nogil:
        return theta.block[1][(self.before(j) + self.reach) * theta.stride[1]]

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t i = 0, j, T = table.places[0]
        for j in range(1, T + 2):
            if j <= T:
                table.block[0][(j - 1) * table.stride[0] + y[j - 1]] += amount
            if j == T + 1 or y[j - 1]:
                table.block[1][self.place(i, j) * table.stride[1]] += amount
                i = j

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        """Add the Hamming cost: every token that is wrongly kept or dropped costs `amount`."""
        cdef int64_t t
        for t in range(theta.places[0]):
            theta.block[0][t * theta.stride[0] + 1 - y[t]] += amount
