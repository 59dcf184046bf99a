# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Texts where they lie: the bytes of each in UTF-8, in the memory of Arrow or of Python's own strings."""

from cpython.unicode cimport PyUnicode_AsUTF8AndSize
from libc.stdint cimport int64_t, uint8_t, uintptr_t
from libc.stdlib cimport free, malloc

import pyarrow as pa


cdef class TextViews:
    """The texts of a column: an Arrow array of large strings without nulls, or several; or a list of strings."""

    def __init__(self, column):
        self.owner = column
        self.n = len(column)
        self.views = <View *>malloc((self.n + 1) * sizeof(View))
        if self.views == NULL:
            raise MemoryError(f"no memory for {self.n} texts")
        if isinstance(column, list):
            self.take_strings(column)
        else:
            self.take_chunks(column.chunks if isinstance(column, pa.ChunkedArray) else [column])

    def __dealloc__(self):
        free(self.views)

    def __len__(self):
        return self.n

    cdef int take_chunks(self, list chunks) except -1:
        cdef int64_t i, n, at = 0
        cdef const int64_t *offsets
        cdef const uint8_t *data
        for chunk in chunks:
            n = len(chunk)
            if n == 0:
                continue
            _, offset_buffer, data_buffer = chunk.buffers()
            offsets = <const int64_t *><uintptr_t>offset_buffer.address + <int64_t>chunk.offset
            data = NULL if data_buffer is None else <const uint8_t *><uintptr_t>data_buffer.address
            for i in range(n):
                self.views[at + i].p = data + offsets[i]
                self.views[at + i].n = offsets[i + 1] - offsets[i]
            self.n_bytes += offsets[n] - offsets[0]
            at += n
        return 0

    cdef int take_strings(self, list strings) except -1:
        """Point to the UTF-8 of Python strings, which CPython keeps with each string; a string of ASCII alone is its
        own UTF-8. TypeError for what is no string, UnicodeEncodeError for half a surrogate pair."""
        cdef Py_ssize_t n
        cdef int64_t i
        for i in range(self.n):
            self.views[i].p = <const uint8_t *>PyUnicode_AsUTF8AndSize(strings[i], &n)
            self.views[i].n = n
            self.n_bytes += n
        return 0
