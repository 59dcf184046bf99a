# cython: language_level=3
"""The step of Pegasos (Shalev-Shwartz, Singer, Srebro and Cotter 2011, fig. 1; Eisenstein, footnote 1 names the paper of 2007): SGD
on lam/2 ||w||^2 + the mean hinge loss.

    w <- (1 - 1/t) w - 1/(lam t) X^T r

The first steps are long, but at step t all earlier ones have shrunk to the same 1/(lam t).
"""

from libc.stdint cimport int64_t

from linnet.core.form cimport Step


cdef class Pegasos(Step):
    cdef double lam

    def __init__(self, double lam=1e-4):
        self.name = "pegasos"
        self.lam = lam

    cdef double shrink(self, int64_t t) noexcept nogil:
        return 1 - 1.0 / t

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        return weight / (self.lam * t)
