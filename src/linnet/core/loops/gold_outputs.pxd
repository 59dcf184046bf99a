cimport cython
from libc.stdint cimport int32_t, int64_t


@cython.boundscheck(False)
@cython.wraparound(False)
cdef inline const int32_t *output_at(const int32_t[::1] y, int64_t at) noexcept nogil:
    """The address of an output in y. An empty output may begin at the end of y, where nothing is read, so no index is checked."""
    return &y[at]
