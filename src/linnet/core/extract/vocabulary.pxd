from libc.stdint cimport uint8_t, uint32_t, uint64_t

from linnet.core.extract.filed_index cimport FiledIndex

cdef extern from "rows.h" nogil:
    uint64_t linnet_load64(const unsigned char *p)
    void linnet_prefetch(const void *p)
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)
    void *linnet_larger(void *p, size_t size)
    enum: LINNET_AHEAD

cdef enum:
    NONE = 0xFFFFFFFF
    MAX_LENGTH = 0xFFFFF    # most bytes of a string

# Strings have kinds: the same letters as a word and as a piece of a word are two features. A gram is of the kind of its
# first string.
cdef enum Kind:
    WORD = 0
    CHARS = 1
    ACROSS = 2
    START = 3
    SKIP = 4
    SHAPE = 5
    HANDMADE = 6

cdef struct Slot:
    uint64_t key
    uint32_t id_plus_1      # 1 + the id; 0 in an empty slot
    uint32_t unused

cdef struct Table:
    Slot *slots
    uint64_t mask
    uint64_t count

cdef inline uint64_t mixed(uint64_t key) noexcept nogil:
    key ^= key >> 32
    key *= <uint64_t>0x9E3779B97F4A7C15
    return key ^ (key >> 29)

cdef inline void prefetch(const Table *table, uint64_t key) noexcept nogil:
    linnet_prefetch(&table.slots[mixed(key) & table.mask])

cdef inline uint32_t find_exact(const Table *table, uint64_t key) noexcept nogil:
    """The id of a key that is exact: that of a gram or of a short string."""
    cdef uint64_t at = mixed(key) & table.mask
    while table.slots[at].id_plus_1 != 0:
        if table.slots[at].key == key:
            return table.slots[at].id_plus_1 - 1
        at = (at + 1) & table.mask
    return NONE

cdef inline bint is_exact(uint64_t string_key) noexcept nogil:
    return not (string_key >> 56) & 8

cdef inline uint64_t string_key(const unsigned char *p, uint32_t length, uint32_t kind) noexcept nogil:
    """The key of a string; 8 bytes from p on must be readable, whatever the length."""
    cdef uint64_t h, i
    if length <= 7:
        h = linnet_load64(p) & ((<uint64_t>1 << (8 * length)) - 1)
        return h | (<uint64_t>length << 56) | (<uint64_t>kind << 60)
    h = <uint64_t>length * <uint64_t>0xA0761D6478BD642F
    i = 0
    while i + 8 <= length:
        h = mixed(h ^ linnet_load64(p + i))
        i += 8
    h = mixed(h ^ linnet_load64(p + length - 8))
    return (h >> 8) | (<uint64_t>8 << 56) | (<uint64_t>kind << 60)

cdef int grow_table(Table *table) except -1 nogil
cdef void put(Table *table, uint64_t key, uint32_t id) noexcept nogil
cdef int reserve(Table *table, uint64_t count) except -1

cdef class Vocabulary:
    cdef Table strings
    cdef Table grams
    cdef uint64_t *info
    cdef uint64_t info_size
    cdef unsigned char *pool
    cdef uint64_t pool_length
    cdef uint64_t pool_size
    cdef readonly uint32_t n
    cdef readonly uint32_t n_features
    cdef bint indexed               # whether both tables have been filled from `info`
    cdef readonly bint in_place              # whether nodes are found by the index of a model file, which has `info` and `pool` too
    cdef FiledIndex filed
    cdef tuple filed_arrays         # the arrays of the model file that `info`, `pool` and `filed` point into
    cdef uint64_t n_read            # the bytes of text that were read while `in_place`
    cdef bint trusted               # whether what `info` says of each node has been checked

    cdef uint32_t find_filed(self, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil
    cdef bint is_named(self, uint64_t info, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil
    cdef uint32_t find_string(self, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil
    cdef uint32_t add_string(self, uint64_t key, const unsigned char *p, uint32_t length) except? 0xFFFFFFFE nogil
    cdef uint32_t add_gram(self, uint64_t key) except? 0xFFFFFFFE nogil
    cdef uint32_t new_id(self, uint64_t info) except? 0xFFFFFFFE nogil
    cdef uint64_t pooled(self, uint64_t key, const unsigned char *p, uint32_t length) except? 0 nogil
    @staticmethod
    cdef Vocabulary _copied(const uint64_t[::1] info, const uint8_t[::1] pool)
    @staticmethod
    cdef Vocabulary _in_place(const uint64_t[::1] info, const uint8_t[::1] pool, const uint32_t[::1] index)
