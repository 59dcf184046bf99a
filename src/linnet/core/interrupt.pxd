cdef bint stopping() noexcept nogil
cdef int check() except -1 nogil
cdef void begin(double seconds) noexcept nogil
cdef bint over() noexcept nogil
