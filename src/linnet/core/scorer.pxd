from libc.stdint cimport int64_t

from linnet.core.form cimport MAX_BLOCKS, Structure
from linnet.core.machine cimport Machine
from linnet.core.strips cimport Strip

cdef class Scorer:
    cdef readonly str name
    cdef readonly tuple weights
    cpdef tuple rows(self, Structure gen)
    cdef void score(self, Machine at, int64_t i) noexcept nogil

cdef class Linear(Scorer):
    cdef const float *v[MAX_BLOCKS]
    cdef const Strip *strips[MAX_BLOCKS]
    cdef list held                      # the Strips of the blocks whose rows are not full

cdef tuple point(const float **v, weights, Structure gen)
