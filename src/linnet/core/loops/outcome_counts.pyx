# cython: language_level=3, boundscheck=False, wraparound=False
"""The counts of generative models: how often each outcome is used, and how often it could have been.

Where a structure says in which context its outcomes are chosen (`given`), the counts of outcomes are enough. In other blocks each
outcome is a yes-or-no question by itself: is it used? There the places are counted too, in a column after those of the outcomes, so
that no = all - yes. So few weights change, however many outcomes there are.
"""

from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport MAX_BLOCKS, Structure, Tables
from linnet.core.scratch cimport Scratch

from linnet.core.weights import stride_of


cdef class Choices(Structure):
    cdef Structure of
    cdef Tables like                # tables of the shape of the structure's, with as many places as are asked for
    cdef Scratch mu
    cdef int asked[MAX_BLOCKS]      # for each block, how often an outcome of a place can be used; 0 where it asks no such questions
    cdef bint lacking               # whether there was no memory for the tables of an example

    def __init__(self, Structure of):
        cdef int g
        self.name = of.name
        self.of = of
        self.mu = Scratch()
        self.like.n_blocks = len(of.outcomes)
        for g, k in enumerate(of.outcomes):
            self.asked[g] = of.most_uses(g) if of.given(g) is None else 0
            self.like.outcomes[g], self.like.stride[g] = k, stride_of(k)
        self.outcomes = tuple([k + (self.asked[g] > 0) for g, k in enumerate(of.outcomes)])

    def check(self):
        """Raise an error of the structure, or say that there was no memory, so that examples were not counted."""
        lacking, self.lacking = self.lacking, False
        self.of.check()
        if lacking:
            raise MemoryError("no memory for the tables of one example")

    cdef int64_t room(self, int64_t places) noexcept nogil:
        return self.of.room(places)

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        return self.of.length(theta, y)

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int g, k, n
        cdef int64_t p
        cdef float most
        cdef const float *mu
        cdef float *row
        for g in range(table.n_blocks):
            self.like.places[g] = table.places[g]
        if not self.mu.shape(&self.like):
            self.lacking = True
            return
        self.mu.clear()
        self.of.add(&self.mu.at, y, 1)
        for g in range(table.n_blocks):
            n, most = self.like.outcomes[g], self.asked[g]
            for p in range(table.places[g]):
                mu, row = self.mu.at.block[g] + p * self.like.stride[g], table.block[g] + p * table.stride[g]
                for k in range(n):
                    row[k] += amount * (min(mu[k], most) if self.asked[g] else mu[k])
                if self.asked[g]:
                    row[n] += amount * most
