# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Projective dependency trees of second order: an arc is scored with the child that the head has next to it on the same side
(McDonald and Pereira 2006).

    the last block:  triples x 1,   (h, s, m): m is the child of h that comes behind its child s, away from h; s = h: the first one

    between[i, j]  = (+) over i <= k < j of right[i, k] + left[k + 1, j]      two children with nothing between them
    arc of h -> m  = arc score + (+) of the first:      what is between h and m, and triple (h, h, m)
                                       or behind s:    arc of h -> s + between[s, m] + triple (h, s, m)

and right and left as of first order. Triples come by h; of each h first those to its left, then those to its right; by the
distance of m from h, and within that of s.
"""

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Tables
from linnet.structures.tree cimport NONE, Tree, push, tokens

import numpy as np


cdef class SiblingTree(Tree):
    def __init__(self, int n_relations=1, *, bint one_root=False):
        Tree.__init__(self, n_relations, projective=True, one_root=one_root)
        self.name = "siblings"
        self.outcomes = (*self.outcomes, 1)

    @staticmethod
    def triples(int64_t n):
        """h, s and m of each triple of a sentence of n tokens, in the order of their places."""
        cdef int64_t h, s, m, at
        out = np.empty((3, before(n + 1, n)), np.int32)
        cdef int32_t[:, ::1] found = out
        for h in range(n + 1):
            for m in range(1, n + 1):
                s = h
                while s != m:
                    at = place(h, s, m, n)
                    found[0, at], found[1, at], found[2, at] = <int32_t>h, <int32_t>s, <int32_t>m
                    s += 1 if m > h else -1
        return out

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        cdef int64_t N = tokens(places) + 1
        return 64 * N * N + 64 * N + 64

    cdef const float *triple_scores(self, const Tables *theta) noexcept nogil:
        return theta.block[theta.n_blocks - 1]

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef double *S = <double *>theta.work
        self.arcs(theta, S, False)
        self.best(S, self.triple_scores(theta), tokens(theta.places[0]), y_hat)
        self.best_relations(theta, y_hat)

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        cdef int64_t n = tokens(theta.places[0]), h, m, s
        cdef const float *G = self.triple_scores(theta)
        cdef double total = Tree.score(self, theta, y)
        for m in range(1, n + 1):
            h = y[m - 1] // self.n_relations
            total += G[place(h, self.before_it(y, h, m), m, n)]
        return total

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t n = tokens(table.places[0]), h, m
        Tree.add(self, table, y, amount)
        for m in range(1, n + 1):
            h = y[m - 1] // self.n_relations
            table.block[table.n_blocks - 1][place(h, self.before_it(y, h, m), m, n)] += amount

    cdef int64_t before_it(self, const int32_t *y, int64_t h, int64_t m) noexcept nogil:
        """The child of h that comes before m, going away from h; h itself if there is none."""
        cdef int64_t step = 1 if h > m else -1, s = m + step
        while s != h and y[s - 1] // self.n_relations != h:
            s += step
        return s

    cdef void best(self, const double *S, const float *G, int64_t n, int32_t *heads) noexcept nogil:
        cdef int64_t N = n + 1, size = N * N, i, j, k, width, top = 0, split
        cdef double *arc = <double *>S + size           # of i -> j where i < j, of j -> i in [j, i]
        cdef double *between = arc + size               # [i, j]
        cdef double *right = between + size             # [i, j]
        cdef double *left = right + size                # [j, i], so that k runs along a row
        cdef int32_t *at = <int32_t *>(left + size)     # where each was split
        cdef int32_t *sibling = at + size               # of i -> j and of j -> i; the head itself for none
        cdef int32_t *right_at = sibling + size
        cdef int32_t *left_at = right_at + size
        cdef int32_t *todo = left_at + size             # kind, i, j: right, left, arc of i -> j, between
        cdef double best, value
        for i in range(N):
            right[i * N + i] = left[i * N + i] = 0
        for width in range(1, N):
            for i in range(N - width):
                j = i + width
                best, split = 4 * NONE * N, i
                for k in range(i, j):
                    value = right[i * N + k] + left[j * N + k + 1]
                    if value > best:
                        best, split = value, k
                between[i * N + j] = best
                at[i * N + j] = <int32_t>split
                best, split = left[j * N + i + 1] + G[place(i, i, j, n)], i
                if i > 0 or not self.one_root:
                    for k in range(i + 1, j):
                        value = arc[i * N + k] + between[k * N + j] + G[place(i, k, j, n)]
                        if value > best:
                            best, split = value, k
                arc[i * N + j] = best + S[i * N + j]
                sibling[i * N + j] = <int32_t>split
                if i > 0:
                    best, split = right[i * N + j - 1] + G[place(j, j, i, n)], j
                    for k in range(i + 1, j):
                        value = between[i * N + k] + arc[j * N + k] + G[place(j, k, i, n)]
                        if value > best:
                            best, split = value, k
                    arc[j * N + i] = best + S[j * N + i]
                    sibling[j * N + i] = <int32_t>split
                else:
                    arc[j * N + i] = 4 * NONE * N
                best, split = 8 * NONE * N, j
                for k in range(i + 1, j + 1):
                    value = arc[i * N + k] + right[k * N + j]
                    if value > best:
                        best, split = value, k
                right[i * N + j] = best
                right_at[i * N + j] = <int32_t>split
                best, split = 8 * NONE * N, i
                for k in range(i, j):
                    value = left[k * N + i] + arc[j * N + k]
                    if value > best:
                        best, split = value, k
                left[j * N + i] = best
                left_at[j * N + i] = <int32_t>split
        push(todo, &top, 0, 0, n)
        while top:
            top -= 1
            i, j = todo[3 * top + 1], todo[3 * top + 2]
            if i == j:
                continue
            if todo[3 * top] == 0:                      # right[i, j]
                k = right_at[i * N + j]
                push(todo, &top, 0, k, j)
                push(todo, &top, 2, i, k)
            elif todo[3 * top] == 1:                    # left[i, j]
                k = left_at[j * N + i]
                push(todo, &top, 1, i, k)
                push(todo, &top, 2, j, k)
            elif todo[3 * top] == 3:                    # between[i, j]
                k = at[i * N + j]
                push(todo, &top, 0, i, k)
                push(todo, &top, 1, k + 1, j)
            else:                                       # the arc of i -> j
                heads[j - 1] = <int32_t>i
                k = sibling[i * N + j]
                if k != i:
                    push(todo, &top, 2, i, k)
                    push(todo, &top, 3, min(k, j), max(k, j))
                elif i < j:
                    push(todo, &top, 1, i + 1, j)
                else:
                    push(todo, &top, 0, j, i - 1)

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        cdef int64_t n = tokens(theta.places[0]), i, triples = theta.places[theta.n_blocks - 1]
        cdef double *S = <double *>theta.work
        cdef double *P = S + (n + 1) * (n + 1)
        cdef float *Q = mu.block[mu.n_blocks - 1]
        cdef double logz
        self.arcs(theta, S, True)
        for i in range(triples):
            Q[i] = 0
        logz = self.sums(S, self.triple_scores(theta), n, P, Q)
        self.relation_marginals(theta, S, P, mu)
        return logz

    cdef double sums(self, const double *S, const float *G, int64_t n, double *P, float *Q) noexcept nogil:
        """log Z, P[h, m] = p(h -> m) and Q of triples."""
        cdef int64_t N = n + 1, size = N * N, i, j, k, t, width
        cdef double *arc = P + size
        cdef double *between = arc + size
        cdef double *right = between + size
        cdef double *left = right + size
        cdef double *d_between = left + size
        cdef double *d_right = d_between + size
        cdef double *d_left = d_right + size
        cdef double d, p
        cdef Sum sum
        for i in range(size):
            P[i] = d_between[i] = d_right[i] = d_left[i] = 0
        for i in range(N):
            right[i * N + i] = left[i * N + i] = 0
        for width in range(1, N):
            for i in range(N - width):
                j = i + width
                start(&sum)
                for k in range(i, j):
                    more(&sum, right[i * N + k] + left[j * N + k + 1])
                between[i * N + j] = result(&sum)
                start(&sum)
                more(&sum, left[j * N + i + 1] + G[place(i, i, j, n)])
                if i > 0 or not self.one_root:
                    for k in range(i + 1, j):
                        more(&sum, arc[i * N + k] + between[k * N + j] + G[place(i, k, j, n)])
                arc[i * N + j] = result(&sum) + S[i * N + j]
                start(&sum)
                for k in range(i + 1, j + 1):
                    more(&sum, arc[i * N + k] + right[k * N + j])
                right[i * N + j] = result(&sum)
                if i == 0:
                    arc[j * N + i] = left[j * N + i] = 4 * NONE * N
                    continue
                start(&sum)
                more(&sum, right[i * N + j - 1] + G[place(j, j, i, n)])
                for k in range(i + 1, j):
                    more(&sum, between[i * N + k] + arc[j * N + k] + G[place(j, k, i, n)])
                arc[j * N + i] = result(&sum) + S[j * N + i]
                start(&sum)
                for k in range(i, j):
                    more(&sum, left[k * N + i] + arc[j * N + k])
                left[j * N + i] = result(&sum)
        # Back: what each part adds to log Z. P is what it is of an arc.
        d_right[n] = 1
        for width in range(n, 0, -1):
            for i in range(N - width):
                j = i + width
                d = d_right[i * N + j]
                if d > 0:
                    for k in range(i + 1, j + 1):
                        p = d * exp(arc[i * N + k] + right[k * N + j] - right[i * N + j])
                        P[i * N + k] += p
                        d_right[k * N + j] += p
                d = d_left[j * N + i]
                if d > 0:
                    for k in range(i, j):
                        p = d * exp(left[k * N + i] + arc[j * N + k] - left[j * N + i])
                        P[j * N + k] += p
                        d_left[k * N + i] += p
                d = P[i * N + j]
                if d > 0:
                    t = place(i, i, j, n)
                    p = d * exp(left[j * N + i + 1] + G[t] + S[i * N + j] - arc[i * N + j])
                    Q[t] += <float>p
                    d_left[j * N + i + 1] += p
                    if i > 0 or not self.one_root:
                        for k in range(i + 1, j):
                            t = place(i, k, j, n)
                            p = d * exp(arc[i * N + k] + between[k * N + j] + G[t] + S[i * N + j] - arc[i * N + j])
                            Q[t] += <float>p
                            P[i * N + k] += p
                            d_between[k * N + j] += p
                d = P[j * N + i] if i > 0 else 0
                if d > 0:
                    t = place(j, j, i, n)
                    p = d * exp(right[i * N + j - 1] + G[t] + S[j * N + i] - arc[j * N + i])
                    Q[t] += <float>p
                    d_right[i * N + j - 1] += p
                    for k in range(i + 1, j):
                        t = place(j, k, i, n)
                        p = d * exp(between[i * N + k] + arc[j * N + k] + G[t] + S[j * N + i] - arc[j * N + i])
                        Q[t] += <float>p
                        P[j * N + k] += p
                        d_between[i * N + k] += p
                d = d_between[i * N + j]
                if d > 0:
                    for k in range(i, j):
                        p = d * exp(right[i * N + k] + left[j * N + k + 1] - between[i * N + j])
                        d_right[i * N + k] += p
                        d_left[j * N + k + 1] += p
        return right[n]


cdef struct Sum:
    double most
    double total


cdef inline void start(Sum *sum) noexcept nogil:
    sum.most = -INFINITY
    sum.total = 0


cdef inline void more(Sum *sum, double value) noexcept nogil:
    """One more summand of a sum of exponentials, kept as total exp(most)."""
    if value <= sum.most:
        sum.total += exp(value - sum.most)
    else:
        sum.total = sum.total * exp(sum.most - value) + 1
        sum.most = value


cdef inline double result(const Sum *sum) noexcept nogil:
    return sum.most + log(sum.total)


cdef inline int64_t triangle(int64_t k) noexcept nogil:
    return k * (k + 1) // 2 if k > 0 else 0


cdef inline int64_t pyramid(int64_t k) noexcept nogil:
    return k * (k + 1) * (k + 2) // 6 if k > 0 else 0


cdef inline int64_t before(int64_t h, int64_t n) noexcept nogil:
    """How many triples there are of heads before h."""
    return pyramid(h - 2) + pyramid(n) - pyramid(n - h)


cdef inline int64_t place(int64_t h, int64_t s, int64_t m, int64_t n) noexcept nogil:
    if m < h:
        return before(h, n) + triangle(h - m - 1) + h - s
    return before(h, n) + triangle(h - 1) + triangle(m - h - 1) + s - h
