# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""One example at a time: memory for its tables, its rows of X, and its scores theta_g = X_g W_g."""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from linnet.core.blocks cimport Block, Maker, Sparse, first
from linnet.core.form cimport MAX_BLOCKS, SLACK, Structure, Tables
from linnet.core.read_ahead cimport ReadAhead
from linnet.core.strips cimport FULL, Strip
from linnet.core.weights cimport stride_for

from linnet.core.read_ahead import maker_of
from linnet.errors import DataError, DivergedError
from linnet.limits import TABLES

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)
    void linnet_add_rows(float *theta, const float *W, int stride, const uint32_t *j, const float *x, int64_t n,
                         int64_t known)
    void linnet_add(float *theta, const float *v, float x, int n)
    void linnet_add_at(float *theta, const uint32_t *k, const float *v, float x, int n)
    float linnet_largest(const float *x, int64_t n, int64_t *left_out)
    void linnet_prefetch(const void *p)

cdef enum:
    NEAR = 8                        # number of rows ahead whose strips are prefetched
    FAR = 32                        # number of rows ahead whose headers are prefetched

# The largest size of a score. The largest float is 3e38, so that the scores of an example can be added up.
cdef float LARGEST = 1e30
MOST = TABLES.most


cdef class Machine:
    """A structure with the tables of one example at a time: the base of all that learns or predicts."""

    @property
    def bias(self):
        """Whether the places of block 0 have the constant feature f_0 = 1. Without it their row 0 of W is never
        changed, and nothing of it counts in ||f||^2. The constant feature of any other block is kept: its weights are
        those of the outcomes themselves, such as pairs of tags."""
        return self.one == 1

    @bias.setter
    def bias(self, bint value):
        self.one = value

    def __dealloc__(self):
        cdef int g
        for g in range(self.theta.n_blocks):
            linnet_free(self.theta.block[g])
            linnet_free(self.r.block[g])
        linnet_free(self.theta.work)
        free(self.y_hat)

    cdef int prepare(self, Structure gen) except -1:
        cdef int g
        if len(gen.outcomes) > MAX_BLOCKS:
            raise ValueError(f"at most {MAX_BLOCKS} blocks")
        self.gen = gen
        self.one = 1
        self.theta.n_blocks = self.r.n_blocks = len(gen.outcomes)
        for g in range(self.theta.n_blocks):
            self.theta.outcomes[g] = self.r.outcomes[g] = gen.outcomes[g]
            self.theta.stride[g] = self.r.stride[g] = stride_for(gen.outcomes[g])
        return 0

    cdef int take(self, tuple blocks, tuple n_rows) except -1:
        """Take the examples of these blocks: check that they fit the weights, which have so many rows for each block,
        and make room for the largest example."""
        cdef int g
        cdef int64_t most = 0, places, floats, work
        if len(blocks) != self.theta.n_blocks:
            raise ValueError(f"{self.gen.name} has {self.theta.n_blocks} blocks, not {len(blocks)}")
        work = self.gen.workspace((<Block>blocks[0]).most_places)
        floats = work
        for g in range(self.theta.n_blocks):
            if (<Block>blocks[g]).n != (<Block>blocks[0]).n:
                raise ValueError("the blocks differ in their number of examples")
            if (<Block>blocks[g]).largest + 1 >= n_rows[g]:
                raise ValueError("a feature has no weight")
            most = max(most, (<Block>blocks[g]).most_places)
            floats += 2 * (<Block>blocks[g]).most_places * self.theta.stride[g]
        if floats * <int64_t>sizeof(float) > <int64_t>MOST:
            raise DataError(
                f"the longest example has {most:,} places, whose scores would take {floats * sizeof(float) / 1e9:,.1f} GB, "
                f"where {MOST / 1e9:.1f} GB is the limit. Split it; a parser with --set order=1 needs less."
            )
        for g in range(self.theta.n_blocks):
            places = (<Block>blocks[g]).most_places
            if places > self.room[g]:
                floats = places * self.theta.stride[g]
                self.room[g] = 0
                linnet_free(self.theta.block[g])
                linnet_free(self.r.block[g])
                self.theta.block[g] = <float *>linnet_zeros((floats + SLACK) * sizeof(float))
                self.r.block[g] = <float *>linnet_zeros((floats + SLACK) * sizeof(float))
                if self.theta.block[g] == NULL or self.r.block[g] == NULL:
                    raise MemoryError("no memory for the tables of one example")
                self.room[g] = places
        if blocks is not self.taken:
            self.makers = [maker_of(block) for block in blocks]
            self.taken = blocks
        for g in range(self.theta.n_blocks):
            self.hold(g, <Block>blocks[g])
            self.x[g].maker = <void *>self.makers[g] if self.makers[g] is not None else NULL
        free(self.y_hat)
        linnet_free(self.theta.work)
        self.y_hat = <int32_t *>malloc((2 * self.gen.room(most) + 8) * sizeof(int32_t))
        self.theta.work = <float *>linnet_zeros((work + 8) * sizeof(float))
        if self.y_hat == NULL or self.theta.work == NULL:
            raise MemoryError("no memory for an output")
        return 0

    cdef void hold(self, int g, Block block):
        """Hold the rows of a block, with the constant feature of their places."""
        self.x[g] = block.x
        if g == 0:
            self.x[g].one *= self.one

    cdef int read_ahead(self, const int64_t[::1] order, bint every=True) except -1:
        """Let threads make the rows of these examples, which will be fetched in this order, if they come from a file.
        `stop_reading` must follow. every: whether all of them will be fetched, and not only those that are not passed over."""
        for maker in self.makers:
            if isinstance(maker, ReadAhead):
                maker.begin(order, None if every else self.passed_over(order))
        return 0

    cdef int read_ahead_from(self, int64_t start, int64_t stop) except -1:
        """As `read_ahead`, for the examples from `start` to `stop`, which will be fetched one after the other."""
        for maker in self.makers:
            if isinstance(maker, ReadAhead):
                maker.begin_from(start, stop)
        return 0

    def passed_over(self, order):
        """A flag for each of these examples, whether it will probably not be fetched; None where all will be."""

    cdef int stop_reading(self) except -1:
        """End what `read_ahead` has begun."""
        for maker in self.makers:
            if isinstance(maker, ReadAhead):
                maker.end()
        return 0

    cdef int fetch(self, int64_t i) except -1 nogil:
        """Make the rows of example i available. This must be called before anything else is done with the example."""
        cdef int g
        for g in range(self.theta.n_blocks):
            if self.x[g].maker != NULL:
                (<Maker>self.x[g].maker).fetch(&self.x[g], i)
        return 0

    cdef void score(self, int g, int64_t i, const float *v, double a) noexcept nogil:
        """Compute theta_g of example i, with w = a v."""
        cdef const Sparse *x = &self.x[g]
        cdef int stride = self.theta.stride[g]
        cdef int64_t p, start, k, size, begin = first(x, i), end = first(x, i + 1)
        cdef float *theta = self.theta.block[g]
        self.theta.places[g] = self.r.places[g] = end - begin
        self.theta.impossible[g] = 0
        self.scored = i
        self.by[g] = v
        for p in range(begin, end):
            if x.out != NULL and x.out[p]:
                for k in range(stride):
                    theta[k] = -INFINITY
                self.theta.impossible[g] += stride
                theta += stride
                continue
            memcpy(theta, v, stride * sizeof(float))
            if x.one != 1:
                for k in range(stride):
                    theta[k] *= x.one
            start = x.indptr[p]
            if self.strips[g] == NULL:
                linnet_add_rows(theta, v + stride, stride, x.indices + start, x.values + start, x.indptr[p + 1] - start,
                                x.indptr[end] - start)
            else:
                add_strips(theta, self.strips[g], x.indices + start, x.values + start, x.indptr[p + 1] - start)
            theta += stride
        if a != 1:
            size = self.theta.places[g] * stride
            theta = self.theta.block[g]
            for k in range(size):
                theta[k] *= <float>a

    cdef int check_scores(self) except -1 nogil:
        """Raise DivergedError where the scores of an example that is learned from are no numbers that a structure can add up:
        steps that are too long lead there."""
        if not usable(self):
            with gil:
                raise DivergedError(
                    f"scores are not finite, or above {LARGEST:g}, while learning. Learn by shorter steps, or from smaller numbers."
                )
        return 0

    cdef void clear(self, Tables *table) noexcept nogil:
        cdef int g
        for g in range(table.n_blocks):
            memset(table.block[g], 0, table.places[g] * table.stride[g] * sizeof(float))


