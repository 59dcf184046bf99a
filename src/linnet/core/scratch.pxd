from libc.stdint cimport int64_t

from linnet.core.form cimport MAX_BLOCKS, Tables

cdef class Scratch:
    cdef Tables at
    cdef int64_t room[MAX_BLOCKS]
    cdef bint shape(self, const Tables *like) noexcept nogil
    cdef bint copy(self, const Tables *of) noexcept nogil
    cdef void clear(self) noexcept nogil
    cdef void write(self, Tables *to) noexcept nogil
