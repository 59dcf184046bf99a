# cython: language_level=3, boundscheck=False, wraparound=False
"""The loss of AdaBoost.MH: each outcome is a question of its own, yes or no (Schapire and Singer 1999, section 7.1).

    Y    = 1 for the outcomes that y_i uses, -1 for all others
    loss = mean over outcomes of exp(-Y theta)
    r    = -Y exp(-Y theta) / (number of outcomes)

It is 1 at w = 0, and no less than the share of outcomes with the wrong sign. From -Y theta = 60 on it goes on as its tangent.
"""

from libc.math cimport exp
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Loss, Outcome, Structure, Tables

cdef double STEEPEST = 60


cdef class MH(Loss):
    def __init__(self):
        self.name = "mh"

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        cdef int g, k
        cdef int64_t p, i, n = 0
        cdef double Y, l, slope
        out.value = 0
        out.active = True
        gen.add(r, y, 1)
        for g in range(r.n_blocks):
            n += r.places[g] * r.outcomes[g]
        for g in range(r.n_blocks):
            for p in range(r.places[g]):
                for k in range(r.outcomes[g]):
                    i = p * r.stride[g] + k
                    Y = 1 if r.block[g][i] > 0 else -1
                    l = -Y * theta.block[g][i]
                    slope = exp(min(l, STEEPEST)) / n
                    out.value += slope * (1 + max(l - STEEPEST, 0))
                    r.block[g][i] = <float>(-Y * slope)
        return out
