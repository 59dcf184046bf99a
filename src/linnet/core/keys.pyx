# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Numbers that each say all of a feature, and their ids from 0 on, in little memory.

A table of ids finds a key: it is compared with the keys of the ids from the place on that it is mixed to. That is two looks into
memory, where a table that has the keys too needs one, but all of it is half as large or less, and most of it is in cache. Most of
what is asked for is not there, and is found out by one bit of a sieve.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free

from linnet.core.buffers cimport larger
from linnet.core.vocabulary cimport NONE, linnet_free, linnet_prefetch, linnet_zeros, mixed

cdef enum:
    LEAST = 1 << 10         # slots
    BITS = 8                # of the sieve for each slot


cdef class Keys:
    def __cinit__(self):
        with nogil:
            self.grow()

    def __dealloc__(self):
        free(self.keys)
        linnet_free(self.slots)
        linnet_free(self.sieve)

    cdef uint32_t find(self, uint64_t key) noexcept nogil:
        """The id of a key, NONE if it is not there."""
        cdef uint64_t at = mixed(key) & self.mask
        while self.slots[at] != 0:
            if self.keys[self.slots[at] - 1] == key:
                return self.slots[at] - 1
            at = (at + 1) & self.mask
        return NONE

    cdef uint32_t add(self, uint64_t key) except? 0xFFFFFFFE nogil:
        """The id of a key that was not there."""
        if self.n >= <uint64_t>0x7FFFFFFF:
            with gil:
                raise MemoryError("too many features; use fewer templates")
        if 10 * self.n > 7 * self.mask:     # few look for what is not there: they are sifted out
            self.grow()
        self.keys = <uint64_t *>larger(self.keys, &self.size, self.n + 1, sizeof(uint64_t))
        self.keys[self.n] = key
        self.put(<uint32_t>self.n)
        self.n += 1
        return <uint32_t>(self.n - 1)

    cdef uint64_t sift(self, uint64_t *keys, uint64_t n) noexcept nogil:
        """Leave out most of those that are not there; how many are left."""
        cdef uint64_t k, bit, left = 0
        for k in range(n):
            bit = mixed(keys[k]) >> 16 & self.sieve_mask
            keys[left] = keys[k]
            left += self.sieve[bit >> 6] >> (bit & 63) & 1
        return left

    cdef void fetch(self, const uint64_t *keys, uint64_t n) noexcept nogil:
        """Ask for the memory in which these will be looked for."""
        cdef uint64_t k
        cdef uint32_t slot
        for k in range(n):
            linnet_prefetch(&self.slots[mixed(keys[k]) & self.mask])
        for k in range(n):
            slot = self.slots[mixed(keys[k]) & self.mask]
            if slot != 0:
                linnet_prefetch(&self.keys[slot - 1])

    cdef void put(self, uint32_t id) noexcept nogil:
        cdef uint64_t mix = mixed(self.keys[id]), at = mix & self.mask, bit = mix >> 16 & self.sieve_mask
        while self.slots[at] != 0:
            at = (at + 1) & self.mask
        self.slots[at] = id + 1
        self.sieve[bit >> 6] |= <uint64_t>1 << (bit & 63)

    cdef int grow(self) except -1 nogil:
        """Twice the slots, filled anew."""
        cdef uint64_t n_slots = 2 * (self.mask + 1) if self.slots != NULL else LEAST, id
        cdef uint32_t *slots = <uint32_t *>linnet_zeros(n_slots * sizeof(uint32_t))
        cdef uint64_t *sieve = <uint64_t *>linnet_zeros(n_slots * BITS // 8)
        if slots == NULL or sieve == NULL:
            linnet_free(slots)
            linnet_free(sieve)
            with gil:
                raise MemoryError("no memory for the features")
        linnet_free(self.slots)
        linnet_free(self.sieve)
        self.slots, self.sieve = slots, sieve
        self.mask, self.sieve_mask = n_slots - 1, n_slots * BITS - 1
        for id in range(self.n):
            self.put(<uint32_t>id)
        return 0
