# cython: language_level=3
"""AdaGrad: one rate per weight, slower where the gradients have been large (Duchi, Hazan and Singer 2011, eq. 1 with diag).

    g = X^T r,    G += g^2,    w <- (1 - eta lam) w - eta g / sqrt(G)

The shrinking is the same for all weights, so it is lazy: one multiplication per example.
"""

from libc.stdint cimport int64_t, uint32_t

from linnet.core.blocks cimport Sparse
from linnet.core.form cimport Step, any_of
from linnet.core.weights cimport BIAS, Rows

cdef extern from "rows.h" nogil:
    void linnet_adagrad_rows(float *W, float *G, float *U, int stride, const uint32_t *j, const float *x, int64_t n,
                             const float *r, float eta, float scale, float clock)


cdef class AdaGrad(Step):
    cdef double eta, lam

    def __init__(self, double eta=0.1, double lam=0):
        self.name = "adagrad"
        self.needs_squares = True
        self.eta = eta
        self.lam = lam

    cdef double shrink(self, int64_t t) noexcept nogil:
        return max(0.0, 1 - self.eta * self.lam)        # at most all of w is taken away

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        return weight

    cdef void update(self, Rows *w, const Sparse *x, int64_t place, const float *r, double tau, double a,
                     double clock) noexcept nogil:
        if tau == 0 or not any_of(r, w.stride):
            return
        cdef int64_t start = x.indptr[place]
        cdef float eta = <float>self.eta, scale = <float>(tau / a)
        linnet_adagrad_rows(w.v, w.G, w.U, w.stride, BIAS, &x.one, 1, r, eta, scale, clock)
        linnet_adagrad_rows(w.v + w.stride, w.G + w.stride, w.U + w.stride if w.U != NULL else NULL, w.stride,
                            x.indices + start, x.values + start, x.indptr[place + 1] - start, r, eta, scale, clock)
