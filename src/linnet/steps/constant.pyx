# cython: language_level=3
"""tau = eta, 1 by default: the perceptron's step, for which only the direction of w matters."""

from libc.stdint cimport int64_t

from linnet.core.form cimport Step


cdef class Constant(Step):
    cdef double eta

    def __init__(self, double eta=1):
        self.name = "constant"
        self.eta = eta

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        return self.eta * weight
