from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Structure, Tables

# A Part is some of the outputs of GEN(x).
cdef struct Part:
    double value            # the score of the best of them
    int32_t *y              # the best of them
    int64_t first           # all decisions before this one are as in y
    int32_t *out            # the values that decision `first` must not have
    int64_t n_out

cdef class Parted(Structure):
    cdef int64_t decisions(self, const Tables *theta) noexcept nogil
    cdef int32_t decision(self, const Tables *theta, const int32_t *y, int64_t i) noexcept nogil
    cdef int64_t cut_room(self, int64_t places) noexcept nogil
    cdef bint whole(self, const Tables *theta, Part *part) noexcept nogil
    cdef int cut(self, const Tables *theta, Part *parts, int n, int most, Part *one) noexcept nogil

cdef int keep(Part *parts, int n, int most, Part *new) noexcept nogil
cdef void next_part(Part *new, const Part *one, int64_t i, int32_t value) noexcept nogil
