# cython: language_level=3
"""The log loss (Choi, "Cross entropy loss"; Smith, "Maximum conditional likelihood").

    loss = -log p(y_i | x) = log Z - theta.mu(y_i),    p(y | x) = exp(theta.mu(y)) / Z
    r    = E[mu(y)] - mu(y_i)
"""

from libc.stdint cimport int32_t

from linnet.core.form cimport Loss, Outcome, Structure, Tables


cdef class Log(Loss):
    def __init__(self):
        self.name = "log"
        self.needs_marginals = True

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        out.value = gen.marginals(theta, r) - gen.score(theta, y)
        gen.add(r, y, -1)
        out.active = True
        return out
