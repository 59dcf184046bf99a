# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Learning with a kernel: what an example has added to w is kept with the example (dual.pyx), and w is never written down.

    alpha_s = sum of m_p over the places p with the row x_s,    theta_p = alpha_0 + sum_s alpha_s k(x_p, x_s)
    W -= tau X^T r      is      alpha_s -= tau r_p, m_p -= tau r_p      at the places p of the example

Equal rows are one row, compared once. k(x_p, .) of the first rows is kept as far as there is room (`cache`, in MB).

With a `budget`, at most so many examples are kept. When there is one more, the example is forgotten without which w
changes least, by sum_p ||m_p||^2 (1 + k(x_p, x_p)), and among equals the one whose last step is the oldest (Crammer,
Kandola and Singer 2003 for the idea; Wang, Crammer and Vucetic 2012 for this choice).
"""

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memset

from linnet.core.blocks cimport Block, first
from linnet.core.loops.dual cimport Climb, Dual
from linnet.core.form cimport MAX_BLOCKS, Loss, Step, Structure, any_of
from linnet.core.loops.kernel cimport Rows, Similarity, Support, compare, gather, similarity, spread, with_itself
from linnet.core.machine cimport Machine
from linnet.core.loops.online cimport Online, not_zero
from linnet.core.weights cimport Rows as Weighed, Weights

from itertools import pairwise

import numpy as np

from linnet.core.loops.kernel import Compared
from linnet.core.schema import Numbers
from linnet.errors import ModelError


def without_zeros(block):
    """indptr, indices and values of a block, without entries that are 0."""
    indptr, indices, values = (np.asarray(part) for part in block.arrays()[:3])
    keep = values != 0
    if keep.all():
        return indptr, indices, values
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(keep)])[indptr], indices[keep], values[keep]


def distinct(block):
    """For each place the number of its row among the distinct rows; and for each distinct row a place that has it."""
    indptr, indices, values = without_zeros(block)
    number, own = {}, np.empty(len(indptr) - 1, np.int64)
    for p, (a, b) in enumerate(pairwise(indptr.tolist())):
        own[p] = number.setdefault((indices[a:b].tobytes(), values[a:b].tobytes()), len(number))
    return own, np.unique(own, return_index=True)[1]


def rows_of(block, places):
    """indptr, indices and values of the given places."""
    indptr, indices, values = without_zeros(block)
    lengths = np.diff(indptr)[places]
    ends = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    at = np.repeat(indptr[places] - ends[:len(places)], lengths) + np.arange(lengths.sum())
    return ends, indices[at], values[at]


cdef class Supported(Dual):
    """A learner in the dual, whose weights are alpha: a row for the bias and for each distinct row of the examples."""
    cdef tuple n_columns                    # number of features of each block, with the bias counted
    cdef Similarity how
    cdef int64_t budget, n_floats
    cdef tuple blocks
    cdef dict kept                          # the arrays `effect` and `when`, by name
    cdef list owners
    cdef list learned                       # what last() returns while there are no examples to learn from
    cdef Support to[MAX_BLOCKS]
    cdef const int64_t *own[MAX_BLOCKS]     # for each place, the number of its row
    cdef int64_t *uses[MAX_BLOCKS]          # for each row, the number of its places whose m is not 0
    cdef float *cache[MAX_BLOCKS]
    cdef int64_t n_cached[MAX_BLOCKS]
    cdef unsigned char *cached[MAX_BLOCKS]
    cdef double *effect                     # for each example, how much w would change without it; 0 where it has added nothing
    cdef double *when                       # for each example, t at its last step
    cdef int64_t n_examples
    cdef bint climbs

    def __init__(self, Structure gen, Loss loss, Step step, n_features, *, Climb climb=None, double C=0, bint averaged=False,
                 int64_t budget=0, double cache=200, **how):
        """Learn by coordinate ascent or Frank-Wolfe if a `climb` is given, else online."""
        super().__init__(gen, loss, step, (0,) * len(n_features), climb=climb or Climb(), C=C, averaged=averaged)
        self.climbs = climb is not None
        self.n_columns = tuple([n + 1 for n in n_features])
        self.how = similarity(how)
        self.budget = budget
        self.n_floats = <int64_t>(cache * (1 << 18))
        self.kept = {}
        self.learned = [np.array(self.n_columns, np.uint64)]
        for w in self.weights:
            nothing = np.zeros(1, np.uint64), np.zeros(0, np.uint32), np.zeros(0, np.float32)
            self.learned += [w.arrays["v"], *nothing]

    cdef int take(self, tuple blocks, tuple n_rows) except -1:
        return Machine.take(self, blocks, self.n_columns)

    def remember(self, tuple blocks):
        """Make the distinct rows of these examples the rows that all places are compared with."""
        cdef int g
        cdef Rows held
        cdef const int64_t[::1] own
        cdef int64_t[::1] uses
        cdef float[::1] cache
        cdef unsigned char[::1] cached
        cdef int64_t n
        if self.blocks is blocks:
            return
        Machine.take(self, blocks, self.n_columns)
        self.owners = []
        for g in range(self.theta.n_blocks):
            n_features = self.n_columns[g] - 1
            own_rows, places = distinct(blocks[g])
            places = places if n_features else places[:0]
            held = Rows(*rows_of(blocks[g], places), n_features, self.how)
            n = held.at.n
            if self.t and len(self.weights[g].arrays["v"]) != n + 1:
                raise ModelError("these are not the examples that were learned from so far. Train again.")
            (<Weights>self.weights[g]).grow(n + 1)
            own, uses = own_rows, np.zeros(max(n, 1), np.int64)
            self.n_cached[g] = min(n, self.n_floats // max(n, 1))
            cache = np.zeros(max(n * self.n_cached[g], 1), np.float32)
            cached = np.zeros(n + 1, np.uint8)
            self.to[g], self.own[g], self.uses[g] = held.at, &own[0], &uses[0]
            self.cache[g], self.cached[g] = &cache[0], &cached[0]
            self.owners.append((held, own, uses, cache, cached))
        self._point()
        self.n_examples = (<Block>blocks[0]).n
        self.effect, self.when = self.each("effect"), self.each("when")
        super().remember(blocks)
        for m, (held, own, uses, *_) in zip(self.m, self.owners, strict=True):
            if held.at.n:
                np.add.at(np.asarray(uses), np.asarray(own)[m.any(axis=1)], 1)
        self.blocks = blocks

    cdef double *each(self, str name) except NULL:
        """Memory for one number for each example, under a name."""
        cdef double[::1] numbers = self.kept.setdefault(name, np.zeros(max(self.n_examples, 1)))
        if numbers.shape[0] != max(self.n_examples, 1):
            raise ModelError("the state of learning is of other examples. Train again.")
        return &numbers[0]

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        return Dual.learn(self, i, y, weight) if self.climbs else Online.learn(self, i, y, weight)

    def left(self, blocks, y, y_at, weight, double tol):
        return super().left(blocks, y, y_at, weight, tol) if self.climbs else None

    def moved(self, since):
        return super().moved(since) if self.climbs else (np.nan, 1.0)

    cdef double own_length2(self, int64_t i) noexcept nogil:
        cdef double q = self.one
        if self.to[0].n:
            q += with_itself(&self.how, self.to[0].length2[self.own[0][i]])
        return not_zero(q)

    cdef void score(self, int g, int64_t i, const float *v, double a) noexcept nogil:
        """Compute theta_g of example i, with alpha = v."""
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
        """k(x_p, .) of a place. Where there is no room to keep it, it is computed only for rows that are in use."""
        cdef Support *to = &self.to[g]
        cdef int64_t s, own = self.own[g][p]
        cdef bint whole = own < self.n_cached[g]
        cdef float *k = self.cache[g] + own * to.n if whole else to.k
        cdef double length2
        if whole and self.cached[g][own]:
            return k
        length2 = spread(to, &self.how, &self.x[g], p)
        for s in range(to.n):
            if whole or self.uses[g][s]:
                k[s] = <float>compare(to, &self.how, length2, s)
        gather(to, &self.x[g], p)
        if whole:
            self.cached[g][own] = True
        return k

    cdef double norm2(self, int64_t i) except -1 nogil:
        """The squared length ||X^T r||^2, as the sum over places p and q of r_p.r_q (1 + k(x_p, x_q)), without 1 for a model without
        a bias."""
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
                    length2 = spread(&self.to[g], &self.how, &self.x[g], begin + p)
                for q in range(p, self.r.places[g]):
                    dot = 0
                    for j in range(stride):
                        dot += <double>r[p * stride + j] * r[q * stride + j]
                    if dot == 0:
                        continue
                    if q > p:
                        dot *= 2
                    total += dot * self.x[g].one
                    if self.to[g].n:
                        total += dot * compare(&self.to[g], &self.how, length2, self.own[g][begin + q])
                if self.to[g].n:
                    gather(&self.to[g], &self.x[g], begin + p)
        return total

    cdef int update(self, int64_t i, double tau) except -1 nogil:
        """Update m -= tau r; then forget an example if there are more than the budget allows."""
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
        """Add to one place: m_p += amount r, and the same for alpha."""
        cdef int j, stride = self.theta.stride[g]
        cdef float *m = self.m_rows[g] + p * stride
        cdef int64_t own
        cdef bint before = any_of(m, stride)
        if not any_of(r, stride):
            return
        if self.x[g].one:
            self.add(g, 0, r, amount)
        if self.to[g].n:
            self.add(g, self.own[g][p] + 1, r, amount)
        for j in range(stride):
            m[j] += amount * r[j]
        if self.to[g].n:
            own = self.own[g][p]
            self.uses[g][own] += any_of(m, stride) - before
            if self.uses[g][own] == 0:
                memset(self.w[g].v + (own + 1) * stride, 0, stride * sizeof(float))

    cdef void add(self, int g, int64_t row, const float *r, float amount) noexcept nogil:
        """Add to alpha, and to the sum that its average needs: alpha += amount r."""
        cdef int j, stride = self.theta.stride[g]
        cdef Weighed *w = &self.w[g]
        for j in range(stride):
            w.v[row * stride + j] += amount * r[j]
        if w.U != NULL:
            for j in range(stride):
                w.U[row * stride + j] += <float>self.S * amount * r[j]

    cdef double effect_of(self, int64_t i) noexcept nogil:
        """The effect of example i: sum_p ||m_p||^2 (1 + k(x_p, x_p))."""
        cdef int g, j, stride
        cdef int64_t p
        cdef double total = 0, size
        for g in range(self.theta.n_blocks):
            stride = self.theta.stride[g]
            for p in range(first(&self.x[g], i), first(&self.x[g], i + 1)):
                size = 0
                for j in range(stride):
                    size += <double>self.m_rows[g][p * stride + j] * self.m_rows[g][p * stride + j]
                if self.to[g].n:
                    size *= self.x[g].one + with_itself(&self.how, self.to[g].length2[self.own[g][p]])
                total += size
        return total

    cdef void forget(self, int64_t but) noexcept nogil:
        """Forget the example with the least effect, the oldest of equals, but not the one that has just been learned from."""
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
                self.move(g, p, self.m_rows[g] + p * self.theta.stride[g], -1)
        self.effect[least] = 0
        self.support -= 1
        self.climb.forget(least)

    def begin(self):
        """Begin a pass. The average begins after the first pass: weights that were learned from few examples are far
        off, and where there are few passes they would count for much."""
        super().begin()
        if self.t == self.n_examples:
            self.S = 0
            for w in self.weights:
                if "U" in w.arrays:
                    w.arrays["U"][:] = 0

    def support_vectors(self, tuple blocks):
        """The numbers of the examples whose rows the model keeps, and the alpha of each row, averaged where the learner
        averages. Of examples with the same row, the first stands for all."""
        self.remember(blocks)
        alpha = self.alphas(self.averaged)[0][1:, :self.theta.outcomes[0]]
        used, places = np.flatnonzero(alpha.any(axis=1)), np.unique(self.owners[0][1], return_index=True)[1]
        return self._examples_of_places(blocks)[places[used]], alpha[used]

    def last(self):
        """The arrays of a Compared scorer: the rows of alpha that are not 0, and the support rows that they belong to."""
        return self.in_use(self.alphas(False))

    def average(self):
        """The arrays of a Compared scorer with alpha averaged over the steps."""
        return self.in_use(self.alphas(True))

    cdef list alphas(self, bint averaged):
        """The last alpha of each block, or its average over the steps. Under a budget it is always the last: what was forgotten
        would be missing from the average."""
        if not averaged or self.S == 0 or self.budget:
            return [w.arrays["v"] for w in self.weights]
        return [w.arrays["v"] - w.arrays["U"] / np.float32(self.S) for w in self.weights]

    cdef list in_use(self, list alphas):
        if self.blocks is None:
            return list(self.learned)
        arrays = [np.array(self.n_columns, np.uint64)]
        for g, alpha in enumerate(alphas):
            held, used = self.owners[g][0], np.flatnonzero(alpha[1:].any(axis=1))
            indptr, indices, values = rows_of(Block(held.indptr, held.indices, held.values), used)
            arrays += [alpha[np.concatenate([[0], used + 1])], indptr.astype(np.uint64), indices, values]
        return arrays

    def settle(self, bint averaged):
        return self.average() if averaged else self.last()

    def state(self):
        arrays, numbers = super().state()
        learned = self.average() if self.averaged else self.last()
        return arrays | self.kept | {f"learned{k}": array for k, array in enumerate(learned)}, numbers

    def restore(self, arrays, numbers):
        for g, w in enumerate(self.weights):
            (<Weights>w).grow(len(arrays[f"v{g}"]))
        self._point()
        super().restore(arrays, numbers)
        self.kept = {name: np.array(arrays[name]) for name in ("effect", "when") if name in arrays}
        for name, array in self.kept.items():
            Numbers(np.float64).check(array, name)
        self.n_examples = len(self.kept.get("effect", ()))
        self.learned = [np.array(arrays[f"learned{k}"]) for k in range(len(self.learned))]
        learned = Compared("kernel", self.learned, kind="linear")
        learned.check(self.gen, [n - 1 for n in self.n_columns])
        learned.rows(self.gen)  # which raises ValueError where the support rows do not fit each other
        self.blocks = None


cdef class Counted(Supported):
    """A learner that counts how often each row had each outcome: alpha is the sum of mu(y). Nothing is scored while it is
    learned."""

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
