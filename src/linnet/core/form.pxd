from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

cdef enum:
    MAX_BLOCKS = 8
    FULL = 63           # the size of a strip that has all outcomes, in order

# theta, mu and r of one example: for each block a table, places x outcomes, rows `stride` floats apart.
cdef struct Tables:
    int n_blocks
    float *block[MAX_BLOCKS]
    int64_t places[MAX_BLOCKS]
    int stride[MAX_BLOCKS]
    int outcomes[MAX_BLOCKS]
    float *work         # room for what the structure needs while it works on one example

cdef struct Outcome:
    double value        # of the loss
    bint active         # whether r is not zero

cdef struct Ascent:
    double value        # of the loss
    double left         # of the duality gap

# What came of questions with yes or no.
cdef struct Answers:
    double value        # of phi, summed over all of them
    int64_t asked
    int64_t active      # those where the slope of phi is not zero

cdef class Phi:
    cdef readonly str name
    cdef readonly bint is_mistake       # whether its slope is zero just where the answer is right
    cdef readonly bint has_dual
    cdef readonly bint mean             # whether it is the mean over questions that matters, and not their sum
    cdef void slopes(self, float *margin, int64_t n, Answers *out) noexcept nogil
    cdef void ascend(self, float *margin, const float *m, int64_t n, double q, double C, Ascent *out) noexcept nogil

cdef class Structure:
    cdef readonly str name
    cdef readonly tuple outcomes
    cdef readonly bint has_marginals
    cdef readonly bint single
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
    cdef Answers ask(self, Tables *theta, const int32_t *y, Phi phi, Tables *r) noexcept nogil
    cdef void decide(self, Tables *theta, int64_t i, int32_t value, bint holds) noexcept nogil
    cdef void force(self, Tables *theta, const int32_t *y) noexcept nogil
    cdef bint same(self, const Tables *theta, const int32_t *y, const int32_t *y_hat) noexcept nogil

cdef class Loss:
    cdef readonly str name
    cdef readonly bint needs_marginals
    cdef readonly bint has_dual
    cdef readonly bint is_mistake       # whether r is zero just where the best output is right
    cdef readonly bint only_counts      # whether scores mean nothing before all is counted
    cdef readonly Phi phi               # the same loss of a question with yes or no; None where there is none
    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil
    cdef Ascent ascend(self, Structure gen, Tables *theta, const int32_t *y, const float *m, double q, double C,
                       Tables *r) noexcept nogil

# A row of weights that has few of the outcomes: k, and v of each; U and G are `room` and 2 `room` floats behind v.
cdef struct Strip:
    uint32_t *k
    float *v
    uint32_t n
    uint32_t room
    uint32_t size           # the class of sizes that `room` is of, or FULL
    uint32_t at             # while the row is in a window: its number there

# The weights of one block: rows of `stride` floats, row 0 the bias. U and G are NULL where a learner has no use for them.
cdef struct Rows:
    float *v
    float *U           # for the average
    float *G            # sums of squared gradients
    float *d            # room for one row, and for the places in it that are not zero
    int32_t *at
    int stride

# The features of the places of all examples, in one block.
cdef struct Sparse:
    const int64_t *indptr
    const uint32_t *indices
    const float *values
    const int64_t *places       # example -> its first place; NULL: one place each
    const uint8_t *out          # places that are out of GEN(x): their scores are -inf; NULL: none
    void *maker                 # of rows that are made one example at a time; NULL: all are there

cdef class Weights:
    cdef readonly int64_t n_rows
    cdef readonly int n_outcomes
    cdef readonly dict arrays           # v and, where a learner has use for them, U and G
    cdef Rows rows
    cdef object zeros(self)
    cdef int point(self) except -1
    cdef int grow(self, int64_t n_rows) except -1
    cdef void rescale(self, double a, double S) noexcept nogil

cdef object zero_rows(int64_t n, int stride)
cdef void learned_of(float *out, const float *v, const float *U, int64_t n, double a, double S, double t) noexcept nogil
cdef void rescale_all(float *v, float *U, int64_t n, double a, double S) noexcept nogil

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

cdef class Step:
    cdef readonly str name
    cdef readonly bint needs_norm
    cdef readonly bint needs_squares
    cdef readonly bint joint            # whether a weight's own rate depends on all of X^T r: norm2 is then `weigh`ed
    cdef double shrink(self, int64_t t) noexcept nogil
    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil
    cdef void update(self, Rows *w, const Sparse *x, int64_t place, const float *r, double tau, double a,
                     double clock) noexcept nogil
    cdef double weigh(self, const Rows *w, const uint32_t *j, const float *x, int64_t n, const float *r) noexcept nogil
    cdef void move(self, Rows *w, const uint32_t *j, const float *x, int64_t n, const float *r, double tau, double a,
                   double clock) noexcept nogil

cdef inline int stride_for(int n_outcomes) noexcept nogil:
    """Floats from one row of weights to the next: 1, 2, 4 or a multiple of 8."""
    if n_outcomes <= 2:
        return n_outcomes
    return 4 if n_outcomes <= 4 else (n_outcomes + 7) // 8 * 8

cdef inline Rows features(const Rows *w) noexcept nogil:
    """The rows behind the bias."""
    cdef Rows rows = w[0]
    rows.v += w.stride
    rows.U = w.U + w.stride if w.U != NULL else NULL
    rows.G = w.G + w.stride if w.G != NULL else NULL
    return rows

cdef inline void with_sign(float *row, const float *mu, int64_t n) noexcept nogil:
    """row_k is left as it is where mu_k > 0, and is -row_k elsewhere."""
    cdef int64_t k
    for k in range(n):
        row[k] = row[k] if mu[k] > 0 else -row[k]

cdef inline int64_t first(const Sparse *x, int64_t example) noexcept nogil:
    """The first place of an example."""
    return example if x.places == NULL else x.places[example]

cdef class Machine:
    cdef readonly Structure gen
    cdef Tables theta
    cdef Tables r
    cdef int32_t *y_hat
    cdef int64_t room[MAX_BLOCKS]
    cdef Sparse x[MAX_BLOCKS]
    cdef tuple taken
    cdef list makers
    cdef const Strip *strips[MAX_BLOCKS]    # the rows of W behind the bias, where they are not full; else NULL
    cdef int prepare(self, Structure gen) except -1
    cdef int take(self, tuple blocks, tuple n_rows) except -1
    cdef int fetch(self, int64_t i) except -1 nogil
    cdef void score(self, int g, int64_t i, const float *v, double a) noexcept nogil
    cdef void clear(self, Tables *table) noexcept nogil
