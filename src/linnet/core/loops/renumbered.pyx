# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Rows that are made on demand, with other numbers of their features."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free

from linnet.core.blocks cimport Lazy, Maker, Sparse, first
from linnet.core.buffers cimport larger

import numpy as np


def features_of(Lazy block):
    """The numbers of the features that a block has, in order, found by making all of its rows once."""
    cdef Sparse x = block.x
    cdef Maker maker = block.maker()
    cdef int64_t i, k
    is_there = np.zeros(block.largest + 1, np.uint8)
    cdef unsigned char[::1] there = is_there
    with nogil:
        for i in range(block.n):
            maker.fetch(&x, i)
            for k in range(x.indptr[first(&x, i)], x.indptr[first(&x, i + 1)]):
                there[x.indices[k]] = 1
    return np.flatnonzero(is_there)


cdef class Renumbered(Lazy):
    """A block with other numbers of its features: features[k] is the old number of the feature that is k here."""
    cdef Lazy of
    cdef object features
    cdef object numbers             # the new number of each feature; that of a feature which no row has is 0

    def __init__(self, Lazy of, features):
        self.owners = of.owners
        self.n, self.most_places, self.largest = of.n, of.most_places, len(features) - 1
        self.x = of.x
        self.of, self.features = of, features
        self.numbers = np.zeros(of.largest + 1, np.uint32)
        self.numbers[features] = np.arange(len(features), dtype=np.uint32)

    def __reduce__(self):
        return Renumbered, (self.of, self.features)

    cdef Maker maker(self):
        return RenumberingMaker(self.of.maker(), self.numbers)


cdef class RenumberingMaker(Maker):
    cdef Maker of
    cdef const uint32_t[::1] numbers
    cdef uint32_t *indices
    cdef uint64_t room

    def __init__(self, Maker of, numbers):
        self.of = of
        self.numbers = numbers

    def __dealloc__(self):
        free(self.indices)

    cdef int fetch(self, Sparse *x, int64_t i) except -1 nogil:
        cdef int64_t k, n
        self.of.fetch(x, i)
        n = x.indptr[first(x, i + 1)]
        self.indices = <uint32_t *>larger(self.indices, &self.room, n, sizeof(uint32_t))
        for k in range(n):
            self.indices[k] = self.numbers[x.indices[k]]
        x.indices = self.indices
        return 0
