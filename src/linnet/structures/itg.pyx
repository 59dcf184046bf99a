# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Alignments one to one that an inversion transduction grammar can make (Wu 1997): either sentence is cut in two, the parts are linked
straight or crosswise, and each pair of parts is an alignment of the same kind.

Over the gains g[i, j] = link[i, j] - none[j], for source tokens s..t and target tokens u..v, without t and v
themselves:

    best[s, t, u, v] = max of  0,  g of a single pair,  the same without one of the four tokens at its ends,
                               best[s, k, u, l] + best[k, t, l, v]          straight
                               best[s, k, l, v] + best[k, t, u, l]          crosswise

This takes O(n^3 m^3), so it is done only where it must be. The best matching (matching.pyx) is at least as good as any
of these alignments; where the grammar can make it, as it can nearly always, it is the answer. Only links with g > 0 are
ever used, and only their tokens are in the tables.

The same links come from many derivations, which does not matter to the best one but does to a sum. So for log Z and the marginals each alignment has one derivation: a token
without a link goes with the link before it, the left part of a straight step is not straight itself, and that of a crosswise step not crosswise (Wu 1997, section 6; Zens
and Ney 2003). Over source tokens s..t, what comes of a link, of a straight step, of a crosswise one and of any is a matrix over the positions u < v of the target, and steps
are products of matrices:

    L[s, t][u, v] = exp link[s, u] x the weights of tokens s + 1..t and u + 1..v without a link
    S[s, t]       = sum over k of (L + X)[s, k] A[k, t]
    X[s, t]       = sum over k of A[k, t] (L + S)[s, k]                       A = L + S + X
    Z             = all tokens without a link + sum over s, u of (those before s and u without one) x A[s, n][u, m]

