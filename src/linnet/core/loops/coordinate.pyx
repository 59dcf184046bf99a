# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Dual coordinate ascent: one example at a time, each time to the best of all that it could add to w (Hsieh, Chang, Lin,
Keerthi and Sundararajan 2008; Shalev-Shwartz and Zhang 2013).

    theta = X_i W
    r     = m_i - m'_i, m'_i the best that the loss knows in its dual
    W    -= X_i^T r,   m_i = m'_i

All outcomes are scored in one pass over the features and changed in another. This works for outputs that are one outcome of one
place or a set of them, and for losses of questions about one outcome each, such as a node of a tree or a threshold.

Most examples of a hinge soon stay where they are, at 0 or at C. An example that had no step in the last idle_i passes is looked at
only where idle_i is a power of 2; in between it counts with the values that it had when it was last looked at. That is shrinking (Hsieh et al., sec. 3.2)
without thresholds: nothing is left out for good, and the gap that decides is measured over all.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t

from linnet.core.blocks cimport Block
from linnet.core.loops.dual cimport Climb, Dual
from linnet.core.form cimport Ascent

import numpy as np

from linnet.core.long_arrays import restored
from linnet.core.schema import Numbers
from linnet.errors import ModelError


cdef class Coordinate(Climb):
    cdef object lengths             # q_i = ||x_i||^2 of each example, with the bias counted; 0 before it is first looked at
    cdef double *q
    cdef object idles               # idle_i: passes since the last step of each example
    cdef uint32_t *idle
    cdef object parts               # loss_i and theta_i.m_i of each example when it was last looked at
    cdef double *part

    def remember(self, Dual at, Block block):
        cdef int64_t n = block.n
        cdef double[::1] q
        cdef uint32_t[::1] idle
        cdef double[:, ::1] part
        if self.lengths is not None:
            return
        self.lengths = block.kept(n, np.float64)
        if self.idles is None:
            self.idles, self.parts = block.kept(n, np.uint32), block.kept((n, 2), np.float64)
        if len(self.idles) != n or self.parts.shape != (n, 2):
            raise ModelError("the state of learning is of other examples. Train again.")
        if n:
            q, idle, part = self.lengths, self.idles, self.parts
            self.q, self.idle, self.part = &q[0], &idle[0], &part[0, 0]

    def wake(self):
        if self.idles is not None:
            self.idles[:] = 0

    cdef bint rests(self, Dual at, int64_t i) noexcept nogil:
        return not at.still and self.idle[i] & (self.idle[i] - 1) != 0      # idle_i is neither 0 nor a power of 2

    cdef int learn(self, Dual at, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef Ascent out
        cdef int k, n = at.r.stride[0]
        cdef double norm2 = 0
        cdef uint32_t *idle = self.idle + i
        cdef double *part = self.part + 2 * i
        cdef float *m = at.m_rows[0] + i * n
        cdef float *r = at.r.block[0]
        if not self.rests(at, i):
            if self.q[i] == 0:
                self.q[i] = at.own_length2(i)
            at.score(0, i, at.w[0].v, 1)
            at.check_scores()
            part[1] = 0
            for k in range(n):
                part[1] += <double>at.theta.block[0][k] * m[k]
            at.clear(&at.r)
            out = at.loss.ascend(at.gen, &at.theta, y, m, self.q[i], at.C * weight, &at.r)
            part[0] = out.value
            at.gap += out.left
            for k in range(n):
                r[k] = m[k] - <float>(m[k] - r[k])      # rounded, so that w changes by just as much as m
                norm2 += <double>r[k] * r[k]
        at.last_loss = part[0]
        at.last_tau = norm2 > 0
        at.total += weight * part[0]
        at.length2 += part[1]
        if norm2 > 0:
            idle[0] = 0
        elif not at.still:
            idle[0] += 1
        if norm2 > 0 and not at.still:
            at.steps2 += self.q[i] * norm2
            at.updates += 1
            at.update(i, 1)
        return 0

    cdef void look_again(self, int64_t i) noexcept nogil:
        self.idle[i] = 0

    cdef void forget(self, int64_t i) noexcept nogil:
        self.idle[i] = 0

    def state(self):
        return {} if self.idles is None else {"idle": self.idles, "part": self.parts}

    def restore(self, arrays, home):
        self.lengths = None
        self.idles, self.parts = restored(arrays["idle"], self.idles, home), restored(arrays["part"], self.parts, home)
        Numbers(np.uint32).check(self.idles, "idle")
        Numbers(np.float64, (None, 2)).check(self.parts, "part")
