# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A scorer at work: it fills the tables of an example, and the structure reads the output from them."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uintptr_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from linnet.core.blocks cimport Block, first
from linnet.core.form cimport DECIDED, MAX_BLOCKS, Loss, Structure, Tables
from linnet.core.interrupt cimport begin, check
from linnet.core.machine cimport Machine, usable
from linnet.core.scorer cimport Linear, Scorer

import numpy as np

from linnet.core.budget import current
from linnet.errors import DataError, ModelError, UsageError
from linnet.limits import BEST, TABLES

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)


cdef class Outputs:
    """Outputs, one after the other, in memory that grows."""
    cdef int32_t *y
    cdef int64_t n
    cdef int64_t size

    def __dealloc__(self):
        free(self.y)

    cdef int add(self, const int32_t *y, int64_t length) except -1 nogil:
        cdef int32_t *larger
        if self.n + length > self.size:
            self.size = 2 * (self.n + length) + 64
            larger = <int32_t *>realloc(self.y, self.size * sizeof(int32_t))
            if larger == NULL:
                with gil:
                    raise MemoryError("no memory for the outputs")
            self.y = larger
        if length:                      # An output may be empty, before there is any memory to copy it to.
            memcpy(self.y + self.n, y, length * sizeof(int32_t))
        self.n += length
        return 0

    cdef object array(self):
        out = np.empty(self.n, np.int32)
        if self.n:
            memcpy(<void *><uintptr_t>out.ctypes.data, self.y, self.n * sizeof(int32_t))
        return out


cdef void append(float **out, const Tables *table) noexcept nogil:
    """Copy the table of each block to out[g], and move out[g] past it."""
    cdef int g
    cdef int64_t size
    for g in range(table.n_blocks):
        size = table.places[g] * table.stride[g]
        memcpy(out[g], table.block[g], size * sizeof(float))
        out[g] += size


cdef void copy(const Tables *table, Tables *to) noexcept nogil:
    """Copy the tables of an example that `Structure.decide` changes."""
    cdef int g
    for g in range(min(DECIDED, table.n_blocks)):
        memcpy(to.block[g], table.block[g], table.places[g] * table.stride[g] * sizeof(float))


