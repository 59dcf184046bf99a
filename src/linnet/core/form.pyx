# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The one form, and the loop over examples.

    theta_g   = X_g W_g                  scores of block g: places x outcomes
    w.f(x, y) = sum_g <theta_g, mu_g(y)>
    W_g      -= tau X_g^T r_g            with r = d loss / d theta

A Structure turns tables of scores into an output. A Loss turns a structure, scores and the gold output into a value and r. A
Step turns (value, ||X^T r||^2, t) into tau. Neither knows the other two; the loop below is all that they share.

Weights are kept as w = a v, so that the shrinking of L2 regularisation, w <- (1 - eta lam) w, is one multiplication. The
average over steps 1..t needs no pass over the weights either: with the clock S_t = a_1 + ... + a_t and U += S_(t-1) dv at
each change dv of v,

    w_1 + ... + w_t = S_t v - U.

Every place has the constant feature f_0 = 1: row 0 of W is the bias, and it counts in ||f||^2.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint32_t, uintptr_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)
    void linnet_add_rows(float *theta, const float *W, int stride, const uint32_t *j, const float *x, int64_t n)
    void linnet_update_rows(float *W, double *U, int stride, const uint32_t *j, const float *x, int64_t n,
                            const float *d, double clock)
    void linnet_update_some(float *W, double *U, int stride, const uint32_t *j, const float *x, int64_t n,
                            const float *d, const int32_t *at, int n_at, double clock)

cdef uint32_t *BIAS = [0]
cdef float *ONE = [1.0]
cdef double SMALLEST_SCALE = 1e-6

cdef enum:
    MAX_OUTCOMES = 4096
    FEW = 4


def stride_of(int n_outcomes):
    """Floats from one row of weights to the next: 1, 2, 4 or a multiple of 8."""
    if n_outcomes <= 2:
        return n_outcomes
    return 4 if n_outcomes <= 4 else (n_outcomes + 7) // 8 * 8


cdef class Structure:
    """GEN(x): what outputs there are, and which is the best.

    `outcomes` has the number of outcomes per place of each block. An output y is `length` integers.
    """

    cdef int64_t length(self, const Tables *theta) noexcept nogil:
        """How many integers an output has."""
        return theta.places[0]

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        pass

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        """<theta, mu(y)>"""
        return 0

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        """mu = E[mu(y)] under p(y) proportional to exp <theta, mu(y)>; returns log Z."""
        return 0

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        """table += amount mu(y)"""
        pass

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        """theta += amount cost(y, .), the cost spread over the outcomes."""
        pass

    cdef bint same(self, const Tables *theta, const int32_t *y, const int32_t *y_hat) noexcept nogil:
        cdef int64_t i
        for i in range(self.length(theta)):
            if y[i] != y_hat[i]:
                return False
        return True


cdef class Loss:
    """A surrogate for the cost. `evaluate` may overwrite theta."""

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        out.value = 0
        out.active = False
        return out


cdef class Step:
    """How far to go. The default update is the plain one: every coordinate at the same rate."""

    cdef double shrink(self, int64_t t) noexcept nogil:
        """The factor that all weights are multiplied by before step t."""
        return 1

    cdef double tau(self, double value, double norm2, int64_t t, double weight) noexcept nogil:
        return weight

    cdef void update(self, Rows *w, const Sparse *x, int64_t place, const float *r, double tau, double a,
                     double clock) noexcept nogil:
        """W -= tau x r^T for one place."""
        cdef float d[MAX_OUTCOMES]
        cdef int32_t at[FEW]
        cdef int k, n_at = 0
        cdef float scale = <float>(-tau / a)
        cdef int64_t start = x.indptr[place], n = x.indptr[place + 1] - start
        cdef float *rows = w.v + w.stride
        cdef double *past = w.U + w.stride if w.U != NULL else NULL
        for k in range(w.stride):
            d[k] = scale * r[k]
            if r[k] != 0:
                if n_at < FEW:
                    at[n_at] = k
                n_at += 1
        if n_at <= FEW and w.stride > 8:
            linnet_update_some(w.v, w.U, w.stride, BIAS, ONE, 1, d, at, n_at, clock)
            linnet_update_some(rows, past, w.stride, x.indices + start, x.values + start, n, d, at, n_at, clock)
        else:
            linnet_update_rows(w.v, w.U, w.stride, BIAS, ONE, 1, d, clock)
            linnet_update_rows(rows, past, w.stride, x.indices + start, x.values + start, n, d, clock)


