# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sums of tables of weights, where each summand has only some of the rows, and of these only the entries that have changed."""

from libc.stdint cimport int64_t, uint32_t

import numpy as np


def add_entries(double[:, ::1] sums, const int64_t[::1] rows, const uint32_t[::1] at, const float[::1] x, double amount,
                const float[:, ::1] less=None):
    """Add a multiple of x to some entries of the sums, less what `less` has there. x[i] is the entry at[i] of a table, row by
    row, of which row j is the row rows[j] of the sums."""
    cdef int64_t i, j, k, width = sums.shape[1], n = at.shape[0]
    if x.shape[0] != n or (less is not None and (less.shape[0] != sums.shape[0] or less.shape[1] != width)):
        raise ValueError("entries and sums do not fit each other")
    for j in range(rows.shape[0]):
        if rows[j] < 0 or rows[j] >= sums.shape[0]:
            raise IndexError(rows[j])
    for i in range(n):
        if at[i] >= rows.shape[0] * width:
            raise IndexError(at[i])
    with nogil:
        for i in range(n):
            j = rows[at[i] // <uint32_t>width]
            k = at[i] % <uint32_t>width
            sums[j, k] += amount * (<double>x[i] - (less[j, k] if less is not None else 0))


def mixed(const float[:, ::1] before, double scale, const double[:, ::1] sums, const double[::1] share,
          const float[:, ::1] more=None, double amount=0):
    """The table scale before + diag(share) sums + amount more, in single precision."""
    cdef int64_t i, k, n = sums.shape[0], width = sums.shape[1]
    cdef double x
    fits = before.shape[0] == share.shape[0] == n and before.shape[1] == width
    if not fits or (more is not None and (more.shape[0] != n or more.shape[1] != width)):
        raise ValueError("tables, sums and shares do not fit each other")
    found = np.empty((n, width), np.float32)
    cdef float[:, ::1] out = found
    with nogil:
        for i in range(n):
            for k in range(width):
                x = scale * before[i, k] + share[i] * sums[i, k]
                if more is not None:
                    x += amount * more[i, k]
                out[i, k] = <float>x
    return found
