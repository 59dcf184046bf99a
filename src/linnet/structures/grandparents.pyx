# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Dependency trees of second order, with siblings and with grandparents: an arc is also scored with the head of its head (Koo and
Collins 2010, model 1, without the triples of both).

    the last block:  n (n + 1)^2 places x 1,   g -> h -> m at ((m - 1) (n + 1) + h) (n + 1) + g

Children of the root have no grandparent; those of its children have the root, 0. All else is as in siblings.pyx.
"""

from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Tables
from linnet.structures cimport projective
from linnet.structures.projective cimport Spans, grand_place
from linnet.structures.siblings cimport SiblingTree
from linnet.structures.tree cimport tokens


cdef class GrandTree(SiblingTree):
    def __init__(self, int n_relations=1, *, bint projective=True, bint one_root=False, bint by_heads=False):
        SiblingTree.__init__(self, n_relations, projective=projective, one_root=one_root, by_heads=by_heads)
        self.name = "grandparents"
        self.outcomes = (*self.outcomes, 1)

    cdef int64_t span_room(self, int64_t n) noexcept nogil:
        return projective.room(n, True)

    cdef void scores(self, const Tables *theta, const double *S, Spans *p) noexcept nogil:
        SiblingTree.scores(self, theta, S, p)
        p.grand = theta.block[self.of_siblings + 1]

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        cdef int64_t n = tokens(theta.places[0]), h, m
        cdef double total = SiblingTree.score(self, theta, y)
        for m in range(1, n + 1):
            h = y[m - 1] // self.n_relations
            if h > 0:
                total += theta.block[self.of_siblings + 1][grand_place(y[h - 1] // self.n_relations, h, m, n)]
        return total

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t n = tokens(table.places[0]), h, m
        SiblingTree.add(self, table, y, amount)
        for m in range(1, n + 1):
            h = y[m - 1] // self.n_relations
            if h > 0:
                table.block[self.of_siblings + 1][grand_place(y[h - 1] // self.n_relations, h, m, n)] += amount
