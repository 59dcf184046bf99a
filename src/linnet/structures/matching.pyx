# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Alignments one to one: each token of either sentence has at most one link (Taskar, Lacoste-Julien and Klein 2005).

The best output is a matching of maximum weight. Target tokens are added one after the other, each by the shortest
augmenting path over the costs -theta, reduced by the potentials u and v (Kuhn 1955; Edmonds and Karp 1972), in O(m^2 (n
+ m)):

    -theta[c, r] - u[r] - v[c] >= 0,   and 0 on the matched pairs

Row r is a target token; column c a source token, or the place beside target token c - n that stands for no link, which costs -theta_1.
What scores -inf is no pair. There are no marginals: Z is a permanent, which is #P-complete (Valiant 1979).
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from linnet.core.form cimport Tables
from linnet.structures.alignment cimport Alignment, link, none, sources


cdef class Matching(Alignment):
    def __init__(self, double miss=1):
        Alignment.__init__(self, miss)
        self.name = "matching"

    @property
    def no_marginals(self):
        return ": the sum over all matchings is a permanent, which is #P-complete"

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        # With n + m <= n m + 1, the work space holds u of m rows, v and the distances of n + m + 1 columns, as doubles; and
        # three integers for each column.
        return 2 * (places + 2 * (places + 3)) + 3 * (places + 3)

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        self.match(theta, y_hat)

    cdef void match(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef int64_t m = theta.places[1], n = sources(theta), N = n + m, r, c, at, row, next
        cdef double *u = <double *>theta.work
        cdef double *v = u + m
        cdef double *far = v + N + 1                        # the distance to each column
        cdef int32_t *of = <int32_t *>(far + N + 1)         # the row of each column, -1 for none
        cdef int32_t *way = of + N + 1                      # the column before each column on the path
        cdef int32_t *seen = way + N + 1
        cdef double cost, least
        self.nothing(theta, y_hat)
        if n == 0:
            return
        memset(u, 0, m * sizeof(double))
        for c in range(N + 1):
            v[c] = 0
            of[c] = -1
        for r in range(m):
            at = N                                          # an extra column, where the path begins
            of[N] = <int32_t>r
            for c in range(N + 1):
                far[c] = INFINITY
                seen[c] = 0
            while of[at] >= 0:
                seen[at] = 1
                row, next, least = of[at], -1, INFINITY
                for c in range(N):
                    if seen[c]:
                        continue
                    if c < n:
                        cost = -link(theta, c, row)
                    else:
                        cost = -none(theta, row) if c - n == row else INFINITY
                    cost -= u[row] + v[c]
                    if cost < far[c]:
                        far[c] = cost
                        way[c] = <int32_t>at
                    if far[c] < least:
                        least = far[c]
                        next = c
                if next < 0:                                # there is no place for this row, not even the one for no link
                    break
                for c in range(N + 1):
                    if seen[c]:
                        u[of[c]] += least
                        v[c] -= least
                    else:
                        far[c] -= least
                at = next
            while next >= 0 and at != N:
                of[at] = of[way[at]]
                at = way[at]
        for c in range(n):
            if of[c] >= 0:
                y_hat[c * m + of[c]] = 1
