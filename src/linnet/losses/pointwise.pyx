# cython: language_level=3, boundscheck=False, wraparound=False
"""Losses of each decision instead of the whole output (Kakade, Teh and Roweis 2002; Altun, Johnson and Hofmann 2003).

    l_t  = -log p(y_t = y_i,t | x) = log Z - log Z_t,    Z_t over the outputs that decide t as y_i does
    loss = sum_t l_t                   r = sum_t E[mu(y)] - E[mu(y) | y_t = y_i,t]
    loss = sum_t exp(l_t) - 1          the same with weights exp(l_t): the exponential loss

It asks that each decision be probable, not that all be right together. Decisions are the integers of an output: the tag of a token,
its head and relation, whether two words are linked, what a span is. Z_t is the structure's own Z with all that decides otherwise
made impossible, so this takes as many passes as there are decisions, and one more. Where an output is a single integer, Z_t is of
that output alone; where outcomes are independent of each other, these are the losses of their questions (each.pyx). A decision that
no output has is left alone. From l_t = 10 on the exponential loss goes on as its tangent.
"""

from libc.math cimport INFINITY, exp
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Loss, Outcome, Structure, Tables
from linnet.core.scratch cimport Scratch

from linnet.losses import phi

cdef double STEEPEST = 10           # l_t from which on the exponential loss is its tangent
cdef float IMPOSSIBLE = -1e6        # a finite score, since a structure may take the difference of two scores


cdef class Pointwise(Loss):
    cdef float cost
    cdef bint exponential
    cdef Scratch theta              # a copy of the scores
    cdef Scratch mean               # E[mu(y)] over all outputs
    cdef Scratch mu                 # E[mu(y) | y_t] over the outputs that decide t as y does

    def __init__(self, float cost=0, *, bint exponential=False):
        self.name = "pointwise-exponential" if exponential else "pointwise-log"
        self.needs_marginals = True
        self.cost = cost
        self.exponential = exponential
        self.phi = phi.Exponential(cost) if exponential else phi.Log(cost)
        self.theta, self.mean, self.mu = Scratch(), Scratch(), Scratch()

    @property
    def pointwise(self):
        return True

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        cdef int64_t t, n = gen.length(theta, y)
        cdef double logz, l, slope, slopes = 0
        out.value = 0
        out.active = True
        if self.cost:
            gen.add_cost(theta, y, self.cost)
        if not (self.theta.copy(theta) and self.mean.shape(theta) and self.mu.shape(theta)):
            out.value = INFINITY
            return out
        self.mean.clear()
        logz = gen.marginals(theta, &self.mean.at)
        for t in range(n):
            self.mu.clear()
            l = logz - (self.only(gen, theta, y) if n == 1 else self.given(gen, theta, t, y, n, y_hat))
            if not l < -IMPOSSIBLE / 2:
                continue
            slope = exp(min(l, STEEPEST)) if self.exponential else 1
            out.value += slope * (1 + max(l - STEEPEST, 0)) - 1 if self.exponential else l
            slopes += slope
            add(r, &self.mu.at, -slope)
        add(r, &self.mean.at, slopes)
        return out

    cdef double only(self, Structure gen, const Tables *theta, const int32_t *y) noexcept nogil:
        """log Z and mu where y is the only output."""
        gen.add(&self.mu.at, y, 1)
        return gen.score(theta, y)

    cdef double given(self, Structure gen, Tables *theta, int64_t t, const int32_t *y, int64_t n, int32_t *room) noexcept nogil:
        """log Z and mu over the outputs that decide t as y does, where t is one of n decisions."""
        cdef int g
        cdef int64_t k
        cdef double logz
        for k in range(n):
            room[k] = y[k] if k == t else -1
        gen.force(theta, room)
        for g in range(theta.n_blocks):
            for k in range(theta.places[g] * theta.stride[g]):
                if theta.block[g][k] == -INFINITY and self.theta.at.block[g][k] > -INFINITY:
                    theta.block[g][k] = IMPOSSIBLE
        logz = gen.marginals(theta, &self.mu.at)
        self.theta.write(theta)
        return logz


cdef void add(Tables *r, const Tables *mu, double amount) noexcept nogil:
    """Add a multiple of mu to r: r += amount mu."""
    cdef int g
    cdef int64_t i
    for g in range(r.n_blocks):
        for i in range(r.places[g] * r.stride[g]):
            r.block[g][i] += <float>amount * mu.block[g][i]
