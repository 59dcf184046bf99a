# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A feedforward network with one hidden layer, over the places of each block (Rumelhart, Hinton and Williams 1986; over tags
Collobert et al. 2011, with the loss of the whole sentence).

    h     = activation(E^T x)        E: a row of `hidden` numbers for the bias and for each feature, its embedding
    theta = V^T (1, h)               V: a row for the bias and for each of those numbers, a column for each outcome

    V    -= tau (1, h) r^T,          r = d loss / d theta, as everywhere
    E    -= tau x d^T,               d = (V r) activation'(h)

Both layers are tables of weights like W, so the steps know how to change them. A block without features has no hidden layer.
"""

from libc.math cimport tanhf
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memcpy

from linnet.core.blocks cimport Block, Sparse, first
from linnet.core.form cimport MAX_BLOCKS, Loss, Step, Structure
from linnet.core.machine cimport Machine
from linnet.core.loops.online cimport Online
from linnet.core.scorer cimport Scorer
from linnet.core.weights cimport Rows, Weights

import numpy as np

from linnet.core.schema import Numbers
from linnet.core.weights import stride_of

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)
    void linnet_add_rows(float *theta, const float *W, int stride, const uint32_t *j, const float *x, int64_t n,
                         int64_t known)

# Hidden describes the hidden layer of one block; E is NULL where there is none.
cdef struct Hidden:
    const float *E
    const float *V
    int n                   # number of floats of h, rounded up to a stride (weights.pyx)
    bint relu
    const uint32_t *each    # 0, 1, ..., n - 1


cdef void forward(const Hidden *to, const Sparse *x, int64_t place, double a, float *h, float *theta, int stride) noexcept nogil:
    """Compute h and theta of one place; the true weights of both layers are a times those stored."""
    cdef int j
    cdef int64_t start = x.indptr[place], n = x.indptr[place + 1] - start
    memcpy(h, to.E, to.n * sizeof(float))
    linnet_add_rows(h, to.E + to.n, to.n, x.indices + start, x.values + start, n, n)
    for j in range(to.n):
        h[j] *= <float>a
        h[j] = max(h[j], <float>0) if to.relu else tanhf(h[j])
    memcpy(theta, to.V, stride * sizeof(float))
    linnet_add_rows(theta, to.V + stride, stride, to.each, h, to.n, to.n)
    for j in range(stride):
        theta[j] *= <float>a


def embeddings(int64_t start, int64_t end, int hidden):
    """The rows start:end of E before anything is learned: numbers between -1 and 1, divided by the root of `hidden`.
    They are pseudorandom (SplitMix64), and depend on the row and the column alone, so that features that come later get
    the same rows."""
    n = stride_of(hidden)
    x = np.arange(start * n, end * n, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    rows = ((x >> np.uint64(40)).astype(np.float32) / np.float32(1 << 23) - 1).reshape(end - start, n) / np.float32(hidden**0.5)
    rows[:, hidden:] = 0
    return rows


cdef class Network(Scorer):
    """A scorer whose arrays are V of each block, and then E of each block with features."""
    cdef Hidden hidden[MAX_BLOCKS]
    cdef const float *v[MAX_BLOCKS]
    cdef float *h
    cdef object each
    cdef bint relu

    def __init__(self, weights, *, bint relu):
        super().__init__(weights)
        self.name = "network"
        self.relu = relu

    def __dealloc__(self):
        linnet_free(self.h)

    def layout(self, Structure gen, n_features):
        n_blocks = len(gen.outcomes)
        if len(self.weights) != n_blocks + np.count_nonzero(n_features):
            raise ValueError("the layers of the network do not fit each other")
        first = iter(self.weights[n_blocks:])
        hidden = [next(first).shape[-1:] or (1,) if n else (0,) for n in n_features]
        return [
            *[Numbers(np.float32, (1 + h, stride_of(k))) for k, (h,) in zip(gen.outcomes, hidden)],
            *[Numbers(np.float32, (n + 1, h)) for n, (h,) in zip(n_features, hidden) if n],
        ]

    cpdef tuple rows(self, Structure gen):
        cdef const float[:, ::1] V, E
        cdef const uint32_t[::1] each
        cdef int g, n_blocks = len(gen.outcomes), at = n_blocks, most = 1
        found = []
        self.each = np.arange(max([len(w) for w in self.weights[:n_blocks]], default=1), dtype=np.uint32)
        each = self.each
        for g in range(n_blocks):
            if g >= len(self.weights) or self.weights[g].shape[1] != stride_of(gen.outcomes[g]):
                raise ValueError(f"{gen.name} and the network have different outcomes")
            V = self.weights[g]
            self.v[g] = &V[0, 0]
            self.hidden[g].E = NULL
            found.append(1)
            if V.shape[0] == 1:
                continue
            if at >= len(self.weights) or self.weights[at].shape[1] != V.shape[0] - 1:
                raise ValueError("the layers of the network do not fit each other")
            E = self.weights[at]
            at += 1
            self.hidden[g] = Hidden(&E[0, 0], &V[0, 0], E.shape[1], self.relu, &each[0])
            most = max(most, <int>E.shape[1])
            found[g] = E.shape[0]
        linnet_free(self.h)
        self.h = <float *>linnet_zeros(most * sizeof(float))
        if at != len(self.weights) or self.h == NULL:
            raise ValueError("the layers of the network do not fit each other")
        return tuple(found)

    cdef void score(self, Machine at, int64_t i) noexcept nogil:
        cdef int g
        cdef int64_t p, begin
        for g in range(at.theta.n_blocks):
            if self.hidden[g].E == NULL:
                at.score(g, i, self.v[g], 1)
                continue
            begin = first(&at.x[g], i)
            at.theta.places[g] = at.r.places[g] = first(&at.x[g], i + 1) - begin
            for p in range(at.theta.places[g]):
                forward(&self.hidden[g], &at.x[g], begin + p, 1, self.h, at.theta.block[g] + p * at.theta.stride[g],
                        at.theta.stride[g])


cdef class Backpropagation(Online):
    """The loop that learns a network. Its weights are those of Network."""
    cdef int n_hidden
    cdef Hidden hidden[MAX_BLOCKS]
    cdef Rows e[MAX_BLOCKS]
    cdef int64_t e_rows[MAX_BLOCKS]
    cdef float *h[MAX_BLOCKS]           # h of each place of the current example
    cdef float *d[MAX_BLOCKS]
    cdef int64_t n_places[MAX_BLOCKS]
    cdef object each

    def __init__(self, Structure gen, Loss loss, Step step, n_features, *, int hidden, bint relu):
        cdef int g
        super().__init__(gen, loss, step, [0 for _ in n_features])
        self.n_hidden = hidden
        self.each = np.arange(stride_of(hidden), dtype=np.uint32)
        for g in range(self.theta.n_blocks):
            self.hidden[g].relu = relu
            self.hidden[g].n = stride_of(hidden)
        self.grow(n_features)

    def __dealloc__(self):
        cdef int g
        for g in range(MAX_BLOCKS):
            linnet_free(self.h[g])
            linnet_free(self.d[g])

    def _point(self):
        cdef int g, at = self.theta.n_blocks
        cdef const uint32_t[::1] each
        super()._point()
        if self.each is None:
            return
        each = self.each
        for g in range(self.theta.n_blocks):
            self.hidden[g].E = NULL
            if self.n_rows[g] > 1:
                self.e[g] = (<Weights>self.weights[at]).rows
                self.e_rows[g] = (<Weights>self.weights[at]).n_rows
                self.hidden[g].E, self.hidden[g].V, self.hidden[g].each = self.e[g].v, self.w[g].v, &each[0]
                at += 1

    cdef int take(self, tuple blocks, tuple n_rows) except -1:
        cdef int g
        cdef int64_t places
        Machine.take(self, blocks, tuple([self.e_rows[g] if self.hidden[g].E != NULL else 1 for g in range(self.theta.n_blocks)]))
        for g in range(self.theta.n_blocks):
            places = (<Block>blocks[g]).most_places
            if places > self.n_places[g] and self.hidden[g].E != NULL:
                linnet_free(self.h[g])
                linnet_free(self.d[g])
                self.h[g] = <float *>linnet_zeros(places * self.hidden[g].n * sizeof(float))
                self.d[g] = <float *>linnet_zeros(places * self.hidden[g].n * sizeof(float))
                if self.h[g] == NULL or self.d[g] == NULL:
                    raise MemoryError("no memory for the hidden layer of one example")
                self.n_places[g] = places
        return 0

    cdef void score(self, int g, int64_t i, const float *v, double a) noexcept nogil:
        cdef int64_t p, begin = first(&self.x[g], i)
        cdef int stride = self.theta.stride[g]
        if self.hidden[g].E == NULL:
            Machine.score(self, g, i, v, a)
            return
        self.theta.places[g] = self.r.places[g] = first(&self.x[g], i + 1) - begin
        for p in range(self.theta.places[g]):
            forward(&self.hidden[g], &self.x[g], begin + p, a, self.h[g] + p * self.hidden[g].n,
                    self.theta.block[g] + p * stride, stride)

    cdef int update(self, int64_t i, double tau) except -1 nogil:
        """Change both layers, each by a gradient that is computed with the other layer as it was before the step."""
        cdef int g, n
        cdef int64_t p, begin
        cdef int64_t[2] ends
        cdef const float *r
        cdef Sparse h
        for g in range(self.theta.n_blocks):
            if self.hidden[g].E != NULL:
                for p in range(self.r.places[g]):
                    self.back(g, p)
        for g in range(self.theta.n_blocks):
            begin, n = first(&self.x[g], i), self.hidden[g].n
            for p in range(self.r.places[g]):
                r = self.r.block[g] + p * self.r.stride[g]
                if self.hidden[g].E == NULL:
                    self.step.update(&self.w[g], &self.x[g], begin + p, r, tau, self.a, self.S)
                    continue
                ends[0], ends[1] = 0, n
                h.indptr, h.indices, h.values, h.places = ends, self.hidden[g].each, self.h[g] + p * n, NULL
                h.one = 1
                self.step.update(&self.w[g], &h, 0, r, tau, self.a, self.S)
                self.step.update(&self.e[g], &self.x[g], begin + p, self.d[g] + p * n, tau, self.a, self.S)
        return 0

    cdef void back(self, int g, int64_t p) noexcept nogil:
        """Compute d = (V r) activation'(h) of one place."""
        cdef int j, k, n = self.hidden[g].n, stride = self.r.stride[g]
        cdef const float *r = self.r.block[g] + p * stride
        cdef const float *h = self.h[g] + p * n
        cdef const float *V
        cdef double total
        for j in range(n):
            V = self.w[g].v + (j + 1) * stride
            total = 0
            for k in range(stride):
                total += <double>V[k] * r[k]
            total *= self.a * (<double>(h[j] > 0) if self.hidden[g].relu else 1 - <double>h[j] * h[j])
            self.d[g][p * n + j] = <float>total

    cdef void rescale(self) noexcept nogil:
        cdef int g
        cdef int64_t i
        for g in range(self.theta.n_blocks):
            if self.hidden[g].E != NULL:
                for i in range(self.e_rows[g] * self.e[g].stride):
                    self.e[g].v[i] *= <float>self.a
        Online.rescale(self)

    def grow(self, n_features):
        """Make room for new features, whose embeddings are the same as if they had been there from the start. A block gets
        its hidden layer with its first features."""
        cdef Weights V, E
        second_layer, grown, first_layer = self.weights[:self.theta.n_blocks], iter(self.weights[self.theta.n_blocks:]), []
        for V, n in zip(second_layer, n_features, strict=True):
            if not n:
                continue
            if V.n_rows > 1:
                E = next(grown)
                had = E.n_rows
                E.grow(n + 1)
            else:
                V.grow(1 + stride_of(self.n_hidden))
                E = Weights(n, self.n_hidden, squares=self.step.needs_squares)
                had = 0
            E.arrays["v"][had:] = embeddings(had, n + 1, self.n_hidden) / np.float32(self.a)
            first_layer.append(E)
        self.weights = (*second_layer, *first_layer)
        self._point()