The marginals are the derivatives of log Z, back through the same products. Weights are exp(theta + potentials), those of the best matching: none is above 1, and the best
matching weighs 1.
"""

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from linnet.core.form cimport Tables
from linnet.structures.alignment cimport link, none, sources
from linnet.structures.matching cimport Matching

# Sums holds what is summed over. The matrices lie after the weights: for each span of source tokens, rows of numbers for u
# < v, one after the other.
cdef struct Sums:
    int64_t n
    int64_t m
    double *w               # weights of the links
    double *a               # weights of source tokens without a link
    double *b               # weights of target tokens without a link

cdef double MUST = 1e9                                      # score that is lost where a link that must be there is not


cdef class Itg(Matching):
    def __init__(self, double miss=1):
        Matching.__init__(self, miss)
        self.name = "itg"
        self.has_marginals = True

    @property
    def no_marginals(self):
        return ""

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        # The work space holds, beside that of the matching, the weights; six doubles for each of n (n + 1) / 2 m (m + 1) /
        # 2 <= n m (n m + 1) / 2 pairs of spans; and integers. The best output needs one of the six, and memory that is
        # never written to costs nothing.
        return Matching.workspace(self, places) + 2 * (3 * places + 3) + 6 * places * (places + 1) + 5 * (places + 4)

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef int64_t m = theta.places[1], n = sources(theta), i, j, rows, columns
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
        rows, columns = worth(theta, n, m, False, row), worth(theta, m, n, True, column)
        for i in range(rows):
            for j in range(columns):
                g[i * columns + j] = gain(theta, row[i], column[j])
        fill(g, rows, columns, best)
        follow(g, rows, columns, best, row, column, m, todo, y_hat)

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        cdef int64_t m = theta.places[1], n = sources(theta), i, j
        cdef Sums p
        cdef double linked, logz = 0
        cdef double *u = <double *>theta.work               # the potentials that `match` leaves in the work space
        cdef double *v = u + m
        if n:
            p.n, p.m = n, m
            p.w = <double *>(theta.work + (Matching.workspace(self, theta.places[0]) + 1) // 2 * 2)
            self.match(theta, <int32_t *>p.w)
            p.a = p.w + n * m
            p.b = p.a + n
            for i in range(n):
                p.a[i] = exp(v[i])
                logz -= v[i]
                for j in range(m):
                    p.w[i * m + j] = exp(link(theta, i, j) + u[j] + v[i])
            for j in range(m):
                p.b[j] = exp(none(theta, j) + u[j])
                logz -= u[j]
            logz += sum_all(&p, mu.block[0])
        else:
            for j in range(m):
                logz += none(theta, j)
        for j in range(m):
            linked = 0
            for i in range(n):
                linked += mu.block[0][i * m + j]
            mu.block[1][j] = <float>max(1 - linked, 0)
        return logz


cdef inline double gain(const Tables *theta, int64_t i, int64_t j) noexcept nogil:
    return link(theta, i, j) - max(<double>none(theta, j), -MUST)


cdef int64_t worth(const Tables *theta, int64_t n, int64_t m, bint turned, int32_t *tokens) noexcept nogil:
    """Write which of n source tokens gain by a link with any of m target tokens, and return their number. `turned` swaps
    source and target."""
    cdef int64_t i, j, found = 0
    for i in range(n):
        for j in range(m):
            if (gain(theta, j, i) if turned else gain(theta, i, j)) > 0:
                tokens[found] = <int32_t>i
                found += 1
                break
    return found


cdef inline int64_t at(int64_t s, int64_t t) noexcept nogil:
    """The number of the span s..t, s < t."""
    return t * (t - 1) // 2 + s


cdef bint is_separable(const int32_t *y, int64_t n, int64_t m, int32_t *work) noexcept nogil:
    """Whether straight and crosswise steps can make these links. Links are taken in the order of the source, each as a
    span of target positions, and a span is joined with the last one before it as long as the two are neighbours in the
    target. All links must end up in one span."""
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
    """Write the links of the best alignment, by taking each span apart as it was put together."""
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


cdef double sum_all(const Sums *p, float *mu) noexcept nogil:
    """Compute the marginals mu of the links, and return log Z."""
    cdef int64_t n = p.n, m = p.m, M = m * (m + 1) // 2, size = n * (n + 1) // 2 * M, width, s, t, k, i, u
    cdef double *A = p.b + m
    cdef double *LX = A + size                              # L + X, and after it the derivatives of all three
    cdef double *LS = LX + size
    cdef double *dA = LS + size
    cdef double *dLX = dA + size
    cdef double *dLS = dLX + size
    cdef double Z = product(p.a, 0, n) * product(p.b, 0, m)
    memset(LX, 0, 5 * size * sizeof(double))
    for width in range(1, n + 1):
        for s in range(n - width + 1):
            t = s + width
            for k in range(s + 1, t):
                multiply(LX + at(s, k) * M, A + at(k, t) * M, LS + at(s, t) * M, m)
                multiply(A + at(k, t) * M, LS + at(s, k) * M, LX + at(s, t) * M, m)
            add_links(p, s, t, A + at(s, t) * M, LX + at(s, t) * M, LS + at(s, t) * M)
    for s in range(n):
        for u in range(m):
            i = at(s, n) * M + row(u, m) + m
            dA[i] = product(p.a, 0, s) * product(p.b, 0, u)
            Z += dA[i] * A[i]
    memset(mu, 0, n * m * sizeof(float))
    if Z == 0:
        return -INFINITY
    for width in range(n, 0, -1):
        for s in range(n - width + 1):
            t = s + width
            linked(p, s, t, dA + at(s, t) * M, dLX + at(s, t) * M, dLS + at(s, t) * M, Z, mu + s * m)
            for k in range(s + 1, t):
                back(dLS + at(s, t) * M, LX + at(s, k) * M, A + at(k, t) * M, dLX + at(s, k) * M, dA + at(k, t) * M, m)
                back(dLX + at(s, t) * M, A + at(k, t) * M, LS + at(s, k) * M, dA + at(k, t) * M, dLS + at(s, k) * M, m)
    return log(Z)


cdef inline int64_t row(int64_t u, int64_t m) noexcept nogil:
    """The offset of row u: its number for v, from u + 1 to m, is at this offset + v."""
    return u * m - u * (u - 1) // 2 - u - 1


cdef inline double product(const double *x, int64_t i, int64_t j) noexcept nogil:
    cdef double all = 1
    for i in range(i, j):
        all *= x[i]
    return all


cdef void multiply(const double *A, const double *B, double *C, int64_t m) noexcept nogil:
    """Add a product of matrices: C += A B."""
    cdef int64_t u, l, v
    cdef double x
    cdef double *out
    cdef const double *other
    for u in range(m - 1):
        out = C + row(u, m)
        for l in range(u + 1, m):
            x = A[row(u, m) + l]
            other = B + row(l, m)
            for v in range(l + 1, m + 1):
                out[v] += x * other[v]


cdef void back(const double *dC, const double *A, const double *B, double *dA, double *dB, int64_t m) noexcept nogil:
    """Pass derivatives back through C = A B: dA += dC B^T, dB += A^T dC."""
    cdef int64_t u, l, v
    cdef double x, total
    cdef double *out
    cdef const double *other
    cdef const double *given
    for u in range(m - 1):
        given = dC + row(u, m)
        for l in range(u + 1, m):
            x = A[row(u, m) + l]
            other = B + row(l, m)
            out = dB + row(l, m)
            total = 0
            for v in range(l + 1, m + 1):
                out[v] += x * given[v]
            for v in range(l + 1, m + 1):
                total += given[v] * other[v]
            dA[row(u, m) + l] += total


cdef void add_links(const Sums *p, int64_t s, int64_t t, double *A, double *LX, double *LS) noexcept nogil:
    """For source tokens s..t, compute A = L + S + X, and add L to each of the two others."""
    cdef int64_t u, v, i
    cdef double L
    for u in range(p.m):
        L = p.w[s * p.m + u] * product(p.a, s + 1, t)
        for v in range(u + 1, p.m + 1):
            i = row(u, p.m) + v
            A[i] = LX[i] + LS[i] + L
            LX[i] += L
            LS[i] += L
            if v < p.m:
                L *= p.b[v]


cdef void linked(const Sums *p, int64_t s, int64_t t, const double *dA, double *dX, double *dS, double Z, float *mu) noexcept nogil:
    """Pass the derivatives of A, L + X and L + S on to X and S, where they overwrite those of the latter two; those of L
    are added to the marginals of s."""
    cdef int64_t u, v, i
    cdef double L, total
    for u in range(p.m):
        L = p.w[s * p.m + u] * product(p.a, s + 1, t)
        total = 0
        for v in range(u + 1, p.m + 1):
            i = row(u, p.m) + v
            total += L * (dA[i] + dX[i] + dS[i])
            dX[i] += dA[i]
            dS[i] += dA[i]
            if v < p.m:
                L *= p.b[v]
        mu[u] += <float>(total / Z)
