from libc.stdint cimport int32_t, int64_t, uint32_t

cdef enum:
    LINE = 16           # number of floats in a cache line

# The bias is the one feature of a place with this row and this value.
cdef uint32_t *BIAS
cdef float *ONE

# Rows points to the weights of one block: rows of `stride` floats, row 0 the bias. U and G are NULL where a learner does
# not use them.
cdef struct Rows:
    float *v
    float *U           # sums for the average
    float *G            # sums of squared gradients
    float *d            # memory for one row while it is changed
    int32_t *at         # memory for the numbers of the outcomes in `d` that are not zero, `few(stride)` of them
    int stride

cdef class Weights:
    cdef readonly int64_t n_rows
    cdef readonly int n_outcomes
    cdef readonly dict arrays           # v and, where a learner has use for them, U and G: the rows in use
    cdef readonly int64_t capacity      # rows that these arrays have room for
    cdef dict store                     # the same arrays with all rows that there is room for
    cdef Rows rows
    cdef int64_t kept(self) noexcept
    cdef int use(self) except -1
    cdef int point(self) except -1
    cdef int grow(self, int64_t n_rows) except -1
    cdef void rescale(self, double a, double S) noexcept nogil

cdef object zero_rows(int64_t n, int stride)
cdef void learned_of(float *out, const float *v, const float *U, int64_t n, double a, double S, double t) noexcept nogil
cdef void rescale_all(float *v, float *U, int64_t n, double a, double S) noexcept nogil

cdef inline int stride_for(int n_outcomes) noexcept nogil:
    """The number of floats from one row of weights to the next: 1, 2, 4 or a multiple of 8."""
    if n_outcomes <= 2:
        return n_outcomes
    return 4 if n_outcomes <= 4 else (n_outcomes + 7) // 8 * 8

cdef inline Rows features(const Rows *w) noexcept nogil:
    """The rows of the features, which follow the bias."""
    cdef Rows rows = w[0]
    rows.v += w.stride
    rows.U = w.U + w.stride if w.U != NULL else NULL
    rows.G = w.G + w.stride if w.G != NULL else NULL
    return rows

cdef inline int few(int stride) noexcept nogil:
    """The largest number of outcomes in a row that are faster changed one by one than all at once."""
    return max(4, stride // 16)
