# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""X: the sparse rows of the places of all examples, either in memory or made one example at a time."""

from libc.stdint cimport int64_t, uint32_t

import numpy as np

cdef enum:
    SOME = 100                      # number of examples that are looked at to estimate a median over all


def median(numbers):
    """The number in the middle, or the mean of the two there. (NumPy has it too, but imports masked arrays for it.)"""
    low, high = (len(numbers) - 1) // 2, len(numbers) // 2
    parted = np.partition(numbers, (low, high))
    return float((parted[low] + parted[high]) / 2)


cdef class Block:
    """The features of all places of all examples. `places` cuts the places into examples; None: one place each. `constant` is
    the value of the feature f_0 of every place."""

    def __cinit__(self, *parts, **more):
        self.x.one = 1

    def __init__(self, const int64_t[::1] indptr, const uint32_t[::1] indices, const float[::1] values, places=None,
                 float constant=1):
        cdef const int64_t[::1] cut
        self.owners = (indptr, indices, values, places)
        self.x.one = constant
        self.n = indptr.shape[0] - 1
        if self.n < 0 or indptr[self.n] > indices.shape[0] or indices.shape[0] != values.shape[0]:
            raise ValueError("indptr, indices and values do not fit each other")
        self.most_places = 1
        self.x.indptr = &indptr[0]
        self.x.indices = &indices[0] if indices.shape[0] else NULL
        self.x.values = &values[0] if values.shape[0] else NULL
        if places is not None:
            cut = places
            if cut[cut.shape[0] - 1] != self.n:
                raise ValueError("the places of the last example are not the last places")
            self.x.places = &cut[0]
            self.n = cut.shape[0] - 1

        with nogil:
            self.measure()

    cdef void measure(self) noexcept nogil:
        cdef int64_t i, n = self.x.indptr[first(&self.x, self.n)]
        cdef uint32_t largest = 0
        for i in range(n):
            largest = max(largest, self.x.indices[i])
        self.largest = <int64_t>largest if n else -1
        if self.x.places != NULL:
            for i in range(self.n):
                self.most_places = max(self.most_places, self.x.places[i + 1] - self.x.places[i])

    def with_values(self, const float[::1] values, float constant):
        """A block with other values of the same features, and another value of the constant feature."""
        cdef Block new = Block.__new__(Block)
        if values.shape[0] != self.owners[1].shape[0]:
            raise ValueError("as many values as there are features")
        new.owners = (*self.owners[:2], values, self.owners[3])
        new.n, new.largest, new.most_places, new.x = self.n, self.largest, self.most_places, self.x
        new.x.values = &values[0] if values.shape[0] else NULL
        new.x.one = constant
        return new

    cdef Maker maker(self):
        """The Maker of the rows; None where all rows are in memory."""
        return None

    cdef int64_t chunk(self):
        """The number of examples whose rows are worth being made by another thread at a time, because they are read from a
        file; 0 where they are not."""
        return 0

    def arrays(self):
        """indptr, indices, values and places as they were given."""
        return self.owners

    def __reduce__(self):
        """A block pickles as its arrays; one that makes its rows, as the block of all of them."""
        return Block, (*[None if part is None else np.asarray(part) for part in self.arrays()], self.x.one)

    def rows_of(self, int64_t i):
        """The features of example i: for each of its places the numbers and the values of its features."""
        cdef Sparse x = self.x
        cdef Maker maker = self.maker()
        cdef int64_t p, k
        if maker is not None:
            with nogil:  # The rows of a long sentence take a while to make.
                maker.fetch(&x, i)
        return [
            ([x.indices[k] for k in range(x.indptr[p], x.indptr[p + 1])], [x.values[k] for k in range(x.indptr[p], x.indptr[p + 1])])
            for p in range(first(&x, i), first(&x, i + 1))
        ]

    def starts(self):
        """The number of the first place of each example, and last the number of all places."""
        if self.x.places == NULL:
            return np.arange(self.n + 1)
        return np.array(<int64_t[:self.n + 1]><int64_t *>self.x.places)

    def identity(self):
        """Yield tuples of arrays that determine the block, to tell whether two blocks are the same: for some rows at a
        time the number of features, the features and their values; then (places,), where there are any."""
        indptr, indices, values, places = [None if part is None else np.asarray(part) for part in self.owners]
        yield np.diff(indptr), indices, values
        if places is not None:
            yield places,

    def pieces(self):
        """indptr, indices and values of all places, some places at a time where not all of them are in memory."""
        yield tuple([np.asarray(part) for part in self.arrays()[:3]])

    def n_values(self):
        """The number of values of all rows."""
        return self.x.indptr[first(&self.x, self.n)]

    def kept(self, shape, dtype):
        """An array of zeros for numbers of all examples, kept where the rows are: here in memory."""
        return np.zeros(shape, dtype)

    def give_back(self):
        """Give back the memory of what is mapped from files; here there is nothing."""

    def of_places(self, of_examples):
        """For each place what `of_examples` has for its example."""
        return of_examples if self.x.places == NULL else np.repeat(of_examples, np.diff(self.starts()))

    def length2(self):
        """The median of ||x||^2 over all places, with the bias counted. A median, since a few very long rows say nothing of
        the others."""
        return median(self.lengths2())

    def lengths2(self):
        """||x||^2 of each place, with the bias counted; an array of a single 1 where there are no places."""
        cdef int64_t p, i, places = first(&self.x, self.n)
        lengths = np.ones(max(places, 1))
        cdef double[::1] length = lengths
        with nogil:
            for p in range(places):
                for i in range(self.x.indptr[p], self.x.indptr[p + 1]):
                    length[p] += <double>self.x.values[i] * self.x.values[i]
        return lengths


