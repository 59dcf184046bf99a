# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The one form.

    theta_g   = X_g W_g                  scores of block g: places x outcomes
    w.f(x, y) = sum_g <theta_g, mu_g(y)>
    W_g      -= tau X_g^T r_g            with r = d loss / d theta

A Structure turns tables of scores into an output. A Loss turns a structure, scores and the gold output into a value and r. A
Step turns (value, ||X^T r||^2, t) into tau. Neither knows the other two; the loop in online.pyx is all that they share. X is in
blocks.pyx, W in weights.pyx, theta and r of one example in machine.pyx.

A structure can also be asked questions with yes or no, each with a direction a_q over the tables and a sign z_q that the gold output
gives it. A Phi says what a margin costs, and so there is another loss of an output,

    sum_q phi(z_q <theta, a_q>),    r = sum_q phi'(z_q <theta, a_q>) z_q a_q
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memcpy

from linnet.core.blocks cimport Sparse
from linnet.core.weights cimport BIAS, ONE, Rows, few

import numpy as np

cdef extern from "rows.h" nogil:
    void linnet_update_rows(float *W, float *U, int stride, const uint32_t *j, const float *x, int64_t n,
                            const float *d, float clock)
    void linnet_update_some(float *W, float *U, int stride, const uint32_t *j, const float *x, int64_t n,
                            const float *d, const int32_t *at, int n_at, float clock)
    int linnet_nonzero(const float *r, int n, int32_t *at, int most)


cdef class Structure:
    """GEN(x): what outputs there are, and which is the best.

    `outcomes` has the number of outcomes per place of each block. An output y is `length` integers. It is `single` where
    an output is one integer, the outcome of the one place that there is.
    """

    def given(self, int g):
        """For generative models: the choices that the outcomes of block g are; None where each is used or not by itself.

        Two parts: the number of the context in which each outcome is chosen; and None, or the block and its outcomes that
        score the same choices with less context.
        """
        return (np.zeros(self.outcomes[g], np.int64), None) if g == 0 else None

    def most_uses(self, int g):
        """How often an output can use an outcome of one place of block g."""
        return 1

    @property
    def plain(self):
        """Whether integer i of an output is the outcome of place i of block 0."""
        return True

    @property
    def one_outcome(self):
        """Whether each place of block 0 has one outcome in every output, or else an output is one integer."""
        return True

    @property
    def telling(self):
        """The block whose outcomes, each used or not, say all of an output."""
        return 0

    @property
    def no_marginals(self):
        """Why there are none, where it is not for want of work: said behind "which the structure does not have"."""
        return ""

    @property
    def separate(self):
        """Whether each outcome of the one place is decided by itself, so that a loss of an output is that of its questions."""
        return False

    @property
    def independent(self):
        """Whether each outcome of the one place has a probability of its own, whatever the others are."""
        return self.separate

    @property
    def has_decisions(self):
        """Whether an output is decisions that can be clamped one by one (`force`), or all of it one decision."""
        return True

    @property
    def has_scores(self):
        """Whether outputs have scores, the best of which is the best output; otherwise all is learned by questions."""
        return True

    @property
    def terms(self):
        """How many outcomes a question is about."""
        return 1

    @property
    def has_k_best(self):
        return self.workspace_k(1, 1) >= 0

    def accuracy(self, y, y_at, y_hat, y_hat_at):
        """The share of decisions that are right: of labels, of tags."""
        return float(np.mean(y == y_hat))

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        """How many floats `theta.work` needs for an example of so many places in block 0."""
        return 0

    cdef int64_t room(self, int64_t places) noexcept nogil:
        """The most integers that an output of an example of so many places can have."""
        return places

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        """How many integers the output y has. Where all of an example have as many, y is not looked at and may be NULL."""
        return theta.places[0]

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        pass

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        """The same for best_k; -1 from a structure that has none."""
        return -1

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        """The k best outputs, each `room` integers behind the one before it, and their scores, the best first; returns how many
        there are, k at most."""
        return 0

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        """<theta, mu(y)>"""
        return 0

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        """mu = E[mu(y)] under p(y) proportional to exp <theta, mu(y)>; returns log Z."""
        return 0

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        """table += amount mu(y)"""
        pass

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        """theta += amount cost(y, .), the cost spread over the outcomes."""
        pass

    cdef Answers ask(self, Tables *theta, const int32_t *y, Phi phi, Tables *r) noexcept nogil:
        """phi of the margin of each question, summed, and r, its derivative. Here there is one for each outcome: is it used?

        theta is overwritten. r is 0 when it comes.
        """
        cdef Answers out
        cdef int g, n
        cdef int64_t p
        cdef float *score
        cdef float *mu
        out.value = 0
        out.asked = out.active = 0
        self.add(r, y, 1)
        for g in range(theta.n_blocks):
            n = theta.outcomes[g]
            for p in range(theta.places[g]):
                score, mu = theta.block[g] + p * theta.stride[g], r.block[g] + p * r.stride[g]
                with_sign(score, mu, n)
                phi.slopes(score, n, &out)
                with_sign(score, mu, n)
                memcpy(mu, score, n * sizeof(float))
        return out

    cdef void decide(self, Tables *theta, int64_t i, int32_t value, bint holds) noexcept nogil:
        """Leave the outputs whose decision i is this one, or those where it is another. Here it is the outcome of place i of block 0."""
        cdef int k
        for k in range(theta.outcomes[0]):
            if (k == value) != holds:
                theta.block[0][i * theta.stride[0] + k] = -INFINITY

    cdef void force(self, Tables *theta, const int32_t *y) noexcept nogil:
        """Leave the outputs with y[i] at i where y[i] >= 0, and those without -2 - y[i] where it is less than -1; -1 leaves all."""
        cdef int64_t i
        for i in range(self.length(theta, y)):
            if y[i] != -1:
                self.decide(theta, i, y[i] if y[i] >= 0 else -2 - y[i], y[i] >= 0)

    cdef bint same(self, const Tables *theta, const int32_t *y, const int32_t *y_hat) noexcept nogil:
        cdef int64_t i, n = self.length(theta, y)
        if n != self.length(theta, y_hat):
            return False
        for i in range(n):
            if y[i] != y_hat[i]:
                return False
        return True


