# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""X diag(f): the features of a block, each times its factor."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free

from linnet.core.blocks cimport Block, Lazy, Maker, Sparse, first
from linnet.core.buffers cimport larger

import numpy as np

from linnet.core.sparse import scaled

cdef extern from "rows.h" nogil:
    void linnet_prefetch(const void *p)
    enum: LINNET_AHEAD


def scaled_block(Block block, f, float constant=1, over=None):
    """The block X diag(f), with a factor of its own for the constant feature. Rows that are made on demand are multiplied when
    they are made.

    over: a block that this one was scaled to before, whose values are no longer needed: the new ones take their memory.
    """
    if isinstance(block, Lazy):
        return ScaledLazy(block, f, constant)
    indptr, indices, values, places = block.arrays()
    new = scaled(indices, values, f, None if over is None else np.asarray(over.arrays()[2]))
    return block.with_values(new, constant * block.x.one)


cdef class ScaledLazy(Lazy):
    cdef Lazy of
    cdef object f
    cdef float constant

    def __init__(self, Lazy of, f, float constant):
        self.owners = of.owners
        self.n, self.largest, self.most_places = of.n, of.largest, of.most_places
        self.x = of.x
        self.x.one *= constant
        self.of = of
        self.f = f
        self.constant = constant

    def __reduce__(self):
        return scaled_block, (self.of, self.f, self.constant)

    cdef Maker maker(self):
        return ScaledMaker(self.of.maker(), self.f)

    cdef int64_t chunk(self):
        return self.of.chunk()

    def kept(self, shape, dtype):
        return self.of.kept(shape, dtype)

    def give_back(self):
        self.of.give_back()


cdef class ScaledMaker(Maker):
    cdef Maker of
    cdef const float[::1] f
    cdef float *values
    cdef uint64_t room

    def __init__(self, Maker of, f):
        self.of = of
        self.f = f

    def __dealloc__(self):
        free(self.values)

    cdef int fetch(self, Sparse *x, int64_t i) except -1 nogil:
        cdef int64_t k, n
        self.of.fetch(x, i)
        n = x.indptr[first(x, i + 1)]
        self.values = <float *>larger(self.values, &self.room, n, sizeof(float))
        for k in range(n):
            if k + LINNET_AHEAD < n:
                linnet_prefetch(&self.f[x.indices[k + LINNET_AHEAD]])
            self.values[k] = x.values[k] * self.f[x.indices[k]]
        x.values = self.values
        return 0
