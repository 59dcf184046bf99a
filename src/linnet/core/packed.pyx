# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Packing of arrays that are mostly zero: a bit for each number, 1 where it is not zero, and the numbers that are not, in
order."""

from libc.stdint cimport int64_t, uint8_t, uint32_t

import numpy as np

cdef extern from *:
    int ctz "__builtin_ctz"(unsigned int x) nogil


def pack(const uint32_t[::1] x, double most):
    """Pack 32-bit numbers into bits and values; None where more than a share `most` of them is not zero. A negative zero counts
    as a value, so that every bit comes back."""
    cdef int64_t i, n = x.shape[0], found = 0, at = 0
    with nogil:
        for i in range(n):
            found += x[i] != 0
    if n == 0 or found > most * n:
        return None
    bits, values = np.zeros((n + 7) // 8, np.uint8), np.empty(found, np.uint32)
    cdef uint8_t[::1] bit = bits
    cdef uint32_t[::1] value = values
    with nogil:
        for i in range(n):
            if x[i] != 0:
                bit[i // 8] |= 1 << (i % 8)
                value[at] = x[i]
                at += 1
    return bits, values


def unpack(const uint8_t[::1] bits, const uint32_t[::1] values, int64_t n):
    """The n numbers that `pack` was given. ValueError if the bits and the values do not match."""
    cdef int64_t i, at = 0, room = values.shape[0]
    cdef uint32_t left = 0
    if bits.shape[0] != (n + 7) // 8:
        raise ValueError(f"expected {(n + 7) // 8} bytes of bits, found {bits.shape[0]}")
    out = np.zeros(bits.shape[0] * 8, np.uint32)
    cdef uint32_t[::1] x = out
    with nogil:
        for i in range(bits.shape[0]):
            left = bits[i]
            while left and at < room:
                x[8 * i + ctz(left)] = values[at]
                at += 1
                left &= left - 1
            if left:
                break
    if left or at != room or out[n:].any():
        raise ValueError("there is not a value for each bit")
    return out[:n]
