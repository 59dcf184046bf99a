# Tables from 64-bit keys to ids (lookup.h), and the secrets that keep strangers from filling one line of them.

from libc.stdint cimport uint32_t, uint64_t

cdef extern from "rows.h" nogil:
    void linnet_prefetch(const void *p)
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)
    uint64_t linnet_load64(const unsigned char *p)

cdef extern from "lookup.h" nogil:
    ctypedef struct Secret "linnet_secret":
        uint64_t one
        uint64_t two
    ctypedef struct Slot "linnet_slot":
        uint64_t key
        uint32_t id_plus_1      # 1 + the id; 0 in an empty slot
    # From keys to ids: those of strings, or of parts of templates.
    ctypedef struct Table "linnet_table":
        Slot *slots
        uint64_t mask
        uint64_t count
        Secret secret
    uint64_t mixed "linnet_mixed" (uint64_t key)
    uint64_t hidden "linnet_hidden" (uint64_t key, Secret secret)
    uint64_t line_of "linnet_line_of" (const Table *table, uint64_t key)
    # The id of the first entry that has a key, or NONE.
    uint32_t find_exact "linnet_find_slot" (const Table *table, uint64_t key)

cdef inline void prefetch(const Table *table, uint64_t key) noexcept nogil:
    linnet_prefetch(&table.slots[line_of(table, key)])

cdef Secret new_secret() noexcept nogil
cdef int grow_table(Table *table) except -1 nogil
cdef int reserve(Table *table, uint64_t count) except -1 nogil
cdef void free_table(Table *table) noexcept nogil
cdef uint64_t hash_of(Secret secret, const unsigned char *p, uint64_t length) noexcept nogil
cdef void put(Table *table, uint64_t key, uint32_t id) noexcept nogil
