# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Making and filling tables from 64-bit keys to ids, as lookup.h describes them.

Each table draws a secret when it is made, and another one when it grows. It follows from a number that the system gave this
process, so that it is another one in each process.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from os import urandom

cdef extern from *:
    """
    static inline uint64_t linnet_next(uint64_t *at) {
        return __atomic_add_fetch(at, UINT64_C(0x9E3779B97F4A7C15), __ATOMIC_RELAXED);
    }
    """
    uint64_t linnet_next(uint64_t *at) nogil

cdef Secret OF_PROCESS
OF_PROCESS.one = int.from_bytes(urandom(8), "little") | 1
OF_PROCESS.two = int.from_bytes(urandom(8), "little") | 1
cdef uint64_t DRAWN = int.from_bytes(urandom(8), "little")

cdef enum:
    LEAST = 1 << 10         # smallest number of slots


cdef Secret new_secret() noexcept nogil:
    """A secret that no other table has."""
    cdef Secret new
    new.one = hidden(mixed(linnet_next(&DRAWN)), OF_PROCESS) | 1
    new.two = hidden(mixed(linnet_next(&DRAWN)), OF_PROCESS) | 1
    return new


cdef int make(Table *table, uint64_t size) except -1 nogil:
    """Make an empty table of so many slots, a power of 2. What was in it is not freed."""
    cdef Slot *slots = <Slot *>linnet_zeros(size * sizeof(Slot))
    if slots == NULL:
        with gil:
            raise MemoryError(f"the vocabulary needs {size * sizeof(Slot) >> 20} MB; use hash=22 or min=2")
    table.slots, table.mask, table.count, table.secret = slots, size - 1, 0, new_secret()
    return 0


cdef int grow_table(Table *table) except -1 nogil:
    """Make a table twice as large, with all that is in it; one that has no slots gets the first ones."""
    cdef Table old = table[0]
    cdef uint64_t i, n = old.mask + 1 if old.slots != NULL else 0
    make(table, 2 * n if n else LEAST)
    for i in range(n):
        if old.slots[i].id_plus_1:
            put(table, old.slots[i].key, old.slots[i].id_plus_1 - 1)
    linnet_free(old.slots)
    return 0


cdef int reserve(Table *table, uint64_t count) except -1 nogil:
    """Make an empty table for `count` entries in the place of one."""
    cdef Slot *old = table.slots
    cdef uint64_t size = LEAST
    while size < 2 * count:
        size *= 2
    make(table, size)
    linnet_free(old)
    return 0


cdef void free_table(Table *table) noexcept nogil:
    """Free a table. It has no room then; `grow_table` makes it anew."""
    linnet_free(table.slots)
    table.slots, table.mask, table.count = NULL, 0, 0


cdef uint64_t hash_of(Secret secret, const unsigned char *p, uint64_t length) noexcept nogil:
    """A hash of a string that nobody can choose strings for. No byte beyond the string is read."""
    cdef uint64_t hash = hidden(length, secret), i = 0, rest = 0
    while i + 8 <= length:
        hash = hidden(hash ^ linnet_load64(p + i), secret)
        i += 8
    memcpy(&rest, p + i, length - i)
    return hidden(hash ^ rest, secret)


cdef void put(Table *table, uint64_t key, uint32_t id) noexcept nogil:
    """Add an entry, for which there must be room."""
    cdef uint64_t at = line_of(table, key)
    while table.slots[at].id_plus_1:
        at = (at + 1) & table.mask
    table.slots[at].key = key
    table.slots[at].id_plus_1 = id + 1
    table.count += 1
