# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Joining a vocabulary, the part, to another, the whole, as if the texts of the part had been read after those of the
whole.

A vocabulary that grew has its nodes in the order in which they were first seen, and a gram after its parts. So the
nodes of the part that the whole does not have are added to it in their order, and get the numbers that reading would
have given them. To look up which these are takes most of the time, and changes neither vocabulary, so that threads can
share this work.
"""

from libc.stdint cimport uint32_t, uint64_t

from linnet.core.extract.vocabulary cimport (
    LINNET_AHEAD, MAX_LENGTH, NONE, Vocabulary, string_key,
)

import numpy as np

# A number that one thread writes while another one may read it: the reader sees it as it was before, or as it is.
cdef extern from *:
    """
    static inline uint32_t linnet_seen(const uint32_t *at) { return __atomic_load_n(at, __ATOMIC_RELAXED); }
    static inline void linnet_shown(uint32_t *at, uint32_t number) { __atomic_store_n(at, number, __ATOMIC_RELAXED); }
    """
    uint32_t linnet_seen(const uint32_t *at) nogil
    void linnet_shown(uint32_t *at, uint32_t number) nogil

# The bit of `info` that says that a node is a string, and the bits that say where it is in the pool (vocabulary.pyx).
cdef uint64_t STRING = <uint64_t>1 << 63
cdef uint64_t OFFSET = (<uint64_t>1 << 40) - 1
cdef enum:
    UNKNOWN = 0xFFFFFFFE    # the number of a node that has not been looked up


def unknown(Vocabulary part):
    """Numbers for all nodes of a part, of which none has been looked up."""
    cdef uint32_t number = UNKNOWN
    return np.full(part.n, number, np.uint32)


def look_up_strings(Vocabulary whole, Vocabulary part, uint32_t[::1] ids, uint32_t begin, uint32_t end):
    """Look up which of these nodes of a part are strings that the whole has, and write their numbers there into `ids`."""
    cdef uint32_t i
    cdef uint64_t info
    with nogil:
        for i in range(begin, end):
            info = part.info[i]
            if info & STRING:
                ids[i] = whole.find_string(key_of(part, info), part.pool + (info & OFFSET), <uint32_t>(info >> 40 & MAX_LENGTH))


def look_up_grams(Vocabulary whole, Vocabulary part, uint32_t[::1] ids, uint32_t begin, uint32_t end):
    """Look up which of these nodes of a part are grams that the whole has, as far as their parts have been looked up, and write
    their numbers there into `ids`. Return how many are left for another time. Other threads may look up other nodes meanwhile."""
    cdef uint32_t i, shorter, word, left = 0
    cdef uint64_t info
    with nogil:
        for i in range(begin, end):
            if i + LINNET_AHEAD < end:
                info = part.info[i + LINNET_AHEAD]
                if not info & STRING:
                    whole.prefetch_gram(linnet_seen(&ids[info >> 32]), linnet_seen(&ids[<uint32_t>info]))
            info = part.info[i]
            if info & STRING or ids[i] != UNKNOWN:
                continue
            shorter, word = linnet_seen(&ids[info >> 32]), linnet_seen(&ids[<uint32_t>info])
            if shorter == NONE or word == NONE:
                linnet_shown(&ids[i], NONE)
            elif shorter == UNKNOWN or word == UNKNOWN:
                left += 1
            else:
                linnet_shown(&ids[i], whole.find_gram(<uint64_t>shorter << 32 | word))
    return left


def add_others(Vocabulary whole, Vocabulary part, uint32_t[::1] ids, bint grows):
    """Add the nodes of a part that the whole does not have, and write their numbers into `ids`. grows: whether more texts follow,
    so that nodes have to be found again."""
    cdef uint32_t i, length
    cdef uint64_t info
    cdef const unsigned char *p
    with nogil:
        for i in range(part.n):
            if ids[i] != NONE:
                continue
            info = part.info[i]
            if info & STRING:
                p, length = part.pool + (info & OFFSET), <uint32_t>(info >> 40 & MAX_LENGTH)
                ids[i] = whole.add_string(key_of(part, info), p, length) if grows else whole.new_id(whole.pooled(info, p, length))
            else:
                info = <uint64_t>ids[info >> 32] << 32 | ids[<uint32_t>info]
                ids[i] = whole.add_gram(info) if grows else whole.new_id(info)
    whole.indexed = whole.indexed and grows


cdef inline uint64_t key_of(Vocabulary part, uint64_t info) noexcept nogil:
    """The key of a string of a part."""
    return string_key(part.pool + (info & OFFSET), <uint32_t>(info >> 40 & MAX_LENGTH), <uint32_t>(info >> 60 & 7))
