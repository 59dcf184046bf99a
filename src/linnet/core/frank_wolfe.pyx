# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The support vector machine of any structure, to its optimum (Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013, alg. 4:
block-coordinate Frank-Wolfe; Joachims, Finley and Yu 2009 for the problem).

    primal   1/2 ||w||^2 + C sum_i weight_i H_i,    H_i = max_y theta_i.mu(y) + cost(y_i, y) - theta_i.mu(y_i)
    dual     -1/2 ||w||^2 + C sum_i weight_i l_i

Here what example i has added to w is C weight_i m_i, m_i = mu(y_i) - (a mean of mu(y)), with l_i the mean of cost(y_i, y).
One step goes from that mean towards the output y_hat that is most violated, as far as is best:

    r     = m_i + mu(y_hat) - mu(y_i)
    left  = H_i + theta_i.m_i - l_i                 >= 0; C sum_i weight_i left_i is primal - dual, the duality gap
    tau   = min(C weight_i, left / ||X^T r||^2)
    W    -= tau X^T r,   m_i -= tau / (C weight_i) r,   l_i += tau / (C weight_i) (cost(y_i, y_hat) - l_i)

With m = 0 this is a step of PA-I: it is MIRA that remembers.
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from linnet.core.dual cimport Dual
from linnet.core.form cimport MAX_BLOCKS, Block, first

import numpy as np


cdef class FrankWolfe(Dual):
    cdef object cost                # l, one number for each example
    cdef double *l

    def remember(self, tuple blocks):
        cdef double[::1] l
        super().remember(blocks)
        if self.cost is None:
            self.cost = np.zeros((<Block>blocks[0]).n)
        if len(self.cost) != (<Block>blocks[0]).n:
            raise ValueError("these are not the examples that were learned from so far")
        l = self.cost
        self.l = &l[0] if l.shape[0] else NULL

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef int g
        cdef int64_t k
        cdef float *m[MAX_BLOCKS]
        cdef bint supports = False
        cdef double H, cost, left = -self.l[i], norm2, tau
        if not self.still:
            self.t += 1
        if weight <= 0:
            return 0
        for g in range(self.theta.n_blocks):
            self.score(g, i, self.w[g].v, 1)
            m[g] = self.m_rows[g] + first(&self.x[g], i) * self.r.stride[g]
            for k in range(self.r.places[g] * self.r.stride[g]):
                left += <double>self.theta.block[g][k] * m[g][k]
                supports |= m[g][k] != 0
        self.length2 += self.C * weight * (left + self.l[i])
        self.clear(&self.r)
        self.gen.add_cost(&self.r, y, 1)
        self.gen.add_cost(&self.theta, y, 1)
        self.gen.argmax(&self.theta, self.y_hat)
        cost = self.gen.score(&self.r, self.y_hat) - self.gen.score(&self.r, y)
        H = self.gen.score(&self.theta, self.y_hat) - self.gen.score(&self.theta, y)
        left += H
        self.total += weight * H
        self.gap += self.C * weight * left
        if self.still:
            return 0
        self.support += supports or left > 0
        if left <= 0:
            return 0
        for g in range(self.theta.n_blocks):
            memcpy(self.r.block[g], m[g], self.r.places[g] * self.r.stride[g] * sizeof(float))
        self.gen.add(&self.r, self.y_hat, 1)
        self.gen.add(&self.r, y, -1)
        norm2 = self.norm2(i)
        if norm2 <= 0:
            return 0
        self.updates += 1
        tau = min(self.C * weight, left / norm2)
        self.update(i, tau)
        self.steps2 += tau * tau * norm2
        tau /= self.C * weight
        for g in range(self.theta.n_blocks):
            for k in range(self.r.places[g] * self.r.stride[g]):
                m[g][k] -= <float>tau * self.r.block[g][k]
        self.l[i] += tau * (cost - self.l[i])
        return 0

    def state(self):
        arrays, numbers = super().state()
        return (arrays if self.cost is None else arrays | {"cost": self.cost[:, None]}), numbers

    def restore(self, arrays, numbers):
        super().restore(arrays, numbers)
        if "cost" in arrays:
            self.cost = np.array(arrays["cost"])[:, 0].copy()
