# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""All trees, projective or not. The best tree of first order is found by contracting cycles (Chu and Liu 1965, Edmonds 1967).

The sum over all trees is a determinant (Koo et al. 2007; Smith and Smith 2007). It is computed without a subtraction,
so that no digits are lost (Grassmann, Taksar and Heyman 1985): one token k after the other is left out, and what was
below it goes to its heads. With weights a[h, m] = exp S[h, m], and h over the root and the tokens that are left,

    d_k       = sum_h a[h, k]
    a[h, m]  += a[h, k] a[k, m] / d_k
    log Z     = sum_k log d_k

If the root may have one child only, the root is among the h of d_k for the last token alone. Marginals are a[h, m] d
log Z / d a[h, m], computed by going back through these steps.

The best tree of second order is hard to find. From a good tree on, the head of one token is changed at a time, always
the change that gains most, as long as anything is gained (McDonald and Pereira 2006, who start from the best projective
tree; the best tree of first order is as good a start).
"""

from libc.math cimport INFINITY, exp, fabs, log
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from linnet.core.interrupt cimport stopping
from linnet.structures.projective cimport NONE, grand_place, place

# The smallest logarithm of a weight, relative to the largest of the same token; a weight below it counts as 0.
cdef double LEAST = -600
cdef double ENOUGH = 1e-7       # least gain for which a head is changed


cdef int64_t room(int64_t n) noexcept nogil:
    """The number of doubles that `work` needs."""
    return 8 * (n + 1) * (n + 1) + 8 * (n + 1) + 8


cdef double edmonds(const double *S, int64_t n, bint one_root, double *work, int32_t *heads) noexcept nogil:
    """Find the best of all trees, and return its score. Nodes beyond n are contracted cycles; the arc that enters each
    of them is known at the end, and says which of its nodes gets another head than it has in the cycle. It matters most
    that the root has one child (`one_root`), then that few arcs are used that are out of GEN(x), and last the score:
    `out` is so large that no score makes up for it."""
    cdef int64_t N = n + 1, M = 2 * N, u, v, w, x, node, count = N, on_path = 0
    cdef double *A = work                 # [u, v]: the best arc between two nodes
    cdef double *enters = A + M * M                     # the score of the best arc into v
    cdef int32_t *head = <int32_t *>(enters + M)        # [u, v]: the tokens that this arc goes from and, in `child`, to
    cdef int32_t *child = head + M * M
    cdef int32_t *best = child + M * M                  # the node from which the best arc into v comes
    cdef int32_t *within = best + M                     # the cycle that a node was contracted into, -1 for none
    cdef int32_t *path = within + M
    cdef int32_t *state = path + M                      # 0 for new nodes, 1 on the path, 2 where they hang from the root
    cdef int32_t *arc_head = state + M
    cdef int32_t *arc_child = arc_head + M
    cdef double most = 0, out, value, total = 0
    for u in range(N):
        for v in range(1, N):
            if S[u * N + v] > NONE:
                most = max(most, fabs(S[u * N + v]))
    out = 4 * (most + 1) * N
    for u in range(N):
        for v in range(N):
            A[u * M + v] = 2 * NONE if v == 0 or u == v else S[u * N + v] if S[u * N + v] > NONE else -out
            if one_root and u == 0:
                A[u * M + v] -= 4 * out * N
            head[u * M + v], child[u * M + v] = <int32_t>u, <int32_t>v
    for v in range(M):
        within[v], state[v] = -1, 0
    state[0] = 2
    for node in range(1, N):
        v = outermost(within, node)
        if state[v] == 2:
            continue
        on_path = 0
        while state[v] != 2:
            # Node v is new: find its best head.
            path[on_path] = <int32_t>v
            on_path += 1
            state[v] = 1
            u = -1
            for w in range(count):
                if w != v and within[w] < 0 and (u < 0 or A[w * M + v] > A[u * M + v]):
                    u = w
            best[v] = <int32_t>u
            enters[v] = A[u * M + v]
            arc_head[v], arc_child[v] = head[u * M + v], child[u * M + v]
            if state[u] != 1:
                v = u
                continue
            # There is a cycle from u on the path to v: from here on it is one node.
            x = count
            count += 1
            within[x], state[x] = -1, 0
            for w in range(x):
                A[w * M + x] = A[x * M + w] = 2 * NONE
            A[x * M + x] = 2 * NONE
            while True:
                on_path -= 1
                v = path[on_path]
                within[v] = <int32_t>x
                if v == u:
                    break
            for v in range(x):
                if within[v] != x:
                    continue
                for w in range(x):
                    if within[w] >= 0:
                        continue
                    value = A[w * M + v] - enters[v]
                    if value > A[w * M + x]:
                        A[w * M + x] = value
                        head[w * M + x], child[w * M + x] = head[w * M + v], child[w * M + v]
                    if A[v * M + w] > A[x * M + w]:
                        A[x * M + w] = A[v * M + w]
                        head[x * M + w], child[x * M + w] = head[v * M + w], child[v * M + w]
            v = x
        for w in range(on_path):
            state[path[w]] = 2
    # From the last cycle inwards, the arc that enters it replaces the one into the node where it ends.
    for x in range(count - 1, N - 1, -1):
        v = arc_child[x]
        while within[v] != x:
            v = within[v]
        arc_head[v], arc_child[v] = arc_head[x], arc_child[x]
    for v in range(1, N):
        heads[v - 1] = arc_head[v]
        total += S[arc_head[v] * N + v]
    return total


cdef inline int64_t outermost(const int32_t *within, int64_t v) noexcept nogil:
    while within[v] >= 0:
        v = within[v]
    return v


cdef double elimination(const double *S, int64_t n, bint one_root, double *work, double *P) noexcept nogil:
    """Compute P[h, m] = p(h -> m) over all trees, and return log Z."""
    cdef int64_t N = n + 1, size = N * N, h, m, k, i, j, left
    cdef double *a = work                               # [m, h]: weights of arcs
    cdef double *da = a + size
    cdef double *d = da + size
    cdef double *top = d + N
    cdef int32_t *order = <int32_t *>(top + N)          # the tokens that are left; after them those left out, the last one first
    cdef double logz = 0, share, mean
    memset(P, 0, size * sizeof(double))
    for m in range(1, N):
        order[m - 1] = <int32_t>m
        top[m] = NONE
        for h in range(N):
            if h != m:
                top[m] = max(top[m], S[h * N + m])
        if top[m] == NONE:
            return -INFINITY
        logz += top[m]
        for h in range(N):
            a[m * N + h] = exp(S[h * N + m] - top[m]) if h != m and S[h * N + m] - top[m] > LEAST else 0
    for left in range(n, 0, -1):
        if stopping():
            return -INFINITY
        for i in range(left - 1, -1, -1):
            k = order[i]
            d[k] = a[k * N] if left == 1 or not one_root else 0
            for j in range(left):
                d[k] += a[k * N + order[j]]
            if d[k] > 0:
                break
        else:
            return -INFINITY
        order[i], order[left - 1] = order[left - 1], order[i]
        logz += log(d[k])
        for j in range(left - 1):
            m = order[j]
            share = a[m * N + k] / d[k]
            if share == 0:
                continue
            a[m * N] += share * a[k * N]
            for i in range(left - 1):
                if i != j:
                    a[m * N + order[i]] += share * a[k * N + order[i]]
    for left in range(1, N):
        if stopping():
            return -INFINITY
        k = order[left - 1]
        mean = 0
        for i in range(-1, left - 1):
            h = order[i] if i >= 0 else 0
            da[k * N + h] = 0
            if a[k * N + h] == 0:
                continue
            for j in range(left - 1):
                if i != j:
                    da[k * N + h] += da[order[j] * N + h] * a[order[j] * N + k]
            mean += da[k * N + h] * a[k * N + h]
        mean /= d[k]
        for j in range(left - 1):
            m = order[j]
            da[m * N + k] = 0
            if a[m * N + k] == 0:
                continue
            for i in range(-1, left - 1):
                if i != j:
                    h = order[i] if i >= 0 else 0
                    da[m * N + k] += da[m * N + h] * a[k * N + h]
            da[m * N + k] /= d[k]
        for i in range(-1, left - 1):
            h = order[i] if i >= 0 else 0
            if a[k * N + h] > 0:
                da[k * N + h] += 1 - mean if h > 0 or left == 1 or not one_root else 0
                da[k * N + h] /= d[k]
    for m in range(1, N):
        for h in range(N):
            if h != m and S[h * N + m] - top[m] > LEAST:
                P[h * N + m] = min(max(exp(S[h * N + m] - top[m]) * da[m * N + h], 0), 1)
    return logz


cdef struct Trees:
    int64_t n
    const double *S
    const float *siblings
    const float *grand
    const int32_t *heads
    int32_t *child              # [h]: one of its children, 0 for none
    int32_t *next               # [m]: the next child of the same head


cdef double attached(const Trees *t, int64_t h, int64_t s, int64_t m, int64_t c) noexcept nogil:
    """The score that is gained where the head of m is h, after its child s (h for none) and before c (0 for none)."""
    cdef int64_t n = t.n, below
    cdef double total = t.S[h * (n + 1) + m] + t.siblings[place(h, s, m, n)]
    if c:
        total += t.siblings[place(h, m, c, n)] - t.siblings[place(h, s, c, n)]
    if t.grand != NULL:
        if h > 0:
            total += t.grand[grand_place(t.heads[h - 1], h, m, n)]
        below = t.child[m]
        while below:
            total += t.grand[grand_place(h, m, below, n)]
            below = t.next[below]
    return total


cdef int64_t following(const Trees *t, int64_t h, int64_t m, int64_t step) noexcept nogil:
    """The next child of h after m, 0 for none."""
    m += step
    while 1 <= m <= t.n and t.heads[m - 1] != h:
        m += step
    return m if 1 <= m <= t.n else 0


cdef bint comes_to(const int32_t *heads, int64_t h, int64_t m) noexcept nogil:
    """Whether h is m or below it."""
    while h > 0 and h != m:
        h = heads[h - 1]
    return h == m


cdef double climb(const double *S, const float *siblings, const float *grand, int64_t n, bint one_root, double *work,
                  int32_t *heads) noexcept nogil:
    """Starting from these heads, change one at a time while the score rises, and return the score."""
    cdef int64_t N = n + 1, h, m, s, c, step, best_h, best_m
    cdef double *now = work                     # the score that each token adds with its current head
    cdef double most, gain, total
    cdef Trees t
    t.n, t.S, t.siblings, t.grand, t.heads = n, S, siblings, grand, heads
    t.child = <int32_t *>(now + N)
    t.next = t.child + N
    while True:
        memset(t.child, 0, N * sizeof(int32_t))
        for m in range(1, N):
            t.next[m] = t.child[heads[m - 1]]
            t.child[heads[m - 1]] = <int32_t>m
        total = 0
        for h in range(N):
            for step in range(-1, 2, 2):
                s, m = h, following(&t, h, h, step)
                while m:
                    c = following(&t, h, m, step)
                    now[m] = attached(&t, h, s, m, c)
                    total += S[h * N + m] + siblings[place(h, s, m, n)]
                    if grand != NULL and h > 0:
                        total += grand[grand_place(heads[h - 1], h, m, n)]
                    s, m = m, c
        most, best_h, best_m = ENOUGH, 0, 0
        for h in range(1 if one_root else 0, N):
            for step in range(-1, 2, 2):
                s, c, m = h, following(&t, h, h, step), h + step
                while 1 <= m <= n:
                    if m == c:
                        s, c = m, following(&t, h, m, step)
                    elif S[h * N + m] > NONE:
                        gain = attached(&t, h, s, m, c) - now[m]
                        if gain > most and not comes_to(heads, h, m):
                            most, best_h, best_m = gain, h, m
                    m += step
        if best_m == 0 or stopping():
            return total
        heads[best_m - 1] = <int32_t>best_h
