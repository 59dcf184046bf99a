from libc.stdint cimport int32_t, int64_t

from linnet.core.blocks cimport Block
from linnet.core.form cimport MAX_BLOCKS
from linnet.core.loops.online cimport Online

cdef class Dual(Online):
    cdef double C
    cdef double lam
    cdef Climb climb
    cdef Block home                 # block 0: arrays of examples are kept where its rows are (Block.kept)
    cdef list m                     # m of all examples: one array for each block, places x outcomes
    cdef float *m_rows[MAX_BLOCKS]
    cdef public double gap          # duality gap, primal - dual, over the examples of this pass
    cdef public double length2      # sum_i theta_i.m_i, which is ||w||^2
    cdef public double steps2       # sum of the squared lengths of all steps
    cdef public int64_t support     # number of support vectors: examples that w is made of
    cdef bint still                 # whether a pass only measures, without a step
    cdef int take_off(self, tuple blocks, const int64_t[::1] some) except -1
    cdef int recall(self, int64_t i) except -1 nogil
    cdef int look_again(self, const int64_t[::1] some) except -1
    cdef int score_some(self, const int64_t[::1] some, const int64_t[::1] rows, float[:, ::1] out) except -1

cdef class Climb:
    cdef bint rests(self, Dual at, int64_t i) noexcept nogil
    cdef int learn(self, Dual at, int64_t i, const int32_t *y, double weight) except -1 nogil
    cdef void look_again(self, int64_t i) noexcept nogil
    cdef void forget(self, int64_t i) noexcept nogil
