from libc.stdint cimport int64_t, uint8_t, uint32_t

# The features of the places of all examples, in one block.
cdef struct Sparse:
    const int64_t *indptr
    const uint32_t *indices
    const float *values
    const int64_t *places       # number of the first place of each example; NULL where each example has one place
    const uint8_t *out          # flags of places that are out of GEN(x), whose scores are -inf; NULL where there are none
    float one                   # value of the constant feature of every place: 1 as a rule, or 0 for a model without a bias
    void *maker                 # the Maker of rows that are made one example at a time; NULL where all rows are in memory

cdef inline int64_t first(const Sparse *x, int64_t example) noexcept nogil:
    """The first place of an example."""
    return example if x.places == NULL else x.places[example]

# A Maker builds the rows of an example whenever they are asked for: `fetch` points x to those of example i, which hold
# until the next call. Places are numbered as if the rows of all examples were in memory, so x.indptr is moved back by
# the first place.
cdef class Maker:
    cdef int fetch(self, Sparse *x, int64_t i) except -1 nogil

cdef class Block:
    cdef readonly int64_t n
    cdef readonly int64_t largest       # the largest feature number, -1 where there are no features
    cdef readonly int64_t most_places
    cdef object owners
    cdef Sparse x
    cdef void measure(self) noexcept nogil
    cdef Maker maker(self)
    cdef int64_t chunk(self)

cdef class Lazy(Block):
    pass
