from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from linnet.core.extract.filed_index cimport FiledIndex, first_slot, index_hash
from linnet.core.extract.tables cimport Secret, Table, mixed

cdef extern from "rows.h" nogil:
    uint64_t linnet_load64(const unsigned char *p)
    void linnet_prefetch(const void *p)
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)
    void *linnet_larger(void *p, size_t size)
    enum: LINNET_AHEAD

cdef enum:
    NONE = 0xFFFFFFFF       # the id of what the vocabulary does not have
    MAX_LENGTH = 0xFFFFF    # most bytes of a string

# Strings have kinds: the same letters as a word and as a piece of a word are two features. A gram is of the kind of its
# first string.
cdef enum Kind:
    WORD = 0
    CHARS = 1               # an n-gram of characters within a word
    ACROSS = 2              # an n-gram of characters across words
    START = 3               # the first word of an n-gram at the start of a text
    SKIP = 4                # the first word of a pair that skips some words
    SHAPE = 5               # the shape of a token
    HANDMADE = 6            # the name of a hand-made feature

cdef extern from "lookup.h" nogil:
    ctypedef struct Line "linnet_line":
        pass
    ctypedef struct Grams "linnet_grams":
        Line *lines
        uint64_t count
        uint64_t mask
        int bits
        int line_bits
        int exact
        Secret secret
    uint64_t linnet_gram_hash(const Grams *table, uint32_t shorter, uint32_t word)
    uint32_t linnet_find_gram(const Grams *table, const uint64_t *pairs, uint32_t shorter, uint32_t word)
    bint linnet_put_gram(Grams *table, uint32_t shorter, uint32_t word, uint32_t id)
    void linnet_find_grams(const Grams *table, const uint64_t *pairs, uint32_t *grams, const uint32_t *words, int64_t n)
    int64_t linnet_grow_grams(Grams *table, uint64_t *pairs, uint32_t *nodes, uint32_t room, uint32_t *grams,
                              const uint32_t *words, int64_t n)

# The key of a string is  kind (bits 60 to 62) | length (bits 56 to 59) | the string itself (56 bits)  up to a length of
# 7. The key of a longer one has 8 in the place of the length, and a hash in that of the string.

cdef inline bint is_exact(uint64_t string_key) noexcept nogil:
    """Whether a key is the string itself, and not a hash of it."""
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

cdef inline void prefetch_filed(const FiledIndex *filed, uint64_t key) noexcept nogil:
    linnet_prefetch(&filed.slots[first_slot(filed, index_hash(key))])

cdef class Vocabulary:
    cdef Table strings
    cdef Table namesakes            # the long strings whose key SAME others have, which `strings` has no more room for
    cdef Secret naming              # what the keys of namesakes follow from
    cdef Grams grams
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
    cdef bint is_filed(self, uint64_t info, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil
    cdef uint32_t find_string(self, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil
    cdef uint32_t find_namesake(self, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil
    cdef int put_string(self, uint64_t key, const unsigned char *p, uint32_t length, uint32_t id) except -1 nogil
    cdef uint32_t find_gram(self, uint64_t key) noexcept nogil
    cdef int make_grams(self, uint64_t room) except -1 nogil
    cdef bint put_grams(self) noexcept nogil
    cdef uint32_t add_string(self, uint64_t key, const unsigned char *p, uint32_t length) except? 0xFFFFFFFE nogil
    cdef uint32_t add_gram(self, uint64_t key) except? 0xFFFFFFFE nogil
    cdef int grow_grams(self, uint32_t *grams, const uint32_t *words, int64_t n) except -1 nogil
    cdef int make_room(self) except -1 nogil
    cdef uint32_t new_id(self, uint64_t info) except? 0xFFFFFFFE nogil
    cdef uint64_t pooled(self, uint64_t key, const unsigned char *p, uint32_t length) except? 0 nogil
    cdef inline void prefetch_gram(self, uint32_t shorter, uint32_t word) noexcept nogil:
        if self.in_place:
            prefetch_filed(&self.filed, <uint64_t>shorter << 32 | word)
        else:
            linnet_prefetch(&self.grams.lines[linnet_gram_hash(&self.grams, shorter, word) & self.grams.mask])

    cdef inline const unsigned char *letters_of(self, uint32_t id) noexcept nogil:
        """Where the bytes of a string are."""
        return self.pool + (self.info[id] & (<uint64_t>1 << 40) - 1)

    cdef inline bint is_string(self, uint32_t id, const unsigned char *p, uint32_t length) noexcept nogil:
        """Whether node `id`, which must be a string, has these bytes. `length` must be at least 8."""
        cdef uint64_t differs = 0
        cdef uint32_t i = 0
        cdef const unsigned char *letters = self.letters_of(id)
        if (self.info[id] >> 40 & MAX_LENGTH) != length:
            return False
        while i + 8 < length:
            differs |= linnet_load64(letters + i) ^ linnet_load64(p + i)
            i += 8
        return (differs | (linnet_load64(letters + length - 8) ^ linnet_load64(p + length - 8))) == 0

    cdef inline bint is_named(self, uint32_t id, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil:
        """Whether node `id`, which must be a string, is the one of 8 bytes or more that has this key and these bytes."""
        return self.info[id] >> 60 == (8 | key >> 60) and self.is_string(id, p, length)

    @staticmethod
    cdef Vocabulary _copied(const uint64_t[::1] info, const uint8_t[::1] pool)
    @staticmethod
    cdef Vocabulary _in_place(const uint64_t[::1] info, const uint8_t[::1] pool, const uint32_t[::1] index)
