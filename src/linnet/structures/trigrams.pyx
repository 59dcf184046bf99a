# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Chains of second order: a tag is scored with the two before it.

    block 2:  1 x L*L*L    how often b stands between a and c, outcome (b L + a) L + c; the others are those of chain.pyx

The recurrence is that of chain.pyx for each tag b, over pairs of tags,

    best[t, b, c] = max over a of best[t-1, a, b] + three[b][a, c]   + trans[b, c] + emit[t, c]

and likewise with sums, so tables of pairs are kept with the later tag first. Threes that score 87 less than the best count as
impossible, too.
"""

from libc.math cimport INFINITY, log
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from linnet.core.form cimport Tables
from linnet.structures.chain cimport three, NEGLIGIBLE, Chain
from linnet.structures.recurrence cimport (
    linnet_back_step, linnet_best_step, linnet_exp, linnet_most, linnet_pairs, linnet_sum_step, linnet_times, linnet_turn,
)


cdef class TrigramChain(Chain):
    cdef int cube                   # number of floats of block 2, a multiple of 8

    def __init__(self, int n_tags, *, bint observed=False, legal=None, starts=None, ends=None, cost=None):
        Chain.__init__(self, n_tags, observed=observed, legal=legal, starts=starts, ends=ends, cost=cost)
        self.outcomes = (n_tags, n_tags**2, n_tags**3)
        self.order = 2
        self.cube = (n_tags * n_tags * n_tags + 7) // 8 * 8

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        # The work space holds the threes and some slack; three tables of pairs and two rows; then for each token emissions,
        # scales and sums, and two tables.
        return self.cube + 5 * self.stride + 3 * self.square + places * (2 * self.stride + 1 + 2 * self.square)

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        """Viterbi over pairs of tags: best[c, b] is the best score of the sequences that end in b, c."""
        cdef int64_t t, T = theta.places[0]
        cdef int a, b, c, L = self.L, stride = self.stride
        cdef const float *three = theta.block[2]
        cdef const float *emit = theta.block[0]
        cdef float *trans = theta.work
        cdef float *row = trans + self.square
        cdef float *turned = row + stride
        cdef float *best = turned + self.square
        cdef float score, most = -INFINITY
        if T < 2:
            Chain.argmax(self, theta, y_hat)
            return
        for t in range(1, T):
            emit += theta.stride[0]
            if t == 1 or self.observed:
                self.transitions(theta, t - 1, trans)
            for b in range(L):
                if t == 1:
                    for c in range(L):
                        row[c] = theta.block[0][b] + self.no_start[b]
                else:
                    linnet_best_step(row, best + b * stride, three + b * L * L, L, stride, L)
                for c in range(L):
                    turned[b * stride + c] = row[c] + trans[b * stride + c] + emit[c]
            best += self.square
            linnet_turn(best, turned, L, stride)
        y_hat[T - 1] = y_hat[T - 2] = 0
        for c in range(L):
            for b in range(L):
                score = best[c * stride + b] + self.no_end[c]
                if score > most:
                    most = score
                    y_hat[T - 1] = c
                    y_hat[T - 2] = b
        for t in range(T - 1, 1, -1):
            best -= self.square
            most = -INFINITY
            b = y_hat[t - 1]
            y_hat[t - 2] = 0
            for a in range(L):
                score = best[b * stride + a] + three[(b * L + a) * L + y_hat[t]]
                if score > most:
                    most = score
                    y_hat[t - 2] = a

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        """Marginals by forward and backward sums: alpha[t, c, b] is the sum over tags b, c at t - 1, t, and beta likewise;
        g[t, b, c] has the indices swapped."""
        cdef int64_t t, T = theta.places[0]
        cdef int b, c, L = self.L, stride = self.stride, square = self.square
        cdef float *E3 = theta.work
        cdef float *E = E3 + self.cube + 2 * stride
        cdef float *pairs = E + square
        cdef float *beta = pairs + square
        cdef float *row = beta + square
        cdef float *p_before = row + stride
        cdef float *emit = p_before + stride + stride
        cdef float *sums = emit + T * stride
        cdef float *scale = sums + T * stride
        cdef float *alpha = scale + T
        cdef float *turned = alpha + T * square
        cdef float *at
        cdef float *g
        cdef float most = 0, most3 = 0, total
        cdef double logz
        if T < 2:
            return Chain.marginals(self, theta, mu)
        logz = self.emissions(theta, emit)
        if T > 2:
            most3 = linnet_most(theta.block[2], L * L * L)
            linnet_exp(E3, theta.block[2], most3, self.cube)
            memset(E3 + L * L * L, 0, 2 * stride * sizeof(float))
        for t in range(1, T):
            if t == 1 or self.observed:
                most = self.weights_of(theta, t - 1, E)
            logz += most + (most3 if t > 1 else 0)
            at = alpha + t * square
            total = 0
            for b in range(L):
                linnet_times(row, E + b * stride, emit + t * stride, stride)
                g = turned + b * stride
                if t == 1:
                    for c in range(stride):
                        g[c] = emit[b] if self.no_start[b] == 0 else 0
                    total += linnet_times(g, g, row, stride)
                else:
                    total += linnet_sum_step(g, at - square + b * stride, E3 + b * L * L, row, L, stride, L)
            if total <= 0:
                return -INFINITY
            logz += log(total)
            scale[t] = total
            memset(at, 0, square * sizeof(float))
            linnet_turn(at, turned, L, stride)
            for c in range(square):
                at[c] /= total
        total = 0
        for c in range(L):
            if self.no_end[c] == 0:
                for b in range(L):
                    total += at[c * stride + b]
        if total <= 0:
            return -INFINITY
        logz += log(total)
        for c in range(L):
            for b in range(stride):
                beta[c * stride + b] = 1 / total if b < L and self.no_end[c] == 0 else 0
        memset(pairs, 0, square * sizeof(float))
        for t in range(T - 1, 0, -1):
            if self.observed:
                self.weights_of(theta, t - 1, E)
                memset(pairs, 0, square * sizeof(float))
            memset(p_before, 0, stride * sizeof(float))
            for c in range(L):
                mu.block[0][t * mu.stride[0] + c] = linnet_times(row, alpha + t * square + c * stride, beta + c * stride, stride)
                for b in range(stride):
                    p_before[b] += row[b]
                    pairs[c * stride + b] += row[b]
            if self.observed:
                self.put_turned(mu, t - 1, pairs)
            if t == 1:
                break
            g = turned + t * square
            memset(g, 0, square * sizeof(float))
            linnet_turn(g, beta, L, stride)
            for b in range(L):
                if p_before[b] < NEGLIGIBLE:
                    sums[t * stride + b] = 0
                    memset(beta + b * stride, 0, stride * sizeof(float))
                    continue
                for c in range(stride):
                    row[c] = E[b * stride + c] * emit[t * stride + c] / scale[t]
                total = linnet_times(g + b * stride, g + b * stride, row, stride)
                sums[t * stride + b] = total
                linnet_back_step(beta + b * stride, alpha + (t - 1) * square + b * stride, E3 + b * L * L, g + b * stride, total,
                                 L, stride, L, NEGLIGIBLE)
        memcpy(mu.block[0], p_before, L * sizeof(float))
        if not self.observed:
            self.put_turned(mu, 0, pairs)
        if T > 2:
            for b in range(L):
                linnet_pairs(mu.block[2] + b * L * L, E3 + b * L * L, alpha + square + b * stride, turned + 2 * square + b * stride,
                             sums + 2 * stride + b, L, stride, L, L, T - 2, square, stride, NEGLIGIBLE, row, <int32_t *>emit)
        return logz

    cdef void put_turned(self, Tables *mu, int64_t t, const float *pairs) noexcept nogil:
        cdef float *out = mu.block[1] + t * mu.stride[1]
        cdef int b, c
        for c in range(self.L):
            for b in range(self.L):
                out[b * self.L + c] = pairs[c * self.stride + b]

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t t
        Chain.add(self, table, y, amount)
        for t in range(2, table.places[0]):
            table.block[2][three(y + t, self.L)] += amount
