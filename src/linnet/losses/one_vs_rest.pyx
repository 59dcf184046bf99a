# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The hinge loss of each outcome by itself: one against the rest, or its square.

    loss = sum_k xi_k^p,    xi_k = max(0, 1 - s_k theta_k),  s_k = 1 where mu_k(y_i) = 1, else -1
    r_k  = -s_k p xi_k^(p - 1)

In the dual m_k = s_k alpha_k with 0 <= alpha_k <= C for p = 1 and 0 <= alpha_k for p = 2, and with d = 0 or 1 / (2 C)

    conjugate(-m) = sum_k -alpha_k + d/2 alpha_k^2
    alpha'_k      = alpha_k - (s_k theta_k - 1 + d alpha_k) / (q + d),  cut to these bounds

(Hsieh, Chang, Lin, Keerthi and Sundararajan 2008, alg. 1). With two labels each machine is the mirror of the other.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Ascent, Loss, Outcome, Structure, Tables


cdef class OneVsRest(Loss):
    cdef bint squared

    def __init__(self, bint squared=True):
        self.name = "one-vs-rest-squared" if squared else "one-vs-rest"
        self.has_dual = True
        self.squared = squared

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        cdef int g, k
        cdef int64_t p
        cdef float s, xi
        cdef const float *score
        cdef float *mu
        out.value = 0
        out.active = False
        gen.add(r, y, 1)
        for g in range(theta.n_blocks):
            for p in range(theta.places[g]):
                score, mu = theta.block[g] + p * theta.stride[g], r.block[g] + p * r.stride[g]
                for k in range(theta.outcomes[g]):
                    s = 1 if mu[k] > 0 else -1
                    xi = max(<float>0, 1 - s * score[k])
                    out.value += xi * xi if self.squared else xi
                    mu[k] = (-2 * s * xi if self.squared else -s) if xi > 0 else 0
                    out.active = out.active or xi > 0
        return out

    cdef Ascent ascend(self, Structure gen, Tables *theta, const int32_t *y, const float *m, double q, double C,
                       Tables *r) noexcept nogil:
        cdef Ascent out
        cdef const float *score = theta.block[0]
        cdef float *mu = r.block[0]
        cdef int k
        cdef double most = INFINITY if self.squared else C, d = 0.5 / C if self.squared else 0, by = 1 / (q + d)
        cdef double s, short, xi, alpha
        out.value = out.left = 0
        gen.add(r, y, 1)
        for k in range(theta.outcomes[0]):
            s = 1 if mu[k] > 0 else -1
            alpha = s * m[k]
            short = 1 - s * score[k]
            xi = max(0.0, short)
            if self.squared:
                xi *= xi
            out.value += xi
            out.left += C * xi - alpha * short + d / 2 * alpha * alpha
            mu[k] = <float>(m[k] - s * min(most, max(0.0, alpha + (short - d * alpha) * by)))
        return out
