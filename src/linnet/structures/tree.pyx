# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Dependency trees: each token of a sentence has one head, another token or the root, and there is no cycle.

    places:   n (n + 1), one for each arc from a head h = 0..n (0 is the root) to a token m = 1..n: place (m - 1) (n + 1) + h
    block 0:  places x 1      the arc; -inf where it is out of GEN(x)
    block 1:  places x R      the relation of the arc, where there is more than one
    y[m - 1]  = h R + r       for each token its head and its relation
    cost      = tokens with a wrong head or relation

A tree is projective if its arcs do not cross; projective.pyx and nonprojective.pyx find the heads. With `one_root` the root has one
child. Where an arc is out of GEN(x), nothing else is read of it. Where no tree is left, the best is a tree of first order with as few
arcs that are out as possible, and all marginals are 0.

With `by_heads`, trees that differ in relations alone count as one among the k best (parts.pyx), the best of them.
"""

from libc.math cimport INFINITY, exp, log, sqrt
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from linnet.core.form cimport Tables
from linnet.structures cimport nonprojective, projective
from linnet.structures.parts cimport Part, Parted, keep, next_part
from linnet.structures.projective cimport NONE, Spans


cdef class Tree(Parted):
    def __init__(self, int n_relations=1, *, bint projective=True, bint one_root=False, bint by_heads=False):
        if n_relations < 1:
            raise ValueError(f"expected at least one relation, found {n_relations}")
        self.name = "tree"
        self.n_relations = n_relations
        self.projective = projective
        self.one_root = one_root
        self.unit = n_relations if by_heads else 1
        self.outcomes = tuple([1] if n_relations == 1 else [1, n_relations])
        self.has_marginals = True
        self.telling = n_relations > 1

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
        cdef int64_t n = tokens(places), N = n + 1
        return 2 * (2 * N * N + max(self.span_room(n), nonprojective.room(n) + N))

    cdef int64_t span_room(self, int64_t n) noexcept nogil:
        return projective.room(n, False)

    cdef const float *relations(self, const Tables *theta, int64_t arc) noexcept nogil:
        return theta.block[1] + arc * theta.stride[1]

    cdef void arcs(self, const Tables *theta, double *S, bint summed) noexcept nogil:
        """Compute S[h, m], the score of each arc: that of its best relation, or of all relations summed."""
        cdef int64_t N = tokens(theta.places[0]) + 1, h, m, r, arc
        cdef float best
        cdef double total, all
        cdef const float *row
        for m in range(1, N):
            for h in range(N):
                arc = (m - 1) * N + h
                all = theta.block[0][arc * theta.stride[0]]
                if h == m or all == -INFINITY:
                    S[h * N + m] = NONE
                    continue
                if self.n_relations > 1:
                    row = self.relations(theta, arc)
                    best = row[0]
                    for r in range(1, self.n_relations):
                        best = row[r] if row[r] > best else best
                    all += best
                    if summed and best > -INFINITY:
                        total = 0
                        for r in range(self.n_relations):
                            total += exp(row[r] - best)
                        all += log(total)
                S[h * N + m] = max(all, NONE)

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef int64_t N = tokens(theta.places[0]) + 1, m
        cdef double *S = <double *>theta.work
        self.arcs(theta, S, False)
        if self.heads(theta, S, NONE, y_hat) == -INFINITY:
            Tree.heads(self, theta, S, -INFINITY, y_hat)
        for m in range(1, N):
            y_hat[m - 1] = self.related(theta, m, y_hat[m - 1], NULL, 0)

    cdef void scores(self, const Tables *theta, const double *S, Spans *p) noexcept nogil:
        """Point p to all scores that a tree has."""
        p.n = tokens(theta.places[0])
        p.one_root = self.one_root
        p.S = S
        p.siblings = p.grand = NULL

    cdef double heads(self, const Tables *theta, const double *S, double least, int32_t *heads) noexcept nogil:
        """Write the heads of the best tree with arcs above `least`, and return its score; -inf if there is none. The memory
        after S is overwritten."""
        cdef Spans p
        cdef int64_t n = tokens(theta.places[0])
        cdef double *work = <double *>S + (n + 1) * (n + 1)
        cdef double value
        if self.projective:
            Tree.scores(self, theta, S, &p)
            return projective.best(&p, least, work, heads)
        value = nonprojective.edmonds(S, n, self.one_root, work, heads)
        return value if value > NONE / 2 else -INFINITY

    cdef int32_t related(self, const Tables *theta, int64_t m, int64_t h, const int32_t *out, int64_t n_out) noexcept nogil:
        """The integer of an output for head h of token m and its best relation, the first of equals, that is not among
        the n_out values of `out`; -1 if all are."""
        cdef int64_t r, best = -1
        cdef const float *row
        if self.n_relations == 1:
            return -1 if is_in(h, out, n_out, 1) else <int32_t>h
        row = self.relations(theta, (m - 1) * (tokens(theta.places[0]) + 1) + h)
        for r in range(self.n_relations):
            if (best < 0 or row[r] > row[best]) and not is_in(h * self.n_relations + r, out, n_out, self.unit):
                best = r
        return <int32_t>(h * self.n_relations + best) if best >= 0 else -1

    cdef int64_t cut_room(self, int64_t places) noexcept nogil:
        return 2 * (tokens(places) + 1) * (tokens(places) + 1)

    cdef bint whole(self, const Tables *theta, Part *part) noexcept nogil:
        cdef int64_t N = tokens(theta.places[0]) + 1
        cdef double *all = <double *>theta.work             # S of all arcs
        cdef double *S = all + N * N                        # S of the arcs in a part
        self.arcs(theta, all, False)
        memcpy(S, all, N * N * sizeof(double))
        return self.best_of(theta, S, NULL, part)

    cdef int cut(self, const Tables *theta, Part *parts, int n, int most, Part *one) noexcept nogil:
        """Cut up a part, as `Parted.cut` does, but over the scores S of arcs instead of copies of all tables."""
        cdef int64_t N = tokens(theta.places[0]) + 1, m, i, h
        cdef double *all = <double *>theta.work
        cdef double *S = all + N * N
        cdef Part *new = one + 1
        memcpy(S, all, N * N * sizeof(double))
        for m in range(1, N):
            if m > one.first:
                next_part(new, one, m - 1, one.y[m - 1])
                for i in range(new.n_out):
                    h = new.out[i] // self.n_relations
                    S[h * N + m] = self.without(theta, all, new, h)
                if self.best_of(theta, S, one.y, new):
                    n = keep(parts, n, most, new)
            h = one.y[m - 1] // self.n_relations
            for i in range(N):
                S[i * N + m] = all[i * N + m] if i == h else NONE
        return n

    cdef double without(self, const Tables *theta, const double *all, const Part *part, int64_t h) noexcept nogil:
        """The score of the arc from h to the first token of a part that is not fixed, with its best relation that the
        part does not rule out; NONE if there is none."""
        cdef int64_t N = tokens(theta.places[0]) + 1, m = part.first + 1, arc = part.first * N + h
        cdef int32_t value = self.related(theta, m, h, part.out, part.n_out)
        if value < 0 or all[h * N + m] == NONE:
            return NONE
        return max(theta.block[0][arc * theta.stride[0]] + self.relations(theta, arc)[value % self.n_relations], NONE)

    cdef bint best_of(self, const Tables *theta, const double *S, const int32_t *fixed, Part *part) noexcept nogil:
        """Find the best output of a part, and return whether there is one."""
        cdef int64_t m
        if self.heads(theta, S, NONE, part.y) == -INFINITY:
            return False
        if part.first:                  # The whole set of outputs has no fixed heads.
            memcpy(part.y, fixed, part.first * sizeof(int32_t))
        for m in range(part.first + 1, tokens(theta.places[0]) + 1):
            part.y[m - 1] = self.related(theta, m, part.y[m - 1], part.out, part.n_out if m == part.first + 1 else 0)
        part.value = self.score(theta, part.y)
        return True

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

    cdef void decide(self, Tables *theta, int64_t i, int32_t value, bint holds) noexcept nogil:
        """Fix or forbid decision i, the head and the relation of token i + 1. The value -1 - h stands for the head h with any
        relation."""
        cdef int64_t h, r, N = tokens(theta.places[0]) + 1
        for h in range(N):
            if value < 0 or self.n_relations == 1:
                if (h == (-1 - value if value < 0 else value)) != holds:
                    theta.block[0][(i * N + h) * theta.stride[0]] = -INFINITY
                continue
            for r in range(self.n_relations):
                if (h * self.n_relations + r == value) != holds:
                    theta.block[1][(i * N + h) * theta.stride[1] + r] = -INFINITY

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        cdef int64_t n = tokens(theta.places[0]), size = (n + 1) * (n + 1)
        cdef double *S = <double *>theta.work
        cdef double *P = S + size
        cdef Spans p
        cdef double logz
        self.arcs(theta, S, True)
        if self.projective:
            self.scores(theta, S, &p)
            logz = self.sums(&p, P, mu)
        else:
            logz = nonprojective.elimination(S, n, self.one_root, P + size, P)
        self.relation_marginals(theta, S, P, mu)
        return logz

    cdef double sums(self, Spans *p, double *P, Tables *mu) noexcept nogil:
        """Compute the marginals P of arcs, and those of the other blocks, and return log Z."""
        cdef int64_t size = (p.n + 1) * (p.n + 1)
        memset(P, 0, size * sizeof(double))
        return projective.sums(p, P + size, P, NULL, NULL)

    cdef void relation_marginals(self, const Tables *theta, const double *S, const double *P, Tables *mu) noexcept nogil:
        """Write the marginals of arcs, and the share of each relation in them."""
        cdef int64_t N = tokens(theta.places[0]) + 1, h, m, r, arc
        cdef double all
        cdef const float *row
        for m in range(1, N):
            for h in range(N):
                arc = (m - 1) * N + h
                mu.block[0][arc * mu.stride[0]] = <float>P[h * N + m]
                if self.n_relations > 1:
                    row = self.relations(theta, arc)
                    all = S[h * N + m] - theta.block[0][arc * theta.stride[0]]
                    for r in range(self.n_relations):
                        mu.block[1][arc * mu.stride[1] + r] = <float>(P[h * N + m] * exp(row[r] - all)) if P[h * N + m] > 0 else 0


cdef int64_t tokens(int64_t places) noexcept nogil:
    """The number n of tokens, given n (n + 1) places."""
    cdef int64_t n = <int64_t>sqrt(<double>places)
    return n if n * (n + 1) <= places else n - 1


cdef inline bint is_in(int64_t value, const int32_t *values, int64_t n, int64_t unit) noexcept nogil:
    cdef int64_t i
    for i in range(n):
        if values[i] // unit == value // unit:
            return True
    return False