cdef class Weights:
    """W of one block: a row of outcomes for the bias and for each feature."""

    def __cinit__(self, int64_t n_features, int n_outcomes, *, bint averaged=False, bint squares=False):
        if n_outcomes > MAX_OUTCOMES:
            raise ValueError(f"{n_outcomes} outcomes a place; at most {MAX_OUTCOMES}")
        self.n_rows = n_features + 1
        self.n_outcomes = n_outcomes
        self.rows.stride = stride_of(n_outcomes)
        self.rows.v = <float *>self.zeros(sizeof(float))
        if averaged:
            self.rows.U = <double *>self.zeros(sizeof(double))
        if squares:
            self.rows.G = <float *>self.zeros(sizeof(float))

    def __dealloc__(self):
        linnet_free(self.rows.v)
        linnet_free(self.rows.U)
        linnet_free(self.rows.G)

    cdef void *zeros(self, size_t item) except NULL:
        cdef void *p = linnet_zeros(self.n_rows * self.rows.stride * item)
        if p == NULL:
            raise MemoryError(f"no memory for {self.n_rows * self.rows.stride * item >> 20} MB of weights")
        return p

    cdef int grow(self, int64_t n_rows) except -1:
        """Room for more features; new rows are zero, which is what they were all along."""
        cdef int64_t old = self.n_rows * self.rows.stride
        cdef Rows had = self.rows
        if n_rows <= self.n_rows:
            return 0
        self.n_rows = n_rows
        self.rows.v = <float *>self.zeros(sizeof(float))
        memcpy(self.rows.v, had.v, old * sizeof(float))
        linnet_free(had.v)
        if had.U != NULL:
            self.rows.U = <double *>self.zeros(sizeof(double))
            memcpy(self.rows.U, had.U, old * sizeof(double))
            linnet_free(had.U)
        if had.G != NULL:
            self.rows.G = <float *>self.zeros(sizeof(float))
            memcpy(self.rows.G, had.G, old * sizeof(float))
            linnet_free(had.G)
        return 0

    def _copy(self, which):
        """v, U or G as an array, None where there is none."""
        cdef Py_ssize_t n = self.n_rows * self.rows.stride
        cdef void *p = self.rows.v if which == "v" else <void *>self.rows.U if which == "U" else self.rows.G
        if p == NULL:
            return None
        out = np.empty((self.n_rows, self.rows.stride), np.float64 if which == "U" else np.float32)
        memcpy(<void *><uintptr_t>out.ctypes.data, p, out.nbytes)
        return out

    def _set(self, which, array):
        cdef void *p = self.rows.v if which == "v" else <void *>self.rows.U if which == "U" else self.rows.G
        array = np.ascontiguousarray(array, np.float64 if which == "U" else np.float32)
        if p == NULL or array.shape != (self.n_rows, self.rows.stride):
            raise ValueError(f"{which} does not fit these weights")
        memcpy(p, <void *><uintptr_t>array.ctypes.data, array.nbytes)