cdef class Predictor(Machine):
    """Scores, outputs and marginals of examples, by a scorer (or the weights of a linear one) that does not change."""
    cdef readonly Scorer scorer
    cdef readonly tuple n_rows

    def __init__(self, Structure gen, scorer):
        self.prepare(gen)
        self.scorer = scorer if isinstance(scorer, Scorer) else Linear(scorer)
        self.n_rows = self.scorer.rows(gen)

    cdef int theta_of(self, int64_t i, const int32_t[::1] forced, int64_t at) except -1 nogil:
        """Compute theta of example i; what is `forced` on its output starts at `at`."""
        self.fetch(i)
        self.scorer.score(self, i)
        if not usable(self):
            with gil:
                raise ModelError(
                    f"the scores of example {i} are not finite: its features or the weights of the model are too large. Leave out "
                    "numbers far beyond those that it was trained on, or train it with smaller ones."
                )
        if forced is not None:
            if at + self.gen.length(&self.theta, NULL) > forced.shape[0]:
                with gil:
                    raise ValueError("expected a number in `forced` for each integer of every output, or -1")
            if forced.shape[0] > at:
                self.gen.force(&self.theta, &forced[at])
        return 0

    def release(self):
        """Let go of the examples. Their rows may have been made in buffers, which others can use now."""
        self.taken = None
        self.makers = None

    cdef int check_forced(self, const int32_t[::1] forced) except -1:
        if forced is not None and not self.gen.has_forced:
            raise ValueError(f"no part of an output of structure {self.gen.name!r} can be forced")
        return 0

    def scores(self, tuple blocks):
        """theta of every place, one array per block."""
        return self.each(blocks, outputs=False, scores=True)[2]

    def marginals(self, tuple blocks, const int32_t[::1] forced=None):
        """The marginals of every place, one array per block. `forced` is as for argmax."""
        return self.each(blocks, forced, outputs=False, marginals=True)[3]

    def argmax(self, tuple blocks, const int32_t[::1] forced=None):
        """y_hat of all examples, one after the other, and where each starts.

        `forced` has a number for each integer of the outputs: k >= 0 demands k, -1 allows any, -2 - k forbids k.
        """
        return self.each(blocks, forced)[:2]

    def each(self, tuple blocks, const int32_t[::1] forced=None, *, bint outputs=True, bint scores=False, bint marginals=False):
        """What is wanted of all examples, each of which is scored once: y_hat and where each starts, theta, marginals; None for
        what is not wanted."""
        cdef int64_t i, n = (<Block>blocks[0]).n, at = 0
        cdef int64_t[::1] y_at
        cdef float *theta[MAX_BLOCKS]
        cdef float *mu[MAX_BLOCKS]
        cdef Outputs found = Outputs()
        if marginals and not self.gen.has_marginals:
            raise ValueError(f"structure {self.gen.name!r} has no marginals")
        self.check_forced(forced)
        self.take(blocks, self.n_rows)
        score_tables = self.empty_tables(n, theta) if scores else None
        marginal_tables = self.empty_tables(n, mu) if marginals else None
        starts = np.zeros(n + 1, np.int64) if outputs else None
        y_at = starts
        with nogil:
            for i in range(n):
                self.theta_of(i, forced, at)
                if forced is not None:
                    at += self.gen.length(&self.theta, NULL)
                if scores:
                    append(theta, &self.theta)
                if marginals:
                    self.clear(&self.r)
                    self.gen.marginals(&self.theta, &self.r)
                    check()
                    append(mu, &self.r)
                if outputs:
                    self.gen.argmax(&self.theta, self.y_hat)
                    check()
                    found.add(self.y_hat, self.gen.length(&self.theta, self.y_hat))
                    y_at[i + 1] = found.n
        cut = self.gen.outcomes
        return (
            found.array() if outputs else None,
            starts,
            [table[:, :k] for table, k in zip(score_tables, cut)] if scores else None,
            [table[:, :k] for table, k in zip(marginal_tables, cut)] if marginals else None,
        )

    cdef list empty_tables(self, int64_t n, float **out):
        """Tables for all places of n examples, one array per block. The address of each is written to `out`."""
        cdef int g
        arrays = []
        for g in range(self.theta.n_blocks):
            array = np.empty((first(&self.x[g], n), self.theta.stride[g]), np.float32)
            arrays.append(array)
            out[g] = <float *><uintptr_t>array.ctypes.data
        return arrays

    def one(self, tuple blocks, int64_t i, const int32_t[::1] y, Loss loss=None):
        """Example i by itself, with its gold output y: theta, y_hat, whether that is right, the scores of y_hat and y,
        mu(y_hat) and mu(y); theta and mu are one array per block. With a loss that is 0 exactly where the output is
        right (`is_mistake`), y_hat is the output that the loss finds: to it, a tie with another output is a mistake."""
        self.take(blocks, self.n_rows)
        self.theta_of(i, None, 0)
        if loss is not None and loss.is_mistake and self.gen.has_scores and y.shape[0]:
            self.clear(&self.r)
            loss.evaluate(self.gen, &self.theta, &y[0], self.y_hat, &self.r)
        else:
            self.gen.argmax(&self.theta, self.y_hat)
        n = self.gen.length(&self.theta, self.y_hat)
        y_hat = np.array([self.y_hat[k] for k in range(n)], np.int32)
        right = y.shape[0] > 0 and self.gen.same(&self.theta, &y[0], self.y_hat)
        scores = self.gen.score(&self.theta, self.y_hat), self.gen.score(&self.theta, &y[0]) if y.shape[0] else 0.0
        mus = []
        for gold in (False, True):
            self.clear(&self.r)
            if not gold or y.shape[0]:
                self.gen.add(&self.r, &y[0] if gold else self.y_hat, 1)
            mus.append(self._arrays(&self.r))
        return self._arrays(&self.theta), y_hat, right, *scores, *mus

    def others(self, tuple blocks, asked):
        """For each decision i with a value that is asked for, in turn: i, the best output of the only example in which decision i
        does not have this value, and the score of that, -inf where there is none. The example is scored once; nothing else may be
        asked of the predictor in between."""
        cdef int64_t i
        cdef int32_t value
        cdef double score
        self.take(blocks, self.n_rows)
        self.theta_of(0, None, 0)
        copy(&self.theta, &self.r)
        for i, value in asked:
            copy(&self.r, &self.theta)
            with nogil:
                self.gen.decide(&self.theta, i, value, False)
                self.gen.argmax(&self.theta, self.y_hat)
                check()
                score = self.gen.score(&self.theta, self.y_hat)
            y = np.empty(self.gen.length(&self.theta, self.y_hat), np.int32)
            memcpy(<void *><uintptr_t>y.ctypes.data, self.y_hat, y.nbytes)
            yield i, y, score

    cdef list _arrays(self, const Tables *of):
        cdef int g
        return [np.array(<float[:of.places[g], :of.stride[g]]>of.block[g])[:, :of.outcomes[g]]
                if of.places[g] else np.zeros((0, of.outcomes[g]), np.float32) for g in range(of.n_blocks)]

    def kbest(self, tuple blocks, asked, const int32_t[::1] forced=None):
        """The k best outputs of each example, or as many as there are, where k are asked for: a row for each output, and their
        scores, the best first."""
        cdef int64_t i, n = (<Block>blocks[0]).n, length, total = 0, room
        cdef int k, found = 0
        cdef double seconds
        cdef float *usual
        cdef float *work
        cdef int32_t *y
        cdef double *scores
        if not 1 <= asked <= BEST.most:
            raise UsageError(f"expected 1 to {BEST.most:,} of the best outputs, found {asked}. Ask for fewer.")
        k = asked
        self.check_forced(forced)
        self.take(blocks, self.n_rows)
        room = self.gen.workspace_k((<Block>blocks[0]).most_places, k)
        if room < 0:
            raise ValueError(f"structure {self.gen.name!r} has no k best outputs")
        if room > TABLES.most // <int64_t>sizeof(float):
            raise DataError(
                f"the {k:,} best outputs of the longest example would take {room * sizeof(float) / 1e9:,.1f} GB, where "
                f"{TABLES.most / 1e9:.1f} GB is the limit. Ask for fewer, or split it."
            )
        budget = current()
        usual = self.theta.work
        work = <float *>linnet_zeros((room + 8) * sizeof(float))
        y = <int32_t *>malloc((k * self.gen.room((<Block>blocks[0]).most_places) + 8) * sizeof(int32_t))
        scores = <double *>malloc(k * sizeof(double))
        outputs = []
        try:
            if work == NULL or y == NULL or scores == NULL:
                raise MemoryError("no memory for the outputs; ask for fewer")
            self.theta.work = work
            for i in range(n):
                seconds = budget.left
                with nogil:
                    self.theta_of(i, forced, total)
                    begin(seconds)
                    found = self.gen.best_k(&self.theta, k, y, scores)
                    begin(INFINITY)
                    check()
                    length = self.gen.room(self.theta.places[0])
                    if forced is not None:
                        total += self.gen.length(&self.theta, NULL)
                rows, values = np.empty((found, length), np.int32), np.empty(found)
                memcpy(<void *><uintptr_t>rows.ctypes.data, y, rows.nbytes)
                memcpy(<void *><uintptr_t>values.ctypes.data, scores, values.nbytes)
                outputs.append((rows, values))
                if found < k and budget.left <= 0:
                    budget.count("found", found, k, "best outputs")
        finally:
            self.theta.work = usual
            linnet_free(work)
            free(y)
            free(scores)
        return outputs
