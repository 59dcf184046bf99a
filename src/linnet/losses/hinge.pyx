# cython: language_level=3
"""The hinge loss with a margin as wide as the cost (Eisenstein eq. 7; Smith, "Maximum margin").

    y_hat = argmax_y theta.mu(y) + cost(y_i, y)
    loss  = theta.mu(y_hat) + cost(y_i, y_hat) - theta.mu(y_i)
    r     = mu(y_hat) - mu(y_i)

An example may be right and still be inside the margin: it is updated too.
"""

from libc.stdint cimport int32_t

from linnet.core.form cimport Loss, Outcome, Structure, Tables


cdef class Hinge(Loss):
    cdef float cost

    def __init__(self, float cost=1):
        self.name = "hinge"
        self.cost = cost

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        gen.add_cost(theta, y, self.cost)
        gen.argmax(theta, y_hat)
        out.value = gen.score(theta, y_hat) - gen.score(theta, y)
        out.active = not gen.same(theta, y, y_hat)
        if out.active:
            gen.add(r, y_hat, 1)
            gen.add(r, y, -1)
        return out
