# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Dependency trees: each token of a sentence has one head, another token or the root, and there is no circle.

    places:   n (n + 1), one for each arc from a head h = 0..n (0 is the root) to a token m = 1..n: place (m - 1) (n + 1) + h
    block 0:  places x 1      the arc
    block 1:  places x R      the relation of the arc, where there is more than one
    y[m - 1]  = h R + r       for each token its head and its relation
    cost      = tokens with a wrong head or relation

Projective trees, whose arcs do not cross, are those that spans can be put together to (Eisner 1996); the best and the sum over
all of them are the same recurrence, with max or with the logarithm of a sum of exponentials:

    arc[i, j]      = (+) over i <= k < j of right[i, k] + left[k + 1, j],   and then the score of i -> j or of j -> i
    right[i, j]    = (+) over i < k <= j of arc of i -> k + right[k, j]     all that i has to its right, down to j
    left[i, j]     = (+) over i <= k < j of left[i, k] + arc of j -> k

Marginals are the derivative of log Z, by going back through the recurrence. Of all trees the best is found by contracting circles
(Chu and Liu 1965, Edmonds 1967); the sum is a determinant, and marginals are in its inverse (Koo et al. 2007; Smith and Smith
2007). With `one_root` the root has one child.
"""

from libc.math cimport INFINITY, exp, fabs, log, sqrt
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Structure, Tables

cdef double NONE = -1e30


cdef class Tree(Structure):
    cdef readonly int n_relations
    cdef readonly bint projective
    cdef readonly bint one_root

    def __init__(self, int n_relations=1, *, bint projective=True, bint one_root=False):
        if n_relations < 1:
            raise ValueError(f"expected at least one relation, found {n_relations}")
        self.name = "tree"
        self.n_relations = n_relations
        self.projective = projective
        self.one_root = one_root
        self.outcomes = tuple([1] if n_relations == 1 else [1, n_relations])
        self.has_marginals = True

    @property
    def plain(self):
        return False

    @property
    def one_outcome(self):
        return False

    def given(self, int g):
        return None

    cdef int64_t room(self, int64_t places) noexcept nogil:
        return tokens(places)

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        return tokens(theta.places[0])

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        cdef int64_t N = tokens(places) + 1
        return 64 * N * N + 64 * N + 64

    cdef const float *relations(self, const Tables *theta, int64_t arc) noexcept nogil:
        return theta.block[1] + arc * theta.stride[1]

    cdef void arcs(self, const Tables *theta, double *S, bint summed) noexcept nogil:
        """S[h, m] = the score of an arc: of its best relation, or of all of them summed."""
        cdef int64_t n = tokens(theta.places[0]), N = n + 1, h, m, r, arc
        cdef double best, total
        cdef const float *row
        for m in range(1, N):
            for h in range(N):
                arc = (m - 1) * N + h
                if h == m:
                    S[h * N + m] = NONE
                    continue
                best = 0
                if self.n_relations > 1:
                    row = self.relations(theta, arc)
                    best = row[0]
                    for r in range(1, self.n_relations):
                        best = max(best, row[r])
                    if summed and best > NONE:
                        total = 0
                        for r in range(self.n_relations):
                            total += exp(row[r] - best)
                        best += log(total)
                S[h * N + m] = max(theta.block[0][arc * theta.stride[0]] + best, NONE)

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        """The first of equal relations."""
        cdef int64_t n = tokens(theta.places[0]), N = n + 1, m, r, best
        cdef double *S = <double *>theta.work
        cdef const float *row
        self.arcs(theta, S, False)
        if self.projective:
            self.eisner(S, n, y_hat)
        else:
            edmonds(S, n, self.one_root, y_hat)
        if self.n_relations == 1:
            return
        for m in range(1, N):
            row = self.relations(theta, (m - 1) * N + y_hat[m - 1])
            best = 0
            for r in range(1, self.n_relations):
                if row[r] > row[best]:
                    best = r
            y_hat[m - 1] = <int32_t>(y_hat[m - 1] * self.n_relations + best)

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        cdef int64_t m, arc, N = tokens(theta.places[0]) + 1
        cdef double total = 0
        for m in range(1, N):
            arc = (m - 1) * N + y[m - 1] // self.n_relations
            total += theta.block[0][arc * theta.stride[0]]
            if self.n_relations > 1:
                total += self.relations(theta, arc)[y[m - 1] % self.n_relations]
        return total

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t m, arc, N = tokens(table.places[0]) + 1
        for m in range(1, N):
            arc = (m - 1) * N + y[m - 1] // self.n_relations
            table.block[0][arc * table.stride[0]] += amount
            if self.n_relations > 1:
                table.block[1][arc * table.stride[1] + y[m - 1] % self.n_relations] += amount

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t m, h, r, arc, N = tokens(theta.places[0]) + 1
        for m in range(1, N):
            for h in range(N):
                arc = (m - 1) * N + h
                if h != y[m - 1] // self.n_relations:
                    theta.block[0][arc * theta.stride[0]] += amount
                elif self.n_relations > 1:
                    for r in range(self.n_relations):
                        if r != y[m - 1] % self.n_relations:
                            theta.block[1][arc * theta.stride[1] + r] += amount

    cdef void force(self, Tables *theta, const int32_t *y) noexcept nogil:
        """y[m - 1] >= 0 is the head and relation that m must have, -2 - y[m - 1] the one that it must not."""
        cdef int64_t m, h, r, not_this, N = tokens(theta.places[0]) + 1
        for m in range(1, N):
            if y[m - 1] == -1:
                continue
            not_this = -2 - y[m - 1]
            for h in range(N):
                if self.n_relations == 1:
                    if (h != y[m - 1]) if y[m - 1] >= 0 else (h == not_this):
                        theta.block[0][((m - 1) * N + h) * theta.stride[0]] = -INFINITY
                    continue
                for r in range(self.n_relations):
                    if (h * self.n_relations + r != y[m - 1]) if y[m - 1] >= 0 else (h * self.n_relations + r == not_this):
                        theta.block[1][((m - 1) * N + h) * theta.stride[1] + r] = -INFINITY

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        cdef int64_t n = tokens(theta.places[0]), N = n + 1, h, m, r, arc
        cdef double *S = <double *>theta.work
        cdef double *P = S + N * N
        cdef double logz, all
        cdef const float *row
        self.arcs(theta, S, True)
        logz = self.spans(S, n, P) if self.projective else determinant(S, n, self.one_root, P)
        for m in range(1, N):
            for h in range(N):
                arc = (m - 1) * N + h
                mu.block[0][arc * mu.stride[0]] = <float>P[h * N + m]
                if self.n_relations > 1:
                    row = self.relations(theta, arc)
                    all = S[h * N + m] - theta.block[0][arc * theta.stride[0]]
                    for r in range(self.n_relations):
                        mu.block[1][arc * mu.stride[1] + r] = <float>(
                            P[h * N + m] * exp(row[r] - all) if h != m and S[h * N + m] > NONE else 0)
        return logz

    cdef int64_t last_split(self, int64_t i, int64_t j) noexcept nogil:
        """What is left of an arc from the root is the root alone, if it has one child."""
        return 0 if i == 0 and self.one_root else j - 1

    cdef void eisner(self, const double *S, int64_t n, int32_t *heads) noexcept nogil:
        cdef int64_t N = n + 1, size = N * N, i, j, k, width, top = 0
        cdef double *arc = <double *>S + size           # of i -> j where i < j, of j -> i in [j, i]
        cdef double *right = arc + size                 # [i, j]
        cdef double *left = right + size                # [j, i], so that k runs along a row
        cdef int32_t *at = <int32_t *>(left + size)     # where each was split
        cdef int32_t *right_at = at + size
        cdef int32_t *left_at = right_at + size
        cdef int32_t *todo = left_at + size             # spans to take apart: kind, i, j
        cdef double best, value
        cdef int64_t split
        for i in range(N):
            right[i * N + i] = left[i * N + i] = 0
        for width in range(1, N):
            for i in range(N - width):
                j = i + width
                best, split = 4 * NONE * N, i
                for k in range(i, self.last_split(i, j) + 1):
                    value = right[i * N + k] + left[j * N + k + 1]
                    if value > best:
                        best, split = value, k
                arc[i * N + j] = best + S[i * N + j]
                arc[j * N + i] = best + (S[j * N + i] if i > 0 else NONE)
                at[i * N + j] = <int32_t>split
                best, split = 4 * NONE * N, j
                for k in range(i + 1, j + 1):
                    value = arc[i * N + k] + right[k * N + j]
                    if value > best:
                        best, split = value, k
                right[i * N + j] = best
                right_at[i * N + j] = <int32_t>split
                best, split = 4 * NONE * N, i
                for k in range(i, j):
                    value = left[k * N + i] + arc[j * N + k]
                    if value > best:
                        best, split = value, k
                left[j * N + i] = best
                left_at[j * N + i] = <int32_t>split
        todo[0], todo[1], todo[2] = 0, 0, <int32_t>n
        top = 1
        while top:
            top -= 1
            i, j = todo[3 * top + 1], todo[3 * top + 2]
            if todo[3 * top] == 0:                      # right[i, j]
                if i == j:
                    continue
                k = right_at[i * N + j]
                heads[k - 1] = <int32_t>i
                push(todo, &top, 0, k, j)
                split = at[i * N + k]
                push(todo, &top, 0, i, split)
                push(todo, &top, 1, split + 1, k)
            else:                                       # left[i, j]
                if i == j:
                    continue
                k = left_at[j * N + i]
                heads[k - 1] = <int32_t>j
                push(todo, &top, 1, i, k)
                split = at[k * N + j]
                push(todo, &top, 0, k, split)
                push(todo, &top, 1, split + 1, j)

    cdef double spans(self, const double *S, int64_t n, double *P) noexcept nogil:
        """log Z over projective trees, and P[h, m] = p(h -> m)."""
        cdef int64_t N = n + 1, size = N * N, i, j, k, width
        cdef double *base = P + size                    # of both arcs between i and j, in [i, j]
        cdef double *right = base + size
        cdef double *left = right + size                # [j, i]
        cdef double *d_right = left + size
        cdef double *d_left = d_right + size
        cdef double most, total, d, p, logz
        for i in range(N):
            right[i * N + i] = left[i * N + i] = 0
        for width in range(1, N):
            for i in range(N - width):
                j = i + width
                most, total = -INFINITY, 0
                for k in range(i, self.last_split(i, j) + 1):
                    most = max(most, right[i * N + k] + left[j * N + k + 1])
                for k in range(i, self.last_split(i, j) + 1):
                    total += exp(right[i * N + k] + left[j * N + k + 1] - most)
                base[i * N + j] = most + log(total)
                most, total = -INFINITY, 0
                for k in range(i + 1, j + 1):
                    most = max(most, base[i * N + k] + S[i * N + k] + right[k * N + j])
                for k in range(i + 1, j + 1):
                    total += exp(base[i * N + k] + S[i * N + k] + right[k * N + j] - most)
                right[i * N + j] = most + log(total)
                if i == 0:
                    continue
                most, total = -INFINITY, 0
                for k in range(i, j):
                    most = max(most, left[k * N + i] + base[k * N + j] + S[j * N + k])
                for k in range(i, j):
                    total += exp(left[k * N + i] + base[k * N + j] + S[j * N + k] - most)
                left[j * N + i] = most + log(total)
        for i in range(size):
            P[i] = d_right[i] = d_left[i] = 0
        logz = right[n]
        d_right[n] = 1
        for width in range(n, 0, -1):
            for i in range(N - width):
                j = i + width
                d = d_right[i * N + j]
                if d > 0:
                    for k in range(i + 1, j + 1):
                        p = d * exp(base[i * N + k] + S[i * N + k] + right[k * N + j] - right[i * N + j])
                        P[i * N + k] += p
                        d_right[k * N + j] += p
                d = d_left[j * N + i]
                if d > 0:
                    for k in range(i, j):
                        p = d * exp(left[k * N + i] + base[k * N + j] + S[j * N + k] - left[j * N + i])
                        P[j * N + k] += p
                        d_left[k * N + i] += p
                d = P[i * N + j] + (P[j * N + i] if i > 0 else 0)
                if d > 0:
                    for k in range(i, self.last_split(i, j) + 1):
                        p = d * exp(right[i * N + k] + left[j * N + k + 1] - base[i * N + j])
                        d_right[i * N + k] += p
                        d_left[j * N + k + 1] += p
        return logz


cdef inline int64_t tokens(int64_t places) noexcept nogil:
    """n of n (n + 1)."""
    cdef int64_t n = <int64_t>sqrt(<double>places)
    return n if n * (n + 1) <= places else n - 1


cdef inline void push(int32_t *todo, int64_t *top, int kind, int64_t i, int64_t j) noexcept nogil:
    todo[3 * top[0]], todo[3 * top[0] + 1], todo[3 * top[0] + 2] = kind, <int32_t>i, <int32_t>j
    top[0] += 1


cdef void edmonds(const double *S, int64_t n, bint one_root, int32_t *heads) noexcept nogil:
    """The best tree of all. Nodes beyond n are contracted circles; of each the arc that enters it is known at the end, and says
    which of its nodes gets another head than it has in the circle."""
    cdef int64_t N = n + 1, M = 2 * N, size = N * N, u, v, w, x, node, count = N, on_path = 0
    cdef double *A = <double *>S + size                 # [u, v]: the best arc between two nodes
    cdef double *enters = A + M * M                     # its score into v
    cdef int32_t *head = <int32_t *>(enters + M)        # [u, v]: that arc's own ends
    cdef int32_t *child = head + M * M
    cdef int32_t *best = child + M * M                  # the node that the best arc into v is from
    cdef int32_t *within = best + M                     # the circle that a node was contracted into, -1 for none
    cdef int32_t *path = within + M
    cdef int32_t *state = path + M                      # 0 new, 1 on the path, 2 hangs from the root
    cdef int32_t *arc_head = state + M
    cdef int32_t *arc_child = arc_head + M
    cdef double most = 0, value
    for u in range(N):
        for v in range(1, N):
            if S[u * N + v] > NONE:
                most = max(most, fabs(S[u * N + v]))
    for u in range(N):
        for v in range(N):
            A[u * M + v] = S[u * N + v] if v > 0 and u != v else NONE
            if one_root and u == 0:
                A[u * M + v] -= 4 * (most + 1) * N
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
            # v is new: its best head
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
            # a circle, from u on the path to v: one node from here on
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
    # from the last circle inwards: the arc that enters it replaces the one of its node that it ends in
    for x in range(count - 1, N - 1, -1):
        v = arc_child[x]
        while within[v] != x:
            v = within[v]
        arc_head[v], arc_child[v] = arc_head[x], arc_child[x]
    for v in range(1, N):
        heads[v - 1] = arc_head[v]


cdef inline int64_t outermost(const int32_t *within, int64_t v) noexcept nogil:
    while within[v] >= 0:
        v = within[v]
    return v


cdef double determinant(const double *S, int64_t n, bint one_root, double *P) noexcept nogil:
    """log Z over all trees, and P[h, m] = p(h -> m): L is the Laplacian of the weights exp S, with those of the root in its
    diagonal, or in its first row if the root has one child."""
    cdef int64_t N = n + 1, size = N * N, h, m, k, pivot
    cdef double *L = P + size                   # n x n, rows heads, columns children
    cdef double *B = L + size                   # its inverse
    cdef double *top = B + size
    cdef double logz = 0, w, swap, factor
    for m in range(1, N):
        top[m] = NONE
        for h in range(N):
            top[m] = max(top[m], S[h * N + m])
        logz += top[m]
    for h in range(size):
        P[h] = 0
    for m in range(1, N):
        for h in range(N):
            P[h * N + m] = exp(S[h * N + m] - top[m]) if h != m else 0
    for m in range(1, N):
        L[(m - 1) * n + m - 1] = 0 if one_root else P[m]
        for h in range(1, N):
            if h != m:
                L[(h - 1) * n + m - 1] = -P[h * N + m]
                L[(m - 1) * n + m - 1] += P[h * N + m]
    if one_root:
        for m in range(1, N):
            L[m - 1] = P[m]
    for h in range(n):
        for m in range(n):
            B[h * n + m] = 1 if h == m else 0
    for k in range(n):
        pivot = k
        for h in range(k + 1, n):
            if fabs(L[h * n + k]) > fabs(L[pivot * n + k]):
                pivot = h
        if L[pivot * n + k] == 0:
            return -INFINITY
        if pivot != k:
            for m in range(n):
                swap = L[k * n + m]; L[k * n + m] = L[pivot * n + m]; L[pivot * n + m] = swap
                swap = B[k * n + m]; B[k * n + m] = B[pivot * n + m]; B[pivot * n + m] = swap
        logz += log(fabs(L[k * n + k]))
        factor = 1 / L[k * n + k]
        for m in range(n):
            L[k * n + m] *= factor
            B[k * n + m] *= factor
        for h in range(n):
            if h == k or L[h * n + k] == 0:
                continue
            factor = L[h * n + k]
            for m in range(n):
                L[h * n + m] -= factor * L[k * n + m]
                B[h * n + m] -= factor * B[k * n + m]
    for m in range(1, N):
        for h in range(N):
            if h == m:
                continue
            if one_root:
                w = B[(m - 1) * n] if h == 0 else (B[(m - 1) * n + m - 1] if m > 1 else 0) - (
                    B[(m - 1) * n + h - 1] if h > 1 else 0)
            else:
                w = B[(m - 1) * n + m - 1] - (B[(m - 1) * n + h - 1] if h > 0 else 0)
            P[h * N + m] = min(max(P[h * N + m] * w, 0), 1)
    return logz
