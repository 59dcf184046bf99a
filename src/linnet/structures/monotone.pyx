# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Alignments one to one that do not cross: of two links, the one farther on in the source is farther on in the target.

F[j, i] is over the alignments of the first j target tokens with some of the first i source tokens; each is met once:

    G[j, i] = G[j, i - 1] + F[j - 1, i - 1] x exp link[i, j]          target j is linked, with one of the first i
    F[j, i] = F[j - 1, i] x exp none[j] + G[j, i]

in (log sum exp, +) for log Z, and in (max, +) for the best. B is the same from the end: over targets after j and sources after i.
"""

from libc.math cimport INFINITY, exp
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Tables
from linnet.structures.alignment cimport Alignment, link, none, sources
from linnet.structures.sums cimport log_add


cdef class Monotone(Alignment):
    def __init__(self, double miss=1):
        Alignment.__init__(self, miss)
        self.name = "monotone"
        self.has_marginals = True

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        # The work space holds F and B as doubles, with (n + 1) (m + 1) <= 4 n m numbers each.
        return 2 * 2 * 4 * places + 16

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef int64_t m = theta.places[1], n = sources(theta), N = n + 1, i, j
        cdef double *F = <double *>theta.work
        cdef double linked
        self.nothing(theta, y_hat)
        if n == 0:
            return
        for i in range(N):
            F[i] = 0
        for j in range(1, m + 1):
            linked = -INFINITY
            for i in range(N):
                if i > 0:
                    linked = max(linked, F[(j - 1) * N + i - 1] + link(theta, i - 1, j - 1))
                F[j * N + i] = max(F[(j - 1) * N + i] + none(theta, j - 1), linked)
        i = n
        for j in range(m, 0, -1):
            if F[j * N + i] == F[(j - 1) * N + i] + none(theta, j - 1):
                continue
            while F[j * N + i] != F[(j - 1) * N + i - 1] + link(theta, i - 1, j - 1):
                i -= 1
            i -= 1
            y_hat[i * m + j - 1] = 1

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        cdef int64_t m = theta.places[1], n = sources(theta), N = n + 1, i, j
        cdef double *F = <double *>theta.work
        cdef double *B = F + N * (m + 1)
        cdef double linked, logz
        if n == 0:
            logz = 0
            for j in range(m):
                logz += none(theta, j)
                mu.block[1][j] = 1
            return logz
        for i in range(N):
            F[i] = 0
            B[m * N + i] = 0
        for j in range(1, m + 1):
            linked = -INFINITY
            for i in range(N):
                if i > 0:
                    linked = log_add(linked, F[(j - 1) * N + i - 1] + link(theta, i - 1, j - 1))
                F[j * N + i] = log_add(F[(j - 1) * N + i] + none(theta, j - 1), linked)
        for j in range(m - 1, -1, -1):
            linked = -INFINITY
            for i in range(n, -1, -1):
                if i < n:
                    linked = log_add(linked, link(theta, i, j) + B[(j + 1) * N + i + 1])
                B[j * N + i] = log_add(none(theta, j) + B[(j + 1) * N + i], linked)
        logz = F[m * N + n]
        for j in range(m):
            linked = 0
            for i in range(n):
                mu.block[0][i * m + j] = <float>exp(F[j * N + i] + link(theta, i, j) + B[(j + 1) * N + i + 1] - logz)
                linked += mu.block[0][i * m + j]
            mu.block[1][j] = <float>max(1 - linked, 0)
        return logz
