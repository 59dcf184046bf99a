# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Alignments one to one that an inversion transduction grammar can make (Wu 1997): either sentence is cut in two, the parts are linked
straight or crosswise, and each pair of parts is an alignment of the same kind.

Over the gains g[i, j] = link[i, j] - none[j], for source tokens s..t and target tokens u..v (both ends in, the later one out):

    best[s, t, u, v] = max of  0,  g of a single pair,  the same without one of the four tokens at its ends,
                               best[s, k, u, l] + best[k, t, l, v]          straight
                               best[s, k, l, v] + best[k, t, u, l]          crosswise

This takes O(n^3 m^3), so it is left for last. The best matching is at least as good as any of these; where it can be made by the
grammar, as nearly all can, it is the answer. Of links only those with g > 0 are ever used, and only their tokens are in the tables.
There are no marginals: the same links come of many derivations.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Tables
from linnet.structures.alignment cimport link, none, sources
from linnet.structures.matching cimport Matching

cdef double MUST = 1e9                                      # what is lost without a link that has to be there


cdef class Itg(Matching):
    def __init__(self, double miss=1):
        Matching.__init__(self, miss)
        self.name = "itg"

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        # beside the matching: gains, best of n (n + 1) / 2 m (m + 1) / 2 <= n m (n m + 1) / 2 pairs of spans, doubles; integers
        return Matching.workspace(self, places) + 2 * places + places * (places + 1) + 5 * (places + 4)

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef int64_t m = theta.places[1], n = sources(theta), i, j, rows = 0, columns = 0
        cdef double *g = <double *>theta.work
        cdef int32_t *row
        cdef int32_t *column
        cdef int32_t *todo
        cdef double *best
        self.match(theta, y_hat)
        if is_separable(y_hat, n, m, <int32_t *>theta.work):
            return
        best = g + n * m
        row = <int32_t *>(best + n * (n + 1) // 2 * (m * (m + 1) // 2))
        column = row + n
        todo = column + m
        self.nothing(theta, y_hat)
        for i in range(n):
            for j in range(m):
                if gain(theta, i, j) > 0:
                    row[rows] = <int32_t>i
                    rows += 1
                    break
        for j in range(m):
            for i in range(n):
                if gain(theta, i, j) > 0:
                    column[columns] = <int32_t>j
                    columns += 1
                    break
        for i in range(rows):
            for j in range(columns):
                g[i * columns + j] = gain(theta, row[i], column[j])
        fill(g, rows, columns, best)
        follow(g, rows, columns, best, row, column, m, todo, y_hat)


cdef inline double gain(const Tables *theta, int64_t i, int64_t j) noexcept nogil:
    return link(theta, i, j) - max(<double>none(theta, j), -MUST)


cdef inline int64_t at(int64_t s, int64_t t) noexcept nogil:
    """The number of a span, s < t."""
    return t * (t - 1) // 2 + s


cdef bint is_separable(const int32_t *y, int64_t n, int64_t m, int32_t *work) noexcept nogil:
    """Whether straight and crosswise steps make these links: neighbours are put together as long as there are any."""
    cdef int32_t *rank = work
    cdef int32_t *low = rank + m
    cdef int32_t *high = low + n
    cdef int64_t i, j, top = 0
    cdef int32_t found = 0
    for j in range(m):
        rank[j] = found
        for i in range(n):
            found += y[i * m + j]
    for i in range(n):
        for j in range(m):
            if y[i * m + j]:
                low[top] = high[top] = rank[j]
                top += 1
                while top > 1 and (low[top - 1] == high[top - 2] + 1 or low[top - 2] == high[top - 1] + 1):
                    low[top - 2] = min(low[top - 2], low[top - 1])
                    high[top - 2] = max(high[top - 2], high[top - 1])
                    top -= 1
    return top < 2


cdef void fill(const double *g, int64_t n, int64_t m, double *best) noexcept nogil:
    cdef int64_t S = m * (m + 1) // 2, s, t, u, v, k, l, size, width
    cdef double most
    cdef const double *a
    cdef const double *b
    for size in range(1, n + 1):
        for s in range(n - size + 1):
            t = s + size
            for width in range(1, m + 1):
                for u in range(m - width + 1):
                    v = u + width
                    most = 0
                    if size == 1 and width == 1:
                        most = max(most, g[s * m + u])
                    if size > 1:
                        most = max(most, max(best[at(s + 1, t) * S + at(u, v)], best[at(s, t - 1) * S + at(u, v)]))
                    if width > 1:
                        most = max(most, max(best[at(s, t) * S + at(u + 1, v)], best[at(s, t) * S + at(u, v - 1)]))
                    for k in range(s + 1, t):
                        a, b = best + at(s, k) * S, best + at(k, t) * S
                        for l in range(u + 1, v):
                            most = max(most, max(a[at(u, l)] + b[at(l, v)], a[at(l, v)] + b[at(u, l)]))
                    best[at(s, t) * S + at(u, v)] = most


cdef inline void push(int32_t *todo, int64_t *n, int64_t s, int64_t t, int64_t u, int64_t v) noexcept nogil:
    todo[4 * n[0]], todo[4 * n[0] + 1], todo[4 * n[0] + 2], todo[4 * n[0] + 3] = <int32_t>s, <int32_t>t, <int32_t>u, <int32_t>v
    n[0] += 1


cdef void follow(const double *g, int64_t n, int64_t m, const double *best, const int32_t *row, const int32_t *column,
                 int64_t stride, int32_t *todo, int32_t *y) noexcept nogil:
    """The links of the best: each span is taken apart as it was put together."""
    cdef int64_t S = m * (m + 1) // 2, s, t, u, v, k, l, open = 0
    cdef double value
    cdef bint found
    if n and m:
        push(todo, &open, 0, n, 0, m)
    while open:
        open -= 1
        s, t, u, v = todo[4 * open], todo[4 * open + 1], todo[4 * open + 2], todo[4 * open + 3]
        value = best[at(s, t) * S + at(u, v)]
        if value == 0:
            continue
        if t - s == 1 and v - u == 1:
            y[row[s] * stride + column[u]] = 1
        elif t - s > 1 and value == best[at(s + 1, t) * S + at(u, v)]:
            push(todo, &open, s + 1, t, u, v)
        elif t - s > 1 and value == best[at(s, t - 1) * S + at(u, v)]:
            push(todo, &open, s, t - 1, u, v)
        elif v - u > 1 and value == best[at(s, t) * S + at(u + 1, v)]:
            push(todo, &open, s, t, u + 1, v)
        elif v - u > 1 and value == best[at(s, t) * S + at(u, v - 1)]:
            push(todo, &open, s, t, u, v - 1)
        else:
            found = False
            for k in range(s + 1, t):
                for l in range(u + 1, v):
                    if found:
                        break
                    if value == best[at(s, k) * S + at(u, l)] + best[at(k, t) * S + at(l, v)]:
                        push(todo, &open, s, k, u, l)
                        push(todo, &open, k, t, l, v)
                        found = True
                    elif value == best[at(s, k) * S + at(l, v)] + best[at(k, t) * S + at(u, l)]:
                        push(todo, &open, s, k, l, v)
                        push(todo, &open, k, t, u, l)
                        found = True
                if found:
                    break
