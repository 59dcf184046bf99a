# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Which words occur near which others in some texts: positive pointwise mutual information.

    PPMI(w, c) = max(0, ln(n_wc / (n_w p_c))),    p_c = n_c^0.75 / sum_c' n_c'^0.75

n_wc is how often context c stands at most `window` words before or after w, and n_w = sum_c n_wc. Rare contexts would have the
largest values; the power makes them as if they were less rare (Levy, Goldberg and Dagan 2015).

The words of a row are counted in one small table that stays in the cache, over the places of the word. So memory is needed for
the result alone, and rows do not depend on each other.
"""

from libc.math cimport log, pow
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

cdef enum:
    GROWTH = 1 << 20        # number of entries by which the result grows at least


def rows_of_neighbours(const int64_t[::1] starts, const uint32_t[::1] words, int64_t n_words, int64_t n_contexts, int64_t window):
    """PPMI of all words and the first `n_contexts` of them, as the arrays indptr, indices and values of sparse rows.

    Text i has the words words[starts[i]:starts[i + 1]], in their order.
    """
    first, places, text = _places(starts, words, n_words)
    share = _shares(starts, words, n_words, n_contexts, window)
    cdef const int64_t[::1] at = first, place = places, begin = starts
    cdef const double[::1] p = share
    cdef const uint32_t[::1] text_of = text
    indptr = np.zeros(n_words + 1, np.int64)
    cdef int64_t[::1] ends = indptr
    cdef int64_t w, i, k, low, high, seen, kept = 0, room = 0
    cdef uint32_t c
    cdef double value, total
    cdef float[::1] count = np.zeros(n_contexts, np.float32)
    cdef uint32_t[::1] touched = np.zeros(n_contexts, np.uint32)
    indices, values = np.zeros(0, np.uint32), np.zeros(0, np.float32)
    cdef uint32_t[::1] index = indices
    cdef float[::1] entry = values
    for w in range(n_words):
        if kept + n_contexts > room:
            room = kept + kept // 4 + n_contexts + GROWTH
            index = entry = None
            indices.resize(room, refcheck=False)
            values.resize(room, refcheck=False)
            index, entry = indices, values
        with nogil:
            seen = 0
            total = 0
            for i in range(at[w], at[w + 1]):
                low = max(begin[text_of[i]], place[i] - window)
                high = min(begin[text_of[i] + 1], place[i] + window + 1)
                for k in range(low, high):
                    c = words[k]
                    if c < n_contexts and k != place[i]:
                        if count[c] == 0:
                            touched[seen] = c
                            seen += 1
                        count[c] += 1
                        total += 1
            for k in range(seen):
                c = touched[k]
                value = log(count[c] / (total * p[c]))
                count[c] = 0
                if value > 0:
                    index[kept] = c
                    entry[kept] = <float>value
                    kept += 1
            ends[w + 1] = kept
    index = entry = None
    indices.resize(kept, refcheck=False)
    values.resize(kept, refcheck=False)
    return indptr, indices, values


def _places(const int64_t[::1] starts, const uint32_t[::1] words, int64_t n_words):
    """The places of each word, those of word w from first[w] on, and the number of the text of each place."""
    counts = np.bincount(words, minlength=n_words)
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    places = np.empty(len(words), np.int64)
    text = np.empty(len(words), np.uint32)
    cdef int64_t[::1] next = first[:n_words].copy(), place = places
    cdef uint32_t[::1] text_of = text
    cdef int64_t i, k
    with nogil:
        for i in range(starts.shape[0] - 1):
            for k in range(starts[i], starts[i + 1]):
                place[next[words[k]]] = k
                text_of[next[words[k]]] = <uint32_t>i
                next[words[k]] += 1
    return first, places, text


def _shares(const int64_t[::1] starts, const uint32_t[::1] words, int64_t n_words, int64_t n_contexts, int64_t window):
    """p_c of each context: how often it stands near any word, raised to the power 0.75, as shares of 1."""
    near = np.zeros(n_contexts)
    cdef double[::1] n = near
    cdef int64_t i, k
    with nogil:
        for i in range(starts.shape[0] - 1):
            for k in range(starts[i], starts[i + 1]):
                if words[k] < n_contexts:
                    n[words[k]] += min(window, k - starts[i]) + min(window, starts[i + 1] - 1 - k)
    near **= 0.75
    return near / max(near.sum(), 1)
