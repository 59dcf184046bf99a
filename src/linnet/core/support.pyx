# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Learning in the dual: what an example has added to w is kept with the example, and w is never written down.

    alpha_s = sum of m_p over the places p with the row x_s,    theta_p = alpha_0 + sum_s alpha_s k(x_p, x_s)
    W -= tau X^T r      is      m_p -= tau r_p      at the places p of the example

Equal rows are one row, compared once. k(x_p, .) of the first rows is kept as far as there is room (`cache`, in MB).

With a `budget`, at most so many examples stay: one more makes that one forgotten whose leaving changes w least, by
sum_p ||m_p||^2 (1 + k(x_p, x_p)), and of equals the one that learned longest ago (Crammer, Kandola and Singer 2003 for the idea;
Wang, Crammer and Vucetic 2012 for this choice).
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from linnet.core.form cimport MAX_BLOCKS, Block, Loss, Machine, Step, Structure, Weights, first
from linnet.core.kernel cimport Rows, Similarity, Support, compare, gather, similarity, spread, with_itself
from linnet.core.online cimport Online

from itertools import pairwise

import numpy as np


def without_zeros(block):
    """indptr, indices and values of a block, without what is 0."""
    indptr, indices, values = (np.asarray(part) for part in block.arrays()[:3])
    keep = values != 0
    if keep.all():
        return indptr, indices, values
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(keep)])[indptr], indices[keep], values[keep]


def distinct(block):
    """For each place the number of its row among the distinct ones; and for each of those a place that has it."""
    indptr, indices, values = without_zeros(block)
    number, own = {}, np.empty(len(indptr) - 1, np.int64)
    for p, (a, b) in enumerate(pairwise(indptr.tolist())):
        own[p] = number.setdefault((indices[a:b].tobytes(), values[a:b].tobytes()), len(number))
    return own, np.unique(own, return_index=True)[1]


def rows_of(block, places):
    """indptr, indices and values of some places."""
    indptr, indices, values = without_zeros(block)
    lengths = np.diff(indptr)[places]
    ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    at = np.repeat(indptr[places] - ends[:len(places)], lengths) + np.arange(lengths.sum())
    return ends, indices[at], values[at]


