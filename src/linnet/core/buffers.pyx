# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Memory that grows, and that NumPy then reads in place."""

from cpython.buffer cimport PyBuffer_FillInfo
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc

import numpy as np

cdef extern from "rows.h" nogil:
    void *linnet_larger(void *p, size_t size)


cdef void *larger(void *p, uint64_t *size, uint64_t wanted, size_t item) except NULL nogil:
    """Grow a piece of memory to at least `wanted` items of `item` bytes, and keep its contents."""
    if wanted <= size[0] and p != NULL:
        return p
    cdef uint64_t n = max(wanted, size[0] + size[0] // 2) + 64
    cdef void *q = linnet_larger(p, n * item)
    if q == NULL:
        with gil:
            raise MemoryError(f"no memory for {n * item >> 20} MB of features")
    size[0] = n
    return q


cdef class Memory:
    """A piece of C memory that NumPy reads in place."""
    cdef void *p
    cdef Py_ssize_t n_bytes

    def __dealloc__(self):
        free(self.p)

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.p, self.n_bytes, 0, flags)


cdef object array_of(void *p, uint64_t n, object dtype):
    """A NumPy array over p[:n], which takes ownership of p.

    A small piece is cut to the size that it needs. A large one is left as it is: the system has given no memory for the
    end that was never written to, and realloc would copy the piece, because a part of it lies on huge pages.
    """
    cdef Py_ssize_t item = np.dtype(dtype).itemsize
    if n == 0:
        free(p)
        return np.empty(0, dtype)
    cdef Memory memory = Memory()
    cdef void *q = realloc(p, n * item) if n * item < 1 << 20 else p
    memory.p = q if q != NULL else p
    memory.n_bytes = n * item
    return np.frombuffer(memory, dtype)


cdef class SparseRows:
    """Sparse rows that grow: row i has indices[indptr[i]:indptr[i + 1]] with their values."""

    def __cinit__(self):
        with nogil:
            self.indptr = <int64_t *>larger(NULL, &self.indptr_size, 1, sizeof(int64_t))
        self.indptr[0] = 0

    def __dealloc__(self):
        free(self.indptr)
        free(self.indices)
        free(self.values)

    cdef int reserve(self, uint64_t more) except -1 nogil:
        """Make room for so many more entries, and for one more row. Entries are written at `nnz`, which the caller
        raises."""
        self.indices = <uint32_t *>larger(self.indices, &self.indices_size, self.nnz + more, sizeof(uint32_t))
        self.values = <float *>larger(self.values, &self.values_size, self.nnz + more, sizeof(float))
        return self.reserve_rows(1)

    cdef int reserve_rows(self, uint64_t more) except -1 nogil:
        """Make room for so many more rows."""
        self.indptr = <int64_t *>larger(self.indptr, &self.indptr_size, self.n + more + 1, sizeof(int64_t))
        return 0

    cdef void end_row(self) noexcept nogil:
        """End a row: all entries added since the last row belong to it. There must be room for the row."""
        self.n += 1
        self.indptr[self.n] = self.nnz

    cdef void end_rows(self, uint64_t n) noexcept nogil:
        """End n rows: all entries added since the last row belong to the first of them, the others are empty."""
        cdef uint64_t i
        for i in range(n):
            self.end_row()

    def take(self):
        """Return indptr, indices and values as arrays, and begin anew without any rows."""
        out = (array_of(self.indptr, self.n + 1, np.int64), array_of(self.indices, self.nnz, np.uint32),
               array_of(self.values, self.nnz, np.float32))
        self.indptr = NULL
        self.indices = NULL
        self.values = NULL
        self.indptr_size = self.indices_size = self.values_size = self.n = self.nnz = 0
        with nogil:
            self.indptr = <int64_t *>larger(NULL, &self.indptr_size, 1, sizeof(int64_t))
        self.indptr[0] = 0
        return out