cdef class Block:
    """The features of all places of all examples. `places` cuts the places into examples; None: one place each."""

    def __init__(self, const int64_t[::1] indptr, const uint32_t[::1] indices, const float[::1] values, places=None):
        cdef const int64_t[::1] cut
        self.owners = (indptr, indices, values, places)
        self.n = indptr.shape[0] - 1
        if self.n < 0 or indptr[self.n] > indices.shape[0] or indices.shape[0] != values.shape[0]:
            raise ValueError("indptr, indices and values do not fit each other")
        self.x.indptr = &indptr[0]
        self.x.indices = &indices[0] if indices.shape[0] else NULL
        self.x.values = &values[0] if values.shape[0] else NULL
        if places is not None:
            cut = places
            if cut[cut.shape[0] - 1] != self.n:
                raise ValueError("the places of the last example are not the last places")
            self.x.places = &cut[0]
            self.n = cut.shape[0] - 1

        self.largest = -1
        self.most_places = 1
        self.measure()

    cdef void measure(self) noexcept nogil:
        cdef int64_t i
        for i in range(self.x.indptr[first(&self.x, self.n)]):
            self.largest = max(self.largest, <int64_t>self.x.indices[i])
        if self.x.places != NULL:
            for i in range(self.n):
                self.most_places = max(self.most_places, self.x.places[i + 1] - self.x.places[i])


    def length2(self):
        """The mean of ||x||^2 over all places, the bias counted."""
        cdef int64_t i, places = first(&self.x, self.n)
        cdef double total = 0
        with nogil:
            for i in range(self.x.indptr[places]):
                total += <double>self.x.values[i] * self.x.values[i]
        return 1 + total / max(places, 1)


cdef inline int64_t first(const Sparse *x, int64_t example) noexcept nogil:
    return example if x.places == NULL else x.places[example]


cdef class Machine:
    """A structure and the tables for one example at a time."""
    cdef readonly Structure gen
    cdef Tables theta
    cdef Tables r
    cdef int32_t *y_hat
    cdef int64_t room[MAX_BLOCKS]
    cdef Sparse x[MAX_BLOCKS]

    def __dealloc__(self):
        cdef int g
        for g in range(self.theta.n_blocks):
            linnet_free(self.theta.block[g])
            linnet_free(self.r.block[g])
        free(self.y_hat)

    cdef int prepare(self, Structure gen) except -1:
        cdef int g
        if len(gen.outcomes) > MAX_BLOCKS:
            raise ValueError(f"at most {MAX_BLOCKS} blocks")
        self.gen = gen
        self.theta.n_blocks = self.r.n_blocks = len(gen.outcomes)
        for g in range(self.theta.n_blocks):
            self.theta.outcomes[g] = self.r.outcomes[g] = gen.outcomes[g]
            self.theta.stride[g] = self.r.stride[g] = stride_of(gen.outcomes[g])
        return 0

    cdef int take(self, tuple blocks, tuple n_rows) except -1:
        """Check that these blocks fit the weights, and make room for the largest example."""
        cdef int g
        cdef int64_t most = 0, places, floats
        if len(blocks) != self.theta.n_blocks:
            raise ValueError(f"{self.gen.name} has {self.theta.n_blocks} blocks, not {len(blocks)}")
        for g in range(self.theta.n_blocks):
            if (<Block>blocks[g]).n != (<Block>blocks[0]).n:
                raise ValueError("the blocks differ in their number of examples")
            if (<Block>blocks[g]).largest + 1 >= n_rows[g]:
                raise ValueError("a feature has no weight")
            self.x[g] = (<Block>blocks[g]).x
            places = (<Block>blocks[g]).most_places
            most = max(most, places)
            if places > self.room[g]:
                floats = places * self.theta.stride[g]
                linnet_free(self.theta.block[g])
                linnet_free(self.r.block[g])
                self.theta.block[g] = <float *>linnet_zeros(floats * sizeof(float))
                self.r.block[g] = <float *>linnet_zeros(floats * sizeof(float))
                if self.theta.block[g] == NULL or self.r.block[g] == NULL:
                    raise MemoryError("no memory for the tables of one example")
                self.room[g] = places
        free(self.y_hat)
        self.y_hat = <int32_t *>malloc((2 * most + 8) * sizeof(int32_t))
        if self.y_hat == NULL:
            raise MemoryError("no memory for an output")
        return 0

    cdef void score(self, int g, int64_t i, const float *v, double a) noexcept nogil:
        """theta_g of example i, with w = a v."""
        cdef const Sparse *x = &self.x[g]
        cdef int stride = self.theta.stride[g]
        cdef int64_t p, start, k, size, begin = first(x, i), end = first(x, i + 1)
        cdef float *theta = self.theta.block[g]
        self.theta.places[g] = self.r.places[g] = end - begin
        for p in range(begin, end):
            memcpy(theta, v, stride * sizeof(float))
            start = x.indptr[p]
            linnet_add_rows(theta, v + stride, stride, x.indices + start, x.values + start, x.indptr[p + 1] - start)
            theta += stride
        if a != 1:
            size = self.theta.places[g] * stride
            theta = self.theta.block[g]
            for k in range(size):
                theta[k] *= <float>a

    cdef void clear(self, Tables *table) noexcept nogil:
        cdef int g
        for g in range(table.n_blocks):
            memset(table.block[g], 0, table.places[g] * table.stride[g] * sizeof(float))


