from libc.stdint cimport uint32_t, uint64_t

cdef class Keys:
    cdef uint64_t *keys             # of each id
    cdef uint64_t n
    cdef uint64_t size
    cdef uint32_t *slots            # id + 1; 0: empty
    cdef uint64_t mask
    cdef uint64_t *sieve            # a bit for what a key is mixed to; where it is 0, there is no such key
    cdef uint64_t sieve_mask

    cdef uint32_t find(self, uint64_t key) noexcept nogil
    cdef uint32_t add(self, uint64_t key) except? 0xFFFFFFFE nogil
    cdef uint64_t sift(self, uint64_t *keys, uint64_t n) noexcept nogil
    cdef void fetch(self, const uint64_t *keys, uint64_t n) noexcept nogil
    cdef void put(self, uint32_t id) noexcept nogil
    cdef int grow(self) except -1 nogil
