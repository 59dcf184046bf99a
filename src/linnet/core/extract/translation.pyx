# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Which word of one sentence each word of its translation comes from: the expectations of EM over pairs of sentences.

Each of the O words of the one side is a translation of one of the I words of the other, or of none; p(a) is the probability of which:

    p(a, f | e) = prod over o of p(a_o | ...) t(f_o | e_{a_o})                  e_none: a word that is always there

    IBM Model 1 (Brown et al. 1993):    1 / (I + 1)
    IBM Model 2:                        p0 for none;  (1 - p0) c(s / I - o / O), in steps and normalised over s
    HMM (Vogel, Ney and Tillmann 1996): p0 for none;  (1 - p0) c(s - q), normalised over s, q where the last word came from

Model 2 depends on the relative position, not on the lengths of both sentences: there are too many of these to learn from. Words from
none leave q as it is (Och and Ney 2003).

An HMM takes time and memory by the square of I. Where I is above LONGEST, as it is in no pair of sentences that people wrote, it explains each word by
itself, with any of the I words as likely before the word is seen.

`cell` has the number of the pair of words at each place i m + j of a pair of sentences, -1 for pairs that are not known.
"""

from libc.math cimport round
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

import numpy as np

cdef enum:
    STEPS = 20              # number of classes of relative positions on each side of 0
    LONGEST = 500           # most words that an HMM goes from one to another of
    REACH = 12              # largest jump that is told apart; farther jumps count as this far

cdef double FLOOR = 1e-9    # smallest probability, used for words that were never seen together


cdef struct Side:
    int64_t O               # number of words on the side that is explained
    int64_t I               # number of words on the side that explains it
    int64_t by_o            # distance in `cell` and `p` from one place to the next, by o and by s
    int64_t by_s
    const int32_t *cell
    const int32_t *word     # the number of each word o, -1 for one that is not known
    float *p                # the posterior probability of each place
    float *none             # the posterior probability that word o comes from none


cdef class Direction:
    """One direction of a model: what it has learned, and what it expects of pairs of sentences. `back` says that it goes
    from the target to the source."""
    cdef readonly str model
    cdef readonly bint back
    cdef public object t                # t(f | e) of each pair of words
    cdef public object t_none           # t(f | none) of each word f
    cdef public object c                # weights of relative positions (Model 2) or of jumps (HMM)
    cdef public double p0
    cdef readonly object counts         # expected counts, from which c is estimated again

    def __init__(self, str model, bint back, t, t_none, c=None, double p0=0.1):
        self.model, self.back = model, back
        self.t, self.t_none, self.p0 = t, t_none, p0
        n = {"model1": 1, "model2": 2 * STEPS + 1, "hmm": 2 * REACH + 1}[model]
        self.c = np.ones(n) if c is None else np.asarray(c, np.float64)
        self.counts = np.zeros(n)

    def expect(self, const int32_t[::1] cell, const int64_t[::1] s_at, const int64_t[::1] t_at, const int32_t[::1] words):
        """The posterior probability of each place of all pairs of sentences, and that of each word coming from none.
        `words` are those of the side that is explained."""
        cdef const double[::1] t = self.t, t_none = self.t_none, c = self.c
        cdef double[::1] counts = self.counts
        cdef int64_t i, n, m, at = 0, most = 0, pairs = s_at.shape[0] - 1
        cdef Side side
        cdef double p0 = self.p0
        cdef double *work
        cdef int kind = 1 if self.model == "model1" else 2 if self.model == "model2" else 3
        p, none = np.zeros(max(cell.shape[0], 1), np.float32), np.zeros(max(words.shape[0], 1), np.float32)
        cdef float[::1] to = p, from_none = none
        self.counts[:] = 0
        for i in range(pairs):
            n, m = s_at[i + 1] - s_at[i], t_at[i + 1] - t_at[i]
            most = max(most, work_for(n, m) if self.back else work_for(m, n))
        work = <double *>calloc(most, sizeof(double))
        if work == NULL:
            raise MemoryError("no memory for a pair of sentences")
        with nogil:
            for i in range(pairs):
                n, m = s_at[i + 1] - s_at[i], t_at[i + 1] - t_at[i]
                if n and m:
                    side.O, side.by_o = m, 1
                    side.I, side.by_s = n, m
                    if self.back:
                        side.O, side.by_o = n, m
                        side.I, side.by_s = m, 1
                    side.cell, side.p = &cell[at], &to[at]
                    side.word = &words[s_at[i] if self.back else t_at[i]]
                    side.none = &from_none[s_at[i] if self.back else t_at[i]]
                    if kind == 3 and side.I <= LONGEST:
                        chain(&side, &t[0], &t_none[0], &c[0], p0, &counts[0], work)
                    else:
                        alone(&side, &t[0], &t_none[0], &c[0], 1.0 / (side.I + 1) if kind == 1 else p0, kind == 2, &counts[0], work)
                at += n * m
        free(work)
        return p[:cell.shape[0]], none[:words.shape[0]]


cdef inline int64_t work_for(int64_t O, int64_t I) noexcept nogil:
    """The most numbers that a pair of sentences takes memory for while O words are explained by I others."""
    return 3 * (O + 2) * (I + 2) + 3 * (I + 1) ** 2 if I <= LONGEST else I


cdef inline double given(const double *t, int32_t k) noexcept nogil:
    return max(t[k], FLOOR) if k >= 0 else FLOOR


cdef inline int64_t step(int64_t s, int64_t I, int64_t o, int64_t O) noexcept nogil:
    return STEPS + <int64_t>round(STEPS * ((s + 0.5) / I - (o + 0.5) / O))


cdef inline int64_t jump(int64_t d) noexcept nogil:
    return REACH + max(-REACH, min(REACH, d))


cdef void alone(Side *x, const double *t, const double *t_none, const double *c, double p0, bint by_step, double *counts,
                double *row) noexcept nogil:
    """Models 1 and 2, in which each word is explained by itself."""
    cdef int64_t o, s
    cdef double norm, total
    for o in range(x.O):
        norm = 0
        for s in range(x.I):
            row[s] = c[step(s, x.I, o, x.O)] if by_step else 1
            norm += row[s]
        total = p0 * given(t_none, x.word[o])
        x.none[o] = <float>total
        for s in range(x.I):
            row[s] *= (1 - p0) / norm * given(t, x.cell[o * x.by_o + s * x.by_s])
            total += row[s]
        x.none[o] = <float>(p0 * given(t_none, x.word[o]) / total)
        for s in range(x.I):
            x.p[o * x.by_o + s * x.by_s] = <float>(row[s] / total)
            if by_step:
                counts[step(s, x.I, o, x.O)] += row[s] / total


cdef void chain(Side *x, const double *t, const double *t_none, const double *c, double p0, double *counts,
                double *work) noexcept nogil:
    """The HMM: the forward and the backward pass over positions q = 0..I, where 0 is before the first word, scaled to 1 at
    each o."""
    cdef int64_t I = x.I, O = x.O, N = I + 1, o, s, q
    cdef double *a = work                       # [q, s]: the probability of going from q to s
    cdef double *b = a + N * N                  # [s, q]: the same probabilities, transposed
    cdef double *J = b + N * N                  # [q, s]: the expected number of such moves, before it is multiplied by a
    cdef double *F = J + N * N                  # [o, q]: forward sums up to o, where q is the last position that was not none
    cdef double *M = F + (O + 1) * N            # [o, s]: forward sums up to a move to s at o
    cdef double *e = M + O * N                  # [o, s]: t of word o from position s; in column 0 that from none
    cdef double *B = e + O * N                  # backward sums of all words after o
    cdef double *E = B + N                      # backward sums with word o included
    cdef double total
    for q in range(N):
        a[q * N] = b[q] = 0
        total = 0
        for s in range(1, N):
            a[q * N + s] = c[jump(s - q)]
            total += a[q * N + s]
        for s in range(1, N):
            a[q * N + s] *= (1 - p0) / total
            b[s * N + q] = a[q * N + s]
    for o in range(O):
        e[o * N] = p0 * given(t_none, x.word[o])
        for s in range(1, N):
            e[o * N + s] = given(t, x.cell[o * x.by_o + (s - 1) * x.by_s])
    memset(J, 0, N * N * sizeof(double))
    memset(M, 0, O * N * sizeof(double))
    for q in range(N):
        F[q] = q == 0
        B[q] = 1
    for o in range(O):
        for q in range(N):
            if F[o * N + q] > 0:
                add_row(M + o * N, a + q * N, F[o * N + q], N)
        total = 0
        for s in range(N):
            F[(o + 1) * N + s] = F[o * N + s] * e[o * N] + M[o * N + s] * e[o * N + s]
            total += F[(o + 1) * N + s]
        for s in range(N):
            F[(o + 1) * N + s] /= total
    for o in range(O - 1, -1, -1):
        E[0] = total = 0
        for s in range(1, N):
            E[s] = e[o * N + s] * B[s]
            total += M[o * N + s] * E[s]
        for q in range(N):
            x.none[o] += <float>(F[o * N + q] * e[o * N] * B[q])
        total += x.none[o]
        x.none[o] /= <float>total
        for s in range(1, N):
            x.p[o * x.by_o + (s - 1) * x.by_s] = <float>(M[o * N + s] * E[s] / total)
        for q in range(N):
            if F[o * N + q] > 0:
                add_row(J + q * N, E, F[o * N + q] / total, N)
            B[q] *= e[o * N]
        for s in range(1, N):
            add_row(B, b + s * N, E[s], N)
        total = 0
        for q in range(N):
            total += B[q]
        for q in range(N):
            B[q] /= total
    for q in range(N):
        for s in range(1, N):
            counts[jump(s - q)] += a[q * N + s] * J[q * N + s]


cdef inline void add_row(double *to, const double *row, double x, int64_t n) noexcept nogil:
    cdef int64_t k
    for k in range(n):
        to[k] += x * row[k]