cdef bint usable(Machine at) noexcept nogil:
    """Whether all scores are numbers that structures can add up. Minus infinity is one where it stands for what cannot be, and
    none where numbers that are too large have led to it."""
    cdef int g
    cdef int64_t found
    cdef const Tables *theta = &at.theta
    for g in range(theta.n_blocks):
        if not (linnet_largest(theta.block[g], theta.places[g] * theta.stride[g], &found) <= LARGEST):
            return False
        if found != theta.impossible[g] and theta.impossible[g] >= 0 and not weighed_out(at, g):
            return False
    return True


cdef bint weighed_out(Machine at, int g) noexcept nogil:
    """Whether a weight of the example is minus infinity itself. No weights that were learned are."""
    cdef const Sparse *x = &at.x[g]
    cdef const float *v = at.by[g]
    cdef int64_t p, j
    cdef int k, stride = at.theta.stride[g]
    if v == NULL or at.strips[g] != NULL:
        return False
    for k in range(stride):
        if v[k] == -INFINITY:
            return True
    for p in range(first(x, at.scored), first(x, at.scored + 1)):
        for j in range(x.indptr[p], x.indptr[p + 1]):
            for k in range(stride):
                if v[(<int64_t>x.indices[j] + 1) * stride + k] == -INFINITY:
                    return True
    return False


cdef void add_strips(float *theta, const Strip *rows, const uint32_t *j, const float *x, int64_t n) noexcept nogil:
    """Add the scores of n features, theta += sum_{i < n} x_i W[j_i], over the outcomes that these rows hold."""
    cdef int64_t i
    cdef const Strip *row
    for i in range(n):
        if i + FAR < n:
            linnet_prefetch(rows + j[i + FAR])
        if i + NEAR < n:
            row = rows + j[i + NEAR]
            linnet_prefetch(row.k)
            linnet_prefetch(row.v)
        row = rows + j[i]
        if row.size == FULL:
            linnet_add(theta, row.v, x[i], row.n)
        else:
            linnet_add_at(theta, row.k, row.v, x[i], row.n)