cdef class Online(Machine):
    """A learner at work: weights, clock and counts, for one structure, loss and step."""
    cdef readonly tuple weights
    cdef readonly Loss loss
    cdef readonly Step step
    cdef readonly bint averaged
    cdef public int64_t t           # examples seen
    cdef public double a            # w = a v
    cdef public double S            # a_1 + ... + a_t, since the last rescaling
    cdef public double total        # of the loss
    cdef public int64_t updates
    cdef Rows w[MAX_BLOCKS]
    cdef int64_t n_rows[MAX_BLOCKS]
    cdef Joined joined
    cdef list before

    def __init__(self, Structure gen, Loss loss, Step step, n_features, *, bint averaged=False):
        self.prepare(gen)
        self.loss = loss
        self.step = step
        self.averaged = averaged
        self.a = 1
        self.joined = Joined()
        self.weights = tuple([
            Weights(n, k, averaged=averaged, squares=step.needs_squares)
            for n, k in zip(n_features, gen.outcomes, strict=True)
        ])
        self._point()

    def _point(self):
        cdef int g
        for g in range(self.theta.n_blocks):
            self.w[g] = (<Weights>self.weights[g]).rows
            self.n_rows[g] = (<Weights>self.weights[g]).n_rows

    def grow(self, n_features):
        """Room for features that came up since."""
        for w, n in zip(self.weights, n_features, strict=True):
            (<Weights>w).grow(n + 1)
        self._point()

    def run(self, tuple blocks, const int32_t[::1] y, const int64_t[::1] y_at, const int64_t[::1] order,
            const float[::1] weight=None):
        """Learn from the examples in the given order. y_at cuts y into outputs; weight has one number per example."""
        cdef int64_t k, i, n = order.shape[0], n_examples = (<Block>blocks[0]).n
        self.take(blocks, tuple([w.n_rows for w in self.weights]))
        if y_at.shape[0] < n_examples or (weight is not None and weight.shape[0] != n_examples):
            raise ValueError("one output and one weight per example")
        for k in range(n):
            if order[k] < 0 or order[k] >= n_examples:
                raise IndexError(order[k])
        with nogil:
            for k in range(n):
                i = order[k]
                self.learn(i, &y[y_at[i]], weight[i] if weight is not None else 1)

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef int g
        cdef int64_t p, begin
        cdef Outcome out
        cdef double tau, norm2 = 0
        for g in range(self.theta.n_blocks):
            self.score(g, i, self.w[g].v, self.a)
        self.clear(&self.r)
        out = self.loss.evaluate(self.gen, &self.theta, y, self.y_hat, &self.r)
        self.t += 1
        self.total += weight * out.value
        self.a *= self.step.shrink(self.t)
        if self.a < SMALLEST_SCALE:
            self.rescale()
        if out.active:
            self.updates += 1
            if self.step.needs_norm:
                for g in range(self.theta.n_blocks):
                    norm2 += self.joined.norm2(&self.x[g], i, &self.r, g)
            tau = self.step.tau(out.value, norm2, self.t, weight)
            for g in range(self.theta.n_blocks):
                begin = first(&self.x[g], i)
                for p in range(self.r.places[g]):
                    self.step.update(&self.w[g], &self.x[g], begin + p, self.r.block[g] + p * self.r.stride[g], tau,
                                     self.a, self.S)
        self.S += self.a
        return 0

    cdef void rescale(self) noexcept nogil:
        """a = 1 and S = 0 again: with the sum of all w so far kept in -U."""
        cdef int g
        cdef int64_t i, n
        cdef Rows *w
        for g in range(self.theta.n_blocks):
            w = &self.w[g]
            n = self.n_rows[g] * w.stride
            for i in range(n):
                if w.U != NULL:
                    w.U[i] -= self.S * w.v[i]
                w.v[i] *= <float>self.a
        self.a = 1
        self.S = 0

    def moved(self):
        """||w - w'|| and ||w||, w' being the weights at the last call."""
        cdef double change = 0, size = 0, now, was
        cdef int g
        cdef int64_t i
        cdef float[::1] before
        if self.before is None:
            self.before = [np.zeros(w.n_rows * stride_of(w.n_outcomes), np.float32) for w in self.weights]
        for g in range(self.theta.n_blocks):
            if len(self.before[g]) < self.n_rows[g] * self.w[g].stride:
                self.before[g] = np.pad(self.before[g], (0, self.n_rows[g] * self.w[g].stride - len(self.before[g])))
            before = self.before[g]
            with nogil:
                for i in range(self.n_rows[g] * self.w[g].stride):
                    now = self.a * self.w[g].v[i]
                    was = before[i]
                    change += (now - was) * (now - was)
                    size += now * now
                    before[i] = <float>now
        return sqrt(change), sqrt(size)

    def last(self):
        """The weights after the last step, one array per block."""
        return [np.float32(self.a) * w._copy("v") for w in self.weights]

    def average(self):
        """The weights averaged over all steps."""
        if not self.averaged:
            raise ValueError("this learner does not average")
        if self.t == 0:
            return self.last()
        return [((self.S * w._copy("v") - w._copy("U")) / self.t).astype(np.float32) for w in self.weights]

    def state(self):
        """All that is needed to go on exactly: arrays by name, and numbers by name."""
        arrays = {}
        for g, w in enumerate(self.weights):
            for which in ("v", "U", "G"):
                array = w._copy(which)
                if array is not None:
                    arrays[f"{which}{g}"] = array
        return arrays, {"t": self.t, "a": self.a, "S": self.S, "total": self.total, "updates": self.updates}

    def restore(self, arrays, numbers):
        """Go on from `state()`."""
        for g, w in enumerate(self.weights):
            for which in ("v", "U", "G"):
                if f"{which}{g}" in arrays:
                    w._set(which, arrays[f"{which}{g}"])
        for name, value in numbers.items():
            setattr(self, name, value)


