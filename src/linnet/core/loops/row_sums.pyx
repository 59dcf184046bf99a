# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sums of tables of weights, where each summand has only some of the rows, and of these only the entries that have changed."""

from libc.stdint cimport int64_t, uint32_t

import numpy as np


def add_entries(double[:, ::1] sums, const int64_t[::1] rows, const uint32_t[::1] at, const float[::1] x, double amount,
                const float[:, ::1] less=None, double[:, ::1] more=None, const float[::1] y=None, double weight=0):
    """Add the entries of a table that has only some of the rows of `sums`: its row j is row rows[j] of `sums`, and x[i]
    is its entry number at[i], counted row by row. At each of these entries,

        d     = x[i] - less         `less` at the same entry; 0 where `less` is None
        sums += amount d
        more += weight d - y[i]     where `more` is given
    """
    cdef int64_t i, j, k, width = sums.shape[1], n = at.shape[0]
    cdef uint32_t last = 0
    cdef double difference
    fits = x.shape[0] == n and (less is None or (less.shape[0] == sums.shape[0] and less.shape[1] == width))
    if more is not None:
        fits = fits and y.shape[0] == n and more.shape[0] == sums.shape[0] and more.shape[1] == width
    if not fits:
        raise ValueError("entries and sums do not fit each other")
    for j in range(rows.shape[0]):
        if rows[j] < 0 or rows[j] >= sums.shape[0]:
            raise IndexError(rows[j])
    for i in range(n):
        last = max(last, at[i])
    if n and last >= rows.shape[0] * width:
        raise IndexError(last)
    with nogil:
        for i in range(n):
            j = rows[at[i] // <uint32_t>width]
            k = at[i] % <uint32_t>width
            difference = <double>x[i] - (less[j, k] if less is not None else 0)
            sums[j, k] += amount * difference
            if more is not None:
                more[j, k] += weight * difference - y[i]


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


def moved2(const float[:, ::1] new, const float[:, ::1] old):
    """The squared lengths of new - old and of new."""
    cdef int64_t i, k
    cdef double change = 0, size = 0, x
    if old.shape[0] != new.shape[0] or old.shape[1] != new.shape[1]:
        raise ValueError("the tables do not fit each other")
    with nogil:
        for i in range(new.shape[0]):
            for k in range(new.shape[1]):
                x = <double>new[i, k] - old[i, k]
                change += x * x
                size += <double>new[i, k] * new[i, k]
    return change, size
