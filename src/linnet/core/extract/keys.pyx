# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A hash table from 64-bit keys, each of which describes one feature in full, to ids from 0 on.

The table has open addressing and two parallel arrays: `slots` has the keys and `ids` the id of each. A slot holds ~key,
so that 0 marks an empty slot; therefore the number of all ones, whose complement is 0, cannot be a key. There is no
array from ids to keys: `in_order` scans the whole table for them. The slot of a key follows from a secret, too, as lookup.h tells.

Most keys that `known` is asked for are not in the table. It first looks them up in the `sieve`, a Bloom filter with one
hash function: each key sets one bit, and a key whose bit is 0 is not in the table.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from linnet.core.extract.tables cimport Secret, hidden, linnet_free, linnet_prefetch, linnet_zeros, new_secret
from linnet.core.extract.vocabulary cimport NONE

import numpy as np

cdef enum:
    LEAST = 1 << 10         # smallest number of slots
    AHEAD = 16              # number of keys ahead whose slots are prefetched
    BITS = 8                # number of bits of the Bloom filter for each slot


cdef inline uint32_t look_up(const uint64_t *slots, const uint32_t *ids, uint64_t mask, Secret secret,
                             uint64_t key) noexcept nogil:
    cdef uint64_t at = hidden(key, secret) & mask
    while slots[at] != 0:
        if slots[at] == ~key:
            return ids[at]
        at = (at + 1) & mask
    return NONE


cdef class Keys:
    def __cinit__(self):
        with nogil:
            self.grow(LEAST)

    def __dealloc__(self):
        linnet_free(self.slots)
        linnet_free(self.ids)
        linnet_free(self.sieve)

    cdef uint32_t find(self, uint64_t key) noexcept nogil:
        """The id of a key, or NONE if it is not in the table."""
        return look_up(self.slots, self.ids, self.mask, self.secret, key)

    cdef uint32_t add(self, uint64_t key) except? 0xFFFFFFFE nogil:
        """Add a key that is not in the table yet, and return its id."""
        # Numbers of features are below 2^31 everywhere, so that no id is 0xFFFFFFFE, which tells of an error here, or
        # NONE.
        if self.n >= <uint64_t>0x7FFFFFFF:
            with gil:
                raise MemoryError("too many features; use fewer templates")
        # The table grows when it is 70% full. That is late for open addressing, where a key that is missing is looked
        # for up to the next empty slot; but the Bloom filter keeps most of these from being looked for at all.
        if 10 * self.n > 7 * self.mask:
            self.grow(2 * (self.mask + 1))
        self.put(key, <uint32_t>self.n)
        self.n += 1
        return <uint32_t>(self.n - 1)

    cdef uint64_t known(self, uint64_t *keys, uint64_t n, uint32_t *ids) noexcept nogil:
        """Write to `ids` the ids of those of n keys that are in the table, in the order of the keys, and return how
        many there are. `ids` must have room for n numbers. `keys` is overwritten: the keys that pass the Bloom filter
        are moved to its front."""
        cdef uint64_t k, at, bit, left = 0, found = 0
        for k in range(n):
            # The lowest bits of the hash choose the slot of a key, those from 16 on its bit in the filter.
            bit = hidden(keys[k], self.secret) >> 16 & self.sieve_mask
            keys[left] = keys[k]
            left += self.sieve[bit >> 6] >> (bit & 63) & 1
        for k in range(left):
            at = hidden(keys[k], self.secret) & self.mask
            linnet_prefetch(&self.slots[at])
            linnet_prefetch(&self.ids[at])
        for k in range(left):
            ids[found] = look_up(self.slots, self.ids, self.mask, self.secret, keys[k])
            found += ids[found] != NONE
        return found

    cdef int64_t add_all(self, const uint64_t *keys, int64_t n) except? -2 nogil:
        """Add n keys to an empty table, in their order. Returns -1, or the number of the first key that is there already; then the
        table is not to be used. The table is as large as if the keys had been added one by one, but is made at once, and the slots
        of the next keys are prefetched."""
        cdef int64_t k
        cdef uint64_t n_slots = LEAST
        if n >= <int64_t>0x7FFFFFFF:
            with gil:
                raise MemoryError("too many features; use fewer templates")
        while 10 * (n - 1) > 7 * <int64_t>(n_slots - 1):
            n_slots *= 2
        self.grow(n_slots)
        for k in range(n):
            if k + AHEAD < n:
                linnet_prefetch(&self.slots[hidden(keys[k + AHEAD], self.secret) & self.mask])
                linnet_prefetch(&self.ids[hidden(keys[k + AHEAD], self.secret) & self.mask])
                linnet_prefetch(&self.sieve[(hidden(keys[k + AHEAD], self.secret) >> 16 & self.sieve_mask) >> 6])
            if self.find(keys[k]) != NONE:
                return k
            self.put(keys[k], <uint32_t>k)
        self.n = n
        return -1

    cdef void put(self, uint64_t key, uint32_t id) noexcept nogil:
        cdef uint64_t mix = hidden(key, self.secret), at = mix & self.mask, bit = mix >> 16 & self.sieve_mask
        while self.slots[at] != 0:
            at = (at + 1) & self.mask
        self.slots[at], self.ids[at] = ~key, id
        self.sieve[bit >> 6] |= <uint64_t>1 << (bit & 63)

    cdef int grow(self, uint64_t n_new) except -1 nogil:
        """Make so many slots, a power of 2, and keep all keys."""
        cdef uint64_t n_old = self.mask + 1 if self.slots != NULL else 0, at
        cdef uint64_t *slots = self.slots
        cdef uint32_t *ids = self.ids
        cdef uint64_t *more = <uint64_t *>linnet_zeros(n_new * sizeof(uint64_t))
        cdef uint32_t *more_ids = <uint32_t *>linnet_zeros(n_new * sizeof(uint32_t))
        cdef uint64_t *sieve = <uint64_t *>linnet_zeros(n_new * BITS // 8)     # 8 bits in a byte
        if more == NULL or more_ids == NULL or sieve == NULL:
            linnet_free(more)
            linnet_free(more_ids)
            linnet_free(sieve)
            with gil:
                raise MemoryError("no memory for the features")
        linnet_free(self.sieve)
        self.slots, self.ids, self.sieve = more, more_ids, sieve
        self.mask, self.sieve_mask, self.secret = n_new - 1, n_new * BITS - 1, new_secret()
        for at in range(n_old):
            if slots[at] != 0:
                self.put(~slots[at], ids[at])
        linnet_free(slots)
        linnet_free(ids)
        return 0

    def in_order(self):
        """All keys, in the order of their ids."""
        found = np.empty(self.n, np.uint64)
        cdef uint64_t[::1] keys = found
        cdef uint64_t at
        for at in range(self.mask + 1):
            if self.slots[at] != 0:
                keys[self.ids[at]] = ~self.slots[at]
        return found
