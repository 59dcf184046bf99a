# cython: language_level=3, boundscheck=False, wraparound=False
"""The exponential loss, by which boosting learns (Smith, "Boosting and Exp Loss"; Altun, Johnson and Hofmann 2003, "Investigating
loss functions and optimization methods for discriminative learning of label sequences"; Collins and Koo 2005).

    loss = sum over y != y_i of exp(theta.mu(y) - theta.mu(y_i)) = 1/p - 1,    p = p(y_i | x) = exp(-l), l the log loss
    r    = 1/p (E[mu(y)] - mu(y_i))

It is no less than the ranking loss, the number of outputs that are ahead of y_i, for each of these adds more than 1.

Over a long sequence 1/p would overflow, so from l = 10 on the loss goes on as its tangent, e^10 (1 + l - 10) - 1.
"""

from libc.math cimport exp
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Loss, Outcome, Structure, Tables

from linnet.losses import phi

cdef double STEEPEST = 10       # the log loss from which on the loss is its tangent


cdef class Exponential(Loss):
    cdef float cost

    def __init__(self, float cost=0):
        self.name = "exponential"
        self.needs_marginals = True
        self.cost = cost
        self.phi = phi.Exponential(cost)

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        cdef int g
        cdef int64_t i
        cdef double l, slope
        if self.cost:
            gen.add_cost(theta, y, self.cost)
        l = max(gen.marginals(theta, r) - gen.score(theta, y), 0)     # scores are float32, and may round to below 0
        gen.add(r, y, -1)
        slope = exp(min(l, STEEPEST))
        for g in range(r.n_blocks):
            for i in range(r.places[g] * r.stride[g]):
                r.block[g][i] *= <float>slope
        out.value = slope * (1 + max(l - STEEPEST, 0)) - 1
        out.active = True
        return out
