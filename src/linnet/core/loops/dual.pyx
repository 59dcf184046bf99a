# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Learning in the dual: w is a sum over examples, and each example remembers its part.

    primal   1/2 ||w||^2 + C sum_i weight_i loss_i(theta_i),    theta_i = X_i w
    dual     -1/2 ||w||^2 - sum_i conjugate_i(-m_i),            w = sum_i X_i^T m_i

m_i is a table as theta_i is. The duality gap is a sum over examples too (Fenchel and Young),

    primal - dual = sum_i left_i,    left_i = C weight_i loss_i(theta_i) + theta_i.m_i + conjugate_i(-m_i) >= 0,

and is 0 at the optimum only. ||w||^2 = sum_i theta_i.m_i is such a sum too, and no pass over the weights is needed for either.
Examples whose m_i is not 0 are the support vectors. lam is 1 / (C n). The tables take as many floats as the scores of all examples.

Learners in the dual differ in how an example finds its step, which is a Climb (coordinate.pyx, frank_wolfe.pyx), and in whether w
is written down, or x compared by a kernel (support.pyx).
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy

from linnet.core.blocks cimport Block, Sparse, first
from linnet.core.form cimport Loss, Step, Structure, any_of
from linnet.core.loops.online cimport Online
from linnet.core.machine cimport Machine

import numpy as np

from linnet.core.long_arrays import copied, members, pieces, read_in_pieces, restored
from linnet.core.schema import Numbers
from linnet.errors import ModelError

NUMBERS = ("gap", "length2", "steps2", "support")


