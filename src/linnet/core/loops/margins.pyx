# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The margin of fixed weights, which is how far they are from a mistake, and the radius of the examples.

    margin = min_i  w.f(x_i, y_i) - max over y != y_i of w.f(x_i, y)
    R^2    = max_i  2 sum_g || sum_p n_p |x_p| ||^2    >= || f(x_i, y) - f(x_i, y') ||^2

n_p is how often an output may use place p: once, or as often as the gold output does (a weight for each pair of tags is one
place that is used T - 1 times). Two outputs differ by at most sqrt(2) n_p there. Over labels this is 2 ||x||^2, exactly.

This is for structures that have their k best outputs: the best other one is the second, unless an example is wrong.
"""

from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc

from linnet.core.blocks cimport Block, Sparse, first
from linnet.core.loops.gold_outputs cimport output_at
from linnet.core.form cimport Structure
from linnet.core.interrupt cimport check
from linnet.core.machine cimport Machine
from linnet.core.loops.online cimport Joined
from linnet.core.scorer cimport Linear

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)


cdef class Margins(Machine):
    """Measures the examples of run(): the smallest margin (not divided by ||w||), which is 0 as soon as one output is
    wrong; and R^2."""
    cdef readonly double margin
    cdef readonly double radius2
    cdef Linear scorer
    cdef tuple n_rows
    cdef Joined joined
    cdef int32_t *outputs               # the two best outputs
    cdef float *work                    # memory for best_k

    def __init__(self, Structure gen, weights, *, bint bias=True):
        self.prepare(gen)
        self.bias = bias
        self.joined = Joined()
        self.margin = INFINITY
        self.scorer = Linear(weights)
        self.n_rows = self.scorer.rows(gen)

    def __dealloc__(self):
        free(self.outputs)
        linnet_free(self.work)

    def run(self, tuple blocks, const int32_t[::1] y, const int64_t[::1] y_at, int64_t begin, int64_t end):
        """Measure the examples from `begin` to `end`."""
        cdef int64_t i, most = (<Block>blocks[0]).most_places, room = self.gen.workspace_k(most, 2)
        if room < 0:
            raise ValueError(f"structure {self.gen.name!r} has no k best outputs")
        if begin < 0 or end > (<Block>blocks[0]).n or y_at.shape[0] <= end:
            raise IndexError(f"examples {begin} to {end}")
        self.take(blocks, self.n_rows)
        free(self.outputs)
        linnet_free(self.work)
        self.outputs = <int32_t *>malloc((2 * self.gen.room(most) + 8) * sizeof(int32_t))
        self.work = <float *>linnet_zeros((room + 8) * sizeof(float))
        if self.outputs == NULL or self.work == NULL:
            raise MemoryError("no memory for two outputs")
        self.read_ahead_from(begin, end)
        try:
            with nogil:
                for i in range(begin, end):
                    self.measure(i, output_at(y, y_at[i]))
        finally:
            self.stop_reading()

    cdef int measure(self, int64_t i, const int32_t *y) except -1 nogil:
        cdef int g
        self.fetch(i)
        for g in range(self.theta.n_blocks):
            self.theta.places[g] = self.r.places[g] = first(&self.x[g], i + 1) - first(&self.x[g], i)
        self.radius2 = max(self.radius2, 2 * self.length2(i, y))
        if self.margin <= 0:
            return 0
        self.scorer.score(self, i)
        self.check_scores()
        self.gen.argmax(&self.theta, self.y_hat)
        check()
        if not self.gen.same(&self.theta, y, self.y_hat):
            self.margin = 0
        else:
            self.margin = min(self.margin, self.ahead())
        return 0

    cdef double ahead(self) noexcept nogil:
        """The score of the best output less that of the second."""
        cdef double scores[2]
        cdef float *usual = self.theta.work
        scores[1] = -INFINITY
        self.theta.work = self.work
        self.gen.best_k(&self.theta, 2, self.outputs, scores)
        self.theta.work = usual
        return scores[0] - scores[1]

    cdef double length2(self, int64_t i, const int32_t *y) except -1 nogil:
        """The sum over blocks, sum_g || sum_p n_p |x_p| ||^2, of example i."""
        cdef int g
        cdef double total = 0
        self.clear(&self.r)
        self.gen.add(&self.r, y, 1)
        for g in range(self.theta.n_blocks):
            total += self.block_length2(g, i)
        return total

    cdef double block_length2(self, int g, int64_t i) except -1 nogil:
        """The part of block g, || sum_p n_p |x_p| ||^2, given mu(y) in r. A feature recurs only where there are several places."""
        cdef const Sparse *x = &self.x[g]
        cdef int64_t p, j, at, begin = first(x, i), places = self.r.places[g]
        cdef double *sums
        cdef double n, total = 0
        if places == 1:
            n = self.uses(g, 0)
            total = <double>x.one * x.one
            for j in range(x.indptr[begin], x.indptr[begin + 1]):
                total += <double>x.values[j] * x.values[j]
            return n * n * total
        self.joined.reserve(x, begin, begin + places, 1)
        self.joined.n = 1
        sums = self.joined.sums
        sums[0] = 0
        for p in range(places):
            n = self.uses(g, p)
            sums[0] += n * x.one
            for j in range(x.indptr[begin + p], x.indptr[begin + p + 1]):
                at = self.joined.row_of(x.indices[j], 1)
                sums[at] += n * fabs(x.values[j])
        for j in range(self.joined.n):
            total += sums[j] * sums[j]
        for j in range(1, self.joined.n):
            self.joined.slot[self.joined.touched[j]] = 0
        return total

    cdef double uses(self, int g, int64_t p) noexcept nogil:
        """n_p: how often an output may use place p."""
        cdef int k
        cdef double n = 0
        for k in range(self.r.outcomes[g]):
            n += self.r.block[g][p * self.r.stride[g] + k]
        return max(n, 1.0)
