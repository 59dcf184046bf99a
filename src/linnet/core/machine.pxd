from libc.stdint cimport int32_t, int64_t

from linnet.core.blocks cimport Block, Sparse
from linnet.core.form cimport MAX_BLOCKS, Structure, Tables
from linnet.core.strips cimport Strip

cdef class Machine:
    cdef readonly Structure gen
    cdef Tables theta
    cdef Tables r
    cdef int32_t *y_hat
    cdef int64_t room[MAX_BLOCKS]
    cdef Sparse x[MAX_BLOCKS]
    cdef float one                          # 0 where block 0 has no constant feature, else 1
    cdef tuple taken
    cdef list makers
    cdef int64_t scored                     # the example that was scored last
    cdef const float *by[MAX_BLOCKS]        # the full rows of weights by which it was scored, else NULL
    cdef const Strip *strips[MAX_BLOCKS]    # the rows of W after the bias of each block whose rows are not full, else NULL
    cdef int prepare(self, Structure gen) except -1
    cdef int take(self, tuple blocks, tuple n_rows) except -1
    cdef void hold(self, int g, Block block)
    cdef int read_ahead(self, const int64_t[::1] order, bint every=*) except -1
    cdef int read_ahead_from(self, int64_t start, int64_t stop) except -1
    cdef int stop_reading(self) except -1
    cdef int fetch(self, int64_t i) except -1 nogil
    cdef void score(self, int g, int64_t i, const float *v, double a) noexcept nogil
    cdef int check_scores(self) except -1 nogil
    cdef void clear(self, Tables *table) noexcept nogil

cdef bint usable(Machine at) noexcept nogil
