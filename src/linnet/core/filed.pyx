# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Rows in a file: for data whose rows are more than memory holds.

The file has the rows of one example after the other, from the byte ends[i] on those of example i, so that an example is read by one
call. The row of a place is packed without loss:

    n                the number of features, 7 bits in a byte, the lowest first; the highest bit says that more follow
    n half bytes     2 bits: the bytes of the number of a feature, less one; 2 bits: the kind of its value
    n times          the number of the feature; then nothing where the value is 1 (kind 0), a byte where it is a whole number below
                     256 (kind 1), or the four bytes of the value (kind 2)

Counts are mostly 1 and frequent features have small numbers, so that a feature of a text takes some 2.5 bytes. Where
counts are to be weighted, that is done when they are read (extract/weighting.pyx). Rows are read and not mapped: the
program holds those of one example, and the cache of the system as much of the file as there is free memory. `ends`, and
the numbers that a learner keeps for each example, are mapped from files (core/room.py), and their memory is given back
every few thousand rows.
"""

from libc.errno cimport errno
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, strerror
from posix.unistd cimport pread

from linnet.core.blocks cimport Block, Lazy, Maker, Sparse
from linnet.core.extract.weighting cimport Weighting

import numpy as np

from linnet.core.long_arrays import median

cdef enum:
    CHUNK = 1 << 14                 # about how many features are made by a thread at a time
    MANY = 1 << 13                  # number of rows after which the memory of mapped files is given back
    MOST_OF_PLACE = 10              # the most bytes of the number of features of a place
    MOST_OF_FEATURE = 9             # the most bytes of a feature: half a byte, its number and its value
    SLACK = 8                       # bytes after packed rows that may be read: numbers are read as four bytes and cut

cdef uint32_t[5] BYTES              # a mask for the first n of four bytes
BYTES[:] = [0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF]
cdef int[3] SIZES                   # the bytes of a value of each kind
SIZES[:] = [0, 1, 4]


def packed(const int64_t[::1] cut, const int64_t[::1] indptr, const uint32_t[::1] indices, const float[::1] values):
    """The rows of examples as the file has them, an array of bytes, and the number of bytes of each example. cut: the first row of
    each example, and the number of all rows."""
    cdef int64_t i, p, places = indptr.shape[0] - 1, n = cut.shape[0] - 1
    out = np.empty(places * MOST_OF_PLACE + indptr[places] * MOST_OF_FEATURE + SLACK, np.uint8)
    sizes = np.zeros(n, np.int64)
    cdef unsigned char[::1] view = out
    cdef int64_t[::1] size = sizes
    cdef unsigned char *at = &view[0]
    cdef unsigned char *begin
    with nogil:
        for i in range(n):
            begin = at
            for p in range(cut[i], cut[i + 1]):
                if indptr[p] == indptr[p + 1]:
                    at[0] = 0
                    at += 1
                else:
                    at = pack_place(at, &indices[indptr[p]], &values[indptr[p]], indptr[p + 1] - indptr[p])
            size[i] = at - begin
    return out[:at - &view[0]], sizes


def unpacked(const unsigned char[::1] data, int64_t places):
    """indptr, indices and values of so many rows in the form that `packed` gives them. `data` must have at least 8
    bytes after the rows, whatever these bytes are."""
    cdef int64_t p, n, total = 0, most = max(data.shape[0] - SLACK, 0)
    starts, features, numbers = np.zeros(places + 1, np.int64), np.empty(most, np.uint32), np.empty(most, np.float32)
    cdef int64_t[::1] indptr = starts
    cdef uint32_t[::1] indices = features
    cdef float[::1] values = numbers
    cdef const unsigned char *at = &data[0]
    with nogil:
        for p in range(places):
            at = number(at, &n)
            if n:
                at = unpack_place(at, n, &indices[total], &values[total])
            total += n
            indptr[p + 1] = total
    return starts, features[:total].copy(), numbers[:total].copy()


cdef unsigned char *pack_place(unsigned char *at, const uint32_t *indices, const float *values, int64_t n) noexcept nogil:
    """Write the features of a place, and return where they end."""
    cdef int64_t k, left = n
    cdef int size, kind
    cdef uint32_t bits
    cdef unsigned char whole
    cdef unsigned char *control
    while left >= 128:
        at[0] = <unsigned char>(left & 127 | 128)
        left >>= 7
        at += 1
    at[0] = <unsigned char>left
    control = at + 1
    at = control + (n + 1) // 2
    for k in range(n):
        size = 1 + (indices[k] > BYTES[1]) + (indices[k] > BYTES[2]) + (indices[k] > BYTES[3])
        memcpy(at, &indices[k], 4)
        at += size
        memcpy(&bits, &values[k], 4)
        kind = kind_of(values[k], bits)
        if kind == 1:
            whole = <unsigned char>values[k]
            bits = whole
        memcpy(at, &bits, 4)
        at += SIZES[kind]
        if k & 1:
            control[k >> 1] |= <unsigned char>((size - 1 | kind << 2) << 4)
        else:
            control[k >> 1] = <unsigned char>(size - 1 | kind << 2)
    return at


cdef inline int kind_of(float value, uint32_t bits) noexcept nogil:
    """The kind of a value: 0 for 1, 1 for another whole number below 256, 2 for any other, and for -0.0, whose sign is
    kept."""
    if value == 1:
        return 0
    if value >= 0 and value < 256 and <float><int>value == value and bits >> 31 == 0:
        return 1
    return 2


cdef inline const unsigned char *number(const unsigned char *at, int64_t *n) noexcept nogil:
    """Read the number of features of a place, and return where it ends."""
    cdef int shift = 0
    n[0] = 0
    while at[0] & 128:
        n[0] |= <int64_t>(at[0] & 127) << shift
        shift += 7
        at += 1
    n[0] |= <int64_t>at[0] << shift
    return at + 1


cdef inline const unsigned char *unpack_place(const unsigned char *at, int64_t n, uint32_t *indices, float *values) noexcept nogil:
    """Read the features of a place, and return where they end."""
    cdef const unsigned char *control = at
    cdef int64_t k
    cdef int code, kind
    cdef uint32_t index, bits
    cdef float[3] value
    value[0] = 1
    at += (n + 1) // 2
    for k in range(n):
        code = control[k >> 1] >> (4 * (k & 1))
        kind = code >> 2 & 3
        memcpy(&index, at, 4)
        at += (code & 3) + 1
        indices[k] = index & BYTES[(code & 3) + 1]
        memcpy(&bits, at, 4)
        at += SIZES[kind]
        # The value is read in all three ways, and its kind chooses one, so that there is no branch.
        value[1] = <float>(bits & 0xFF)
        memcpy(&value[2], &bits, 4)
        values[k] = value[kind]
    return at


cdef int raise_unreadable(int64_t got) except -1 with gil:
    """Raise OSError for a read of the file that gave no bytes. This is not a part of `FileMaker.read`, which would take the
    interpreter's lock for every row if it had a variable of Python."""
    why = strerror(errno).decode() if got < 0 else "it ends too early"
    raise OSError(f"the file of rows beside the model cannot be read: {why}.")


