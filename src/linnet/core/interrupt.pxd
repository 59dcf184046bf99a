cdef bint stopping() noexcept nogil
cdef int check() except -1 nogil