cdef class Supported(Online):
    """An online learner in the dual. Its weights are alpha: a row for the bias and for each distinct row of the examples."""
    cdef tuple n_columns                    # features of each block, the bias counted
    cdef Similarity how
    cdef int64_t budget, n_floats
    cdef tuple blocks
    cdef readonly dict kept                 # what each place and each example has; with alpha, all that is learned
    cdef list owners
    cdef list learned                       # what last() gives as long as there are no examples to learn from
    cdef Support to[MAX_BLOCKS]
    cdef const int64_t *own[MAX_BLOCKS]     # place -> its row
    cdef float *m[MAX_BLOCKS]
    cdef int64_t *uses[MAX_BLOCKS]          # of each row: its places whose m is not 0
    cdef float *cache[MAX_BLOCKS]
    cdef int64_t n_cached[MAX_BLOCKS]
    cdef unsigned char *cached[MAX_BLOCKS]
    cdef double *effect                     # of each example, 0 where it has none
    cdef double *when
    cdef double *cost                       # what a subclass keeps of it
    cdef readonly int64_t support           # examples with an effect
    cdef int64_t n_examples

    def __init__(self, Structure gen, Loss loss, Step step, n_features, *, int64_t budget=0, double cache=200, **how):
        super().__init__(gen, loss, step, (0,) * len(n_features))
        self.n_columns = tuple([n + 1 for n in n_features])
        self.how = similarity(how)
        self.budget = budget
        self.n_floats = <int64_t>(cache * (1 << 18))
        self.kept = {}
        self.learned = [np.array(self.n_columns, np.uint64)]
        for w in self.weights:
            nothing = np.zeros(1, np.uint64), np.zeros(0, np.uint32), np.zeros(0, np.float32)
            self.learned += [w.arrays["v"], *nothing]

    def run(self, tuple blocks, y, y_at, order, weight=None):
        if self.blocks is not blocks:
            self._compare_with(blocks)
        super().run(blocks, y, y_at, order, weight)

    cdef int take(self, tuple blocks, tuple n_rows) except -1:
        return Machine.take(self, blocks, self.n_columns)

    def _compare_with(self, tuple blocks):
        """The rows of these examples are those that all are compared with."""
        cdef int g
        cdef Rows held
        cdef const int64_t[::1] own
        cdef int64_t[::1] uses
        cdef float[:, ::1] m
        cdef float[::1] cache
        cdef unsigned char[::1] cached
        cdef int64_t n
        Machine.take(self, blocks, self.n_columns)
        self.owners = []
        for g in range(self.theta.n_blocks):
            n_features = self.n_columns[g] - 1
            own_rows, places = distinct(blocks[g])
            places = places if n_features else places[:0]
            held = Rows(*rows_of(blocks[g], places), n_features)
            n = held.at.n
            self._keep(f"m{g}", (len(own_rows), self.theta.stride[g]), np.float32)
            if self.t and len(self.weights[g].arrays["v"]) != n + 1:
                raise ValueError("these are not the examples that were learned from so far")
            (<Weights>self.weights[g]).grow(n + 1)
            own, m = own_rows, self.kept[f"m{g}"]
            used = np.asarray(m).any(axis=1)
            use_counts = np.bincount(own_rows[used], minlength=max(n, 1)) if n else np.zeros(1, np.int64)
            uses = use_counts
            self.n_cached[g] = min(n, self.n_floats // max(n, 1))
            cache = np.zeros(max(n * self.n_cached[g], 1), np.float32)
            cached = np.zeros(n + 1, np.uint8)
            self.to[g], self.own[g], self.uses[g] = held.at, &own[0], &uses[0]
            self.m[g] = &m[0, 0] if m.shape[0] else NULL
            self.cache[g], self.cached[g] = &cache[0], &cached[0]
            self.owners.append((held, own, uses, m, cache, cached))
        self._point()
        self.n_examples = (<Block>blocks[0]).n
        self.effect, self.when, self.cost = self.each("effect"), self.each("when"), self.each("cost")
        self.support = np.count_nonzero(self.kept["effect"])
        self.blocks = blocks

    cdef double *each(self, str name) except NULL:
        """A number for each example."""
        cdef double[::1] numbers
        self._keep(name, (max(self.n_examples, 1),), np.float64)
        numbers = self.kept[name]
        return &numbers[0]

    def _keep(self, name, shape, kind):
        if name not in self.kept:
            self.kept[name] = np.zeros(shape, kind)
        if self.kept[name].shape != shape:
            raise ValueError("these are not the examples that were learned from so far")

    cdef void score(self, int g, int64_t i, const float *v, double a) noexcept nogil:
        """theta_g of example i, with alpha = v."""
        cdef int stride = self.theta.stride[g], j
        cdef int64_t p, s, begin = first(&self.x[g], i), end = first(&self.x[g], i + 1), n = self.to[g].n
        cdef float *theta = self.theta.block[g]
        cdef const float *k
        cdef const float *alpha
        self.theta.places[g] = self.r.places[g] = end - begin
        for p in range(begin, end):
            memcpy(theta, v, stride * sizeof(float))
            if n:
                k = self.row(g, p)
                for s in range(n):
                    if self.uses[g][s]:
                        alpha = v + (s + 1) * stride
                        for j in range(stride):
                            theta[j] += k[s] * alpha[j]
            theta += stride

    cdef const float *row(self, int g, int64_t p) noexcept nogil:
        """k(x_p, .), where there is no room for it only of those rows that are in use."""
        cdef Support *to = &self.to[g]
        cdef int64_t s, own = self.own[g][p]
        cdef bint whole = own < self.n_cached[g]
        cdef float *k = self.cache[g] + own * to.n if whole else to.k
        cdef double length2
        if whole and self.cached[g][own]:
            return k
        length2 = spread(to, &self.x[g], p)
        for s in range(to.n):
            if whole or self.uses[g][s]:
                k[s] = <float>compare(to, &self.how, length2, s)
        gather(to, &self.x[g], p)
        if whole:
            self.cached[g][own] = True
        return k

    cdef double norm2(self, int64_t i) except -1 nogil:
        """||X^T r||^2 = sum over places p and q of r_p.r_q (1 + k(x_p, x_q))"""
        cdef int g, j, stride
        cdef int64_t p, q, begin
        cdef double total = 0, dot, length2 = 0
        cdef const float *r
        for g in range(self.theta.n_blocks):
            begin, stride, r = first(&self.x[g], i), self.r.stride[g], self.r.block[g]
            for p in range(self.r.places[g]):
                if not any_of(r + p * stride, stride):
                    continue
                if self.to[g].n:
                    length2 = spread(&self.to[g], &self.x[g], begin + p)
                for q in range(p, self.r.places[g]):
                    dot = 0
                    for j in range(stride):
                        dot += <double>r[p * stride + j] * r[q * stride + j]
                    if dot == 0:
                        continue
                    if q > p:
                        dot *= 2
                    total += dot
                    if self.to[g].n:
                        total += dot * compare(&self.to[g], &self.how, length2, self.own[g][begin + q])
                if self.to[g].n:
                    gather(&self.to[g], &self.x[g], begin + p)
        return total

    cdef int update(self, int64_t i, double tau) except -1 nogil:
        """m -= tau r; and what is too much for the budget is forgotten."""
        cdef int g
        cdef int64_t p, begin
        for g in range(self.theta.n_blocks):
            begin = first(&self.x[g], i)
            for p in range(self.r.places[g]):
                self.move(g, begin + p, self.r.block[g] + p * self.r.stride[g], <float>-tau)
        self.support -= self.effect[i] > 0
        self.effect[i] = self.effect_of(i)
        self.support += self.effect[i] > 0
        self.when[i] = self.t
        if self.budget and self.support > self.budget:
            self.forget(i)
        return 0

    cdef void move(self, int g, int64_t p, const float *r, float amount) noexcept nogil:
        """m_p += amount r, and alpha with it."""
        cdef int j, stride = self.theta.stride[g]
        cdef float *m = self.m[g] + p * stride
        cdef float *alpha = self.w[g].v
        cdef int64_t own
        cdef bint before = any_of(m, stride)
        if not any_of(r, stride):
            return
        for j in range(stride):
            alpha[j] += amount * r[j]
        if self.to[g].n == 0:
            for j in range(stride):
                m[j] += amount * r[j]
            return
        own = self.own[g][p]
        alpha += (own + 1) * stride
        for j in range(stride):
            alpha[j] += amount * r[j]
        for j in range(stride):
            m[j] += amount * r[j]
        self.uses[g][own] += any_of(m, stride) - before
        if self.uses[g][own] == 0:
            memset(alpha, 0, stride * sizeof(float))

    cdef double effect_of(self, int64_t i) noexcept nogil:
        """sum_p ||m_p||^2 (1 + k(x_p, x_p))"""
        cdef int g, j, stride
        cdef int64_t p
        cdef double total = 0, size
        for g in range(self.theta.n_blocks):
            stride = self.theta.stride[g]
            for p in range(first(&self.x[g], i), first(&self.x[g], i + 1)):
                size = 0
                for j in range(stride):
                    size += <double>self.m[g][p * stride + j] * self.m[g][p * stride + j]
                if self.to[g].n:
                    size *= 1 + with_itself(&self.how, self.to[g].length2[self.own[g][p]])
                total += size
        return total

    cdef void forget(self, int64_t but) noexcept nogil:
        """The example with the least effect, of equals the oldest; not the one that has just been learned from."""
        cdef int g
        cdef int64_t i, p, least = -1
        for i in range(self.n_examples):
            if i == but or self.effect[i] == 0:
                continue
            if least < 0 or self.effect[i] < self.effect[least] or (
                    self.effect[i] == self.effect[least] and self.when[i] < self.when[least]):
                least = i
        for g in range(self.theta.n_blocks):
            for p in range(first(&self.x[g], least), first(&self.x[g], least + 1)):
                self.move(g, p, self.m[g] + p * self.theta.stride[g], -1)
        self.effect[least] = self.cost[least] = 0
        self.support -= 1

    def last(self):
        """What a Compared holds: of alpha and of the rows, those that are in use."""
        if self.blocks is None:
            return list(self.learned)
        arrays = [np.array(self.n_columns, np.uint64)]
        for g, w in enumerate(self.weights):
            alpha = w.arrays["v"]
            held, _, uses = self.owners[g][:3]
            used = np.flatnonzero(np.asarray(uses)[: len(alpha) - 1])
            indptr, indices, values = rows_of(Block(held.indptr, held.indices, held.values), used)
            arrays += [alpha[np.concatenate([[0], used + 1])], indptr.astype(np.uint64), indices, values]
        return arrays

    def settle(self, bint averaged):
        return self.last()

    def sample(self):
        """Nothing: there are no weights to watch."""
        return []

    def moved(self, since):
        return np.nan, 1.0

    def state(self):
        arrays, numbers = super().state()
        return arrays | self.kept | {f"learned{k}": array for k, array in enumerate(self.last())}, numbers

    def restore(self, arrays, numbers):
        for g, w in enumerate(self.weights):
            (<Weights>w).grow(len(arrays[f"v{g}"]))
        self._point()
        super().restore(arrays, numbers)
        kept = [name for name in arrays if name in ("effect", "when", "cost") or name[0] == "m"]
        self.kept = {name: np.array(arrays[name]) for name in kept}
        self.learned = [np.array(arrays[f"learned{k}"]) for k in range(len(self.learned))]
        self.blocks = None


cdef bint any_of(const float *r, int n) noexcept nogil:
    cdef int j
    for j in range(n):
        if r[j] != 0:
            return True
    return False


cdef class Counted(Supported):
    """How often each row had which outcome: alpha is the sum of mu(y). Nothing is scored while it is learned."""

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef int g
        for g in range(self.theta.n_blocks):
            self.theta.places[g] = self.r.places[g] = first(&self.x[g], i + 1) - first(&self.x[g], i)
        self.clear(&self.r)
        self.gen.add(&self.r, y, -1)
        self.t += 1
        self.updates += 1
        self.update(i, weight)
        return 0


cdef class SupportVectors(Supported):
    """The support vector machine in its dual: block-coordinate Frank-Wolfe (Lacoste-Julien et al. 2013, alg. 4).

        primal   1/2 ||w||^2 + C sum_i weight_i H_i,    H_i = max_y theta_i.mu(y) + cost(y_i, y) - theta_i.mu(y_i)
        dual     -1/2 ||w||^2 + C sum_i weight_i l_i

    m_i is C weight_i (mu(y_i) - a mean of mu(y)), and l_i the mean of cost(y_i, y). A step goes from that mean towards the output
    that is most violated, as far as is best. 1/2 ||w||^2 is 1/2 sum_i theta_i.m_i.
    """
    cdef double C
    cdef public double gap, size
    cdef bint still                     # only measure

    def __init__(self, Structure gen, Step step, n_features, *, double C, **options):
        super().__init__(gen, None, step, n_features, **options)
        self.C = C

    def begin(self):
        super().begin()
        self.gap = self.size = 0

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef int g
        cdef int64_t k
        cdef float *m
        cdef double H, cost, norm2, tau, most = self.C * weight, own = 0, left
        if not self.still:
            self.t += 1
        if weight <= 0:
            return 0
        for g in range(self.theta.n_blocks):
            self.score(g, i, self.w[g].v, 1)
            m = self.m[g] + first(&self.x[g], i) * self.r.stride[g]
            for k in range(self.r.places[g] * self.r.stride[g]):
                own += <double>self.theta.block[g][k] * m[k]
        self.clear(&self.r)
        self.gen.add_cost(&self.r, y, 1)
        self.gen.add_cost(&self.theta, y, 1)
        self.gen.argmax(&self.theta, self.y_hat)
        cost = self.gen.score(&self.r, self.y_hat) - self.gen.score(&self.r, y)
        H = self.gen.score(&self.theta, self.y_hat) - self.gen.score(&self.theta, y)
        left = H + own / most - self.cost[i]
        self.total += weight * H
        self.gap += weight * left
        self.size += own
        if self.still or left <= 0:
            return 0
        for g in range(self.theta.n_blocks):
            m = self.m[g] + first(&self.x[g], i) * self.r.stride[g]
            for k in range(self.r.places[g] * self.r.stride[g]):
                self.r.block[g][k] = <float>(m[k] / most)
        self.gen.add(&self.r, self.y_hat, 1)
        self.gen.add(&self.r, y, -1)
        norm2 = self.norm2(i)
        if norm2 <= 0:
            return 0
        self.updates += 1
        tau = min(most, left / norm2)
        self.cost[i] += tau / most * (cost - self.cost[i])
        self.update(i, tau)
        return 0

    def left(self, blocks, y, y_at, weight, double tol):
        """The duality gap over the primal. Its parts are from the w of their step; where they say that it is enough, it is
        measured for the w that there is."""
        gap = self._share()
        if gap > tol:
            return gap
        seen = self.total, self.updates, self.gap, self.size
        self.begin()
        self.still = True
        try:
            self.run(blocks, y, y_at, np.arange((<Block>blocks[0]).n), weight)
        finally:
            self.still = False
        gap = self._share()
        self.total, self.updates, self.gap, self.size = seen
        return gap

    def _share(self):
        primal = self.size / 2 + self.C * self.total
        return max(self.C * self.gap / primal, 0.0) if primal > 0 else 0.0

    def state(self):
        arrays, numbers = super().state()
        return arrays, numbers | {"gap": self.gap, "size": self.size}