cdef class Joined:
    """||X^T r||^2. Over several places a feature may recur, so their rows are summed before they are squared."""
    cdef uint32_t *slot             # feature -> 1 + its row of sums
    cdef int64_t slot_size
    cdef double *sums
    cdef uint32_t *touched
    cdef int64_t sums_size
    cdef int64_t n

    def __dealloc__(self):
        linnet_free(self.slot)
        free(self.sums)
        free(self.touched)

    cdef double norm2(self, const Sparse *x, int64_t i, const Tables *r, int g) except -1 nogil:
        cdef int64_t p, j, begin = first(x, i), start
        cdef int k, stride = r.stride[g]
        cdef double total = 0, length = 1, value
        if r.places[g] == 1:
            for j in range(x.indptr[begin], x.indptr[begin + 1]):
                length += <double>x.values[j] * x.values[j]
            for k in range(stride):
                total += <double>r.block[g][k] * r.block[g][k]
            return length * total
        self.reserve(x, begin, begin + r.places[g], stride)
        self.n = 1
        memset(self.sums, 0, stride * sizeof(double))
        for p in range(r.places[g]):
            self.add(0, 1, r.block[g] + p * stride, stride)
            for j in range(x.indptr[begin + p], x.indptr[begin + p + 1]):
                self.add(self.row_of(x.indices[j], stride), x.values[j], r.block[g] + p * stride, stride)
        for j in range(self.n * stride):
            total += self.sums[j] * self.sums[j]
        for j in range(1, self.n):
            self.slot[self.touched[j]] = 0
        return total

    cdef inline void add(self, int64_t row, double x, const float *r, int stride) noexcept nogil:
        cdef int k
        for k in range(stride):
            self.sums[row * stride + k] += x * r[k]

    cdef inline int64_t row_of(self, uint32_t feature, int stride) noexcept nogil:
        if self.slot[feature] == 0:
            self.slot[feature] = <uint32_t>self.n
            self.touched[self.n] = feature
            memset(self.sums + self.n * stride, 0, stride * sizeof(double))
            self.n += 1
        return self.slot[feature]

    cdef int reserve(self, const Sparse *x, int64_t begin, int64_t end, int stride) except -1 nogil:
        """Room for every feature of these places."""
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
                raise MemoryError("no memory for the norm of an update")
        return 0


