# The index of a large vocabulary as the model file keeps it: a hash table from keys to ids, with open addressing and
# linear probing.
#
#   slot:   tag | 1 + id        32 bits: the lowest `id_bits` are 1 + the id, the others are those of the hash; an empty slot is 0
#
# A slot has no key: one whose tag fits is compared with what the vocabulary knows of its id. So an index that somebody has forged
# leads to a wrong answer at worst: ids are compared with the number of all ids, and a search ends after PROBES slots.

from libc.stdint cimport uint32_t, uint64_t

cdef enum:
    PROBES = 4096           # the most slots that a search looks at

cdef struct FiledIndex:
    const uint32_t *slots
    uint64_t size           # the number of slots, less than 2^32
    int id_bits

cdef inline uint64_t index_hash(uint64_t key) noexcept nogil:
    key = (key ^ (key >> 32)) * <uint64_t>0x9E3779B97F4A7C15
    key = (key ^ (key >> 29)) * <uint64_t>0xBF58476D1CE4E5B9
    return key ^ (key >> 32)

cdef inline uint64_t first_slot(const FiledIndex *index, uint64_t hash) noexcept nogil:
    """The slot at which the search for a hash begins: its upper 32 bits, scaled from 2^32 to the number of slots."""
    return (hash >> 32) * index.size >> 32

cdef inline int bits_for(uint64_t n) noexcept nogil:
    """The number of bits that n takes."""
    cdef int bits = 1
    while n >> bits:
        bits += 1
    return bits
