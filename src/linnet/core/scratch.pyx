# cython: language_level=3, boundscheck=False, wraparound=False
"""Tables like those of an example, for values that a loss, or a Climb (loops/dual.pyx), has to keep while it looks at
one."""

from libc.stdint cimport int64_t
from libc.string cimport memcpy, memset

from linnet.core.form cimport MAX_BLOCKS, SLACK, Tables

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)


cdef class Scratch:
    def __dealloc__(self):
        cdef int g
        for g in range(MAX_BLOCKS):
            linnet_free(self.at.block[g])

    cdef bint shape(self, const Tables *like) noexcept nogil:
        """Make room for tables of the shape of `like`; False where there is no memory for them."""
        cdef int g
        cdef int64_t size
        self.at.n_blocks = like.n_blocks
        self.at.work = like.work
        for g in range(like.n_blocks):
            size = like.places[g] * like.stride[g]
            if size > self.room[g] or self.at.block[g] == NULL:
                linnet_free(self.at.block[g])
                self.room[g] = 2 * size
                self.at.block[g] = <float *>linnet_zeros((self.room[g] + SLACK) * sizeof(float))
                if self.at.block[g] == NULL:
                    return False
            self.at.places[g], self.at.stride[g], self.at.outcomes[g] = like.places[g], like.stride[g], like.outcomes[g]
        return True

    cdef bint copy(self, const Tables *of) noexcept nogil:
        """Copy the tables `of`; False where there is no memory for them."""
        cdef int g
        if not self.shape(of):
            return False
        for g in range(of.n_blocks):
            memcpy(self.at.block[g], of.block[g], of.places[g] * of.stride[g] * sizeof(float))
        return True

    cdef void clear(self) noexcept nogil:
        cdef int g
        for g in range(self.at.n_blocks):
            memset(self.at.block[g], 0, self.at.places[g] * self.at.stride[g] * sizeof(float))

    cdef void write(self, Tables *to) noexcept nogil:
        """Write the contents into tables of the same shape."""
        cdef int g
        for g in range(to.n_blocks):
            memcpy(to.block[g], self.at.block[g], to.places[g] * to.stride[g] * sizeof(float))
