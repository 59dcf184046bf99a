from libc.stdint cimport int32_t, int64_t

from linnet.structures.tree cimport Tree

cdef class SiblingTree(Tree):
    cdef int of_siblings            # the number of the block of siblings
    cdef int64_t before_it(self, const int32_t *y, int64_t h, int64_t m) noexcept nogil
