# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Blocks with other numbers of their features."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free

from linnet.core.blocks cimport Block, Lazy, Maker, Sparse, first
from linnet.core.buffers cimport larger

import numpy as np


def features_of(Block block):
    """The numbers of the features that a block has, in order. Where its rows are made on demand, all of them are made
    once."""
    is_there = np.zeros(block.largest + 1, np.bool_)
    if isinstance(block, Lazy):
        find(block, is_there.view(np.uint8))
    else:
        is_there[np.asarray(block.arrays()[1])] = True
    return np.flatnonzero(is_there)


cdef int find(Lazy block, unsigned char[::1] there) except -1:
    """Set there[j] for each feature j of a block."""
    cdef Sparse x = block.x
    cdef Maker maker = block.maker()
    cdef int64_t i, k
    with nogil:
        for i in range(block.n):
            maker.fetch(&x, i)
            for k in range(x.indptr[first(&x, i)], x.indptr[first(&x, i + 1)]):
                there[x.indices[k]] = 1
    return 0


def renumbered(Block block, features):
    """The block with other numbers of its features: features[k] is the old number of the feature that is k there. Rows that
    are made on demand get them when they are made."""
    if isinstance(block, Lazy):
        return Renumbered(block, features)
    indptr, indices, values, places = block.arrays()
    new = numbers_of(features, block.largest)[np.asarray(indices)]
    return Block(indptr, new, values, places, block.x.one)


def numbers_of(features, int64_t largest):
    """The place of each number up to `largest` in `features`; 0 where it is not there."""
    numbers = np.zeros(largest + 1, np.uint32)
    numbers[features] = np.arange(len(features), dtype=np.uint32)
    return numbers


cdef class Renumbered(Lazy):
    """A block whose rows are made on demand, as `renumbered` gives it."""
    cdef Lazy of
    cdef object features

    def __init__(self, Lazy of, features):
        self.owners = of.owners
        self.n, self.most_places, self.largest = of.n, of.most_places, len(features) - 1
        self.x = of.x
        self.of, self.features = of, features

    def __reduce__(self):
        return renumbered, (self.of, self.features)

    cdef Maker maker(self):
        # The table of numbers is as long as all features are many, so that it is there only while rows are made.
        return RenumberingMaker(self.of.maker(), numbers_of(self.features, self.of.largest))

    cdef int64_t chunk(self):
        return self.of.chunk()

    def kept(self, shape, dtype):
        """An array of zeros for numbers of all examples, kept where the rows are."""
        return self.of.kept(shape, dtype)

    def give_back(self):
        self.of.give_back()


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
