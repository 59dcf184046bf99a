# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A tag for each token (Smith, "Sequence models"; Collins 2002; Lafferty, McCallum and Pereira 2001).

    block 0:  T x L        emissions: token t has tag c
    block 1:  1 x L*L      transitions: how often tag a stands before tag c, the same weights at every token;
              or T-1 x L*L with features of their own at every token (`observed`)

    best[t, c] = max over a of best[t-1, a] + trans[a, c]   + emit[t, c]         Viterbi
    sum[t, c]  = sum over a of sum[t-1, a] * exp trans[a, c] * exp emit[t, c]    forward; the same back to front: backward

Both are one recurrence over (max, +) or (+, *). Sums are scaled to 1 at each token rather than kept as logarithms: a tag or a
pair that scores 87 less than the best of its place counts as impossible there. `legal` says which tag may follow which, `starts`
which may come first, `ends` which last; what is not legal scores minus infinity.
"""

from libc.math cimport INFINITY, log
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from linnet.core.form cimport Structure, Tables

import numpy as np

from linnet.core.form import stride_of

cdef extern from "rows.h" nogil:
    void linnet_best_step(float *best, int32_t *back, const float *before, const float *trans, int n, int stride)
    float linnet_sum_step(float *out, const float *before, const float *E, const float *by, int n, int stride)
    void linnet_back_step(float *out, float *C, const float *before, const float *E, const float *g, int n, int stride)
    void linnet_exp(float *out, const float *x, float most, int n)


cdef class Chain(Structure):
    cdef readonly bint observed
    cdef int L
    cdef int stride                 # floats from one row of tags to the next: a multiple of 8
    cdef float[:, ::1] illegal      # 0 or minus infinity, tag x tag
    cdef float[::1] no_start        # the same for the first tag, and for the last
    cdef float[::1] no_end

    def __init__(self, int n_tags, *, legal=None, starts=None, ends=None, bint observed=False):
        self.name = "chain"
        self.outcomes = (n_tags, n_tags * n_tags)
        self.has_marginals = True
        self.observed = observed
        self.L = n_tags
        self.stride = (n_tags + 7) // 8 * 8
        self.illegal = _scores(np.ones((n_tags, n_tags), bool) if legal is None else legal, (n_tags, n_tags))
        self.no_start = _scores(np.ones(n_tags, bool) if starts is None else starts, (n_tags,))
        self.no_end = _scores(np.ones(n_tags, bool) if ends is None else ends, (n_tags,))

    def given(self, int g):
        """Tag c by itself; then given the tag before it, outcome a L + c; then given two, outcome (b L + a) L + c, b the nearer."""
        k = np.arange(self.outcomes[g])
        return (k // self.L, (g - 1, k // self.L**2 * self.L + k % self.L)) if g else (np.zeros_like(k), None)

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        # transitions, their pairs, one row g and a spare; then alpha, emissions and the way back for each token
        return 2 * self.L * self.stride + 2 * self.stride + 3 * places * self.stride

    cdef void transitions(self, const Tables *theta, int64_t t, float *trans) noexcept nogil:
        """The scores of all pairs of tags at (t, t + 1), in rows of `stride` floats."""
        cdef const float *score = theta.block[1] + (t if self.observed else 0) * theta.stride[1]
        cdef int a, c
        for a in range(self.L):
            for c in range(self.L):
                trans[a * self.stride + c] = score[a * self.L + c] + self.illegal[a, c]
            for c in range(self.L, self.stride):
                trans[a * self.stride + c] = -INFINITY

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef int64_t t, T = theta.places[0]
        cdef int c, L = self.L, stride = self.stride, tag = 0
        cdef float *trans = theta.work
        cdef float *best = trans + 2 * L * stride
        cdef float *other = best + stride
        cdef float *swap
        cdef int32_t *back = <int32_t *>(other + stride)
        cdef const float *emit = theta.block[0]
        if T == 0:
            return
        for c in range(stride):
            best[c] = emit[c] + self.no_start[c] if c < L else -INFINITY
        for t in range(1, T):
            emit += theta.stride[0]
            if t == 1 or self.observed:
                self.transitions(theta, t - 1, trans)
            linnet_best_step(other, back + t * stride, best, trans, L, stride)
            swap = best
            best = other
            other = swap
            for c in range(L):
                best[c] += emit[c]
        for c in range(L):
            best[c] += self.no_end[c]
            if best[c] > best[tag]:
                tag = c
        for t in range(T - 1, -1, -1):
            y_hat[t] = tag
            if t:
                tag = back[t * stride + tag]

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        cdef int64_t t, T = theta.places[0]
        cdef double total = 0
        cdef const float *pair = theta.block[1]
        for t in range(T):
            total += theta.block[0][t * theta.stride[0] + y[t]]
            if t:
                total += pair[y[t - 1] * self.L + y[t]]
                if self.observed:
                    pair += theta.stride[1]
        return total

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        """Forward and backward. Where no sequence is legal, every probability is 0."""
        cdef int64_t t, T = theta.places[0]
        cdef int c, L = self.L, stride = self.stride
        cdef float *E = theta.work
        cdef float *pairs = E + L * stride
        cdef float *g = pairs + L * stride
        cdef float *beta = g + stride
        cdef float *alpha = beta + stride
        cdef float *emit = alpha + T * stride
        cdef float *scale = emit + T * stride
        cdef float *p
        cdef float most = 0, total
        cdef double logz = 0
        if T == 0:
            return 0
        for t in range(T):
            logz += self.exponentials(theta.block[0] + t * theta.stride[0], emit + t * stride)
        for c in range(L):
            alpha[c] = emit[c] if self.no_start[c] == 0 else 0
        for c in range(L, stride):
            alpha[c] = 0
        total = 0
        for c in range(L):
            total += alpha[c]
        memset(pairs, 0, L * stride * sizeof(float))
        for t in range(T):
            if t:
                if t == 1 or self.observed:
                    most = self.weights_of(theta, t - 1, E)
                logz += most
                total = linnet_sum_step(alpha + t * stride, alpha + (t - 1) * stride, E, emit + t * stride, L, stride)
            if total <= 0:
                return -INFINITY
            logz += log(total)
            scale[t] = total
            for c in range(L):
                alpha[t * stride + c] /= total
        total = 0
        for c in range(L):
            if self.no_end[c] == 0:
                total += alpha[(T - 1) * stride + c]
        if total <= 0:
            return -INFINITY
        logz += log(total)
        for c in range(stride):
            beta[c] = 1 / total if c < L and self.no_end[c] == 0 else 0
        for t in range(T - 1, -1, -1):
            p = mu.block[0] + t * mu.stride[0]
            for c in range(L):
                p[c] = alpha[t * stride + c] * beta[c]
            if t == 0:
                break
            if self.observed:
                self.weights_of(theta, t - 1, E)
                memset(pairs, 0, L * stride * sizeof(float))
            for c in range(stride):
                g[c] = emit[t * stride + c] * beta[c] / scale[t]
            linnet_back_step(beta, pairs, alpha + (t - 1) * stride, E, g, L, stride)
            if self.observed:
                self.put_pairs(mu, t - 1, pairs, E)
        if not self.observed:
            self.put_pairs(mu, 0, pairs, E)
        return logz

    cdef double exponentials(self, const float *score, float *out) noexcept nogil:
        """exp of the scores of one token over that of the best, which is returned."""
        cdef int c
        cdef float most = -INFINITY
        for c in range(self.L):
            most = max(most, score[c])
            out[c] = score[c]
        for c in range(self.L, self.stride):
            out[c] = -INFINITY
        linnet_exp(out, out, most, self.stride)
        return most

    cdef float weights_of(self, const Tables *theta, int64_t t, float *E) noexcept nogil:
        """exp of the transitions at (t, t + 1) over that of the best, which is returned."""
        cdef int i
        cdef float most = -INFINITY
        self.transitions(theta, t, E)
        for i in range(self.L * self.stride):
            most = max(most, E[i])
        if most == -INFINITY:
            most = 0
        linnet_exp(E, E, most, self.L * self.stride)
        return most

    cdef void put_pairs(self, Tables *mu, int64_t t, const float *pairs, const float *E) noexcept nogil:
        cdef float *out = mu.block[1] + t * mu.stride[1]
        cdef int a, c
        for a in range(self.L):
            for c in range(self.L):
                out[a * self.L + c] = pairs[a * self.stride + c] * E[a * self.stride + c]

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t t, T = table.places[0]
        cdef float *pair = table.block[1]
        for t in range(T):
            table.block[0][t * table.stride[0] + y[t]] += amount
            if t:
                pair[y[t - 1] * self.L + y[t]] += amount
                if self.observed:
                    pair += table.stride[1]

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        """Hamming: every wrong tag costs `amount`."""
        cdef int64_t t
        cdef int c
        for t in range(theta.places[0]):
            for c in range(self.L):
                if c != y[t]:
                    theta.block[0][t * theta.stride[0] + c] += amount


def _scores(allowed, shape):
    """0 where something is allowed, minus infinity where it is not."""
    allowed = np.asarray(allowed, bool)
    if allowed.shape != shape:
        raise ValueError(f"expected {shape}, found {allowed.shape}")
    return np.where(allowed, np.float32(0), -np.float32(np.inf)).astype(np.float32)
