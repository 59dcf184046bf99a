from libc.stdint cimport int64_t, uint32_t, uint64_t

from linnet.core.blocks cimport Sparse
from linnet.core.form cimport MAX_BLOCKS

cdef struct Kept:
    int64_t *indptr
    uint32_t *indices
    float *values
    int64_t places[2]
    int64_t most_places
    int64_t most_features

cdef class Dropout:
    cdef readonly double p
    cdef public uint64_t seed
    cdef Kept kept[MAX_BLOCKS]
    cdef Sparse thin(self, int g, const Sparse *x, int64_t i, int64_t t) except * nogil
    cdef int reserve(self, Kept *kept, int64_t places, int64_t features) except -1 nogil
