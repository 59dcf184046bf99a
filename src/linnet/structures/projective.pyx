# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Projective trees, whose arcs do not cross: they are put together from spans (Eisner 1996; with siblings McDonald and
Pereira 2006; with grandparents Koo and Collins 2010). The best tree and the sum over all trees are the same recurrence,
where (+) is the maximum, or the logarithm of a sum of exponentials:

    I[h, m]   = score of h -> m + inner                                  the arc, and all between its ends
    C[h, e]   = (+) over children m of h up to e: I[h, m] + C[m, e]      all that h has on one side, up to e
    C[h, h]   = 0

    inner     = (+) over h <= k < m: C[h, k] + C[m, k + 1]               of first order
    inner     = the first child:     C[m, h + 1] + siblings (h, h, m)
         (+) one after another, s:   I[h, s] + siblings (h, s, m) + (+) over s <= k < m: C[s, k] + C[m, k + 1]

and the same to the left. With grandparents, each h has a row of these tables for each head g that it may have, and the
score of (g, h, m) is added to that of h -> m: O(n^4). Arcs that cannot be are not looked at.

Marginals are the derivative of log Z, by going back through the recurrence.
"""

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from linnet.core.interrupt cimport stopping

NONE = -1e30


cdef int64_t room(int64_t n, bint grand) noexcept nogil:
    """The number of doubles that `work` needs."""
    cdef int64_t N = n + 1, rows = n * N + 1 if grand else N
    return 4 * rows * N + 3 * N * N + 3 * N + rows + 16 * N + 8


cdef void lay(Spans *p, double least, double *work) noexcept nogil:
    """Lay out the tables, with the children that each node may have: those with a score above `least`."""
    cdef int64_t n = p.n, N = n + 1, h, m, count, most = n * N + 1 if p.grand != NULL else N
    p.C = work
    p.I = p.C + most * N
    p.B = p.I + most * N
    p.dB = p.B + N * N
    p.b = p.dB + N * N
    p.v = p.b + N
    p.db = p.v + N
    p.head = <int32_t *>(p.db + N)
    p.child = p.head + most
    p.row = p.child + most
    p.kids = p.row + N * N
    p.first = p.kids + N * N
    p.right = p.first + N + 1
    p.all = p.right + N
    p.seen = p.all + N
    p.todo = p.seen + 2 * N
    p.dC = <double *>(p.head + 2 * (most + N * N) + 32 * N)
    p.dI = p.dC + most * N
    for h in range(N):
        count = 0
        for m in range(h + 1, N):
            if p.S[h * N + m] > least:
                p.kids[h * N + count] = <int32_t>m
                count += 1
        p.right[h] = <int32_t>count
        for m in range(h - 1, 0, -1):
            if p.S[h * N + m] > least:
                p.kids[h * N + count] = <int32_t>m
                count += 1
        p.all[h] = <int32_t>count
    p.first[0] = p.child[0] = p.row[0] = 0
    p.head[0] = -1
    p.rows = 1
    for m in range(1, N):
        p.first[m] = <int32_t>p.rows
        if p.grand == NULL:
            p.head[m], p.child[m] = -1, <int32_t>m
            p.rows += 1
        for h in range(N):
            if p.grand != NULL and h != m and p.S[h * N + m] > least:
                p.head[p.rows], p.child[p.rows] = <int32_t>h, <int32_t>m
                p.row[h * N + m] = <int32_t>p.rows
                p.rows += 1
            elif p.grand == NULL:
                p.row[h * N + m] = <int32_t>m
    p.first[N] = <int32_t>p.rows


cdef inline int64_t apart(int64_t i, int64_t j) noexcept nogil:
    return i - j if i > j else j - i


cdef inline double join(const double *x, const double *y, int64_t n, bint summed) noexcept nogil:
    """The (+) over k < n of x_k + y_k: the maximum, or the logarithm of the sum of exponentials."""
    cdef int64_t k
    cdef double a = -INFINITY, b = a, one, two, total
    for k in range(0, n - 1, 2):
        one, two = x[k] + y[k], x[k + 1] + y[k + 1]
        a = one if one > a else a
        b = two if two > b else b
    if n & 1:
        one = x[n - 1] + y[n - 1]
        a = one if one > a else a
    a = a if a > b else b
    if not summed or a == -INFINITY:
        return a
    total = 0
    for k in range(n):
        total += exp(x[k] + y[k] - a)
    return a + log(total)


cdef inline double plus(double a, double b, bint summed) noexcept nogil:
    cdef double most = max(a, b)
    if not summed or most == -INFINITY:
        return most
    return most + log(exp(a - most) + exp(b - most))


cdef inline bint reaches(const Spans *p, int64_t a, int64_t h, int64_t e) noexcept nogil:
    """Whether e can be reached from h without passing the head of h."""
    cdef int64_t g = p.head[a]
    return g < 0 or (g > h) != (e > h) or ((g > e) if e > h else (g < e))


cdef inline double *left_of(const Spans *p, double *C, int64_t h, int64_t i, int64_t j, double **other) noexcept nogil:
    """The address of C[i, k] for k = i, and in `other` that of C[j, k + 1], given two children i < j of h."""
    cdef int64_t N = p.n + 1
    other[0] = C + p.row[h * N + j] * N + i + 1
    return C + p.row[h * N + i] * N + i


cdef inline double between(const Spans *p, int64_t h, int64_t s, int64_t m, bint summed) noexcept nogil:
    """(+) over k of C[s, k] + C[m, k + 1], or the other way round. Without grandparents it is the same for all h, and
    computed once."""
    cdef int64_t i = min(s, m), j = max(s, m), N = p.n + 1
    cdef double *other
    cdef double *one
    if p.grand == NULL:
        if p.B[m * N + s] == INFINITY:
            p.B[i * N + j] = p.B[j * N + i] = join(p.C + i * N + i, p.C + j * N + i + 1, j - i, summed)
        return p.B[m * N + s]
    one = left_of(p, p.C, h, i, j, &other)
    return join(one, other, j - i, summed)


cdef inline double inside(const Spans *p, int64_t h, int64_t m, bint summed) noexcept nogil:
    """The inner part of the arc h -> m in trees of first order. If the root has one child m, there is only
    the root to the left of it."""
    return p.C[m * (p.n + 1) + 1] if h == 0 and p.one_root else between(p, h, h, m, summed)


cdef inline double nearest(const Spans *p, int64_t h, int64_t m) noexcept nogil:
    """The inner part of the arc h -> m where m is the first child of h."""
    cdef int64_t N = p.n + 1
    return p.C[p.row[h * N + m] * N + (h + 1 if m > h else h - 1)] + p.siblings[place(h, h, m, p.n)]


cdef int64_t behind(const Spans *p, int64_t h, int64_t m, const int32_t *kids, int64_t count, bint summed) noexcept nogil:
    """Write b[s] = siblings (h, s, m) + (+) over k of C[s, k] + C[m, k + 1] for each s of these children of h, and
    return how many there are."""
    cdef int64_t s, start = place(h, h, m, p.n)
    cdef const float *siblings = p.siblings + start
    cdef const double *B = p.B + m * (p.n + 1)
    cdef double *b = p.b
    cdef double value
    if h == 0 and p.one_root:
        return 0
    for s in range(count):
        value = B[kids[s]]
        if value == INFINITY:
            value = between(p, h, kids[s], m, summed)
        b[s] = siblings[kids[s] - h if m > h else h - kids[s]] + value
    return count


cdef inline double score(const Spans *p, int64_t a, int64_t h, int64_t m) noexcept nogil:
    if p.grand == NULL or h == 0:
        return p.S[h * (p.n + 1) + m]
    return p.S[h * (p.n + 1) + m] + p.grand[grand_place(p.head[a], h, m, p.n)]


cdef void arc(const Spans *p, int64_t h, int64_t m, int64_t side, int64_t c, bint summed) noexcept nogil:
    """Compute I of h -> m, the child c on its side, whose children begin at `side`."""
    cdef int64_t N = p.n + 1, a, count
    cdef double first
    if p.siblings == NULL:
        p.I[h * N + side + c] = p.S[h * N + m] + inside(p, h, m, summed)
        return
    count = behind(p, h, m, p.kids + h * N + side, c, summed)
    first = nearest(p, h, m)
    for a in range(p.first[h], p.first[h + 1]):
        if reaches(p, a, h, m):
            p.I[a * N + side + c] = score(p, a, h, m) + plus(first, join(p.I + a * N + side, p.b, count, summed), summed)


cdef inline void ends(const Spans *p, const int32_t *kids, int64_t count, int64_t h, int64_t e) noexcept nogil:
    """Write v[c] = C[m, e] of each of these children of h."""
    cdef int64_t c, N = p.n + 1
    cdef const int32_t *row = p.row + h * N
    cdef const double *C = p.C + e
    cdef double *v = p.v
    for c in range(count):
        v[c] = C[row[kids[c]] * N]


cdef inline double furthest(const double *I, const double *C, const int32_t *kids, int64_t n, int64_t N) noexcept nogil:
    """The maximum over children of I + C, where h has one row: `join` without v, which takes a third off the time of first
    order."""
    cdef int64_t k
    cdef double a = -INFINITY, b = a, one, two
    for k in range(0, n - 1, 2):
        one, two = I[k] + C[kids[k] * N], I[k + 1] + C[kids[k + 1] * N]
        a = one if one > a else a
        b = two if two > b else b
    if n & 1:
        one = I[n - 1] + C[kids[n - 1] * N]
        a = one if one > a else a
    return a if a > b else b


cdef void forward(const Spans *p, bint summed) noexcept nogil:
    cdef int64_t n = p.n, N = n + 1, width, h, e, left, side, a
    cdef int32_t *seen
    cdef const int32_t *kids
    for a in range(p.rows):
        p.C[a * N + p.child[a]] = 0
    memset(p.seen, 0, 2 * N * sizeof(int32_t))
    for a in range(N * N):
        p.B[a] = INFINITY
    for width in range(1, N):
        if stopping():
            p.C[n] = -INFINITY
            return
        for h in range(N):
            for left in range(2):
                e = h - width if left else h + width
                if e < 1 or e > n:
                    continue
                side = p.right[h] if left else 0
                seen = p.seen + 2 * h + left
                kids = p.kids + h * N + side
                if seen[0] < (p.all[h] - side if left else p.right[h]) and kids[seen[0]] == e:
                    arc(p, h, e, side, seen[0], summed)
                    seen[0] += 1
                if p.grand == NULL and not summed:
                    p.C[h * N + e] = furthest(p.I + h * N + side, p.C + e, kids, seen[0], N)
                    continue
                ends(p, kids, seen[0], h, e)
                for a in range(p.first[h], p.first[h + 1]):
                    if reaches(p, a, h, e):
                        p.C[a * N + e] = join(p.I + a * N + side, p.v, seen[0], summed)


cdef inline int64_t split(const double *x, const double *y, int64_t n) noexcept nogil:
    """The k with the largest x_k + y_k."""
    cdef int64_t k, at = 0
    for k in range(1, n):
        if x[k] + y[k] > x[at] + y[at]:
            at = k
    return at


cdef inline void push(const Spans *p, int64_t *top, int whole, int64_t a, int64_t x) noexcept nogil:
    cdef int32_t *todo = p.todo + 3 * top[0]
    todo[0], todo[1], todo[2] = whole, <int32_t>a, <int32_t>x
    top[0] += 1


cdef double best(Spans *p, double least, double *work, int32_t *heads) noexcept nogil:
    """Write the heads of the best tree with arcs above `least`, and return its score; -inf if there is none."""
    cdef int64_t N = p.n + 1, a, h, m, c, s, k, count, side, lo, hi, top = 0
    cdef const int32_t *kids
    cdef double *one
    cdef double *other
    lay(p, least, work)
    forward(p, False)
    if p.C[p.n] == -INFINITY:
        memset(heads, 0, p.n * sizeof(int32_t))
        return -INFINITY
    push(p, &top, True, 0, p.n)
    while top:
        top -= 1
        a, m = p.todo[3 * top + 1], p.todo[3 * top + 2]
        h = p.child[a]
        kids = p.kids + h * N
        if p.todo[3 * top]:                 # the span C[a, m]
            if m == h:
                continue
            side = 0 if m > h else p.right[h]
            count = p.right[h] if m > h else p.all[h] - side
            while apart(kids[side + count - 1], h) > apart(m, h):
                count -= 1
            ends(p, kids + side, count, h, m)
            c = side + split(p.I + a * N + side, p.v, count)
            push(p, &top, False, a, c)
            push(p, &top, True, p.row[h * N + kids[c]], m)
            continue
        c, m = m, kids[m]                   # the arc I[a, c]
        heads[m - 1] = <int32_t>h
        lo, hi = min(h, m), max(h, m)
        if p.siblings == NULL:
            one = left_of(p, p.C, h, lo, hi, &other)
            k = lo if h == 0 and p.one_root else lo + split(one, other, hi - lo)
            push(p, &top, True, lo, k)
            push(p, &top, True, hi, k + 1)
            continue
        side = 0 if m > h else p.right[h]
        count = behind(p, h, m, kids + side, c - side, False)
        s = side + split(p.I + a * N + side, p.b, count)
        if count == 0 or nearest(p, h, m) >= p.I[a * N + s] + p.b[s - side]:
            push(p, &top, True, p.row[h * N + m], h + 1 if m > h else h - 1)
            continue
        push(p, &top, False, a, s)
        s = kids[s]
        lo, hi = min(s, m), max(s, m)
        one = left_of(p, p.C, h, lo, hi, &other)
        k = lo + split(one, other, hi - lo)
        push(p, &top, True, p.row[h * N + lo], k)
        push(p, &top, True, p.row[h * N + hi], k + 1)
    return p.C[p.n]


cdef inline void share(double d, double whole, const double *x, const double *y, int64_t n, double *dx, double *dy) noexcept nogil:
    """Pass a derivative back through whole = (+) over k of x_k + y_k."""
    cdef int64_t k
    cdef double part
    for k in range(n):
        part = d * exp(x[k] + y[k] - whole)
        dx[k] += part
        dy[k] += part


cdef void arc_back(const Spans *p, int64_t h, int64_t m, int64_t side, int64_t c, double *P, float *Q, float *E) noexcept nogil:
    cdef int64_t N = p.n + 1, a, s, i, j, count, at
    cdef double d, whole, first, dfirst = 0
    cdef const int32_t *kids = p.kids + h * N + side
    cdef double *one
    cdef double *other
    cdef double *done
    cdef double *dother
    if p.siblings == NULL:
        d = P[h * N + m] = p.dI[h * N + side + c]
        if h == 0 and p.one_root:
            p.dC[m * N + 1] += d
        else:
            p.dB[min(h, m) * N + max(h, m)] += d
        return
    count = behind(p, h, m, kids, c, True)
    first = nearest(p, h, m)
    memset(p.db, 0, count * sizeof(double))
    for a in range(p.first[h], p.first[h + 1]):
        d = p.dI[a * N + side + c]
        if d > 0 and reaches(p, a, h, m):
            P[h * N + m] += d
            if E != NULL and h > 0:
                E[grand_place(p.head[a], h, m, p.n)] = <float>d
            whole = p.I[a * N + side + c] - score(p, a, h, m)
            dfirst += d * exp(first - whole)
            share(d, whole, p.I + a * N + side, p.b, count, p.dI + a * N + side, p.db)
    at = place(h, h, m, p.n)
    Q[at] = <float>dfirst
    p.dC[p.row[h * N + m] * N + (h + 1 if m > h else h - 1)] += dfirst
    for s in range(count):
        if p.db[s] > 0:
            Q[at + apart(kids[s], h)] = <float>p.db[s]
            i, j = min(kids[s], m), max(kids[s], m)
            if p.grand == NULL:
                p.dB[i * N + j] += p.db[s]
                continue
            one = left_of(p, p.C, h, i, j, &other)
            done = left_of(p, p.dC, h, i, j, &dother)
            share(p.db[s], p.b[s] - p.siblings[at + apart(kids[s], h)], one, other, j - i, done, dother)


cdef double sums(Spans *p, double *work, double *P, float *Q, float *E) noexcept nogil:
    """Compute the marginals P of arcs [h, m], Q of siblings and E of grandparents, all of which must be 0 at the start, and
    return log Z."""
    cdef int64_t n = p.n, N = n + 1, width, h, e, left, side, a, c
    cdef double d
    cdef int32_t *seen
    cdef const int32_t *kids
    lay(p, NONE, work)
    forward(p, True)
    if p.C[n] == -INFINITY:
        return -INFINITY
    memset(p.dC, 0, p.rows * N * sizeof(double))
    memset(p.dI, 0, p.rows * N * sizeof(double))
    memset(p.dB, 0, N * N * sizeof(double))
    p.dC[n] = 1
    for width in range(n, 0, -1):
        if stopping():
            break
        for h in range(N):
            for left in range(2):
                e = h - width if left else h + width
                if e < 1 or e > n:
                    continue
                side = p.right[h] if left else 0
                seen = p.seen + 2 * h + left
                kids = p.kids + h * N + side
                ends(p, kids, seen[0], h, e)
                memset(p.db, 0, seen[0] * sizeof(double))
                for a in range(p.first[h], p.first[h + 1]):
                    d = p.dC[a * N + e]
                    if d > 0 and reaches(p, a, h, e):
                        share(d, p.C[a * N + e], p.I + a * N + side, p.v, seen[0], p.dI + a * N + side, p.db)
                for c in range(seen[0]):
                    p.dC[p.row[h * N + kids[c]] * N + e] += p.db[c]
                if seen[0] and kids[seen[0] - 1] == e:
                    seen[0] -= 1
                    arc_back(p, h, e, side, seen[0], P, Q, E)
        for h in range(N - width):
            e = h + width
            if p.dB[h * N + e] > 0:
                share(p.dB[h * N + e], p.B[h * N + e], p.C + h * N + h, p.C + e * N + h + 1, width, p.dC + h * N + h,
                      p.dC + e * N + h + 1)
    return p.C[n]
