from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Tables
from linnet.structures.parts cimport Parted

cdef class Alignment(Parted):
    cdef readonly double miss
    cdef double nothing(self, const Tables *theta, int32_t *y) noexcept nogil

cdef inline float link(const Tables *theta, int64_t i, int64_t j) noexcept nogil:
    return theta.block[0][i * theta.places[1] + j]

cdef inline float none(const Tables *theta, int64_t j) noexcept nogil:
    return theta.block[1][j]

cdef inline int64_t sources(const Tables *theta) noexcept nogil:
    """The number n of source tokens, or 0 where no link is possible."""
    return theta.places[0] // theta.places[1] if theta.places[1] else 0
