# cython: language_level=3, boundscheck=False, wraparound=False
"""The log loss (Choi, "Cross entropy loss"; Smith, "Maximum conditional likelihood").

    loss = -log p(y_i | x) = log Z - theta.mu(y_i),    p(y | x) = exp(theta.mu(y)) / Z
    r    = E[mu(y)] - mu(y_i)

With a cost, every other output scores that much more while learning: softmax-margin (Gimpel and Smith 2010). An outcome whose
probability is wrong by no more than `negligible` is left alone.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Loss, Outcome, Structure, Tables


cdef class Log(Loss):
    cdef float cost
    cdef float negligible

    def __init__(self, float cost=0, float negligible=0):
        self.name = "log"
        self.needs_marginals = True
        self.cost = cost
        self.negligible = negligible

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        if self.cost:
            gen.add_cost(theta, y, self.cost)
        out.value = gen.marginals(theta, r) - gen.score(theta, y)
        gen.add(r, y, -1)
        out.active = True
        if self.negligible:
            self.settle(r)
        return out

    cdef void settle(self, Tables *r) noexcept nogil:
        cdef int g
        cdef int64_t k
        for g in range(r.n_blocks):
            for k in range(r.places[g] * r.stride[g]):
                if fabs(r.block[g][k]) <= self.negligible:
                    r.block[g][k] = 0