cdef class Filed(Lazy):
    """A block whose rows are in a file. `rows` are those of the file (features/rows_file.py)."""
    cdef object rows

    def __init__(self, rows):
        cdef const int64_t[::1] places
        self.rows = rows
        self.owners = (None,)
        self.n = len(rows.ends) - 1
        self.most_places = 1
        if rows.places is not None:
            places = rows.places
            self.owners = (rows.places,)
            self.x.places = &places[0]
            self.most_places = int(np.diff(rows.places).max(initial=1))
        self.largest = rows.largest

    cdef Maker maker(self):
        return FileMaker(self.rows, self.most_places)

    cdef int64_t chunk(self):
        return max(1, CHUNK // (self.rows.n_values // max(self.n, 1) + 1))

    def kept(self, shape, dtype):
        """An array of zeros for numbers of all examples, mapped from a file."""
        return self.rows.room.array(shape, dtype)

    def give_back(self):
        self.rows.room.give_back()

    def pieces(self):
        return iter(self.rows)

    def n_values(self):
        return self.rows.n_values

    def arrays(self):
        """indptr, indices, values and places of all rows, in memory."""
        starts, indices, values, total = [np.zeros(1, np.int64)], [np.empty(0, np.uint32)], [np.empty(0, np.float32)], 0
        for at, features, numbers in self.rows:
            starts.append(at[1:] + total)
            indices.append(features)
            values.append(numbers)
            total += len(features)
        return np.concatenate(starts), np.concatenate(indices), np.concatenate(values), self.rows.places

    def identity(self):
        for indptr, indices, values in self.rows:
            yield np.diff(indptr), indices, values
        if self.rows.places is not None:
            yield self.rows.places,

    def length2(self):
        return median(self.lengths2())

    def lengths2(self):
        cdef int64_t at = 0, places = len(self.rows)
        lengths = self.kept(max(places, 1), np.float64)
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
    cdef const int64_t[::1] ends
    cdef const int64_t[::1] places
    cdef Weighting weighting
    cdef unsigned char *bytes
    cdef uint32_t *indices
    cdef float *values
    cdef int64_t size               # number of bytes, and so of features, that there is memory for
    cdef int64_t[::1] indptr        # where the rows of the example begin, and where the last one ends
    cdef object room
    cdef int fetched                # number of rows since memory was last given back

    def __init__(self, rows, int64_t most_places):
        self.rows = rows
        self.descriptor = rows.descriptor
        self.ends = rows.ends
        self.places = rows.places
        self.weighting = rows.weighting
        self.indptr = np.zeros(most_places + 1, np.int64)
        self.room = rows.room

    def __dealloc__(self):
        self.free()

    cdef void free(self) noexcept nogil:
        free(self.bytes)
        free(self.indices)
        free(self.values)

    cdef int fetch(self, Sparse *x, int64_t i) except -1 nogil:
        cdef int64_t begin = i if self.places is None else self.places[i]
        cdef int64_t k, n, total = 0, places = 1 if self.places is None else self.places[i + 1] - begin
        cdef const unsigned char *at
        self.fetched += 1
        if self.fetched == MANY:
            self.fetched = 0
            with gil:
                self.room.give_back()
        self.read(self.ends[i], self.ends[i + 1] - self.ends[i])
        at = self.bytes
        for k in range(places):
            at = number(at, &n)
            at = unpack_place(at, n, self.indices + total, self.values + total)
            if self.weighting is not None:
                self.weighting.row(self.indices + total, self.values + total, n)
            total += n
            self.indptr[k + 1] = total
        x.indptr = &self.indptr[0] - begin      # places are numbered as if all rows were in memory
        x.indices = self.indices
        x.values = self.values
        return 0

    cdef int read(self, int64_t at, int64_t n) except -1 nogil:
        """Read n bytes of the file."""
        cdef int64_t done = 0, got
        if n > self.size or self.bytes == NULL:
            self.free()
            self.size = 2 * n + 64
            self.bytes = <unsigned char *>malloc(self.size + SLACK)
            self.indices = <uint32_t *>malloc(self.size * sizeof(uint32_t))
            self.values = <float *>malloc(self.size * sizeof(float))
            if self.bytes == NULL or self.indices == NULL or self.values == NULL:
                with gil:
                    raise MemoryError("no memory for the features of an example")
        while done < n:
            got = pread(self.descriptor, self.bytes + done, n - done, at + done)
            if got <= 0:
                raise_unreadable(got)
            done += got
        return 0
