# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Losses phi(s) of a yes-or-no question, where s = z_q <theta, a_q> is its margin (core/form.pyx).

    perceptron     max(0, -s)               slope -1 for s <= 0: at w = 0 nothing is right yet
    hinge          max(0, cost - s)         or its square
    log            ln(1 + exp(cost - s))
    exponential    exp(cost - s)            from 60 on its tangent

Each is no less than 0, and but for the first no less than the number of wrong answers. The exponential loss is the mean of all
questions: 1 at w = 0, and no less than the share of wrong answers (Schapire and Singer 1999, on AdaBoost.MH).

In the dual 0 <= alpha <= C; for the squared hinge 0 <= alpha. With d = 0, or 1 / (2 C) for the squared hinge,

    hinge    conjugate(-alpha) = -cost alpha + d/2 alpha^2
             alpha'            = alpha + (cost - s - d alpha) / (q + d),  cut to these bounds
    log      conjugate(-alpha) = -cost alpha + C (u ln u + (1 - u) ln(1 - u)),  u = alpha / C
             alpha'            = C / (1 + exp -v),  v + q C / (1 + exp -v) = cost - s + q alpha

(Hsieh, Chang, Lin, Keerthi and Sundararajan 2008, alg. 1; Yu, Huang and Lin 2011). The left side of the equation for v
is convex below v = 0 and concave above. So Newton's method never goes too far if it starts above the solution where
that is below 0, and below the solution where that is above 0.
"""

from libc.math cimport INFINITY, exp, fabs, log, log1p
from libc.stdint cimport int64_t

from linnet.core.form cimport Answers, Ascent, Phi

cdef double STEEPEST = 60       # cost - s from which on the exponential loss is its tangent


cdef class Perceptron(Phi):
    def __init__(self):
        self.name = "perceptron"
        self.is_mistake = True

    cdef void slopes(self, float *margin, int64_t n, Answers *out) noexcept nogil:
        cdef int64_t k
        out.asked += n
        for k in range(n):
            if margin[k] <= 0:
                out.value -= margin[k]
                out.active += 1
                margin[k] = -1
            else:
                margin[k] = 0


cdef class Hinge(Phi):
    cdef float cost
    cdef bint squared

    def __init__(self, float cost=1, *, bint squared=False):
        self.name = "squared-hinge" if squared else "hinge"
        self.has_dual = True
        self.cost = cost
        self.squared = squared

    cdef void slopes(self, float *margin, int64_t n, Answers *out) noexcept nogil:
        cdef int64_t k
        cdef float xi
        out.asked += n
        for k in range(n):
            xi = self.cost - margin[k]
            if xi > 0:
                out.value += xi * xi if self.squared else xi
                out.active += 1
                margin[k] = -2 * xi if self.squared else -1
            else:
                margin[k] = 0

    cdef void ascend(self, float *margin, const float *m, int64_t n, double q, double C, Ascent *out) noexcept nogil:
        cdef int64_t k
        cdef double most = INFINITY if self.squared else C, d = 0.5 / C if self.squared else 0, by = 1 / (q + d)
        cdef double short, xi, alpha
        for k in range(n):
            alpha = fabs(m[k])
            short = self.cost - margin[k]
            xi = max(0.0, short)
            if self.squared:
                xi *= xi
            out.value += xi
            out.left += C * xi - alpha * short + d / 2 * alpha * alpha
            margin[k] = <float>min(most, max(0.0, alpha + (short - d * alpha) * by))


cdef class Log(Phi):
    cdef float cost
    cdef float negligible       # a probability that is wrong by no more than this is left alone

    def __init__(self, float cost=0, float negligible=0):
        self.name = "log"
        self.has_dual = True
        self.cost = cost
        self.negligible = negligible

    cdef void slopes(self, float *margin, int64_t n, Answers *out) noexcept nogil:
        cdef int64_t k
        cdef double short, small, p
        out.asked += n
        for k in range(n):
            short = self.cost - margin[k]
            small = exp(-fabs(short))
            p = (1 if short > 0 else small) / (1 + small)
            out.value += max(short, 0) + log1p(small)
            if p > self.negligible:
                out.active += 1
                margin[k] = <float>-p
            else:
                margin[k] = 0

    cdef void ascend(self, float *margin, const float *m, int64_t n, double q, double C, Ascent *out) noexcept nogil:
        cdef int64_t k
        cdef double short, alpha, value, u
        for k in range(n):
            alpha = fabs(m[k])
            u = min(1.0, alpha / C)
            short = self.cost - margin[k]
            value = max(short, 0.0) + log1p(exp(-fabs(short)))
            out.value += value
            out.left += C * (value + xlogx(u) + xlogx(1 - u)) - alpha * short
            margin[k] = <float>(C * share(short + q * alpha, q * C))


cdef class Exponential(Phi):
    cdef float cost

    def __init__(self, float cost=0):
        self.name = "exponential"
        self.mean = True
        self.cost = cost

    cdef void slopes(self, float *margin, int64_t n, Answers *out) noexcept nogil:
        cdef int64_t k
        cdef double l, slope
        out.asked += n
        out.active += n
        for k in range(n):
            l = self.cost - margin[k]
            slope = exp(min(l, STEEPEST))
            out.value += slope * (1 + max(l - STEEPEST, 0))
            margin[k] = <float>-slope


cdef inline double xlogx(double u) noexcept nogil:
    return u * log(u) if u > 0 else 0


cdef double share(double s, double a) noexcept nogil:
    """The solution u = 1 / (1 + exp -v) of v + a u = s."""
    cdef double v = min(s, 0.0) if 2 * s <= a else max(s - a, 0.0), u = 0, by
    cdef int again
    for again in range(100):
        u = 1 / (1 + exp(-v))
        by = (v + a * u - s) / (1 + a * u * (1 - u))
        v -= by
        if fabs(by) <= 1e-7 * (1 + fabs(v)):
            break
    return 1 / (1 + exp(-v))
