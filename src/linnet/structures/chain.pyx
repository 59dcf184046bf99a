# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A tag for each token (Smith, "Perceptron for Structured Models": y is a sequence of tags; Crammer, "Noun Phrase Chunking"; Collins
2002; Lafferty, McCallum and Pereira 2001).

    block 0:  T x L        emissions: token t has tag c
    block 1:  1 x L*L      transitions: how often tag a stands before tag c, the same weights at every token;
              or T-1 x L*L with features of their own at every token (`observed`)

    best[t, c] = max over a of best[t-1, a] + trans[a, c]   + emit[t, c]         Viterbi
    sum[t, c]  = sum over a of sum[t-1, a] * exp trans[a, c] * exp emit[t, c]    forward; the same back to front: backward

Both are one recurrence over (max, +) or (+, *). Sums are scaled to 1 at each token rather than kept as logarithms: a tag or a pair
that scores 87 less than the best of its place counts as impossible there, and on the way back what surely has a probability below
1e-7 is passed over. `legal` says which tag may follow which, `starts` which may come first, `ends` which last; what is not legal
scores minus infinity. `cost[c, d]` is the cost of tag d where c is right. If it is not given, it is 1 for all d but c.

The k best of chains of second order (trigrams.pyx) are found here too: only their states differ.
"""

from libc.math cimport INFINITY, log
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Structure, Tables
from linnet.structures.recurrence cimport (
    linnet_back_step, linnet_best_step, linnet_exp, linnet_most, linnet_pairs, linnet_sum_step, linnet_times,
)

from functools import partial

import numpy as np

NEGLIGIBLE = 1e-7       # a probability below this counts as 0 on the way back


cdef class Chain(Structure):
    def __init__(self, int n_tags, *, bint observed=False, legal=None, starts=None, ends=None, cost=None):
        self.name = "chain"
        self.outcomes = (n_tags, n_tags**2)
        self.has_marginals = True
        self.order = 1
        self.observed = observed
        self.L = n_tags
        self.stride = (n_tags + 7) // 8 * 8
        self.square = n_tags * self.stride
        self.illegal = _scores(np.ones((n_tags, n_tags), bool) if legal is None else legal, (n_tags, n_tags))
        self.no_start = _scores(np.ones(n_tags, bool) if starts is None else starts, (n_tags,))
        self.no_end = _scores(np.ones(n_tags, bool) if ends is None else ends, (n_tags,))
        self.cost = _costs(1 - np.eye(n_tags) if cost is None else cost, (n_tags, n_tags))

    def __reduce__(self):
        """A chain pickles as what it was made of."""
        how = {"observed": self.observed, "legal": np.asarray(self.illegal) == 0, "starts": np.asarray(self.no_start) == 0,
               "ends": np.asarray(self.no_end) == 0, "cost": np.asarray(self.cost)}
        return partial(type(self), self.L, **how), ()

    def allows(self, const int32_t[::1] y):
        """Whether a sequence of tags is legal."""
        cdef Py_ssize_t t, T = y.shape[0]
        if T and (self.no_start[y[0]] < 0 or self.no_end[y[T - 1]] < 0):
            return False
        for t in range(1, T):
            if self.illegal[y[t - 1], y[t]] < 0:
                return False
        return True

    def viterbi(self, theta):
        """The table of the Viterbi algorithm for the scores of one example: best[t, c], the score of the best sequence that ends
        in tag c at token t, and back[t, c], the tag before c in that sequence; -1 for the first token."""
        emit, trans = np.asarray(theta[0], np.float64), np.asarray(theta[1], np.float64)
        L, illegal = self.L, np.asarray(self.illegal, np.float64)
        best, back = np.full(emit.shape, -np.inf), np.full(emit.shape, -1, np.int64)
        for t in range(len(emit)):
            if t == 0:
                best[0] = emit[0] + np.asarray(self.no_start)
                continue
            pairs = trans[t - 1 if self.observed else 0].reshape(L, L) + illegal + emit[t]
            if self.order == 1 or t == 1:
                ways = best[t - 1][:, None] + pairs
            else:
                ways = (before[:, :, None] + np.asarray(theta[2], np.float64)[0].reshape(L, L, L)
                        .transpose(1, 0, 2)).max(axis=0) + pairs
            back[t], best[t], before = ways.argmax(axis=0), ways.max(axis=0), ways
        if len(emit):
            best[len(emit) - 1] += np.asarray(self.no_end)
        return best, back

    def given(self, int g):
        """Tag c is chosen by itself in block 0; given the tag before it in block 1, outcome a L + c; given two tags in
        block 2, outcome (b L + a) L + c, where b is the nearer one."""
        k = np.arange(self.outcomes[g])
        return (k // self.L, (g - 1, k // self.L**2 * self.L + k % self.L)) if g else (np.zeros_like(k), None)

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        # The work space holds transitions and two rows; then for each token alpha, emissions (on the way back g), a scale,
        # a sum of g and an integer.
        return self.square + 2 * self.stride + places * (2 * self.stride + 3)

    cdef void transitions(self, const Tables *theta, int64_t t, float *trans) noexcept nogil:
        """Write the scores of all pairs of tags at (t, t + 1), in rows of `stride` floats."""
        cdef const float *score = theta.block[1] + (t if self.observed else 0) * theta.stride[1]
        cdef int a, c
        for a in range(self.L):
            for c in range(self.L):
                trans[a * self.stride + c] = score[a * self.L + c] + self.illegal[a, c]
            for c in range(self.L, self.stride):
                trans[a * self.stride + c] = -INFINITY

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef int64_t t, T = theta.places[0]
        cdef int a, c, L = self.L, stride = self.stride, tag = 0
        cdef float *trans = theta.work
        cdef float *best = trans + self.square
        cdef const float *emit = theta.block[0]
        cdef float score, most
        if T == 0:
            return
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
                score = best[a] + pair(self, theta, t, a, y_hat[t])
                if score > most:
                    most = score
                    tag = a
            y_hat[t - 1] = tag

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        # The work space holds the scores of two tokens and the way back from all, k for each state; then a rank and two scores
        # for each tag.
        return (2 + places) * k * states(self) + 3 * self.L

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        """Viterbi with the k best of each state, merged from those of the states before (Huang and Chiang 2005, algorithm 2).

        A state is the last tag c, or the last two, b L + c. Each of its k best says which state and which rank it came from.
        """
        cdef int64_t t, T = theta.places[0]
        cdef int i, s, a, from_a, to_a, n, last = 0, L = self.L, S = states(self), found = 0
        cdef float *best = theta.work
        cdef float *other = best + k * S
        cdef float *swap
        cdef int32_t *back = <int32_t *>(other + k * S)
        cdef int32_t *rank = back + T * k * S
        cdef float *adds = <float *>(rank + L)          # the score of coming from each tag
        cdef float *next = adds + L                     # the best that is left of those that come from each tag
        cdef float most
        if T == 0:
            scores[0] = 0
            return 1
        for i in range(k * S):
            best[i] = -INFINITY
        for s in range(L):
            best[s * k] = theta.block[0][s] + self.no_start[s]
        for t in range(1, T):
            for s in range(S):
                # in a chain of second order the first token has states of one tag only
                from_a = s // L if self.order == 2 and t == 1 else 0
                to_a = from_a + 1 if self.order == 2 and t == 1 else L
                for a in range(from_a, to_a):
                    rank[a] = 0
                    adds[a] = edge(self, theta, t, a, s)
                    next[a] = best[before(self, t, a, s) * k] + adds[a]
                for i in range(k):
                    most = -INFINITY
                    for a in range(from_a, to_a):
                        if next[a] > most:
                            most = next[a]
                            last = a
                    other[s * k + i] = most
                    if most > -INFINITY:
                        n = before(self, t, last, s) * k + rank[last]
                        back[(t * S + s) * k + i] = n
                        rank[last] += 1
                        next[last] = best[n + 1] + adds[last] if rank[last] < k else -INFINITY
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
                total += theta.block[2][three(y + t, self.L)]
        return total

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        """Marginals by the forward-backward algorithm. Where no sequence is legal, every probability is 0."""
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
        cdef double logz
        if T == 0:
            return 0
        logz = self.emissions(theta, emit)
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

    cdef double emissions(self, const Tables *theta, float *out) noexcept nogil:
        """Write exp of the scores of each token over that of its best tag, and return the sum of the best scores."""
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
        """Write exp of the transitions at (t, t + 1) over that of the best one, which is returned."""
        cdef float most
        self.transitions(theta, t, E)
        most = linnet_most(E, self.square)
        if most == -INFINITY:
            most = 0
        linnet_exp(E, E, most, self.square)
        return most

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
        cdef int64_t t
        cdef int c
        for t in range(theta.places[0]):
            for c in range(self.L):
                theta.block[0][t * theta.stride[0] + c] += amount * self.cost[y[t], c]


cdef inline float pair(Chain gen, const Tables *theta, int64_t t, int a, int c) noexcept nogil:
    """The score of the tags a, c at t - 1, t."""
    return theta.block[1][(t - 1 if gen.observed else 0) * theta.stride[1] + a * gen.L + c] + gen.illegal[a, c]


cdef inline int states(Chain gen) noexcept nogil:
    """The number of states: one for each tag, or for each pair of tags in a chain of second order."""
    return gen.L if gen.order == 1 else gen.L * gen.L


cdef inline int before(Chain gen, int64_t t, int a, int s) noexcept nogil:
    """The state before state s at t, where a is the tag that s no longer shows."""
    return a if gen.order == 1 or t == 1 else a * gen.L + s // gen.L


cdef inline float edge(Chain gen, const Tables *theta, int64_t t, int a, int s) noexcept nogil:
    """The score that state s at t adds, coming from tag a."""
    cdef int b = a if gen.order == 1 else s // gen.L, c = s % gen.L
    cdef float score = theta.block[0][t * theta.stride[0] + c] + pair(gen, theta, t, b, c)
    return score if gen.order == 1 or t == 1 else score + theta.block[2][(b * gen.L + a) * gen.L + c]


def _scores(allowed, shape):
    """A table with 0 where something is allowed and minus infinity where it is not."""
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