cdef class Dual(Online):
    """The base of every ascent of the dual: the memory of the examples, and the distance to the optimum."""

    def __init__(self, Structure gen, Loss loss, Step step, n_features, *, Climb climb, double C=0, double lam=0,
                 bint averaged=False):
        """Learn with C, or with lam = 1 / (C n)."""
        super().__init__(gen, loss, step, n_features, averaged=averaged)
        self.climb = climb
        self.C = C
        self.lam = lam

    def C_over(self, int64_t n):
        """C for n examples: how much a loss counts against 1/2 ||w||^2."""
        return 1 / (self.lam * max(n, 1)) if self.lam else self.C

    def weigh_losses(self, double C):
        """Learn with this C, however many examples there are."""
        self.C = C
        self.lam = 0

    def begin(self):
        super().begin()
        self.gap = self.length2 = self.steps2 = 0

    def run(self, tuple blocks, y, y_at, order, weight=None):
        self.remember(blocks)
        super().run(blocks, y, y_at, order, weight)

    def remember(self, tuple blocks):
        """Make room for the table m_i of each example, or go on with the tables that there are."""
        cdef int g
        cdef float[:, ::1] rows
        shapes = [(first(&(<Block>block).x, (<Block>block).n), self.theta.stride[g]) for g, block in enumerate(blocks)]
        self.home = blocks[0]
        if self.m is None:
            self.m = [block.kept(shape, np.float32) for block, shape in zip(blocks, shapes, strict=True)]
        if [part.shape for part in self.m] != shapes:
            raise ModelError("these are not the examples that were learned from so far. Train again.")
        self.C = self.C_over((<Block>blocks[0]).n)
        for g in range(self.theta.n_blocks):
            rows = self.m[g]
            self.m_rows[g] = &rows[0, 0] if rows.shape[0] else NULL
        self.take(blocks, tuple([w.n_rows for w in self.weights]))
        self.climb.remember(self, self.home)

    cdef int fetch(self, int64_t i) except -1 nogil:
        """Make the rows of example i available, as in every machine, unless the example is not looked at in this
        pass."""
        return 0 if self.climb.rests(self, i) else Machine.fetch(self, i)

    def passed_over(self, const int64_t[::1] order):
        """Flags of the examples that are not looked at in this pass."""
        cdef int64_t k
        flags = np.zeros(order.shape[0], np.uint8)
        cdef uint8_t[::1] flag = flags
        for k in range(order.shape[0]):
            flag[k] = self.climb.rests(self, order[k])
        return flags

    cdef void ask_for(self, int64_t i) noexcept nogil:
        """Prefetch the rows of example i, as every online learner does, unless the example is not looked at in this
        pass."""
        if not self.climb.rests(self, i):
            Online.ask_for(self, i)

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        if not self.still:
            self.t += 1
        return self.climb.learn(self, i, y, weight) if weight > 0 else 0

    cdef int update(self, int64_t i, double tau) except -1 nogil:
        """Take a step and remember it: W -= tau X^T r, m_i -= tau r."""
        cdef int g
        cdef int64_t k, n
        cdef bint before = False, after = False
        cdef float *m
        for g in range(self.theta.n_blocks):
            m = self.m_rows[g] + first(&self.x[g], i) * self.r.stride[g]
            n = self.r.places[g] * self.r.stride[g]
            before = before or any_of(m, n)
            for k in range(n):
                m[k] -= <float>tau * self.r.block[g][k]
            after = after or any_of(m, n)
        self.support += after - before
        return Online.update(self, i, tau)

    def wake(self):
        """Look at every example in the next pass, even where it had no step for long: w has changed since."""
        self.climb.wake()

    def left(self, blocks, y, y_at, weight, double tol):
        """The duality gap as a share of the primal. The sums of the last pass have a part for each example, measured
        for the w that there was when the example was looked at. Only where their share is at most `tol` is it measured
        again for the current w."""
        self.remember(blocks)
        share = self._share()
        return share if share > tol else share_of(*self.measured(blocks, y, y_at, weight), self.C)

    def measured(self, blocks, y, y_at, weight):
        """The duality gap, ||w||^2 and the sum of the losses over all examples for the current w, found by a pass without a
        step."""
        self.remember(blocks)
        seen = {name: getattr(self, name) for name in ("total", "updates", *NUMBERS)}
        try:
            self.begin()
            self.still = True
            for piece in pieces((<Block>blocks[0]).n):
                self.run(blocks, y, y_at, np.arange(piece.start, piece.stop), weight)
            return self.gap, self.length2, self.total
        finally:
            self.still = False
            for name, value in seen.items():
                setattr(self, name, value)

    def held_out(self, tuple blocks, y, y_at, weight, fold, double tol, bint exact=True, int most=100):
        """The scores of the training examples that are held out, each as if neither it nor any other example of its fold had
        been learned from. An example whose fold is -1 is always learned from, and has no row of scores.

        For each fold, what its examples have added is subtracted from w. Then learning goes on over the other examples,
        over every second of them in each turn, until the duality gap is at most the share tol of the primal, or `most`
        turns are over. Over texts, one turn is usually enough. The model itself does not change. `exact` is for
        learners whose rows depend on the gold outputs of others; here they do not.
        """
        cdef Block home = blocks[0]
        arrays, numbers = self.state()
        kept = {name: copied(array, home) for name, array in arrays.items()}
        held = members(fold, lambda some: some >= 0)
        scores = np.zeros((len(held), self.theta.outcomes[0]), np.float32)
        try:
            for k in np.flatnonzero(np.bincount(fold[held])):
                out = members(fold, lambda some: some == k)
                self.remember(blocks)
                self.take_off(blocks, out)
                for turn in range(most):
                    self.begin()
                    for half in _halves(fold, k, turn % 2):
                        self.look_again(half)
                        self.run(blocks, y, y_at, half, weight)
                    if self._share() <= tol:
                        break
                self.score_some(out, np.searchsorted(held, out), scores)
                self.restore(kept, numbers)
        finally:
            self.restore(kept, numbers)
        return scores

    def support_vectors(self, tuple blocks):
        """The numbers of the examples that w is made of, and for each what it has added for each outcome of block 0: the sum of
        m over its places."""
        self.remember(blocks)
        of, m = self._examples_of_places(blocks), self.m[0][:, :self.theta.outcomes[0]]
        numbers = np.unique(of[m.any(axis=1)])
        alpha = np.zeros(((<Block>blocks[0]).n, m.shape[1]), np.float32)
        np.add.at(alpha, of, m)
        return numbers, alpha[numbers]

    def _examples_of_places(self, tuple blocks):
        """For each place of block 0 the number of its example."""
        cdef Block block = blocks[0]
        cdef int64_t i
        return np.repeat(np.arange(block.n), [first(&block.x, i + 1) - first(&block.x, i) for i in range(block.n)])

    def add_up(self, tuple blocks):
        """Make w anew from what the examples have added, over blocks with other values: w = sum_i X_i^T m_i."""
        cdef int64_t i, n = (<Block>blocks[0]).n
        arrays, numbers = self.state()
        self.restore(arrays | {name: np.zeros_like(array) for name, array in arrays.items() if name[0] == "v"}, numbers)
        self.remember(blocks)
        self.take(blocks, tuple([w.n_rows for w in self.weights]))
        self.read_ahead_from(0, n)
        try:
            with nogil:
                for i in range(n):
                    self.recall(i)
                    Online.update(self, i, -1)
        finally:
            self.stop_reading()

    cdef int take_off(self, tuple blocks, const int64_t[::1] some) except -1:
        """Subtract from w what some examples have added to it."""
        cdef int64_t k
        self.take(blocks, tuple([w.n_rows for w in self.weights]))
        self.read_ahead(some)
        try:
            with nogil:
                for k in range(some.shape[0]):
                    self.recall(some[k])
                    self.update(some[k], 1)
                    self.climb.forget(some[k])
        finally:
            self.stop_reading()
        return 0

    cdef int recall(self, int64_t i) except -1 nogil:
        """Fetch example i, and set r to m_i."""
        cdef int g
        cdef int64_t size
        Machine.fetch(self, i)
        for g in range(self.theta.n_blocks):
            self.r.places[g] = first(&self.x[g], i + 1) - first(&self.x[g], i)
            size = self.r.places[g] * self.r.stride[g]
            memcpy(self.r.block[g], self.m_rows[g] + first(&self.x[g], i) * self.r.stride[g], size * sizeof(float))
        return 0

    cdef int look_again(self, const int64_t[::1] some) except -1:
        """Look at some examples in the next pass, even where they had no step for long."""
        cdef int64_t k
        for k in range(some.shape[0]):
            self.climb.look_again(some[k])
        return 0

    cdef int score_some(self, const int64_t[::1] some, const int64_t[::1] rows, float[:, ::1] out) except -1:
        """Write the scores of some examples into rows of a table."""
        cdef int64_t k, i
        cdef int n = self.theta.outcomes[0]
        self.read_ahead(some)
        try:
            with nogil:
                for k in range(some.shape[0]):
                    i = some[k]
                    Machine.fetch(self, i)
                    self.score(0, i, self.w[0].v, 1)
                    memcpy(&out[rows[k], 0], self.theta.block[0], n * sizeof(float))
        finally:
            self.stop_reading()
        return 0

    def _share(self):
        return share_of(self.gap, self.length2, self.total, self.C)

    def sample(self):
        """An empty sample: each pass measures by itself how far the weights moved."""
        return []

    def moved(self, since):
        """||w - w'||, where w' is w before this pass, as it would be if all steps were at right angles; and ||w||."""
        return sqrt(self.steps2), sqrt(max(self.length2, 0.0))

    def state(self):
        arrays, numbers = super().state()
        if self.m is not None:
            arrays |= {f"m{g}": part for g, part in enumerate(self.m)} | self.climb.state()
        return arrays, numbers | {name: getattr(self, name) for name in NUMBERS}

    def restore(self, arrays, numbers):
        super().restore(arrays, numbers)
        if "m0" in arrays:
            self.m = [restored(arrays[f"m{g}"], None if self.m is None else self.m[g], self.home)
                      for g in range(self.theta.n_blocks)]
            for part in self.m:
                Numbers(np.float32, (None, None)).check(part, "m")
            self.climb.restore(arrays, self.home)


