# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The scores of learners by heart (learners/neighbours.py): which outcomes were seen near a new place.

    windows      theta_k = ln sum_s alpha_sk k(x, x_s)                the logarithm of n P(k) p(x | k), by Parzen (1962)
                 alpha_sk is how often row s had outcome k
                 where each outcome is used or not by itself: minus the same logarithm with how often s did not have k
                 where outcomes are chosen given others: alpha_0k + ln p(x | k)
    neighbours   theta_k = ln P(k | x),   P(k | x) in proportion to n_k + smoothing P(k)       (Cover and Hart 1967)
                 n_k is the sum of alpha_sk over the nearest s, and P(k) in proportion to alpha_0k
                 where k is chosen given c: alpha_0k + ln P(k | c, x) - ln P(k | c)
"""

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int64_t

from linnet.core.form cimport MAX_BLOCKS, Structure
from linnet.core.loops.kernel cimport Compared

import numpy as np

# The score of an outcome that was used at every place seen.
cdef double CERTAIN = 1e6

# Given describes outcomes of which one is chosen in each context. It is NULL where outcomes are not chosen given others.
cdef struct Given:
    const int64_t *context  # the number of the context of each outcome
    const double *count     # n_k + smoothing, for each outcome
    double *total           # memory for a sum for each outcome and then one for each context


cdef class Counts(Compared):
    """A scorer whose alpha are counts. Where each outcome is used or not by itself, the last column counts places, and
    theta_k is ln yes - ln no, with no = all - yes. Where outcomes are chosen given others, alpha_0 is what theta would be
    without features."""
    cdef double smoothing
    cdef bint asked[MAX_BLOCKS]
    cdef Given given[MAX_BLOCKS]

    def __init__(self, name, weights, *, double smoothing, **how):
        super().__init__(name, weights, **how)
        self.smoothing = smoothing

    cpdef tuple rows(self, Structure gen):
        cdef int g
        for g in range(len(gen.outcomes)):
            self.asked[g] = gen.given(g) is None
        n_rows = Compared.rows(self, gen)
        for g in range(len(gen.outcomes)):
            self.given[g].context = NULL
            if n_rows[g] > 1 and depends(gen, g):
                self.point(g, gen.given(g)[0].astype(np.int64), gen.outcomes[g])
        return n_rows

    cdef int point(self, int g, const int64_t[::1] context, int outcomes) except -1:
        counts = np.sum(self.weights[1 + 4 * g][1:, :outcomes], axis=0, dtype=np.float64) + self.smoothing
        room = np.zeros(2 * outcomes)
        cdef const double[::1] count = counts
        cdef double[::1] total = room
        self.held += [np.asarray(context), counts, room]
        self.given[g].context, self.given[g].count, self.given[g].total = &context[0], &count[0], &total[0]
        return 0

    def columns(self, Structure gen, int g):
        return gen.outcomes[g] + (gen.given(g) is None)


def depends(Structure gen, int g):
    """Whether the outcomes of block g are chosen given others."""
    given = gen.given(g)
    return given is not None and (given[1] is not None or bool(np.any(given[0])))


cdef class Windows(Counts):
    """Parzen windows; k is the logarithm of the kernel."""

    cdef void combine(self, int g, const float *k, int64_t n, int outcomes, float *theta) noexcept nogil:
        cdef const float *alpha = self.alpha[g] + self.stride[g]
        cdef int j
        if self.given[g].context != NULL:
            self.choose(g, k, n, outcomes, theta)
            return
        for j in range(outcomes):
            theta[j] = log_sum(k, n, alpha + j, NULL, self.stride[g])
            if self.asked[g]:
                theta[j] = odds(theta[j], log_sum(k, n, alpha + j, alpha + outcomes, self.stride[g]))


    cdef void choose(self, int g, const float *k, int64_t n, int outcomes, float *theta) noexcept nogil:
        """Add theta_j += ln p(x | j). To the windows of each outcome so many as `smoothing` says are added, which are
        distributed as those of all outcomes together."""
        cdef const float *alpha = self.alpha[g] + self.stride[g]
        cdef double *mass = self.given[g].total
        cdef double weight, whole = 0, places = 0, most = -INFINITY
        cdef int64_t s
        cdef int j
        for s in range(n):
            most = max(most, k[s])
        for j in range(outcomes):
            mass[j] = 0
        for s in range(n):
            weight = exp(k[s] - most)
            for j in range(outcomes):
                mass[j] += weight * alpha[s * self.stride[g] + j]
        for j in range(outcomes):
            whole += mass[j]
            places += self.given[g].count[j] - self.smoothing
        for j in range(outcomes):
            mass[j] = (mass[j] + self.smoothing * whole / places) / self.given[g].count[j]
            theta[j] = <float>(theta[j] + most + log(mass[j])) if mass[j] > 0 else -INFINITY


cdef float log_sum(const float *k, int64_t n, const float *yes, const float *all, int stride) noexcept nogil:
    """The logarithm of the sum of count exp(k), with yes or all - yes as the count. The largest k is taken out of the sum first, so
    that a place far from everything has scores too."""
    cdef int64_t s
    cdef double total = 0
    cdef float most = -INFINITY
    for s in range(n):
        if count(yes, all, s * stride) > 0:
            most = max(most, k[s])
    for s in range(n):
        if count(yes, all, s * stride) > 0:
            total += count(yes, all, s * stride) * exp(k[s] - most)
    return <float>(most + log(total)) if total > 0 else -INFINITY


cdef inline float count(const float *yes, const float *all, int64_t at) noexcept nogil:
    return yes[at] if all == NULL else all[at] - yes[at]


cdef inline float odds(double yes, double no) noexcept nogil:
    """ln yes - ln no; an outcome that was always used gets CERTAIN."""
    return <float>min(yes - no, CERTAIN) if yes > -INFINITY else -INFINITY


cdef class Neighbours(Counts):
    """Votes of the k nearest places, and of all that are as near as the last of them."""
    cdef double most

    def __init__(self, weights, *, double most, **how):
        super().__init__("neighbours", weights, **how)
        self.most = most

    cdef void combine(self, int g, const float *k, int64_t n, int outcomes, float *theta) noexcept nogil:
        """Add the votes of the nearest places to the prior counts alpha_0 of each outcome."""
        cdef int j
        cdef double total
        if self.given[g].context != NULL:
            self.choose(g, k, n, outcomes, theta)
            return
        total = self.places(g, self.alpha[g], outcomes)
        for j in range(outcomes):
            theta[j] *= <float>(self.smoothing / total)
        total = self.smoothing + self.vote(g, k, n, outcomes, theta)
        for j in range(outcomes):
            theta[j] = odds(log(theta[j]), log(max(total - theta[j], 0))) if self.asked[g] else <float>log(theta[j] / total)

    cdef void choose(self, int g, const float *k, int64_t n, int outcomes, float *theta) noexcept nogil:
        """Add theta_j += ln p(j | c, x) - ln p(j | c), c being the context of j: p(j | c, x) = (n_j + a p(j | c)) /
        (n_c + a), a being the smoothing."""
        cdef const Given *given = &self.given[g]
        cdef double *near = given.total + outcomes      # memory for the votes of each context
        cdef double *p = given.total
        cdef int j
        for j in range(outcomes):
            near[j] = p[j] = 0
            theta[j] = 0
        self.vote(g, k, n, outcomes, theta)
        for j in range(outcomes):
            near[given.context[j]] += theta[j]
            p[given.context[j]] += given.count[j]
        for j in range(outcomes):
            if given.count[j] == 0:
                theta[j] = -INFINITY
            elif near[given.context[j]] + self.smoothing == 0:
                theta[j] = self.alpha[g][j]
            else:
                theta[j] = <float>(self.alpha[g][j] + log(
                    (theta[j] * p[given.context[j]] / given.count[j] + self.smoothing) / (near[given.context[j]] + self.smoothing)))

    cdef double vote(self, int g, const float *k, int64_t n, int outcomes, float *votes) noexcept nogil:
        """Add up the counts of one distance after the other, from the nearest on, until there are enough places. Returns
        their number."""
        cdef int64_t s
        cdef int j, stride = self.stride[g]
        cdef const float *alpha = self.alpha[g] + stride
        cdef float at, before = INFINITY
        cdef double total = 0
        while total < self.most:
            at = -INFINITY
            for s in range(n):
                if k[s] > at and k[s] < before:
                    at = k[s]
            if at == -INFINITY:
                break
            for s in range(n):
                if k[s] == at:
                    total += self.places(g, alpha + s * stride, outcomes)
                    for j in range(outcomes):
                        votes[j] += alpha[s * stride + j]
            before = at
        return total

    cdef double places(self, int g, const float *alpha, int outcomes) noexcept nogil:
        """The number of places that a row of counts was made of."""
        cdef int j
        cdef double total = 0
        if self.asked[g]:
            return alpha[outcomes]
        for j in range(outcomes):
            total += alpha[j]
        return total
