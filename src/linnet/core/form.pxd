from libc.stdint cimport int32_t, int64_t, uint32_t

from linnet.core.blocks cimport Sparse
from linnet.core.weights cimport Rows

cdef enum:
    MAX_BLOCKS = 8      # the most blocks that a structure may have
    DECIDED = 2         # the number of blocks, from the first one on, whose tables `decide` may change
    SLACK = 256         # floats after a table that a structure may read and write back, since it works on eight at a time

# Tables holds theta, mu or r of one example: for each block a table, places x outcomes, rows `stride` floats apart.
cdef struct Tables:
    int n_blocks
    float *block[MAX_BLOCKS]
    int64_t places[MAX_BLOCKS]
    int stride[MAX_BLOCKS]
    int outcomes[MAX_BLOCKS]
    int64_t impossible[MAX_BLOCKS]  # how many scores are to be minus infinity, for what is out of GEN(x); -1 where any may be
    float *work         # memory for the structure while it works on one example

cdef struct Outcome:
    double value        # value of the loss
    bint active         # whether r is not zero

cdef struct Ascent:
    double value        # value of the loss
    double left         # part of the duality gap that this example had left

# Answers sums up what came of the yes-or-no questions of an output.
cdef struct Answers:
    double value        # sum of phi over all questions
    int64_t asked       # what a loss that is a mean divides the value and r by: the number of questions
    int64_t active      # number of questions where the slope of phi is not zero

cdef class Phi:
    cdef readonly str name
    cdef readonly bint is_mistake       # whether the slope is zero exactly where the answer is right
    cdef readonly bint has_dual
    cdef readonly bint mean             # whether the loss is the mean over questions, and not their sum
    cdef void slopes(self, float *margin, int64_t n, Answers *out) noexcept nogil
    cdef void ascend(self, float *margin, const float *m, int64_t n, double q, double C, Ascent *out) noexcept nogil

cdef class Structure:
    cdef readonly str name
    cdef readonly tuple outcomes
    cdef readonly bint has_marginals
    cdef readonly bint single
    cdef readonly int telling
    cdef int64_t workspace(self, int64_t places) noexcept nogil
    cdef int64_t room(self, int64_t places) noexcept nogil
    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil
    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil
    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil
    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil
    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil
    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil
    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil
    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil
    cdef void favour_rivals(self, Tables *theta, const int32_t *y, const Tables *mu, float amount) noexcept nogil
    cdef Answers ask(self, Tables *theta, const int32_t *y, Phi phi, Tables *r) noexcept nogil
    cdef void decide(self, Tables *theta, int64_t i, int32_t value, bint holds) noexcept nogil
    cdef void force(self, Tables *theta, const int32_t *y) noexcept nogil
    cdef bint same(self, const Tables *theta, const int32_t *y, const int32_t *y_hat) noexcept nogil

cdef class Loss:
    cdef readonly str name
    cdef readonly bint needs_marginals
    cdef readonly bint has_dual
    cdef readonly bint is_mistake       # whether r is zero exactly where the best output is right
    cdef readonly bint only_counts      # whether the loss only counts, so that scores mean nothing while it learns
    cdef readonly Phi phi               # the corresponding loss of one question; None where there is none
    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil
    cdef Ascent ascend(self, Structure gen, Tables *theta, const int32_t *y, const float *m, double q, double C,
                       Tables *r) noexcept nogil

cdef class Step:
    cdef readonly str name
    cdef readonly bint needs_norm
    cdef readonly bint needs_squares
    cdef readonly bint joint            # whether the rate of a weight depends on all of X^T r; norm2 then comes from `weigh`
    cdef double shrink(self, int64_t t) noexcept nogil
    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil
    cdef void update(self, Rows *w, const Sparse *x, int64_t place, const float *r, double tau, double a,
                     double clock) noexcept nogil
    cdef double weigh(self, const Rows *w, const uint32_t *j, const float *x, int64_t n, const float *r) noexcept nogil
    cdef void move(self, Rows *w, const uint32_t *j, const float *x, int64_t n, const float *r, double tau, double a,
                   double clock) noexcept nogil

cdef inline void with_sign(float *row, const float *mu, int64_t n) noexcept nogil:
    """Change the sign of row_k wherever mu_k is not above 0."""
    cdef int64_t k
    for k in range(n):
        row[k] = row[k] if mu[k] > 0 else -row[k]

cdef inline bint any_of(const float *r, int64_t n) noexcept nogil:
    """Whether any of n numbers is not zero."""
    cdef int64_t j
    for j in range(n):
        if r[j] != 0:
            return True
    return False