def _halves(fold, k, int parity):
    """Yield the examples that are not of fold k, every second one of them, some at a time."""
    cdef int64_t before = 0
    for begin, piece in read_in_pieces(fold):
        rest = np.flatnonzero(piece != k) + begin
        yield rest[(parity + before) % 2::2].copy()
        before += len(rest)


def share_of(double gap, double length2, double total, double C):
    """The duality gap as a share of the primal, 1/2 ||w||^2 + C times the sum of the losses."""
    primal = length2 / 2 + C * total
    return max(gap / primal, 0.0) if primal > 0 else 0.0


cdef class Climb:
    """Finds the step of an example in the dual, given what the example has added to w so far. Subclasses find the step
    and call update()."""

    def remember(self, Dual at, Block block):
        """Make room for the examples of a block, or go on with what there is."""

    def wake(self):
        """Look at every example in the next pass."""

    cdef bint rests(self, Dual at, int64_t i) noexcept nogil:
        """Whether example i is not looked at in this pass."""
        return False

    cdef int learn(self, Dual at, int64_t i, const int32_t *y, double weight) except -1 nogil:
        return 0

    cdef void look_again(self, int64_t i) noexcept nogil:
        """Look at example i in the next pass, even where it had no step for long."""

    cdef void forget(self, int64_t i) noexcept nogil:
        """Forget example i, whose part has been subtracted from w."""

    def state(self):
        """Arrays by name: what must be known of each example to go on."""
        return {}

    def restore(self, arrays, home):
        """Go on from the arrays of `state()`. home: a block whose rows are where the arrays are kept, or None."""
