# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The loop over examples: score, loss, step, update. Everything that learns online is this loop.

theta, r and tau are those of form.pyx. The weights and what is kept with them are explained, with formulas, in
weights.pyx:

    w = a v     the weights: v is in memory, and a is one factor for all of v, so that to shrink w is one multiplication
    t           the number of examples seen, in all passes
    S           the clock: the sum of a over all examples since a was last set to 1 (`rescale`)
    U           what the average needs beside v: the sum of w over all examples is S v - U
    G           for each weight what an adaptive step keeps, such as the sum of its squared gradients
    joint step  a step whose rate for one weight depends on all of X^T r (steps/confidence.pyx)
    window      a small table with copies of the weights that one step can change, where rows are ragged (ragged.pyx)
"""

cimport cython
from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from linnet.core.blocks cimport Block, Sparse, first
from linnet.core.loops.dropout cimport Dropout
from linnet.core.loops.gold_outputs cimport output_at
from linnet.core.form cimport MAX_BLOCKS, Loss, Outcome, Step, Structure, Tables, any_of
from linnet.core.interrupt cimport check
from linnet.core.machine cimport Machine
from linnet.core.ragged cimport Ragged
from linnet.core.weights cimport BIAS, LINE, ONE, Rows, Weights, features

import numpy as np

from linnet.errors import ModelError

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)
    void linnet_prefetch(const void *p)

cdef enum:
    ASKED = 512                     # the most features of the next example that are prefetched

# When a falls below this, w = a v is multiplied out (`rescale`). A step changes v by -tau / a X^T r, so v and U grow as
# a becomes small, and S v - U would be a small difference of large numbers, with as many digits lost as a has lost.
cdef double SMALLEST_SCALE = 0.01


cdef class Online(Machine):
    """Learns from one example at a time, with one structure, loss and step. It holds the weights, the clock and the
    counts of the current pass."""
    shuffled = True     # whether the order of the examples should differ from pass to pass
    support = None      # the number of support vectors, which only learners in the dual know

    def __init__(self, Structure gen, Loss loss, Step step, n_features, *, bint averaged=False, double dropout=0, ragged=()):
        """`ragged` lists the blocks whose rows of weights hold only the outcomes that a step has changed."""
        self.prepare(gen)
        self.loss = loss
        self.step = step
        self.averaged = averaged
        self.a = 1
        self.joined = Joined()
        self.dropout = Dropout(dropout)
        self.weights = tuple([
            (Ragged if g in ragged else Weights)(n, k, averaged=averaged, squares=step.needs_squares)
            for g, (n, k) in enumerate(zip(n_features, gen.outcomes, strict=True))
        ])
        self._point()

    @property
    def seed(self):
        """The seed of dropout: the seed and t determine which features of an example are left out."""
        return self.dropout.seed

    @seed.setter
    def seed(self, value):
        self.dropout.seed = value

    def _point(self):
        cdef int g
        for g in range(self.theta.n_blocks):
            self.w[g] = (<Weights>self.weights[g]).rows
            self.n_rows[g] = (<Weights>self.weights[g]).n_rows
            self.ragged[g] = <void *>self.weights[g] if isinstance(self.weights[g], Ragged) else NULL
            self.strips[g] = (<Ragged>self.ragged[g]).strips if self.ragged[g] != NULL else NULL

    def begin(self):
        """Begin a new pass, with its counts and sums at 0."""
        self.total = 0
        self.updates = 0
        self.decoded = 0
        self.wrong = 0
        self.asks = self.loss is not None and self.wants_mistakes()

    def count_mistakes(self):
        """Count the mistakes of this pass, even where it takes time to find the best output of each example."""
        self.asks = self.loss is not None and not (self.loss.is_mistake or self.loss.only_counts)

    @property
    def mistakes(self):
        """The number of examples of this pass whose best output was wrong before they were learned from; None if
        mistakes were not counted."""
        return self.wrong if self.decoded else None

    cdef bint wants_mistakes(self):
        """Whether to find the best output of each example before its loss is computed, only to count mistakes. This is
        not needed for a loss that is zero exactly where the output is right, which shows mistakes by itself, and means
        nothing for a learner that only counts, such as naive Bayes. Over labels, whose search needs no work space, it
        takes next to no time. Over structures whose search needs one, mistakes are counted in the first pass alone, which is all that the bound on the error
        (learners/theory.py) needs."""
        return not (self.loss.is_mistake or self.loss.only_counts) and (self.t == 0 or self.gen.workspace(1) == 0)

    def end(self):
        """End a pass. There is nothing to do, as examples have been learned from one by one."""

    def left(self, *examples):
        """The distance to the optimum, which an online learner does not know: None."""

    def grow(self, n_features):
        """Make room for new features."""
        for w, n in zip(self.weights, n_features, strict=True):
            (<Weights>w).grow(n + 1)            # one more row, for the bias
        self._point()

    def run(self, tuple blocks, const int32_t[::1] y, const int64_t[::1] y_at, const int64_t[::1] order,
            const float[::1] weight=None):
        """Learn from the examples whose numbers are in `order`, one after the other. Example i has the gold output
        y[y_at[i]:y_at[i + 1]] and the weight weight[i], or 1 where `weight` is None."""
        cdef int64_t k, i, n = order.shape[0], n_examples = (<Block>blocks[0]).n
        cdef int g
        cdef bint thin = self.dropout.p > 0
        self.take(blocks, tuple([w.n_rows for w in self.weights]))
        if y_at.shape[0] < n_examples or (weight is not None and weight.shape[0] != n_examples):
            raise ValueError("expected one output and one weight for each example")
        for k in range(n):
            if order[k] < 0 or order[k] >= n_examples:
                raise IndexError(order[k])
        self.read_ahead(order, every=False)
        try:
            with nogil:
                for k in range(n):
                    i = order[k]
                    self.fetch(i)
                    if k + 1 < n:
                        self.ask_for(order[k + 1])
                    if thin:
                        for g in range(self.theta.n_blocks):
                            self.whole[g] = self.x[g]
                            self.x[g] = self.dropout.thin(g, &self.whole[g], i, self.t)
                    # What dropout leaves of example i is laid out as example 0 of arrays of its own.
                    self.learn(0 if thin else i, output_at(y, y_at[i]), weight[i] if weight is not None else 1)
                    if thin:
                        for g in range(self.theta.n_blocks):
                            self.x[g] = self.whole[g]
        finally:
            self.stop_reading()
        self.gen.check()
        self.loss.check()
        self.step.check()

    cdef void ask_for(self, int64_t i) noexcept nogil:
        """Prefetch the features of example i and their values, but no weights: it is learned from next. Examples come
        in a random order, so that the processor cannot foresee what will be read. Of features that are made on demand
        (x.maker) there is nothing to prefetch."""
        cdef int g
        cdef int64_t k, begin, end
        cdef const Sparse *x
        for g in range(self.theta.n_blocks):
            x = &self.x[g]
            if x.maker == NULL:
                begin = x.indptr[first(x, i)]
                end = min(x.indptr[first(x, i + 1)], begin + ASKED)
                for k in range(begin, end, 16):     # by cache lines
                    linnet_prefetch(x.indices + k)
                    linnet_prefetch(x.values + k)

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        """Learn from example i, whose gold output is y: score it, let the loss write r, shrink all weights, and make a step
        if the loss is active. S grows last, so that averages count the weights as they are after the step."""
        cdef int g
        cdef Outcome out
        cdef double norm2 = 0, shrink
        for g in range(self.theta.n_blocks):
            self.score(g, i, self.w[g].v, self.a)
        if not self.loss.only_counts:
            self.check_scores()
        self.clear(&self.r)
        if self.asks:
            self.gen.argmax(&self.theta, self.y_hat)
            check()
            self.count(not self.gen.same(&self.theta, y, self.y_hat))
        out = self.loss.evaluate(self.gen, &self.theta, y, self.y_hat, &self.r)
        check()
        if self.loss.is_mistake:
            self.count(out.active)
        self.t += 1
        self.last_loss = out.value
        self.last_tau = 0
        self.total += weight * out.value
        shrink = self.step.shrink(self.t)
        self.a *= shrink
        if self.a < SMALLEST_SCALE:
            self.rescale()
        # Where weights shrink, every example moves them.
        self.updates += out.active or shrink != 1
        if out.active:
            if self.step.needs_norm:
                norm2 = self.norm2(i)
            self.last_tau = self.step.tau(out.value, norm2, self.t, weight)
            self.update(i, self.last_tau)
        self.S += self.a
        return 0

    cdef void count(self, bint wrong) noexcept nogil:
        self.decoded += 1
        self.wrong += wrong

    cdef double own_length2(self, int64_t i) noexcept nogil:
        """||f||^2 of example i, for structures with one place: the squares of its values and of the constant feature,
        which is 0 in a model without a bias. A sum of 0 becomes a tiny number (`not_zero`)."""
        cdef const Sparse *x = &self.x[0]
        cdef int64_t j
        cdef double q = <double>x.one * x.one
        for j in range(x.indptr[i], x.indptr[i + 1]):
            q += <double>x.values[j] * x.values[j]
        return not_zero(q)

    cdef double norm2(self, int64_t i) except -1 nogil:
        """||X^T r||^2, summed over all blocks; for a joint step its weighted form g^T Sigma g with g = X^T r
        (`Step.weigh`)."""
        cdef int g
        cdef double total = 0
        for g in range(self.theta.n_blocks):
            if not self.step.joint:
                total += self.joined.norm2(&self.x[g], i, &self.r, g)
            elif self.ragged[g] == NULL:
                total += self.joined.weigh(self.step, &self.w[g], &self.x[g], i, &self.r, g)
            else:
                total += self.weigh_window(<Ragged>self.ragged[g], i, g)
        return total

    cdef double weigh_window(self, Ragged w, int64_t i, int g) except -1 nogil:
        """What block g adds to the weighted norm, where its rows are ragged. In the window, example i has the number
        0."""
        cdef double total = 0
        if w.open(&self.x[g], i, &self.r, g):
            total = self.joined.weigh(self.step, &w.w, &w.x, 0, &w.r, g)
            w.close()
        return total

    cdef int update(self, int64_t i, double tau) except -1 nogil:
        """Take a step: W -= tau X^T r."""
        cdef int g
        for g in range(self.theta.n_blocks):
            if self.ragged[g] == NULL:
                self.change(&self.w[g], &self.x[g], i, &self.r, g, tau)
            else:
                self.change_window(<Ragged>self.ragged[g], i, g, tau)
        return 0

    cdef int change_window(self, Ragged w, int64_t i, int g, double tau) except -1 nogil:
        """Take the step in block g, whose rows are ragged: copy the weights into the window, change them, and write
        them back."""
        if w.open(&self.x[g], i, &self.r, g):
            self.change(&w.w, &w.x, 0, &w.r, g, tau)
            w.close()
        return 0

    cdef int change(self, Rows *w, const Sparse *x, int64_t i, const Tables *r, int g, double tau) except -1 nogil:
        """Take the step in block g, whose weights are those of w."""
        cdef int64_t p, begin = first(x, i)
        # A joint step needs all of X^T r in a row at once, and a feature may recur at several places.
        if self.step.joint and r.places[g] > 1:
            return self.joined.move(self.step, w, x, i, r, g, tau, self.a, self.S)
        for p in range(r.places[g]):
            # Blocks with one outcome a place, such as arcs, have many places, and r is 0 at most of them.
            if r.stride[g] > 1 or r.block[g][p] != 0:
                self.step.update(w, x, begin + p, r.block[g] + p * r.stride[g], tau, self.a, self.S)
        return 0

    cdef void rescale(self) noexcept nogil:
        """Multiply out w = a v, so that a = 1 and S = 0 again."""
        cdef int g
        with gil:
            for g in range(self.theta.n_blocks):
                (<Weights>self.weights[g]).rescale(self.a, self.S)
        self.a = 1
        self.S = 0

    def slopes(self):
        """The derivative r of the loss of the last example by its scores, one array per block: places x outcomes."""
        return [np.array(<float[:self.r.places[g], :self.r.stride[g]]>self.r.block[g])[:, :self.r.outcomes[g]]
                if self.r.places[g] else np.zeros((0, self.r.outcomes[g]), np.float32) for g in range(self.r.n_blocks)]

    def sample(self):
        """A sample of the weights, one array per block, to see how far they move. Where there are more than a million
        weights, one cache line in 17 is taken: to read and keep them all can take longer than an epoch over short texts."""
        # 17 is prime, so that the lines fall on all outcomes in turn, unless a row has a multiple of 17 lines.
        apart = LINE * (17 if sum([w.n_rows * w.n_outcomes for w in self.weights]) > 1 << 20 else 1)
        return [self.weights[g].sample(self.a, apart) for g in range(self.theta.n_blocks)]

    def moved(self, since):
        """||w - w'|| and ||w||, where w is a sample of the weights now, and w' the sample `since`, which was taken
        earlier."""
        cdef double change = 0, size = 0, now
        cdef int64_t i
        cdef const float[::1] w, before
        for sample, earlier in zip(self.sample(), since, strict=True):
            w, before = sample, earlier
            if w.shape[0] != before.shape[0]:
                raise ModelError("the saved state of learning is of another number of weights. Train again.")
            for i in range(w.shape[0]):
                now = w[i]
                change += (now - before[i]) * (now - before[i])
                size += now * now
        return sqrt(change), sqrt(size)

    def last(self):
        """The weights after the last step, as the arrays that a linear scorer holds."""
        return self._learned(0, False)

    def average(self):
        """The weights averaged over all steps."""
        if not self.averaged:
            raise ValueError("this learner does not average")
        return self._learned(self.t, False)

    def settle(self, bint averaged):
        """The arrays of `average()` if `averaged`, else those of `last()`. To save memory they take the place of the
        weights at work, so that nothing can be learned afterwards."""
        arrays = self._learned(self.t if averaged else 0, True)
        self._point()
        return arrays

    def _learned(self, int64_t t, bint take):
        return [array for w in self.weights for array in w.learned(self.a, self.S, t, take)]

    def state(self):
        """All that is needed to go on as if learning had not stopped: the arrays of the weights by name, with the
        number of their block (v0, U0, v1, ...), and numbers by name."""
        arrays = {f"{name}{g}": array for g, w in enumerate(self.weights) for name, array in w.state().items()}
        numbers = ("t", "a", "S", "total", "updates", "decoded", "wrong", "asks", "seed")
        return arrays, {name: getattr(self, name) for name in numbers}

    def restore(self, arrays, numbers):
        """Go on from what `state()` returned for weights of the same shape."""
        for g, w in enumerate(self.weights):        # for block 0, v10 becomes v1, which is the name of no array
            w.restore({name.removesuffix(str(g)): array for name, array in arrays.items() if name.endswith(str(g))})
        for name, value in numbers.items():
            setattr(self, name, value)


@cython.final
cdef class Joined:
    """Computes X^T r and its length. Over several places a feature may recur, so rows are summed before they are squared."""

    def __dealloc__(self):
        linnet_free(self.slot)
        free(self.sums)
        free(self.touched)

    cdef double norm2(self, const Sparse *x, int64_t i, const Tables *r, int g) except -1 nogil:
        cdef int64_t j, begin = first(x, i)
        cdef int k, stride = r.stride[g]
        cdef double total = 0, length = <double>x.one * x.one
        if r.places[g] == 1:
            for j in range(x.indptr[begin], x.indptr[begin + 1]):
                length += <double>x.values[j] * x.values[j]
            for k in range(stride):
                total += <double>r.block[g][k] * r.block[g][k]
            return length * total
        self.gather(x, i, r, g)
        for j in range(self.n * stride):
            total += self.sums[j] * self.sums[j]
        return total

    cdef double weigh(self, Step step, const Rows *w, const Sparse *x, int64_t i, const Tables *r, int g) except -1 nogil:
        """The squared length of X^T r of block g, as a joint step weighs it."""
        cdef int64_t j, start, begin = first(x, i)
        cdef double total
        cdef Rows rows = features(w)
        if r.places[g] == 1:
            start = x.indptr[begin]
            return step.weigh(w, BIAS, &x.one, 1, r.block[g]) + step.weigh(
                &rows, x.indices + start, x.values + start, x.indptr[begin + 1] - start, r.block[g])
        self.gather(x, i, r, g)
        total = step.weigh(w, BIAS, ONE, 1, self.row(0, w))
        for j in range(1, self.n):
            total += step.weigh(&rows, self.touched + j, ONE, 1, self.row(j, w))
        return total

    cdef int move(self, Step step, Rows *w, const Sparse *x, int64_t i, const Tables *r, int g, double tau, double a,
                  double clock) except -1 nogil:
        """Sum X^T r over the places of example i, and then change each row that it touches once."""
        cdef int64_t j
        cdef Rows rows = features(w)
        self.gather(x, i, r, g)
        step.move(w, BIAS, ONE, 1, self.row(0, w), tau, a, clock)
        for j in range(1, self.n):
            step.move(&rows, self.touched + j, ONE, 1, self.row(j, w), tau, a, clock)
        return 0

    cdef const float *row(self, int64_t j, const Rows *w) noexcept nogil:
        """Row j of the sums in single precision, in memory that the next call overwrites."""
        cdef int k
        for k in range(w.stride):
            w.d[k] = <float>self.sums[j * w.stride + k]
        return w.d

    cdef int gather(self, const Sparse *x, int64_t i, const Tables *r, int g) except -1 nogil:
        """Compute X^T r: n rows of `sums`, row 0 for the bias, and row j > 0 for the feature touched[j]. Features are
        those of the places where r is not zero."""
        cdef int64_t p, j, begin = first(x, i)
        cdef int stride = r.stride[g]
        cdef const float *at
        self.reserve(x, begin, begin + r.places[g], stride)
        self.n = 1
        memset(self.sums, 0, stride * sizeof(double))
        for p in range(r.places[g]):
            at = r.block[g] + p * stride
            if not any_of(at, stride):
                continue
            self.add(0, x.one, at, stride)
            for j in range(x.indptr[begin + p], x.indptr[begin + p + 1]):
                self.add(self.row_of(x.indices[j], stride), x.values[j], at, stride)
        for j in range(1, self.n):
            self.slot[self.touched[j]] = 0
        return 0

    cdef void add(self, int64_t row, double x, const float *r, int stride) noexcept nogil:
        cdef int k
        for k in range(stride):
            self.sums[row * stride + k] += x * r[k]

    cdef int64_t row_of(self, uint32_t feature, int stride) noexcept nogil:
        """The row of sums of a feature, which is made where there is none yet."""
        if self.slot[feature] == 0:
            self.slot[feature] = <uint32_t>self.n
            self.touched[self.n] = feature
            memset(self.sums + self.n * stride, 0, stride * sizeof(double))
            self.n += 1
        return self.slot[feature]

    cdef int reserve(self, const Sparse *x, int64_t begin, int64_t end, int stride) except -1 nogil:
        """Make room for every feature of these places."""
        cdef int64_t j, most = 0, rows = 1 + x.indptr[end] - x.indptr[begin]
        for j in range(x.indptr[begin], x.indptr[end]):
            most = max(most, x.indices[j])
        if most >= self.slot_size:
            linnet_free(self.slot)
            self.slot_size = 2 * most + 1
            self.slot = <uint32_t *>linnet_zeros(self.slot_size * sizeof(uint32_t))
        if rows * stride > self.sums_size:
            free(self.sums)
            free(self.touched)
            self.sums_size = 2 * rows * stride
            self.sums = <double *>malloc(self.sums_size * sizeof(double))
            self.touched = <uint32_t *>malloc(self.sums_size * sizeof(uint32_t))
        if self.slot == NULL or self.sums == NULL or self.touched == NULL:
            with gil:
                raise MemoryError("no memory for the sums X^T r of an example")
        return 0
