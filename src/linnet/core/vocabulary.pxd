from libc.stdint cimport uint32_t, uint64_t

cdef extern from "rows.h" nogil:
    uint64_t linnet_load64(const unsigned char *p)
    void linnet_prefetch(const void *p)
    void *linnet_zeros(size_t size)
    enum: LINNET_AHEAD

cdef enum:
    NONE = 0xFFFFFFFF

# Kinds of strings: the same letters as a word and as a piece of a word are two features.
cdef enum Kind:
    WORD = 0
    CHARS = 1
    ACROSS = 2
    HANDMADE = 3

cdef struct Slot:
    uint64_t key
    uint32_t id_plus_1      # 0: empty
    uint32_t unused

cdef struct Table:
    Slot *slots
    uint64_t mask
    uint64_t count

cdef uint64_t string_key(const unsigned char *p, uint32_t length, uint32_t kind) noexcept nogil
cdef uint64_t mixed(uint64_t key) noexcept nogil

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

    cdef void prefetch_string(self, uint64_t key) noexcept nogil
    cdef void prefetch_gram(self, uint64_t key) noexcept nogil
    cdef uint32_t find_string(self, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil
    cdef uint32_t find_gram(self, uint64_t key) noexcept nogil
    cdef uint32_t add_string(self, uint64_t key, const unsigned char *p, uint32_t length) except? 0xFFFFFFFE nogil
    cdef uint32_t add_gram(self, uint64_t key) except? 0xFFFFFFFE nogil
    cdef uint32_t new_id(self, uint64_t info) except? 0xFFFFFFFE nogil
    cdef uint64_t pooled(self, uint64_t key, const unsigned char *p, uint32_t length) except? 0 nogil
    cdef void set_features(self, uint32_t n_features) noexcept nogil
