# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A tag for each token (Smith, "Sequence models"; Collins 2002; Lafferty, McCallum and Pereira 2001).

    block 0:  T x L        emissions: token t has tag c
    block 1:  1 x L*L      transitions: how often tag a stands before tag c, the same weights at every token;
              or T-1 x L*L with features of their own at every token (`observed`)
    block 2:  1 x L*L*L    of second order only: how often b stands between a and c, outcome (b L + a) L + c

    best[t, c] = max over a of best[t-1, a] + trans[a, c]   + emit[t, c]         Viterbi
    sum[t, c]  = sum over a of sum[t-1, a] * exp trans[a, c] * exp emit[t, c]    forward; the same back to front: backward

Both are one recurrence over (max, +) or (+, *). Of second order it is the same one for each tag b, over pairs of tags:

    best[t, b, c] = max over a of best[t-1, a, b] + three[b][a, c]   + trans[b, c] + emit[t, c]

so tables of pairs are kept with the later tag first. Sums are scaled to 1 at each token rather than kept as logarithms: a tag, a
pair or a three that scores 87 less than the best of its place counts as impossible there, and on the way back what surely has a
probability below 1e-7 is passed over. `legal` says which tag may follow which, `starts` which may come first, `ends` which
last; what is not legal scores minus infinity. `cost[c, d]` is that of tag d where c is right: 1 for all but c if not given.
"""

from libc.math cimport INFINITY, log
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from linnet.core.form cimport Structure, Tables

import numpy as np

cdef extern from "rows.h" nogil:
    void linnet_best_step(float *best, const float *before, const float *trans, int n, int stride, int pitch)
    float linnet_sum_step(float *out, const float *before, const float *E, const float *by, int n, int stride, int pitch)
    void linnet_back_step(float *out, const float *before, const float *E, const float *g, float most, int n, int stride,
                          int pitch, float negligible)
    void linnet_pairs(float *out, const float *E, const float *before, const float *g, const float *most, int n, int stride,
                      int pitch, int pitch_E, int64_t T, int64_t apart, int64_t apart_most, float negligible,
                      float *spare, int32_t *at)
    float linnet_times(float *out, const float *x, const float *y, int n)
    float linnet_most(const float *x, int n)
    void linnet_turn(float *out, const float *x, int n, int stride)
    void linnet_exp(float *out, const float *x, float most, int n)

cdef float NEGLIGIBLE = 1e-7


cdef class Chain(Structure):
    cdef readonly bint observed
    cdef readonly int order
    cdef int L
    cdef int stride                 # floats from one row of tags to the next: a multiple of 8
    cdef int square                 # floats of a table of pairs
    cdef int cube                   # floats of block 2, a multiple of 8
    cdef float[:, ::1] illegal      # 0 or minus infinity, tag x tag
    cdef float[::1] no_start        # the same for the first tag, and for the last
    cdef float[::1] no_end
    cdef float[:, ::1] cost

    def __init__(self, int n_tags, *, int order=1, bint observed=False, legal=None, starts=None, ends=None, cost=None):
        if order not in (1, 2):
            raise ValueError(f"a chain is of order 1 or 2, not {order}")
        self.name = "chain"
        self.outcomes = (n_tags, n_tags**2, n_tags**3)[:1 + order]
        self.has_marginals = True
        self.order = order
        self.observed = observed
        self.L = n_tags
        self.stride = (n_tags + 7) // 8 * 8
        self.square = n_tags * self.stride
        self.cube = (n_tags * n_tags * n_tags + 7) // 8 * 8
        self.illegal = _scores(np.ones((n_tags, n_tags), bool) if legal is None else legal, (n_tags, n_tags))
        self.no_start = _scores(np.ones(n_tags, bool) if starts is None else starts, (n_tags,))
        self.no_end = _scores(np.ones(n_tags, bool) if ends is None else ends, (n_tags,))
        self.cost = _costs(1 - np.eye(n_tags) if cost is None else cost, (n_tags, n_tags))

    def allows(self, const int32_t[::1] y):
        """Whether a sequence of tags is legal."""
        cdef Py_ssize_t t, T = y.shape[0]
        if T and (self.no_start[y[0]] < 0 or self.no_end[y[T - 1]] < 0):
            return False
        for t in range(1, T):
            if self.illegal[y[t - 1], y[t]] < 0:
                return False
        return True

    def given(self, int g):
        """Tag c by itself; then given the tag before it, outcome a L + c; then given two, outcome (b L + a) L + c, b the nearer."""
        k = np.arange(self.outcomes[g])
        return (k // self.L, (g - 1, k // self.L**2 * self.L + k % self.L)) if g else (np.zeros_like(k), None)

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        if self.order == 1:
            # transitions and two rows; then alpha, emissions (on the way back g), scales, sums of g and integers for each token
            return self.square + 2 * self.stride + places * (2 * self.stride + 3)
        # threes and some slack; three tables of pairs and two rows; then emissions, scales and sums, and two tables for each token
        return self.cube + 5 * self.stride + 3 * self.square + places * (2 * self.stride + 1 + 2 * self.square)

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
        if self.order == 2 and theta.places[0] > 1:
            self.argmax_2(theta, y_hat)
        elif theta.places[0]:
            self.argmax_1(theta, y_hat)

    cdef void argmax_1(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef int64_t t, T = theta.places[0]
        cdef int a, c, L = self.L, stride = self.stride, tag = 0
        cdef float *trans = theta.work
        cdef float *best = trans + self.square
        cdef const float *emit = theta.block[0]
        cdef float score, most
        for c in range(L):
            best[c] = emit[c] + self.no_start[c]
        for t in range(1, T):
            emit += theta.stride[0]
            if t == 1 or self.observed:
                self.transitions(theta, t - 1, trans)
            linnet_best_step(best + stride, best, trans, L, stride, stride)
            best += stride
            for c in range(L):
                best[c] += emit[c]
        for c in range(L):
            best[c] += self.no_end[c]
            if best[c] > best[tag]:
                tag = c
        y_hat[T - 1] = tag
        for t in range(T - 1, 0, -1):
            best -= stride
            most = -INFINITY
            tag = 0
            for a in range(L):
                score = best[a] + self.pair(theta, t, a, y_hat[t])
                if score > most:
                    most = score
                    tag = a
            y_hat[t - 1] = tag

    cdef inline float pair(self, const Tables *theta, int64_t t, int a, int c) noexcept nogil:
        """The score of tags a, c at t - 1, t."""
        return theta.block[1][(t - 1 if self.observed else 0) * theta.stride[1] + a * self.L + c] + self.illegal[a, c]

    cdef void argmax_2(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        """The same over pairs: best[c, b] is that of the sequences that end in b, c."""
        cdef int64_t t, T = theta.places[0]
        cdef int a, b, c, L = self.L, stride = self.stride
        cdef const float *three = theta.block[2]
        cdef const float *emit = theta.block[0]
        cdef float *trans = theta.work
        cdef float *row = trans + self.square
        cdef float *turned = row + stride
        cdef float *best = turned + self.square
        cdef float score, most = -INFINITY
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

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        # the scores of two tokens and the way back from all, k for each state; then a rank for each tag
        return (2 + places) * k * self.states() + self.L

    cdef inline int states(self) noexcept nogil:
        """What the past counts for: the last tag, or the last two."""
        return self.L if self.order == 1 else self.L * self.L

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        """Viterbi with the k best of each state, merged from those of the states before (Huang and Chiang 2005, algorithm 2).

        A state is the last tag c, or the last two, b L + c. Each of its k best says which state and which rank it came from.
        """
        cdef int64_t t, T = theta.places[0]
        cdef int i, s, a, from_a, to_a, n, last = 0, L = self.L, S = self.states(), found = 0
        cdef float *best = theta.work
        cdef float *other = best + k * S
        cdef float *swap
        cdef int32_t *back = <int32_t *>(other + k * S)
        cdef int32_t *rank = back + T * k * S
        cdef float most, score
        if T == 0:
            scores[0] = 0
            return 1
        for i in range(k * S):
            best[i] = -INFINITY
        for s in range(L):
            best[s * k] = theta.block[0][s] + self.no_start[s]
        for t in range(1, T):
            for s in range(S):
                # of second order the first token has states of one tag
                from_a = s // L if self.order == 2 and t == 1 else 0
                to_a = from_a + 1 if self.order == 2 and t == 1 else L
                for a in range(from_a, to_a):
                    rank[a] = 0
                for i in range(k):
                    most = -INFINITY
                    for a in range(from_a, to_a):
                        if rank[a] < k:
                            score = best[self.before(t, a, s) * k + rank[a]] + self.edge(theta, t, a, s)
                            if score > most:
                                most = score
                                last = a
                    other[s * k + i] = most
                    if most > -INFINITY:
                        back[(t * S + s) * k + i] = self.before(t, last, s) * k + rank[last]
                        rank[last] += 1
            swap = best
            best = other
            other = swap
        for s in range(S if T > 1 else L):
            for i in range(k):
                best[s * k + i] += self.no_end[s % L]
        while found < k:
            most = -INFINITY
            for n in range((S if T > 1 else L) * k):
                if best[n] > most:
                    most = best[n]
                    last = n
            if most == -INFINITY:
                break
            best[last] = -INFINITY
            for t in range(T - 1, -1, -1):
                y[found * T + t] = last // k % L
                if t:
                    last = back[t * S * k + last]
            scores[found] = self.score(theta, y + found * T)
            found += 1
        return found

    cdef inline int before(self, int64_t t, int a, int s) noexcept nogil:
        """The state before state s at t, if a is the tag that s forgets."""
        return a if self.order == 1 or t == 1 else a * self.L + s // self.L

    cdef inline float edge(self, const Tables *theta, int64_t t, int a, int s) noexcept nogil:
        """What state s at t adds to the score."""
        cdef int b = a if self.order == 1 else s // self.L, c = s % self.L
        cdef float score = theta.block[0][t * theta.stride[0] + c] + self.pair(theta, t, b, c)
        return score if self.order == 1 or t == 1 else score + theta.block[2][(b * self.L + a) * self.L + c]

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
            if t > 1 and self.order == 2:
                total += theta.block[2][self.three(y + t)]
        return total

    cdef inline int three(self, const int32_t *y) noexcept nogil:
        """The outcome of block 2 that a tag and the two before it make."""
        return (y[-1] * self.L + y[-2]) * self.L + y[0]

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        """Forward and backward. Where no sequence is legal, every probability is 0."""
        if theta.places[0] == 0:
            return 0
        if self.order == 2 and theta.places[0] > 1:
            return self.marginals_2(theta, mu)
        return self.marginals_1(theta, mu)

    cdef double marginals_1(self, const Tables *theta, Tables *mu) noexcept nogil:
        cdef int64_t t, T = theta.places[0]
        cdef int c, L = self.L, stride = self.stride
        cdef float *E = theta.work
        cdef float *beta = E + self.square
        cdef float *spare = beta + stride
        cdef float *alpha = spare + stride
        cdef float *emit = alpha + T * stride
        cdef float *scale = emit + T * stride
        cdef float *sums = scale + T
        cdef int32_t *at = <int32_t *>(sums + T)
        cdef float *p
        cdef float *g
        cdef float most = 0, total
        cdef double logz = self.emissions(theta, emit)
        for c in range(stride):
            beta[c] = 1 if c < L and self.no_start[c] == 0 else 0
        total = linnet_times(alpha, emit, beta, stride)
        for t in range(T):
            p = alpha + t * stride
            if t:
                if t == 1 or self.observed:
                    most = self.weights_of(theta, t - 1, E)
                logz += most
                total = linnet_sum_step(p, p - stride, E, emit + t * stride, L, stride, stride)
            if total <= 0:
                return -INFINITY
            logz += log(total)
            scale[t] = total
            for c in range(stride):
                p[c] /= total
        for c in range(stride):
            beta[c] = 1 if c < L and self.no_end[c] == 0 else 0
        total = linnet_times(spare, alpha + (T - 1) * stride, beta, stride)
        if total <= 0:
            return -INFINITY
        logz += log(total)
        for c in range(L):
            beta[c] /= total
        for t in range(T - 1, -1, -1):
            for c in range(L):
                mu.block[0][t * mu.stride[0] + c] = alpha[t * stride + c] * beta[c]
            if t == 0:
                break
            g = emit + t * stride
            for c in range(stride):
                g[c] /= scale[t]
            sums[t] = linnet_times(g, g, beta, stride)
            p = alpha + (t - 1) * stride
            if self.observed:
                self.weights_of(theta, t - 1, E)
                linnet_pairs(mu.block[1] + (t - 1) * mu.stride[1], E, p, g, sums + t, L, stride, L, stride, 1, 0, 0, NEGLIGIBLE,
                             spare, at)
            linnet_back_step(beta, p, E, g, sums[t], L, stride, stride, NEGLIGIBLE)
        if not self.observed:
            linnet_pairs(mu.block[1], E, alpha, emit + stride, sums + 1, L, stride, L, stride, T - 1, stride, 1, NEGLIGIBLE,
                         spare, at)
        return logz

    cdef double marginals_2(self, const Tables *theta, Tables *mu) noexcept nogil:
        """The same over pairs: alpha[t, c, b] is that of tags b, c at t - 1, t, and likewise beta; g[t, b, c] the other way."""
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
        cdef double logz = self.emissions(theta, emit)
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

    cdef double emissions(self, const Tables *theta, float *out) noexcept nogil:
        """exp of the scores of each token over that of its best; returns the sum of the best."""
        cdef int64_t t
        cdef int c
        cdef float most
        cdef double total = 0
        cdef const float *score = theta.block[0]
        for t in range(theta.places[0]):
            most = -INFINITY
            for c in range(self.L):
                most = max(most, score[c])
                out[c] = score[c]
            for c in range(self.L, self.stride):
                out[c] = -INFINITY
            linnet_exp(out, out, most, self.stride)
            total += most
            score += theta.stride[0]
            out += self.stride
        return total

    cdef float weights_of(self, const Tables *theta, int64_t t, float *E) noexcept nogil:
        """exp of the transitions at (t, t + 1) over that of the best, which is returned."""
        cdef float most
        self.transitions(theta, t, E)
        most = linnet_most(E, self.square)
        if most == -INFINITY:
            most = 0
        linnet_exp(E, E, most, self.square)
        return most

    cdef void put_turned(self, Tables *mu, int64_t t, const float *pairs) noexcept nogil:
        cdef float *out = mu.block[1] + t * mu.stride[1]
        cdef int b, c
        for c in range(self.L):
            for b in range(self.L):
                out[b * self.L + c] = pairs[c * self.stride + b]

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t t, T = table.places[0]
        cdef float *pair = table.block[1]
        for t in range(T):
            table.block[0][t * table.stride[0] + y[t]] += amount
            if t:
                pair[y[t - 1] * self.L + y[t]] += amount
                if self.observed:
                    pair += table.stride[1]
            if t > 1 and self.order == 2:
                table.block[2][self.three(y + t)] += amount

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t t
        cdef int c
        for t in range(theta.places[0]):
            for c in range(self.L):
                theta.block[0][t * theta.stride[0] + c] += amount * self.cost[y[t], c]


def _scores(allowed, shape):
    """0 where something is allowed, minus infinity where it is not."""
    allowed = np.asarray(allowed, bool)
    if allowed.shape != shape:
        raise ValueError(f"expected {shape}, found {allowed.shape}")
    return np.where(allowed, np.float32(0), -np.float32(np.inf)).astype(np.float32)


def _costs(cost, shape):
    cost = np.ascontiguousarray(cost, np.float32)
    if cost.shape != shape:
        raise ValueError(f"expected {shape}, found {cost.shape}")
    if cost.min(initial=0) < 0 or not np.isfinite(cost).all() or np.diag(cost).any():
        raise ValueError("expected costs of 0 or more, and 0 for the right tag")
    return cost
