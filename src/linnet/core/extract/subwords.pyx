# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The n-grams of characters of words, as numbers of buckets, just as fastText hashes them (Bojanowski et al. 2017).

A word stands between < and >. Of <ab> the n-grams of one to two characters are a, b, <a, ab and b>: one character is none if it
is < or >. The bucket of an n-gram is its FNV-1a hash of 32 bits modulo the number of buckets, where a byte from 128 on counts as
a negative number, as `char` does in C.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t

import numpy as np


cdef inline bint continues(uint8_t byte) noexcept nogil:
    """Whether a byte of UTF-8 continues the character before it."""
    return (byte & 0xC0) == 0x80


def subwords(words, int least, int most, uint32_t n_buckets):
    """The buckets of the n-grams of words, which are bytes of UTF-8: those of word i are buckets[at[i]:at[i + 1]]."""
    words = [b"<" + word + b">" for word in words]
    cdef const uint8_t[::1] pool = np.frombuffer(b"".join(words) or b"\0", np.uint8)
    cdef int64_t[::1] ends = np.cumsum([0, *map(len, words)], dtype=np.int64)
    places = np.zeros(len(words) + 1, np.int64)
    found = np.empty(int(ends[len(words)]) * max(most - least + 1, 0), np.int64)
    cdef int64_t[::1] at = places
    cdef int64_t[::1] buckets = found
    cdef int64_t w, i, j, end, n_found = 0
    cdef int n
    cdef uint32_t h
    with nogil:
        for w in range(at.shape[0] - 1):
            end = ends[w + 1]
            for i in range(ends[w], end):
                if continues(pool[i]):
                    continue
                h, j, n = 2166136261u, i, 1
                while j < end and n <= most:
                    h = (h ^ <uint32_t><int8_t>pool[j]) * 16777619u
                    j += 1
                    while j < end and continues(pool[j]):
                        h = (h ^ <uint32_t><int8_t>pool[j]) * 16777619u
                        j += 1
                    if n >= least and not (n == 1 and (i == ends[w] or j == end)):
                        buckets[n_found] = h % n_buckets
                        n_found += 1
                    n += 1
            at[w + 1] = n_found
    return places, found[:n_found]
