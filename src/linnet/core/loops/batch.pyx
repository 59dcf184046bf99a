# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A loss and its gradient over many examples, for weights that do not change meanwhile.

    total    += sum_i weight_i loss(theta_i, y_i)
    gradient += sum_i weight_i X_i^T r_i,    r_i = d loss / d theta_i

Scores are float32, as everywhere; the sums are float64, so that many small parts are not lost in a large whole.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

from linnet.core.blocks cimport Sparse, first
from linnet.core.loops.gold_outputs cimport output_at
from linnet.core.form cimport MAX_BLOCKS, Loss, Outcome, Structure
from linnet.core.interrupt cimport check
from linnet.core.machine cimport Machine, usable


cdef class Sums(Machine):
    """A pass over examples that adds something up over their places; subclasses say what."""

    def __init__(self, Structure gen, Loss loss, weights):
        cdef int g
        cdef const float[:, ::1] w
        self.prepare(gen)
        self.loss = loss
        self.weights = list(weights)
        for g in range(self.theta.n_blocks):
            w = self.weights[g]
            if w.shape[1] != self.theta.stride[g]:
                raise ValueError("weights and structure do not fit each other")
            self.v[g] = &w[0, 0]

    cdef list sums_into(self, double **sums, arrays):
        """Let `sums` point to these float64 arrays, one for each block, and return them as a list. ValueError where one
        has not the shape of its weights."""
        cdef double[:, ::1] s
        arrays = list(arrays)
        for g, (w, array) in enumerate(zip(self.weights, arrays, strict=True)):
            if array.shape != w.shape:
                raise ValueError("weights and sums do not fit each other")
            s = array
            sums[g] = &s[0, 0]
        return arrays

    def run(self, tuple blocks, const int32_t[::1] y, const int64_t[::1] y_at, const int64_t[::1] order,
            const float[::1] weight=None):
        """Add up the examples in `order`."""
        cdef int64_t k, i, n = order.shape[0]
        self.take(blocks, tuple([w.shape[0] for w in self.weights]))
        self.read_ahead(order)
        try:
            with nogil:
                for k in range(n):
                    i = order[k]
                    self.fetch(i)
                    self.add(i, output_at(y, y_at[i]), weight[i] if weight is not None else 1)
                    check()
        finally:
            self.stop_reading()
        self.loss.check()

    cdef void add(self, int64_t i, const int32_t *y, double weight) noexcept nogil:
        cdef int g
        cdef int64_t p, begin
        cdef Outcome out
        if weight == 0:
            return
        for g in range(self.theta.n_blocks):
            self.score(g, i, self.v[g], 1)
        if not usable(self):     # a trial of a step that was too long, which is taken back
            self.total = INFINITY
            return
        self.clear(&self.r)
        out = self.loss.evaluate(self.gen, &self.theta, y, self.y_hat, &self.r)
        self.total += weight * out.value
        if not out.active:
            return
        for g in range(self.theta.n_blocks):
            begin = first(&self.x[g], i)
            for p in range(self.r.places[g]):
                self.add_place(g, begin + p, self.r.block[g] + p * self.r.stride[g], weight)

    cdef void add_place(self, int g, int64_t place, const float *r, double weight) noexcept nogil:
        """Add what one place contributes, given its r."""


cdef class Batch(Sums):
    cdef readonly list gradient         # one float64 array for each block, in the shape of its weights
    cdef double *sums[MAX_BLOCKS]

    def __init__(self, Structure gen, Loss loss, weights, gradient):
        super().__init__(gen, loss, weights)
        self.gradient = self.sums_into(self.sums, gradient)

    cdef void add_place(self, int g, int64_t place, const float *r, double weight) noexcept nogil:
        """Add the gradient of one place, sums += weight x r^T, with the bias among x."""
        cdef const Sparse *x = &self.x[g]
        cdef int64_t j
        cdef int k = 0, stride = self.r.stride[g]
        cdef double *row
        cdef double *sums = self.sums[g]
        cdef double value
        while k < stride and r[k] == 0:
            k += 1
        if k == stride:
            return
        for k in range(stride):
            sums[k] += weight * x.one * r[k]
        for j in range(x.indptr[place], x.indptr[place + 1]):
            row = sums + (<int64_t>x.indices[j] + 1) * stride
            value = weight * x.values[j]
            for k in range(stride):
                row[k] += value * r[k]


def dot(const float[::1] a, const float[::1] b):
    """The inner product a.b, added up in float64 and always in the same order, which BLAS with threads does not promise."""
    cdef int64_t i, k, n = a.shape[0]
    cdef double sums[8]
    if b.shape[0] != n:
        raise ValueError("vectors of different lengths")
    with nogil:
        for k in range(8):
            sums[k] = 0
        for i in range(0, n - 7, 8):
            for k in range(8):
                sums[k] += <double>a[i + k] * b[i + k]
        for i in range(n // 8 * 8, n):
            sums[0] += <double>a[i] * b[i]
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))


def add(float[::1] a, const float[::1] b, float amount):
    """Add a multiple of b to a: a += amount b."""
    cdef int64_t i, n = a.shape[0]
    if b.shape[0] != n:
        raise ValueError("vectors of different lengths")
    with nogil:
        for i in range(n):
            a[i] += amount * b[i]
