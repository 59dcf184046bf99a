from libc.stdint cimport int64_t, uint32_t, uint64_t

from linnet.core.extract.tables cimport Secret

cdef class Keys:
    cdef uint64_t n
    cdef uint64_t *slots            # ~key in each slot that is taken, 0 in empty ones
    cdef uint32_t *ids              # the id of the key in each slot
    cdef uint64_t mask
    cdef Secret secret
    cdef uint64_t *sieve            # the bits of a Bloom filter; a key whose bit is 0 is not in the table
    cdef uint64_t sieve_mask

    cdef uint32_t find(self, uint64_t key) noexcept nogil
    cdef uint32_t add(self, uint64_t key) except? 0xFFFFFFFE nogil
    cdef uint64_t known(self, uint64_t *keys, uint64_t n, uint32_t *ids) noexcept nogil
    cdef void put(self, uint64_t key, uint32_t id) noexcept nogil
    cdef int64_t add_all(self, const uint64_t *keys, int64_t n) except? -2 nogil
    cdef int grow(self, uint64_t n_slots) except -1 nogil
