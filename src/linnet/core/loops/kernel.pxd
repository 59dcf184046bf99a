from libc.stdint cimport int64_t, uint32_t

from linnet.core.blocks cimport Sparse
from linnet.core.form cimport MAX_BLOCKS, Structure
from linnet.core.machine cimport Machine
from linnet.core.scorer cimport Scorer

cdef struct Similarity:
    int kind
    double gamma
    int degree
    bint unit               # whether rows are compared as if they were of length 1
    int length              # the most features of a subsequence; 0 where rows are no sequences
    double decay

# Support holds the n rows of one block that places are compared with.
cdef struct Support:
    int64_t n
    const int64_t *indptr
    const uint32_t *indices
    const float *values
    double *length2         # squared length of each row
    float *x                # the place that is compared, as a full vector over all features
    float *k                # memory for the similarity of that place to each row
    const uint32_t *ids     # that place as a sequence of features
    const float *places
    int64_t n_of_x
    uint32_t *shared        # while another sequence is compared: features that both have, the decay to each, and sums up to each
    double *steps
    double *grid

cdef Similarity similarity(dict options) except *
cdef double spread(Support *to, const Similarity *how, const Sparse *x, int64_t place) noexcept nogil
cdef void gather(Support *to, const Sparse *x, int64_t place) noexcept nogil
cdef double compare(const Support *to, const Similarity *how, double length2, int64_t s) noexcept nogil
cdef double with_itself(const Similarity *how, double length2) noexcept nogil

cdef class Rows:
    cdef Support at
    cdef readonly int64_t n_features
    cdef readonly object indptr, indices, values
    cdef object owners

cdef class Compared(Scorer):
    cdef Similarity how
    cdef Support support[MAX_BLOCKS]
    cdef const float *alpha[MAX_BLOCKS]
    cdef int stride[MAX_BLOCKS]         # floats from one row of alpha to the next
    cdef list held
    cdef void combine(self, int g, const float *k, int64_t n, int outcomes, float *theta) noexcept nogil
