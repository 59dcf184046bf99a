from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Structure, Tables

cdef float NEGLIGIBLE

cdef class Chain(Structure):
    cdef readonly bint observed
    cdef int order                  # number of tags before a tag that are looked at
    cdef int L
    cdef int stride                 # floats from one row of tags to the next: a multiple of 8
    cdef int square                 # number of floats of a table of pairs of tags
    cdef float[:, ::1] illegal      # tag x tag: 0 where the pair is legal, else minus infinity
    cdef float[::1] no_start        # 0 or minus infinity for each tag in the first place; `no_end` likewise in the last
    cdef float[::1] no_end
    cdef float[:, ::1] cost
    cdef void transitions(self, const Tables *theta, int64_t t, float *trans) noexcept nogil
    cdef double emissions(self, const Tables *theta, float *out) noexcept nogil
    cdef float weights_of(self, const Tables *theta, int64_t t, float *E) noexcept nogil

cdef inline int three(const int32_t *y, int L) noexcept nogil:
    """The outcome of block 2 for a tag and the two tags before it."""
    return (y[-1] * L + y[-2]) * L + y[0]
