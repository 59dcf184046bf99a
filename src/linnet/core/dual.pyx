# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The support vector machine of any structure, to its optimum (Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013, alg. 4:
block-coordinate Frank-Wolfe; Joachims, Finley and Yu 2009 for the problem).

    primal   1/2 ||w||^2 + C sum_i weight_i H_i,    H_i = max_y theta_i.mu(y) + cost(y_i, y) - theta_i.mu(y_i)
    dual     -1/2 ||w||^2 + C sum_i weight_i l_i

Example i keeps what it has added to w as a table m_i = mu(y_i) - (a mean of mu(y)), with l_i the mean of cost(y_i, y), so that
w = C sum_i weight_i X_i^T m_i. One step goes from that mean towards the output y_hat that is most violated, as far as is best:

    r     = m_i + mu(y_hat) - mu(y_i)
    left  = H_i + theta_i.m_i - l_i                 >= 0; C sum_i weight_i left_i is primal - dual, the duality gap
    tau   = min(C weight_i, left / ||X^T r||^2)
    W    -= tau X^T r,   m_i -= tau / (C weight_i) r,   l_i += tau / (C weight_i) (cost(y_i, y_hat) - l_i)

With m = 0 this is a step of PA-I: it is MIRA that remembers. Over labels it is the machine of Crammer and Singer (2001).
lam is 1 / (C n). The tables take as many floats as the scores of all examples.
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from linnet.core.form cimport MAX_BLOCKS, Block, Step, Structure, first
from linnet.core.online cimport Online

import numpy as np


cdef class Dual(Online):
    cdef double C
    cdef list m                     # places x outcomes, one array for each block
    cdef object cost                # l, one number for each example
    cdef float *m_rows[MAX_BLOCKS]
    cdef double *l
    cdef public double gap          # sum of weight_i left_i in this pass
    cdef bint still                 # only measure

    def __init__(self, Structure gen, Step step, n_features, *, double C):
        super().__init__(gen, None, step, n_features)
        self.C = C

    def begin(self):
        super().begin()
        self.gap = 0

    def run(self, tuple blocks, y, y_at, order, weight=None):
        self._remember(blocks)
        super().run(blocks, y, y_at, order, weight)

    def _remember(self, tuple blocks):
        """Room for what each example has added, or the one that there is."""
        cdef int g
        cdef float[:, ::1] rows
        cdef double[::1] l
        shapes = [(first(&(<Block>block).x, (<Block>block).n), self.theta.stride[g]) for g, block in enumerate(blocks)]
        if self.m is None:
            self.m = [np.zeros(shape, np.float32) for shape in shapes]
            self.cost = np.zeros((<Block>blocks[0]).n)
        if [part.shape for part in self.m] != shapes or len(self.cost) != (<Block>blocks[0]).n:
            raise ValueError("these are not the examples that were learned from so far")
        for g in range(self.theta.n_blocks):
            rows = self.m[g]
            self.m_rows[g] = &rows[0, 0] if rows.shape[0] else NULL
        l = self.cost
        self.l = &l[0] if l.shape[0] else NULL

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef int g
        cdef int64_t k
        cdef float *m[MAX_BLOCKS]
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
        self.clear(&self.r)
        self.gen.add_cost(&self.r, y, 1)
        self.gen.add_cost(&self.theta, y, 1)
        self.gen.argmax(&self.theta, self.y_hat)
        cost = self.gen.score(&self.r, self.y_hat) - self.gen.score(&self.r, y)
        H = self.gen.score(&self.theta, self.y_hat) - self.gen.score(&self.theta, y)
        left += H
        self.total += weight * H
        self.gap += weight * left
        if self.still or left <= 0:
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
        tau /= self.C * weight
        for g in range(self.theta.n_blocks):
            for k in range(self.r.places[g] * self.r.stride[g]):
                m[g][k] -= <float>tau * self.r.block[g][k]
        self.l[i] += tau * (cost - self.l[i])
        return 0

    def left(self, blocks, y, y_at, weight, double tol):
        """The duality gap over the primal. Its parts are from the w of their step; where they say that it is enough, it is
        measured for the w that there is."""
        gap = self._share()
        if gap > tol:
            return gap
        seen = self.total, self.updates, self.gap
        self.begin()
        self.still = True
        try:
            self.run(blocks, y, y_at, np.arange(len(self.cost)), weight)
        finally:
            self.still = False
        gap = self._share()
        self.total, self.updates, self.gap = seen
        return gap

    def _share(self):
        primal = self._half_norm2() + self.C * self.total
        return max(self.C * self.gap / primal, 0.0) if primal > 0 else 0.0

    def _half_norm2(self):
        cdef int g
        cdef int64_t k
        cdef double total = 0
        for g in range(self.theta.n_blocks):
            for k in range(self.n_rows[g] * self.w[g].stride):
                total += <double>self.w[g].v[k] * self.w[g].v[k]
        return total / 2

    def state(self):
        arrays, numbers = super().state()
        if self.m is not None:
            arrays |= {f"m{g}": part for g, part in enumerate(self.m)} | {"cost": self.cost[:, None]}
        return arrays, numbers | {"gap": self.gap}

    def restore(self, arrays, numbers):
        super().restore(arrays, numbers)
        if "cost" in arrays:
            self.m = [np.array(arrays[f"m{g}"]) for g in range(self.theta.n_blocks)]
            self.cost = np.array(arrays["cost"])[:, 0].copy()
