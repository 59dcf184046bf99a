# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The directions in which sparse rows vary most: the leading right singular vectors of a matrix A, and rows projected on them.

Subspace iteration (Halko, Martinsson and Tropp 2011): from a random Z on, Z := orthonormal(A' A Z) a few times; then, with
R the eigenvectors of (A Z)' (A Z), the columns of Z R are the singular vectors, the largest singular value first.

All sums have a fixed order, and the columns of Z are worked on in fixed pieces that do not depend on each other: the same bits
however many threads there are. Nothing is left to a library for linear algebra, whose bits depend on its threads.
"""

from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memset

import numpy as np

cdef extern from "rows.h" nogil:
    void linnet_add_rows(float *theta, const float *W, int stride, const uint32_t *j, const float *x, int64_t n,
                         int64_t known)
    void linnet_update_rows(float *W, float *U, int stride, const uint32_t *j, const float *x, int64_t n, const float *d,
                            float clock)

cdef enum:
    PIECE = 64              # number of columns of Z that are worked on at a time
    SWEEPS = 60             # the most sweeps of Jacobi's rotations
    EXTRA = 8               # columns of Z beyond the k that are wanted, which make these more exact


def directions(const int64_t[::1] indptr, const uint32_t[::1] indices, const float[::1] values, int64_t n_columns, int k,
               int passes=2, keys=None, run=map):
    """The k leading right singular vectors of sparse rows, as an array with a row for each column of the matrix.

    keys: a number for each column, from which its row of the random Z is made, so that the result does not depend on
        the order of columns; without keys, the row depends on the place of the column.
    run: `map`, or that of a pool of threads.
    """
    k = min(k, n_columns, indptr.shape[0] - 1)
    width = -(-(k + EXTRA) // 8) * 8
    Z = np.random.default_rng(0).standard_normal((n_columns, width), np.float32) if keys is None else _signs(keys, width)
    for _ in range(passes):
        _orthonormalise(Z)
        pieces = [np.ascontiguousarray(Z[:, at : at + PIECE]) for at in range(0, width, PIECE)]
        Z = np.concatenate(list(run(lambda piece: _there_and_back(indptr, indices, values, piece), pieces)), axis=1)
    _orthonormalise(Z)
    spread, R = _eigenvectors(_gram(project(indptr, indices, values, Z)))
    return np.ascontiguousarray(_times(Z, R[:, np.argsort(-spread, kind="stable")[:k]]))


def _signs(keys, int width):
    """A row of 1 and -1 for each key, drawn by the mixing function of SplitMix64 (Steele, Lea and Flood 2014)."""
    z = np.asarray(keys, np.uint64)[:, None] + np.arange(1, width + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.where((z ^ (z >> np.uint64(31))) >> np.uint64(63), np.float32(1), np.float32(-1))


def project(const int64_t[::1] indptr, const uint32_t[::1] indices, const float[::1] values, const float[:, ::1] table):
    """Sparse rows times a table with a row for each of their columns. The table has a multiple of 8 columns."""
    cdef int64_t i, n = indptr.shape[0] - 1, all = indices.shape[0]
    cdef int width = table.shape[1]
    found = np.zeros((n, width), np.float32)
    cdef float[:, ::1] out = found
    if n == 0 or all == 0 or width == 0:
        return found
    with nogil:
        for i in range(n):
            linnet_add_rows(&out[i, 0], &table[0, 0], width, &indices[0] + indptr[i], &values[0] + indptr[i],
                            indptr[i + 1] - indptr[i], all - indptr[i])
    return found


def _there_and_back(const int64_t[::1] indptr, const uint32_t[::1] indices, const float[::1] values, const float[:, ::1] Z):
    """A' A Z for some columns of Z."""
    found = np.zeros((Z.shape[0], Z.shape[1]), np.float32)
    cdef float[:, ::1] out = found
    cdef float[PIECE] y
    cdef int64_t i, all = indices.shape[0]
    cdef int width = Z.shape[1]
    with nogil:
        for i in range(indptr.shape[0] - 1):
            if indptr[i] == indptr[i + 1]:
                continue
            memset(y, 0, sizeof(y))
            linnet_add_rows(y, &Z[0, 0], width, &indices[0] + indptr[i], &values[0] + indptr[i], indptr[i + 1] - indptr[i],
                            all - indptr[i])
            linnet_update_rows(&out[0, 0], NULL, width, &indices[0] + indptr[i], &values[0] + indptr[i],
                               indptr[i + 1] - indptr[i], y, 0)
    return found


def _gram(const float[:, ::1] Z):
    """Z' Z in float64."""
    cdef int64_t i, n = Z.shape[0]
    cdef int a, b, width = Z.shape[1]
    found = np.zeros((width, width))
    cdef double[:, ::1] G = found
    with nogil:
        for i in range(n):
            for a in range(width):
                for b in range(a + 1):
                    G[a, b] += <double>Z[i, a] * Z[i, b]
    return np.tril(found) + np.tril(found, -1).T


def _times(const float[:, ::1] Z, R):
    """Z R, summed in float64."""
    cdef int64_t i
    cdef int a, b, inner = Z.shape[1], width = R.shape[1]
    found = np.zeros((Z.shape[0], width), np.float32)
    cdef float[:, ::1] out = found
    cdef double[:, ::1] r = np.ascontiguousarray(R)
    cdef double[::1] sums = np.zeros(width)
    with nogil:
        for i in range(Z.shape[0]):
            for b in range(width):
                sums[b] = 0
            for a in range(inner):
                for b in range(width):
                    sums[b] += Z[i, a] * r[a, b]
            for b in range(width):
                out[i, b] = <float>sums[b]
    return found


def _orthonormalise(float[:, ::1] Z):
    """Make the columns of Z orthonormal, in place, by the Cholesky factor of Z' Z; those that depend on others become 0."""
    cdef int64_t i, n = Z.shape[0]
    cdef int a, b, width = Z.shape[1]
    cdef double[:, ::1] L = _cholesky(_gram(Z))
    cdef double sum
    with nogil:
        for i in range(n):
            for a in range(width):
                sum = Z[i, a]
                for b in range(a):
                    sum -= L[a, b] * Z[i, b]
                Z[i, a] = <float>(sum / L[a, a]) if L[a, a] > 0 else 0


def _cholesky(double[:, ::1] G):
    """The lower triangle L with L L' = G; a row is 0 where nothing is left of it."""
    cdef int a, b, k, n = G.shape[0]
    found = np.zeros((n, n))
    cdef double[:, ::1] L = found
    cdef double sum
    for a in range(n):
        for b in range(a + 1):
            sum = G[a, b]
            for k in range(b):
                sum -= L[a, k] * L[b, k]
            if a == b:
                L[a, a] = sqrt(sum) if sum > 1e-10 * G[a, a] else 0
            else:
                L[a, b] = sum / L[b, b] if L[b, b] > 0 else 0
    return found


def _eigenvectors(matrix):
    """The eigenvalues of a symmetric matrix, and its eigenvectors as columns, by Jacobi's rotations."""
    n = len(matrix)
    cdef double[:, ::1] A = np.array(matrix, np.float64), V = np.eye(n)
    cdef int p, q, k, sweep, size = n
    cdef double off, diagonal, theta, t, c, s, x, y
    with nogil:
        for sweep in range(SWEEPS):
            off = diagonal = 0
            for p in range(size):
                diagonal += A[p, p] * A[p, p]
                for q in range(p):
                    off += A[p, q] * A[p, q]
            if off <= 1e-22 * diagonal:
                break
            for p in range(size - 1):
                for q in range(p + 1, size):
                    if fabs(A[p, q]) <= 1e-300:
                        continue
                    theta = (A[q, q] - A[p, p]) / (2 * A[p, q])
                    t = (1 if theta >= 0 else -1) / (fabs(theta) + sqrt(theta * theta + 1))
                    c = 1 / sqrt(t * t + 1)
                    s = t * c
                    for k in range(size):
                        x = A[p, k]
                        y = A[q, k]
                        A[p, k] = c * x - s * y
                        A[q, k] = s * x + c * y
                    for k in range(size):
                        x = A[k, p]
                        y = A[k, q]
                        A[k, p] = c * x - s * y
                        A[k, q] = s * x + c * y
                    for k in range(size):
                        x = V[p, k]
                        y = V[q, k]
                        V[p, k] = c * x - s * y
                        V[q, k] = s * x + c * y
    return np.diagonal(np.asarray(A)).copy(), np.asarray(V).T
