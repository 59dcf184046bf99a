# cython: language_level=3
"""Counting, as a loss: maximum likelihood of a generative model needs nothing of x and y but the counts of f(x, y).

    r = -mu(y_i),    so that with steps of 1    W = sum_i X_i^T mu(y_i)

The value is 0: there is nothing to minimise, the counts are all (Eisenstein, section 1; Crammer, "Summary:
Naïve Bayes").
"""

from libc.stdint cimport int32_t

from linnet.core.form cimport Loss, Outcome, Structure, Tables


cdef class Likelihood(Loss):
    def __init__(self):
        self.name = "likelihood"
        self.only_counts = True

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        gen.add(r, y, -1)
        out.value = 0
        out.active = True
        return out
