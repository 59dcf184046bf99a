# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sums of rows of weights, where each summand has only some of the rows."""

from libc.stdint cimport int64_t


def add_rows(double[:, ::1] sums, const int64_t[::1] rows, const float[:, ::1] x, double amount, const float[:, ::1] less=None):
    """Add to row rows[i] of the sums a multiple of row i of x, less what `less` has in row rows[i]."""
    cdef int64_t i, k, row, n = sums.shape[0], width = sums.shape[1]
    if x.shape[0] != rows.shape[0] or x.shape[1] != width or (less is not None and less.shape[1] != width):
        raise ValueError("rows and sums do not fit each other")
    for i in range(rows.shape[0]):
        if rows[i] < 0 or rows[i] >= n or (less is not None and rows[i] >= less.shape[0]):
            raise IndexError(rows[i])
    with nogil:
        for i in range(rows.shape[0]):
            row = rows[i]
            if less is None:
                for k in range(width):
                    sums[row, k] += amount * x[i, k]
            else:
                for k in range(width):
                    sums[row, k] += amount * (<double>x[i, k] - less[row, k])