cdef class Predictor(Machine):
    """Fixed weights at work: scores, outputs, marginals."""
    cdef readonly list weights
    cdef const float *v[MAX_BLOCKS]

    def __init__(self, Structure gen, weights):
        cdef int g
        cdef const float[:, ::1] w
        self.prepare(gen)
        self.weights = list(weights)
        for g in range(self.theta.n_blocks):
            w = self.weights[g]
            if w.shape[1] != self.theta.stride[g]:
                raise ValueError(f"the weights of block {g} have rows of {w.shape[1]}, not {self.theta.stride[g]}")
            self.v[g] = &w[0, 0]

    def _rows(self):
        return tuple([w.shape[0] for w in self.weights])

    def scores(self, tuple blocks):
        """theta of every place, one array per block."""
        return self._tables(blocks, False)

    def marginals(self, tuple blocks):
        """The marginals of every place, one array per block."""
        if not self.gen.has_marginals:
            raise ValueError(f"structure {self.gen.name!r} has no marginals")
        return self._tables(blocks, True)

    def _tables(self, tuple blocks, bint marginals):
        cdef int64_t i, n = (<Block>blocks[0]).n, size
        cdef int g
        cdef float *out[MAX_BLOCKS]
        cdef Tables *table = &self.r if marginals else &self.theta
        self.take(blocks, self._rows())
        arrays = []
        for g in range(self.theta.n_blocks):
            array = np.empty((first(&self.x[g], n), self.theta.stride[g]), np.float32)
            arrays.append(array)
            out[g] = <float *><uintptr_t>array.ctypes.data
        with nogil:
            for i in range(n):
                for g in range(self.theta.n_blocks):
                    self.score(g, i, self.v[g], 1)
                if marginals:
                    self.clear(&self.r)
                    self.gen.marginals(&self.theta, &self.r)
                for g in range(self.theta.n_blocks):
                    size = table.places[g] * table.stride[g]
                    memcpy(out[g], table.block[g], size * sizeof(float))
                    out[g] += size
        return [array[:, :k] for array, k in zip(arrays, self.gen.outcomes)]

    def argmax(self, tuple blocks):
        """y_hat of every example, one after the other, and where each starts."""
        cdef int64_t i, n = (<Block>blocks[0]).n, length, total = 0, size = n + 1
        cdef int g
        cdef int64_t[::1] y_at
        cdef int32_t *y = NULL
        cdef int32_t *larger
        self.take(blocks, self._rows())
        starts = np.zeros(n + 1, np.int64)
        y_at = starts
        y = <int32_t *>malloc(size * sizeof(int32_t))
        try:
            with nogil:
                for i in range(n):
                    for g in range(self.theta.n_blocks):
                        self.score(g, i, self.v[g], 1)
                    self.gen.argmax(&self.theta, self.y_hat)
                    length = self.gen.length(&self.theta)
                    if total + length > size:
                        size = 2 * (total + length)
                        larger = <int32_t *>realloc(y, size * sizeof(int32_t))
                        if larger == NULL:
                            with gil:
                                raise MemoryError("no memory for the outputs")
                        y = larger
                    memcpy(y + total, self.y_hat, length * sizeof(int32_t))
                    total += length
                    y_at[i + 1] = total
            out = np.empty(total, np.int32)
            memcpy(<void *><uintptr_t>out.ctypes.data, y, total * sizeof(int32_t))
        finally:
            free(y)
        return out, starts
