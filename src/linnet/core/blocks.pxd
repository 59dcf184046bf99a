from libc.stdint cimport int64_t, uint8_t, uint32_t

# The features of the places of all examples, in one block.
cdef struct Sparse:
    const int64_t *indptr
    const uint32_t *indices
    const float *values
    const int64_t *places       # example -> its first place; NULL: one place each
    const uint8_t *out          # places that are out of GEN(x): their scores are -inf; NULL: none
    void *maker                 # of rows that are made one example at a time; NULL: all are there

cdef inline int64_t first(const Sparse *x, int64_t example) noexcept nogil:
    """The first place of an example."""
    return example if x.places == NULL else x.places[example]

# Rows of examples that are made when they are asked for, over and over: `fetch` points x to those of example i, places counted as
# if all were there.
cdef class Maker:
    cdef int fetch(self, Sparse *x, int64_t i) except -1 nogil

cdef class Block:
    cdef readonly int64_t n
    cdef readonly int64_t largest       # feature, -1 for none
    cdef readonly int64_t most_places
    cdef object owners
    cdef Sparse x
    cdef void measure(self) noexcept nogil
    cdef Maker maker(self)

cdef class Lazy(Block):
    pass
