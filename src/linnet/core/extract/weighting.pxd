from libc.stdint cimport int64_t, uint8_t, uint32_t

cdef enum:
    MAX_PARTS = 8
    FEW = 16                            # counts below this are looked up

cdef class Weighting:
    cdef int count
    cdef int norm
    cdef int n_parts
    cdef int free_from
    cdef const uint8_t *part
    cdef const float *inverse
    cdef double weights[MAX_PARTS]
    cdef double average[MAX_PARTS]
    cdef double usual[FEW]              # the values of counts below FEW, where they are the same in all rows
    cdef tuple owners
    cdef void row(self, const uint32_t *indices, float *values, int64_t n) noexcept nogil
