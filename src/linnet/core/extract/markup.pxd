from libc.stdint cimport int64_t, uint8_t, uint32_t

cdef bint may_have_markup(const uint8_t *p, int64_t n) noexcept nogil
cdef int64_t without_markup(const uint8_t *p, int64_t n, uint8_t *out, uint32_t *origin) except -1 nogil
