# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Some examples of a block whose rows are made on demand."""

from libc.stdint cimport int64_t

from linnet.core.blocks cimport Block, Lazy, Maker, Sparse, first

import numpy as np

from linnet.core.long_arrays import within


cdef class Chosen(Lazy):
    """The examples with the numbers `examples` of a block, in this order. It is pickled as a block in memory, since the
    rows may come from a file of this machine."""
    cdef Lazy of
    cdef const int64_t[::1] examples

    def __init__(self, Lazy of, const int64_t[::1] examples):
        cdef const int64_t[::1] places
        self.of, self.examples = of, examples
        self.x.one = of.x.one
        self.n, self.largest, self.most_places = examples.shape[0], of.largest, of.most_places
        self.owners = (None,)
        if of.x.places != NULL:
            places = within(of.starts(), np.asarray(examples))[1]
            self.owners = (places,)
            self.x.places = &places[0]

    cdef Maker maker(self):
        cdef ChoosingMaker maker = ChoosingMaker(self.of.maker(), self.examples)
        maker.x = self.of.x
        return maker

    cdef int64_t chunk(self):
        return self.of.chunk()

    def kept(self, shape, dtype):
        """An array of zeros for numbers of all examples, kept where the rows are."""
        return self.of.kept(shape, dtype)

    def give_back(self):
        self.of.give_back()


cdef class ChoosingMaker(Maker):
    """Makes the rows of an example by the number that it has in the whole block."""
    cdef Maker of
    cdef const int64_t[::1] examples
    cdef Sparse x                   # the whole block, with the rows of the example that was made last

    def __init__(self, Maker of, const int64_t[::1] examples):
        self.of = of
        self.examples = examples

    cdef int fetch(self, Sparse *x, int64_t i) except -1 nogil:
        cdef int64_t example = self.examples[i]
        cdef int64_t moved = first(&self.x, example) - first(x, i)      # places have other numbers in the whole block
        self.of.fetch(&self.x, example)
        x.indptr = self.x.indptr + moved
        x.indices = self.x.indices
        x.values = self.x.values
        x.out = NULL if self.x.out == NULL else self.x.out + moved
        return 0
