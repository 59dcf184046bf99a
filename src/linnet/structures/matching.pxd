from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Tables
from linnet.structures.alignment cimport Alignment

cdef class Matching(Alignment):
    cdef void match(self, const Tables *theta, int32_t *y_hat) noexcept nogil
