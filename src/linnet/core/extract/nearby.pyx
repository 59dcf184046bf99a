# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Where else a word stands: for each token the nearest other places in the text that have the same code."""

from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np


def others(const int32_t[::1] code, const uint8_t[::1] wanted, int64_t window, int most):
    """For each wanted token, up to `most` other tokens with its code within `window`, the nearest first. Returns indptr and
    places."""
    cdef int64_t i, n = code.shape[0], back, ahead, to_back, to_ahead, at = 0
    cdef int found
    last = np.full(np.max(code, initial=-1) + 1, -1, np.int64)
    before, behind, indptr = np.full(n, -1, np.int64), np.full(n, -1, np.int64), np.zeros(n + 1, np.int64)
    places = np.empty(<int64_t>np.count_nonzero(wanted) * most, np.int64)
    cdef int64_t[::1] seen = last, previous = before, following = behind, cut = indptr, out = places
    with nogil:
        for i in range(n):
            previous[i] = seen[code[i]]
            if previous[i] >= 0:
                following[previous[i]] = i
            seen[code[i]] = i
        for i in range(n):
            back, ahead, found = previous[i], following[i], 0
            while wanted[i] and found < most:
                to_back = i - back if back >= 0 else window + 1
                to_ahead = ahead - i if ahead >= 0 else window + 1
                if to_back > window and to_ahead > window:
                    break
                if to_back <= to_ahead:
                    out[at] = back
                    back = previous[back]
                else:
                    out[at] = ahead
                    ahead = following[ahead]
                at += 1
                found += 1
            cut[i + 1] = at
    return indptr, places[:at]
