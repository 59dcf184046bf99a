from libc.stdint cimport int32_t, int64_t


cdef inline const int32_t *output_at(const int32_t[::1] y, int64_t at) noexcept nogil:
    """The address of the output that begins at y[at]. An empty one may begin at the end of y, where nothing is read; where all
    are empty, it is NULL."""
    return &y[0] + at if y.shape[0] else NULL
