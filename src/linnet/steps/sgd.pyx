# cython: language_level=3
"""Stochastic gradient descent with L2 regularisation (Choi, "Stochastic Gradient Descent", "Overfitting").

    w <- (1 - eta_t lam) w - eta_t X^T r,    eta_t = eta / (1 + t / t0)^power

power = 0 keeps the rate; power = 1 with t0 = 1 / (eta lam) is the classic decay. lam is per example. Capped, a step is no longer
than Polyak's, loss / ||X^T r||^2, which would bring the loss to 0 if it were linear (Loizou et al. 2021, SPS_max): no example is
overshot, however long it is. The log loss needs no cap where eta ||f||^2 <= 1.2.
"""

from libc.math cimport pow
from libc.stdint cimport int64_t

from linnet.core.form cimport Step


cdef class SGD(Step):
    cdef double eta, lam, power, t0

    def __init__(self, double eta=0.5, double lam=0, double power=0, double t0=1, *, bint capped=False):
        self.name = "sgd"
        self.needs_norm = capped
        self.eta = eta
        self.lam = lam
        self.power = power
        self.t0 = t0

    cdef inline double rate(self, int64_t t) noexcept nogil:
        return self.eta if self.power == 0 else self.eta / pow(1 + t / self.t0, self.power)

    cdef double shrink(self, int64_t t) noexcept nogil:
        return max(0.0, 1 - self.rate(t) * self.lam) if self.lam else 1     # at most all of w is taken away

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        cdef double tau = self.rate(t)
        return weight * (min(tau, value / norm2) if norm2 > 0 else tau)
