# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The support vector machine of any structure, to its optimum (Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013, alg. 4:
block-coordinate Frank-Wolfe; Joachims, Finley and Yu 2009 for the problem).

    primal   1/2 ||w||^2 + C sum_i weight_i H_i,    H_i = max_y theta_i.mu(y) + cost(y_i, y) - theta_i.mu(y_i)
    dual     -1/2 ||w||^2 + C sum_i weight_i l_i

What example i has added to w is m_i = C weight_i (mu(y_i) - (a mean of mu(y))), with l_i the mean of cost(y_i, y). One step goes
from that mean towards the output y_hat that is most violated, as far as is best:

    r     = m_i - C weight_i (mu(y_i) - mu(y_hat))
    left  = C weight_i (H_i - l_i) + theta_i.m_i        >= 0; their sum is primal - dual, the duality gap
    tau   = min(1, left / ||X^T r||^2)
    W    -= tau X^T r,   m_i -= tau r,   l_i += tau (cost(y_i, y_hat) - l_i)

With m = 0 this is a step of PA-I: it is MIRA that remembers.
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from linnet.core.dual cimport Climb, Dual
from linnet.core.form cimport first

import numpy as np


cdef class FrankWolfe(Climb):
    cdef object cost                # l, one number for each example
    cdef double *l

    def remember(self, Dual at, int64_t n):
        cdef double[::1] l
        if self.cost is None:
            self.cost = np.zeros(n)
        l = self.cost
        self.l = &l[0] if n else NULL

    cdef int learn(self, Dual at, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef int g
        cdef int64_t k, n
        cdef float *m
        cdef double H, cost, own = 0, left, norm2, tau, most = at.C * weight
        for g in range(at.theta.n_blocks):
            at.score(g, i, at.w[g].v, 1)
            m = at.m_rows[g] + first(&at.x[g], i) * at.r.stride[g]
            for k in range(at.r.places[g] * at.r.stride[g]):
                own += <double>at.theta.block[g][k] * m[k]
            memcpy(at.r.block[g], at.theta.block[g], at.r.places[g] * at.r.stride[g] * sizeof(float))
        at.gen.add_cost(&at.theta, y, 1)
        at.gen.argmax(&at.theta, at.y_hat)
        H = at.gen.score(&at.theta, at.y_hat) - at.gen.score(&at.theta, y)
        cost = H - (at.gen.score(&at.r, at.y_hat) - at.gen.score(&at.r, y))
        left = most * (H - self.l[i]) + own
        at.total += weight * H
        at.length2 += own
        at.gap += left
        if at.still or left <= 0:
            return 0
        for g in range(at.theta.n_blocks):
            n = at.r.places[g] * at.r.stride[g]
            memcpy(at.r.block[g], at.m_rows[g] + first(&at.x[g], i) * at.r.stride[g], n * sizeof(float))
        at.gen.add(&at.r, at.y_hat, <float>most)
        at.gen.add(&at.r, y, <float>-most)
        norm2 = at.norm2(i)
        if norm2 <= 0:
            return 0
        at.updates += 1
        tau = min(1.0, left / norm2)
        at.steps2 += tau * tau * norm2
        self.l[i] += tau * (cost - self.l[i])
        at.update(i, tau)
        return 0

    cdef void forget(self, int64_t i) noexcept nogil:
        self.l[i] = 0

    def state(self):
        return {} if self.cost is None else {"cost": self.cost[:, None]}

    def restore(self, arrays):
        self.cost = np.array(arrays["cost"])[:, 0].copy()
