# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The likeness of two words: the length of their longest common subsequence over that of the longer word (Melamed 1995).

    L[a, b] = L[a - 1, b - 1] + 1 where the letters are the same, else max(L[a - 1, b], L[a, b - 1])
"""

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport calloc, free

import numpy as np


cdef class Words:
    """Words as code points, one after the other."""
    cdef const uint32_t[::1] letters
    cdef const int64_t[::1] at

    def __init__(self, words):
        words = list(words)
        self.letters = np.frombuffer("".join(words).encode("utf-32-le") or b"\0\0\0\0", np.uint32)
        self.at = np.cumsum([0, *map(len, words)], dtype=np.int64)


def ratios(Words source, Words target, const int32_t[::1] i, const int32_t[::1] j):
    """The ratio of source word i[k] and target word j[k], for each k."""
    cdef int64_t k, a, b, longest = 0
    cdef int32_t corner, above
    cdef const uint32_t *x
    cdef const uint32_t *y
    cdef int64_t n, m
    cdef int32_t *L
    found = np.zeros(i.shape[0], np.float32)
    cdef float[::1] out = found
    for k in range(target.at.shape[0] - 1):
        longest = max(longest, target.at[k + 1] - target.at[k])
    L = <int32_t *>calloc(longest + 1, sizeof(int32_t))
    if L == NULL:
        raise MemoryError("no memory for a word")
    with nogil:
        for k in range(i.shape[0]):
            x, y = &source.letters[0] + source.at[i[k]], &target.letters[0] + target.at[j[k]]
            n, m = source.at[i[k] + 1] - source.at[i[k]], target.at[j[k] + 1] - target.at[j[k]]
            for b in range(m + 1):
                L[b] = 0
            for a in range(n):
                corner = 0
                for b in range(m):
                    above = L[b + 1]
                    L[b + 1] = corner + 1 if x[a] == y[b] else max(above, L[b])
                    corner = above
            out[k] = <float>L[m] / max(n, m) if n or m else 1
    free(L)
    return found