cdef class Maker:
    cdef int fetch(self, Sparse *x, int64_t i) except -1 nogil:
        return 0


cdef class Lazy(Block):
    """A block whose rows are made one example at a time, because all of them are more than would fit in memory. Subclasses say how."""

    def __init__(self, const int64_t[::1] places, int64_t n_features):
        self.owners = (places,)
        self.n = places.shape[0] - 1
        self.x.places = &places[0]
        self.largest = n_features - 1
        self.most_places = int(np.diff(places).max()) if self.n else 1

    def arrays(self):
        """indptr, indices, values and places of all rows, made at once."""
        places = self.owners[0]
        return (*self._rows(self.n), None if places is None else np.asarray(places))

    def _rows(self, int64_t n):
        """indptr, indices and values of the first n examples."""
        cdef Sparse x = self.x
        cdef Maker maker = self.maker()
        cdef int64_t i, places, nnz, begin, total = 0
        indptr, indices, values = [np.zeros(1, np.int64)], [np.empty(0, np.uint32)], [np.empty(0, np.float32)]
        for i in range(n):
            with nogil:  # The rows of a long sentence take a while to make.
                maker.fetch(&x, i)
            begin, places = first(&x, i), first(&x, i + 1) - first(&x, i)
            nnz = x.indptr[begin + places]
            if places:
                indptr.append(total + np.array(<int64_t[:places]>(<int64_t *>x.indptr + begin + 1)))
            if nnz:
                indices.append(np.array(<uint32_t[:nnz]><uint32_t *>x.indices))
                values.append(np.array(<float[:nnz]><float *>x.values))
            total += nnz
        return np.concatenate(indptr), np.concatenate(indices), np.concatenate(values)

    def length2(self):
        """The median of ||x||^2 over the places of the first examples."""
        indptr, _, values = self._rows(min(self.n, SOME))
        squares = np.concatenate([np.zeros(1), np.cumsum(values.astype(np.float64) ** 2)])
        return median(1 + np.diff(squares[indptr])) if len(indptr) > 1 else 1.0
