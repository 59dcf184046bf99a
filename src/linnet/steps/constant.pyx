# cython: language_level=3
"""The perceptron's step: tau = eta, times the weight of the example where examples have weights.

Predictions of the perceptron depend on the direction of w alone. So with weights that begin at 0, eta, which is 1 by default, changes
how long w is, and no prediction.
"""

from libc.stdint cimport int64_t

from linnet.core.form cimport Step


cdef class Constant(Step):
    """A step of the same length for each example that asks for one; `Step` in core/form.pyx says what a step is
    told."""
    cdef double eta

    def __init__(self, double eta=1):
        self.name = "constant"
        self.eta = eta

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        return self.eta * weight
