cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t

from linnet.core.blocks cimport Sparse
from linnet.core.loops.dropout cimport Dropout
from linnet.core.form cimport MAX_BLOCKS, Loss, Step, Tables
from linnet.core.machine cimport Machine
from linnet.core.ragged cimport Ragged
from linnet.core.weights cimport Rows

@cython.final
cdef class Joined:
    cdef uint32_t *slot             # for each feature its row of sums; 0, the row of the bias, where it has none
    cdef int64_t slot_size
    cdef double *sums               # rows of X^T r
    cdef uint32_t *touched          # the feature of each row of sums but row 0
    cdef int64_t sums_size          # number of doubles that `sums`, and of features that `touched`, has room for
    cdef int64_t n                  # number of rows of sums
    cdef double norm2(self, const Sparse *x, int64_t i, const Tables *r, int g) except -1 nogil
    cdef double weigh(self, Step step, const Rows *w, const Sparse *x, int64_t i, const Tables *r, int g) except -1 nogil
    cdef int move(self, Step step, Rows *w, const Sparse *x, int64_t i, const Tables *r, int g, double tau, double a,
                  double clock) except -1 nogil
    cdef const float *row(self, int64_t j, const Rows *w) noexcept nogil
    cdef int gather(self, const Sparse *x, int64_t i, const Tables *r, int g) except -1 nogil
    cdef void add(self, int64_t row, double x, const float *r, int stride) noexcept nogil
    cdef int64_t row_of(self, uint32_t feature, int stride) noexcept nogil
    cdef int reserve(self, const Sparse *x, int64_t begin, int64_t end, int stride) except -1 nogil

cdef class Online(Machine):
    cdef readonly tuple weights
    cdef readonly Loss loss
    cdef readonly Step step
    cdef readonly bint averaged
    cdef public int64_t t           # number of examples seen
    cdef public double a            # the scale a in w = a v
    cdef public double S            # the clock a_1 + ... + a_t since the last rescaling
    cdef public double total        # sum of the losses of this pass
    cdef public int64_t updates
    cdef public int64_t decoded     # number of examples of this pass whose best output is known
    cdef public int64_t wrong       # number of those that were wrong
    cdef public bint asks           # whether this pass asks for the best output of each example
    cdef readonly double last_loss  # loss of the last example
    cdef readonly double last_tau   # length of its step, 0 where there was none
    cdef Rows w[MAX_BLOCKS]
    cdef void *ragged[MAX_BLOCKS]   # the weights of each block whose rows are Ragged, else NULL
    cdef int64_t n_rows[MAX_BLOCKS]
    cdef Joined joined
    cdef Dropout dropout
    cdef Sparse whole[MAX_BLOCKS]   # the features of all examples, while `x` is what dropout leaves of one
    cdef bint wants_mistakes(self)
    cdef void count(self, bint wrong) noexcept nogil
    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil
    cdef void ask_for(self, int64_t i) noexcept nogil
    cdef double own_length2(self, int64_t i) noexcept nogil
    cdef double norm2(self, int64_t i) except -1 nogil
    cdef int update(self, int64_t i, double tau) except -1 nogil
    cdef double weigh_window(self, Ragged w, int64_t i, int g) except -1 nogil
    cdef int change_window(self, Ragged w, int64_t i, int g, double tau) except -1 nogil
    cdef int change(self, Rows *w, const Sparse *x, int64_t i, const Tables *r, int g, double tau) except -1 nogil
    cdef void rescale(self) noexcept nogil

cdef inline double not_zero(double q) noexcept nogil:
    """q = ||f||^2 of an example, or a tiny number where q is 0, because steps in the dual (dual.pyx) divide by q. An
    example without features adds nothing to w, but its m_i in the dual has an optimum, too."""
    return q if q > 0 else 1e-9
