# cython: language_level=3, boundscheck=False, wraparound=False
"""Losses of each place instead of the whole output (Kakade, Teh and Roweis 2002; Altun, Johnson and Hofmann 2003).

    l_t  = -log p(y_t = y_i,t | x) = log Z - log Z_t,    Z_t over the outputs that have the right outcome at place t
    loss = sum_t l_t                   r = sum_t E[mu(y)] - E[mu(y) | y_t = y_i,t]
    loss = sum_t exp(l_t) - 1          the same with weights exp(l_t): the exponential loss

It asks that each tag be probable, not that all be right together. Z_t is the structure's own Z with all other outcomes of
place t impossible, so this works for every structure with marginals whose block 0 has one outcome at each place, and takes as many
passes as there are places, and one more. Where an output is a single integer, Z_t is of that output alone. A place where the right outcome is impossible is left alone. From l_t = 10 on the
exponential loss goes on as its tangent.
"""

from libc.math cimport INFINITY, exp
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from linnet.core.form cimport MAX_BLOCKS, Loss, Outcome, Structure, Tables

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)

cdef double STEEPEST = 10
cdef float IMPOSSIBLE = -1e6        # finite, since a structure may take the difference of two scores
cdef enum:
    SLACK = 256                     # floats behind a table that a structure may read and write back


cdef class Pointwise(Loss):
    cdef float cost
    cdef bint exponential
    cdef Tables mean                # E[mu(y)]
    cdef Tables mu                  # E[mu(y) | y_t]
    cdef int64_t room[MAX_BLOCKS]
    cdef float *row

    def __init__(self, float cost=0, *, bint exponential=False):
        self.name = "pointwise-exponential" if exponential else "pointwise-log"
        self.needs_marginals = True
        self.cost = cost
        self.exponential = exponential

    @property
    def needs_one_outcome(self):
        return True

    def __dealloc__(self):
        cdef int g
        for g in range(MAX_BLOCKS):
            linnet_free(self.mean.block[g])
            linnet_free(self.mu.block[g])
        linnet_free(self.row)

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        cdef int64_t t
        cdef bint whole = gen.length(theta, y) == 1
        cdef double logz, l, slope, slopes = 0
        out.value = 0
        out.active = True
        if self.cost:
            gen.add_cost(theta, y, self.cost)
        if not self.shape(theta):
            out.value = INFINITY
            return out
        self.right_outcomes(gen, y, y_hat)
        clear(&self.mean)
        logz = gen.marginals(theta, &self.mean)
        for t in range(1 if whole else theta.places[0]):
            l = logz - (self.only(gen, theta, y) if whole else self.given(gen, theta, t, y_hat[t]))
            if not l < INFINITY:
                continue
            slope = exp(min(l, STEEPEST)) if self.exponential else 1
            out.value += slope * (1 + max(l - STEEPEST, 0)) - 1 if self.exponential else l
            slopes += slope
            add(r, &self.mu, -slope)
        add(r, &self.mean, slopes)
        return out

    cdef double only(self, Structure gen, const Tables *theta, const int32_t *y) noexcept nogil:
        """log Z and mu where y is all there is."""
        clear(&self.mu)
        gen.add(&self.mu, y, 1)
        return gen.score(theta, y)

    cdef double given(self, Structure gen, Tables *theta, int64_t t, int32_t right) noexcept nogil:
        """log Z and mu over the outputs that have the right outcome at place t."""
        cdef int k, stride = theta.stride[0]
        cdef float *score = theta.block[0] + t * stride
        cdef double logz
        memcpy(self.row, score, stride * sizeof(float))
        for k in range(theta.outcomes[0]):
            if k != right:
                score[k] = IMPOSSIBLE
        clear(&self.mu)
        logz = gen.marginals(theta, &self.mu)
        memcpy(score, self.row, stride * sizeof(float))
        return logz

    cdef void right_outcomes(self, Structure gen, const int32_t *y, int32_t *right) noexcept nogil:
        """The outcome that y has at each place of block 0."""
        cdef int64_t t
        cdef int k
        clear(&self.mu)
        gen.add(&self.mu, y, 1)
        for t in range(self.mu.places[0]):
            right[t] = 0
            for k in range(self.mu.outcomes[0]):
                if self.mu.block[0][t * self.mu.stride[0] + k] > 0:
                    right[t] = k

    cdef bint shape(self, const Tables *theta) noexcept nogil:
        """Tables like theta; False where there is no memory for them."""
        cdef int g
        cdef int64_t size
        if self.row == NULL:
            self.row = <float *>linnet_zeros(theta.stride[0] * sizeof(float))
        self.mean.n_blocks = self.mu.n_blocks = theta.n_blocks
        for g in range(theta.n_blocks):
            size = theta.places[g] * theta.stride[g]
            if size > self.room[g] or self.mu.block[g] == NULL:
                linnet_free(self.mean.block[g])
                linnet_free(self.mu.block[g])
                self.room[g] = 2 * size
                self.mean.block[g] = <float *>linnet_zeros((self.room[g] + SLACK) * sizeof(float))
                self.mu.block[g] = <float *>linnet_zeros((self.room[g] + SLACK) * sizeof(float))
            if self.row == NULL or self.mean.block[g] == NULL or self.mu.block[g] == NULL:
                return False
            self.mean.places[g] = self.mu.places[g] = theta.places[g]
            self.mean.stride[g] = self.mu.stride[g] = theta.stride[g]
            self.mean.outcomes[g] = self.mu.outcomes[g] = theta.outcomes[g]
        return True


cdef void clear(Tables *table) noexcept nogil:
    cdef int g
    for g in range(table.n_blocks):
        memset(table.block[g], 0, table.places[g] * table.stride[g] * sizeof(float))


cdef void add(Tables *r, const Tables *mu, double amount) noexcept nogil:
    """r += amount mu"""
    cdef int g
    cdef int64_t i
    for g in range(r.n_blocks):
        for i in range(r.places[g] * r.stride[g]):
            r.block[g][i] += <float>amount * mu.block[g][i]
