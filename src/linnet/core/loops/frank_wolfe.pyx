# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The optimum of any convex loss over any structure, along lines in the dual (Lacoste-Julien, Jaggi, Schmidt and Pletscher 2013,
alg. 4: block-coordinate Frank-Wolfe; Joachims, Finley and Yu 2009 for planes).

    primal   1/2 ||w||^2 + C sum_i weight_i loss_i(theta_i)
    dual     -1/2 ||w||^2 + C sum_i weight_i l_i

Wherever a loss is looked at, it has a plane below it that touches it there: loss(theta') >= r.theta' + l, r its gradient and
l = loss(theta) - r.theta. What example i has added to w is m_i = -C weight_i (a mean of such r), and l_i is the same mean of their l.
For the hinge a plane is an output y_hat: r = mu(y_hat) - mu(y_i), l = cost(y_i, y_hat). For the log loss l is the entropy of p(y | x); for
questions with yes or no (losses/each.pyx), pairs of a ranking among them, r and l are sums over the questions.

One step goes from that mean towards the plane of the theta that there is, as far as is best:

    d     = m_i + C weight_i r
    left  = C weight_i (loss_i - l_i) + theta_i.m_i     >= 0; their sum is no less than primal - dual, the duality gap
    tau   = min(1, left / ||X^T d||^2)
    W    -= tau X^T d,   m_i -= tau d,   l_i += tau (l - l_i)

With m = 0 and the hinge this is a step of PA-I: it is MIRA that remembers.
"""

from libc.stdint cimport int32_t, int64_t

from linnet.core.blocks cimport Block, first
from linnet.core.loops.dual cimport Climb, Dual
from linnet.core.form cimport Outcome, Tables
from linnet.core.interrupt cimport check
from linnet.core.scratch cimport Scratch

import numpy as np

from linnet.core.long_arrays import restored
from linnet.core.schema import Numbers
from linnet.errors import ModelError


cdef class FrankWolfe(Climb):
    cdef object offsets             # l_i of each example
    cdef double *l
    cdef Scratch theta              # a copy of the scores of one example, since a loss may overwrite them

    def __init__(self):
        self.theta = Scratch()

    def remember(self, Dual at, Block block):
        cdef double[::1] l
        cdef int64_t n = block.n
        if self.offsets is None:
            self.offsets = block.kept(n, np.float64)
        if len(self.offsets) != n:
            raise ModelError("the state of learning is of other examples. Train again.")
        l = self.offsets
        self.l = &l[0] if n else NULL

    cdef int learn(self, Dual at, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef Outcome out
        cdef int g
        cdef int64_t k
        cdef float *m
        cdef double l, own = 0, left, norm2, tau, most = at.C * weight
        for g in range(at.theta.n_blocks):
            at.score(g, i, at.w[g].v, 1)
            own += dot(at.m_rows[g] + first(&at.x[g], i) * at.r.stride[g], &at.theta, g)
        at.check_scores()
        if not self.theta.copy(&at.theta):
            with gil:
                raise MemoryError("no memory for the scores of an example")
        at.clear(&at.r)
        out = at.loss.evaluate(at.gen, &at.theta, y, at.y_hat, &at.r)
        check()
        l = out.value
        for g in range(at.r.n_blocks):
            l -= dot(at.r.block[g], &self.theta.at, g)
        left = most * (out.value - self.l[i]) + own
        at.last_loss = out.value
        at.last_tau = 0
        at.total += weight * out.value
        at.length2 += own
        at.gap += left
        if at.still or left <= 0:
            return 0
        for g in range(at.r.n_blocks):
            m = at.m_rows[g] + first(&at.x[g], i) * at.r.stride[g]
            for k in range(at.r.places[g] * at.r.stride[g]):
                at.r.block[g][k] = m[k] + <float>most * at.r.block[g][k]
        norm2 = at.norm2(i)
        at.updates += 1
        tau = min(1.0, left / norm2) if norm2 > 0 else 1
        at.steps2 += tau * tau * norm2
        self.l[i] += tau * (l - self.l[i])
        at.last_tau = tau
        at.update(i, tau)
        return 0

    cdef void forget(self, int64_t i) noexcept nogil:
        self.l[i] = 0

    def state(self):
        return {} if self.offsets is None else {"offset": self.offsets[:, None]}

    def restore(self, arrays, home):
        Numbers(np.float64, (None, 1)).check(arrays["offset"], "offset")
        self.offsets = restored(arrays["offset"][:, 0], self.offsets, home)


cdef double dot(const float *r, const Tables *theta, int g) noexcept nogil:
    """r.theta of block g, over the outcomes where r is not 0: outcomes out of GEN(x) score -inf."""
    cdef int64_t k
    cdef double total = 0
    for k in range(theta.places[g] * theta.stride[g]):
        if r[k] != 0:
            total += <double>r[k] * theta.block[g][k]
    return total
