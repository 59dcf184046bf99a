# cython: language_level=3
"""The smallest step that closes the margin over y_hat (Eisenstein, eq. 10 and 14; Crammer et al. 2006, fig. 1).

    PA-I     tau = min(C, loss / ||X^T r||^2)
    PA-II    tau = loss / (||X^T r||^2 + 1 / (2 C))

C bounds the step: 0 changes nothing, infinity is the hard version, which always closes the margin over y_hat. Other
outputs, which did not score best with their cost, may still be inside their margin after the step; with two labels
there are none. A weight of an example above 1 multiplies C, as if the example came so many times: no step goes beyond
what closes the margin. A weight below 1 multiplies the step.
"""

from libc.stdint cimport int64_t

from linnet.core.form cimport Step


cdef class PassiveAggressive(Step):
    cdef double C

    def __init__(self, double C=1):
        self.name = "passive-aggressive"
        self.needs_norm = True
        self.C = C

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        if norm2 <= 0 or value <= 0:
            return 0
        return min(weight, 1.0) * min(max(weight, 1.0) * self.C, value / norm2)


cdef class PassiveAggressive2(Step):
    cdef double C

    def __init__(self, double C=1):
        self.name = "passive-aggressive-2"
        self.needs_norm = True
        self.C = C

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        if norm2 <= 0 or value <= 0 or self.C <= 0:
            return 0
        return min(weight, 1.0) * value / (norm2 + 1 / (2 * max(weight, 1.0) * self.C))
