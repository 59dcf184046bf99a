# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Rows in a file: for data whose rows are more than memory holds.

The rows of an example have n features, from indptr[p] on, p its first place. The file has their numbers and then their values, 8 n
bytes from the byte 8 indptr[p] on, so that an example is read by one call. What is read is not mapped: the system keeps as much of the file in memory as
is free, and the program has the row of one example. indptr, and the numbers that a learner keeps for each example, are mapped from
files (core/room.py), and their memory is given back every few thousand rows.
"""

from libc.errno cimport errno
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, strerror
from posix.unistd cimport pread

from linnet.core.blocks cimport Block, Lazy, Maker, Sparse

import numpy as np

from linnet.core.long_arrays import median

cdef enum:
    SIZE = 8                        # bytes of a feature: its number and its value
    MANY = 1 << 13                  # number of rows after which the memory of mapped files is given back


def packed(const int64_t[::1] indptr, const uint32_t[::1] indices, const float[::1] values):
    """The rows of examples as the file has them, an array of bytes, given where those of each example begin."""
    cdef int64_t i, n, a, total = indptr[indptr.shape[0] - 1]
    out = np.empty(max(total * SIZE, 1), np.uint8)
    cdef unsigned char[::1] view = out
    cdef unsigned char *at = &view[0]
    with nogil:
        for i in range(indptr.shape[0] - 1):
            a, n = indptr[i], indptr[i + 1] - indptr[i]
            if n:
                memcpy(at, &indices[a], n * sizeof(uint32_t))
                memcpy(at + n * sizeof(uint32_t), &values[a], n * sizeof(float))
                at += n * SIZE
    return out[:total * SIZE]


def unpacked(const unsigned char[::1] data, const int64_t[::1] indptr):
    """indices and values of the rows of examples, as `packed` has them; indptr begins with 0."""
    cdef int64_t i, n, a, total = indptr[indptr.shape[0] - 1]
    if data.shape[0] != total * SIZE:
        raise ValueError(f"expected {total * SIZE} bytes of rows, found {data.shape[0]}")
    indices, values = np.empty(total, np.uint32), np.empty(total, np.float32)
    cdef uint32_t[::1] index = indices
    cdef float[::1] value = values
    with nogil:
        for i in range(indptr.shape[0] - 1):
            a, n = indptr[i], indptr[i + 1] - indptr[i]
            if n:
                memcpy(&index[a], &data[a * SIZE], n * sizeof(uint32_t))
                memcpy(&value[a], &data[a * SIZE + n * sizeof(uint32_t)], n * sizeof(float))
    return indices, values


cdef class Filed(Lazy):
    """A block whose rows are in a file. `rows` are those of the file (features/rows_file.py)."""
    cdef object rows
    cdef object start
    cdef int64_t n_places

    def __init__(self, rows):
        cdef const int64_t[::1] indptr = rows.indptr
        cdef const int64_t[::1] places
        self.rows = rows
        self.owners = (None,)
        self.start = rows.indptr
        self.n = self.n_places = indptr.shape[0] - 1
        self.most_places = 1
        if rows.places is not None:
            places = rows.places
            self.owners = (rows.places,)
            self.n = places.shape[0] - 1
            self.x.places = &places[0]
            self.most_places = int(np.diff(rows.places).max(initial=1))
        self.x.indptr = &indptr[0]
        self.largest = rows.largest

    cdef Maker maker(self):
        return FileMaker(self.rows, self.most_places)

    def kept(self, shape, dtype):
        """An array of zeros for numbers of all examples, mapped from a file."""
        return self.rows.room.array(shape, dtype)

    def give_back(self):
        self.rows.room.give_back()

    def pieces(self):
        return iter(self.rows)

    def n_values(self):
        return int(self.start[self.n_places])

    def arrays(self):
        """indptr, indices, values and places of all rows, in memory."""
        parts = [(indices, values) for _, indices, values in self.rows]
        indices, values = zip(*parts) if parts else ((np.empty(0, np.uint32),), (np.empty(0, np.float32),))
        return self.start, np.concatenate(indices), np.concatenate(values), self.rows.places

    def identity(self):
        """The arrays of a block in memory, some rows at a time: indptr, all indices, all values, places."""
        yield self.start
        for _, indices, _ in self.rows:
            yield indices
        for _, _, values in self.rows:
            yield values
        if self.rows.places is not None:
            yield self.rows.places

    def length2(self):
        return median(self.lengths2())

    def lengths2(self):
        cdef int64_t at = 0
        lengths = self.kept(max(self.n_places, 1), np.float64)
        lengths[:1] = 1
        for piece in self.rows:
            of_piece = Block(*piece).lengths2()[:len(piece)]
            lengths[at:at + len(of_piece)] = of_piece
            at += len(of_piece)
            self.give_back()
        return lengths


cdef class FileMaker(Maker):
    """Reads the rows of an example whenever they are asked for."""
    cdef int descriptor
    cdef object rows
    cdef const int64_t[::1] indptr
    cdef const int64_t[::1] places
    cdef unsigned char *row
    cdef int64_t size               # number of features that `row` has memory for
    cdef int64_t[::1] ends          # where the rows of the example begin, and where the last one ends
    cdef object room
    cdef int fetched                # number of rows since memory was last given back

    def __init__(self, rows, int64_t most_places):
        self.rows = rows
        self.descriptor = rows.descriptor
        self.indptr = rows.indptr
        self.places = rows.places
        self.ends = np.zeros(most_places + 1, np.int64)
        self.room = rows.room

    def __dealloc__(self):
        free(self.row)

    cdef int fetch(self, Sparse *x, int64_t i) except -1 nogil:
        cdef int64_t begin = i if self.places is None else self.places[i]
        cdef int64_t end = i + 1 if self.places is None else self.places[i + 1]
        cdef int64_t at = self.indptr[begin], n = self.indptr[end] - at, done = 0, got, k
        self.fetched += 1
        if self.fetched == MANY:
            self.fetched = 0
            with gil:
                self.room.give_back()
        if n > self.size or self.row == NULL:
            free(self.row)
            self.size = 2 * n + 64
            self.row = <unsigned char *>malloc(self.size * SIZE)
            if self.row == NULL:
                with gil:
                    raise MemoryError("no memory for the features of an example")
        while done < n * SIZE:
            got = pread(self.descriptor, self.row + done, n * SIZE - done, at * SIZE + done)
            if got <= 0:
                with gil:
                    why = strerror(errno).decode() if got < 0 else "it ends too early"
                    raise OSError(f"the file of rows beside the model cannot be read: {why}.")
            done += got
        for k in range(end - begin + 1):
            self.ends[k] = self.indptr[begin + k] - at
        x.indptr = &self.ends[0] - begin
        x.indices = <uint32_t *>self.row
        x.values = <float *>(self.row + n * sizeof(uint32_t))
        return 0