cdef class Phi:
    """What the margin of a question with yes or no costs: a convex function that falls."""

    cdef void slopes(self, float *margin, int64_t n, Answers *out) noexcept nogil:
        """Add phi of n margins; in the place of each, leave its slope there."""
        pass

    cdef void ascend(self, float *margin, const float *m, int64_t n, double q, double C, Ascent *out) noexcept nogil:
        """For those that have a dual: in the place of each margin leave the best alpha'. What there was is alpha = |m|, and

            min over alpha' of q/2 (alpha' - alpha)^2 + margin (alpha' - alpha) + conjugate(-alpha'),    the conjugate that of C phi.
        """
        pass


cdef class Loss:
    """A surrogate for the cost. `evaluate` may overwrite theta."""

    @property
    def pointwise(self):
        """Whether it is the loss of each decision of an output by itself."""
        return False

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        out.value = 0
        out.active = False
        return out

    cdef Ascent ascend(self, Structure gen, Tables *theta, const int32_t *y, const float *m, double q, double C,
                       Tables *r) noexcept nogil:
        """For losses that have a dual, over a `single` or a `separate` structure: the step r = m - m' from m to the best m',

            min over m' of q/2 ||m' - m||^2 + theta.(m' - m) + conjugate(-m'),    q = ||x||^2, the conjugate that of C loss,

        and what was left of the duality gap at m. r is 0 when it comes.
        """
        cdef Ascent out
        out.value = out.left = 0
        return out


cdef class Step:
    """How far to go. The default update is the plain one: every coordinate at the same rate."""

    cdef double shrink(self, int64_t t) noexcept nogil:
        """The factor that all weights are multiplied by before step t."""
        return 1

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        return weight

    cdef void update(self, Rows *w, const Sparse *x, int64_t place, const float *r, double tau, double a,
                     double clock) noexcept nogil:
        """W -= tau x r^T for one place."""
        cdef int k, n_at
        cdef float scale = <float>(-tau / a)
        cdef int64_t start = x.indptr[place], n = x.indptr[place + 1] - start
        cdef float *rows = w.v + w.stride
        cdef float *past = w.U + w.stride if w.U != NULL else NULL
        n_at = linnet_nonzero(r, w.stride, w.at, few(w.stride))
        if n_at == 0:
            return
        if n_at <= few(w.stride) and w.stride > 8:
            for k in range(n_at):
                w.d[w.at[k]] = scale * r[w.at[k]]
            linnet_update_some(w.v, w.U, w.stride, BIAS, ONE, 1, w.d, w.at, n_at, clock)
            linnet_update_some(rows, past, w.stride, x.indices + start, x.values + start, n, w.d, w.at, n_at, clock)
        else:
            for k in range(w.stride):
                w.d[k] = scale * r[k]
            linnet_update_rows(w.v, w.U, w.stride, BIAS, ONE, 1, w.d, clock)
            linnet_update_rows(rows, past, w.stride, x.indices + start, x.values + start, n, w.d, clock)

    cdef double weigh(self, const Rows *w, const uint32_t *j, const float *x, int64_t n, const float *r) noexcept nogil:
        """Of a joint step: what g = x r^T in the rows j adds to the weighted norm g^T Sigma g."""
        return 0

    cdef void move(self, Rows *w, const uint32_t *j, const float *x, int64_t n, const float *r, double tau, double a,
                   double clock) noexcept nogil:
        """Of a joint step: change the rows j by g = x r^T, which is all of X^T r that there is in them."""
        pass
