# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Steps that keep a variance for each weight: the weights are N(w, Sigma), Sigma diagonal, and a weight of small
variance moves little.

    g = X^T r,    v = g.Sigma g,    m = -loss: by how much the margin is wider than the cost

    w <- w - tau Sigma g,    1/Sigma <- 1/Sigma + kappa g^2

    AROW     tau = loss / (v + lam),    kappa = 1 / lam             (Crammer, Kulesza and Dredze 2009, fig. 1)
    SCW-I    tau = min(C, (-m psi + sqrt(m^2 phi^4 / 4 + v phi^2 zeta)) / (v zeta))
    SCW-II   tau = (-m (2 n + phi^2 v) + phi sqrt(phi^2 m^2 v^2 + 4 n v (n + v phi^2))) / (2 (n^2 + n v phi^2))
             kappa = tau phi / sqrt(u)                              (Wang, Zhao and Hoi 2012, prop. 1 and 2)

with n = v + 1/(2C), psi = 1 + phi^2/2, zeta = 1 + phi^2 and sqrt(u) = (-tau v phi + sqrt(tau^2 v^2 phi^2 + 4 v)) / 2. SCW asks that
the margin be as wide as the cost with the probability that phi stands for (phi = its quantile of N(0, 1)). The weight of an
example multiplies 1/lam and C. G has 1/Sigma - 1, so Sigma = 1 at the start.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint32_t

from linnet.core.blocks cimport Sparse
from linnet.core.form cimport Step
from linnet.core.weights cimport BIAS, Rows, features

cdef extern from "rows.h" nogil:
    int linnet_nonzero(const float *r, int n, int32_t *at, int most)

cdef enum:
    FEW = 4                 # rows with at most this many outcomes to change are changed one by one; `at` has room for as many


cdef class Confidence(Step):
    """The base of AROW and SCW, which differ in tau and kappa alone."""
    cdef double kappa

    def __init__(self):
        self.needs_norm = True
        self.needs_squares = True
        self.joint = True

    cdef double weigh(self, const Rows *w, const uint32_t *j, const float *x, int64_t n, const float *r) noexcept nogil:
        cdef int64_t i
        cdef int k, n_at = linnet_nonzero(r, w.stride, w.at, FEW)
        cdef const float *G
        cdef double total = 0, part
        for i in range(n):
            G = w.G + <int64_t>j[i] * w.stride
            part = 0
            if n_at <= FEW:
                for k in range(n_at):
                    part += r[w.at[k]] * r[w.at[k]] / (1 + G[w.at[k]])
            else:
                for k in range(w.stride):
                    part += r[k] * r[k] / (1 + G[k])
            total += part * x[i] * x[i]
        return total

    cdef void move(self, Rows *w, const uint32_t *j, const float *x, int64_t n, const float *r, double tau, double a,
                   double clock) noexcept nogil:
        cdef int64_t i, row
        cdef int k, n_at = linnet_nonzero(r, w.stride, w.at, FEW)
        cdef float scale = <float>(tau / a), kappa = <float>self.kappa
        for i in range(n):
            row = <int64_t>j[i] * w.stride
            if n_at <= FEW:
                for k in range(n_at):
                    change(w, row + w.at[k], x[i] * r[w.at[k]], scale, kappa, <float>clock)
            else:
                for k in range(w.stride):
                    change(w, row + k, x[i] * r[k], scale, kappa, <float>clock)

    cdef void update(self, Rows *w, const Sparse *x, int64_t place, const float *r, double tau, double a,
                     double clock) noexcept nogil:
        cdef int64_t start = x.indptr[place]
        cdef Rows rows = features(w)
        if tau == 0:
            return
        self.move(w, BIAS, &x.one, 1, r, tau, a, clock)
        self.move(&rows, x.indices + start, x.values + start, x.indptr[place + 1] - start, r, tau, a, clock)


cdef inline void change(Rows *w, int64_t at, float g, float scale, float kappa, float clock) noexcept nogil:
    cdef float step = scale * g / (1 + w.G[at])
    w.v[at] -= step
    if w.U != NULL:
        w.U[at] -= clock * step
    w.G[at] += kappa * g * g


cdef class Arow(Confidence):
    cdef double lam

    def __init__(self, double lam=1):
        super().__init__()
        self.name = "arow"
        self.lam = lam

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        if value <= 0 or weight <= 0:
            self.kappa = 0
            return 0
        self.kappa = weight / self.lam
        return value / (norm2 + self.lam / weight)


cdef class Scw(Confidence):
    cdef double C, phi

    def __init__(self, double C=1, double phi=1):
        super().__init__()
        self.name = "scw"
        self.C = C
        self.phi = phi

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        cdef double phi = self.phi, v = norm2, C = self.C * weight, tau
        self.kappa = 0
        if v <= 0 or C <= 0:
            return 0
        tau = self.alpha(-value, v, phi * phi, C)
        self.kappa = 2 * tau * phi / (-tau * v * phi + sqrt(tau * tau * v * v * phi * phi + 4 * v))
        return tau

    cdef double alpha(self, double m, double v, double phi2, double C) noexcept nogil:
        """The value of tau, by the formula at the head of this file."""
        cdef double zeta = 1 + phi2
        return min(C, max(0, (-m * (1 + phi2 / 2) + sqrt(m * m * phi2 * phi2 / 4 + v * phi2 * zeta)) / (v * zeta)))


cdef class Scw2(Scw):
    def __init__(self, double C=1, double phi=1):
        super().__init__(C, phi)
        self.name = "scw-2"

    cdef double alpha(self, double m, double v, double phi2, double C) noexcept nogil:
        cdef double n = v + 1 / (2 * C)
        cdef double root = sqrt(phi2 * (phi2 * m * m * v * v + 4 * n * v * (n + v * phi2)))
        return max(0, (-m * (2 * n + phi2 * v) + root) / (2 * (n * n + n * v * phi2)))
