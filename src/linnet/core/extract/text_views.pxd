from libc.stdint cimport int64_t, uint8_t

cdef struct View:
    const uint8_t *p
    int64_t n

cdef class TextViews:
    cdef readonly int64_t n             # number of texts
    cdef readonly int64_t n_bytes
    cdef View *views
    cdef object owner
    cdef int take_chunks(self, list chunks) except -1
    cdef int take_strings(self, list strings) except -1
