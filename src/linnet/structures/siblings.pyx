# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Dependency trees of second order: an arc is scored with the child that the head has next to it on the same side (McDonald and
Pereira 2006).

    the last block:  triples x 1,   (h, s, m): m is the child of h that comes after its child s, away from h; s = h: the first one

Triples come by h; for each h first those to its left, then those to its right; by the distance of m from h, and within
that of s. The best projective tree is found exactly. Among all trees the search is not exact: it starts from two trees,
the best projective one and the best one of first order, changes single heads as long as this gains, and takes the
better result. Such trees have no marginals, and their k best are those that this search finds.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from linnet.core.form cimport Tables
from linnet.structures cimport nonprojective, projective
from linnet.structures.projective cimport NONE, Spans, before, place
from linnet.structures.tree cimport Tree, tokens

import numpy as np


cdef class SiblingTree(Tree):
    def __init__(self, int n_relations=1, *, bint projective=True, bint one_root=False, bint by_heads=False):
        Tree.__init__(self, n_relations, projective=projective, one_root=one_root, by_heads=by_heads)
        self.name = "siblings"
        self.of_siblings = len(self.outcomes)
        self.outcomes = (*self.outcomes, 1)
        self.has_marginals = projective

    @staticmethod
    def place(int64_t h, int64_t s, int64_t m, int64_t n):
        """The place of a triple of a sentence of n tokens."""
        return place(h, s, m, n)

    @staticmethod
    def triples(int64_t n):
        """h, s and m of each triple of a sentence of n tokens, in the order of their places."""
        cdef int64_t h, s, m, at
        out = np.empty((3, before(n + 1, n)), np.int32)
        cdef int32_t[:, ::1] found = out
        for h in range(n + 1):
            for m in range(1, n + 1):
                s = h
                while s != m:
                    at = place(h, s, m, n)
                    found[0, at], found[1, at], found[2, at] = <int32_t>h, <int32_t>s, <int32_t>m
                    s += 1 if m > h else -1
        return out

    cdef void scores(self, const Tables *theta, const double *S, Spans *p) noexcept nogil:
        Tree.scores(self, theta, S, p)
        p.siblings = theta.block[self.of_siblings]

    cdef double heads(self, const Tables *theta, const double *S, double least, int32_t *heads) noexcept nogil:
        cdef Spans p
        cdef int64_t n = tokens(theta.places[0])
        cdef double *work = <double *>S + (n + 1) * (n + 1)
        cdef int32_t *others = <int32_t *>(work + nonprojective.room(n))
        cdef double value, other
        self.scores(theta, S, &p)
        value = projective.best(&p, least, work, heads)
        if self.projective:
            return value
        if value > -INFINITY:
            value = nonprojective.climb(S, p.siblings, p.grand, n, p.one_root, work, heads)
        nonprojective.edmonds(S, n, p.one_root, work, others)
        other = nonprojective.climb(S, p.siblings, p.grand, n, p.one_root, work, others)
        if other > value:
            memcpy(heads, others, n * sizeof(int32_t))
        return max(value, other) if max(value, other) > NONE / 2 else -INFINITY

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        cdef int64_t n = tokens(theta.places[0]), h, m
        cdef const float *G = theta.block[self.of_siblings]
        cdef double total = Tree.score(self, theta, y)
        for m in range(1, n + 1):
            h = y[m - 1] // self.n_relations
            total += G[place(h, self.before_it(y, h, m), m, n)]
        return total

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t n = tokens(table.places[0]), h, m
        Tree.add(self, table, y, amount)
        for m in range(1, n + 1):
            h = y[m - 1] // self.n_relations
            table.block[self.of_siblings][place(h, self.before_it(y, h, m), m, n)] += amount

    cdef int64_t before_it(self, const int32_t *y, int64_t h, int64_t m) noexcept nogil:
        """The sibling of m that stands next to it on the side of their head h; h itself if there is none."""
        cdef int64_t step = 1 if h > m else -1, s = m + step
        while s != h and y[s - 1] // self.n_relations != h:
            s += step
        return s

    cdef double sums(self, Spans *p, double *P, Tables *mu) noexcept nogil:
        cdef int64_t size = (p.n + 1) * (p.n + 1)
        cdef float *Q = mu.block[self.of_siblings]
        cdef float *E = mu.block[self.of_siblings + 1] if p.grand != NULL else NULL
        memset(P, 0, size * sizeof(double))
        memset(Q, 0, mu.places[self.of_siblings] * sizeof(float))
        if E != NULL:
            memset(E, 0, mu.places[self.of_siblings + 1] * sizeof(float))
        return projective.sums(p, P + size, P, Q, E)
