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

A structure can also be asked questions with yes or no, each with a direction a_q over the tables and a sign z_q that the gold output
gives it. A Phi says what a margin costs, and so there is another loss of an output,

    sum_q phi(z_q <theta, a_q>),    r = sum_q phi'(z_q <theta, a_q>) z_q a_q
"""

from cpython.buffer cimport PyBuffer_FillInfo
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint32_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

import numpy as np

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)
    void linnet_add_rows(float *theta, const float *W, int stride, const uint32_t *j, const float *x, int64_t n,
                         int64_t known)
    void linnet_add(float *theta, const float *v, float x, int n)
    void linnet_add_at(float *theta, const uint32_t *k, const float *v, float x, int n)
    void linnet_update_rows(float *W, float *U, int stride, const uint32_t *j, const float *x, int64_t n,
                            const float *d, float clock)
    void linnet_update_some(float *W, float *U, int stride, const uint32_t *j, const float *x, int64_t n,
                            const float *d, const int32_t *at, int n_at, float clock)
    int linnet_nonzero(const float *r, int n, int32_t *at, int most)
    void linnet_prefetch(const void *p)

cdef uint32_t *BIAS = [0]
cdef float *ONE = [1.0]

cdef enum:
    MAX_OUTCOMES = 1 << 20
    LINE = 16                       # floats in a cache line
    NEAR = 8                        # rows ahead whose strips are asked for
    SOME = 100                      # examples that stand for all
    FAR = 32                        # and where those are
    SLACK = 256                     # floats behind a table that a structure may read and write back, as it works in eights


def stride_of(int n_outcomes):
    """Floats from one row of weights to the next: 1, 2, 4 or a multiple of 8."""
    return stride_for(n_outcomes)


cdef class Structure:
    """GEN(x): what outputs there are, and which is the best.

    `outcomes` has the number of outcomes per place of each block. An output y is `length` integers. It is `single` where
    an output is one integer, the outcome of the one place that there is.
    """

    def given(self, int g):
        """For generative models: the choices that the outcomes of block g are; None where each is used or not by itself.

        Two parts: the number of the context in which each outcome is chosen; and None, or the block and its outcomes that
        score the same choices with less context.
        """
        return (np.zeros(self.outcomes[g], np.int64), None) if g == 0 else None

    def most_uses(self, int g):
        """How often an output can use an outcome of one place of block g."""
        return 1

    @property
    def plain(self):
        """Whether integer i of an output is the outcome of place i of block 0."""
        return True

    @property
    def one_outcome(self):
        """Whether each place of block 0 has one outcome in every output, or else an output is one integer."""
        return True

    @property
    def telling(self):
        """The block whose outcomes, each used or not, say all of an output."""
        return 0

    @property
    def no_marginals(self):
        """Why there are none, where it is not for want of work: said behind "which the structure does not have"."""
        return ""

    @property
    def separate(self):
        """Whether each outcome of the one place is decided by itself, so that a loss of an output is that of its questions."""
        return False

    @property
    def independent(self):
        """Whether each outcome of the one place has a probability of its own, whatever the others are."""
        return self.separate

    @property
    def has_decisions(self):
        """Whether an output is decisions that can be clamped one by one (`force`), or all of it one decision."""
        return True

    @property
    def has_scores(self):
        """Whether outputs have scores, the best of which is the best output; otherwise all is learned by questions."""
        return True

    @property
    def terms(self):
        """How many outcomes a question is about."""
        return 1

    @property
    def has_k_best(self):
        return self.workspace_k(1, 1) >= 0

    def accuracy(self, y, y_at, y_hat, y_hat_at):
        """The share of decisions that are right: of labels, of tags."""
        return float(np.mean(y == y_hat))

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        """How many floats `theta.work` needs for an example of so many places in block 0."""
        return 0

    cdef int64_t room(self, int64_t places) noexcept nogil:
        """The most integers that an output of an example of so many places can have."""
        return places

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        """How many integers the output y has. Where all of an example have as many, y is not looked at and may be NULL."""
        return theta.places[0]

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        pass

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        """The same for best_k; -1 from a structure that has none."""
        return -1

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        """The k best outputs, each `room` integers behind the one before it, and their scores, the best first; returns how many
        there are, k at most."""
        return 0

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

    cdef Answers ask(self, Tables *theta, const int32_t *y, Phi phi, Tables *r) noexcept nogil:
        """phi of the margin of each question, summed, and r, its derivative. Here there is one for each outcome: is it used?

        theta is overwritten. r is 0 when it comes.
        """
        cdef Answers out
        cdef int g, n
        cdef int64_t p
        cdef float *score
        cdef float *mu
        out.value = 0
        out.asked = out.active = 0
        self.add(r, y, 1)
        for g in range(theta.n_blocks):
            n = theta.outcomes[g]
            for p in range(theta.places[g]):
                score, mu = theta.block[g] + p * theta.stride[g], r.block[g] + p * r.stride[g]
                with_sign(score, mu, n)
                phi.slopes(score, n, &out)
                with_sign(score, mu, n)
                memcpy(mu, score, n * sizeof(float))
        return out

    cdef void decide(self, Tables *theta, int64_t i, int32_t value, bint holds) noexcept nogil:
        """Leave the outputs whose decision i is this one, or those where it is another. Here it is the outcome of place i of block 0."""
        cdef int k
        for k in range(theta.outcomes[0]):
            if (k == value) != holds:
                theta.block[0][i * theta.stride[0] + k] = -INFINITY

    cdef void force(self, Tables *theta, const int32_t *y) noexcept nogil:
        """Leave the outputs with y[i] at i where y[i] >= 0, and those without -2 - y[i] where it is less than -1; -1 leaves all."""
        cdef int64_t i
        for i in range(self.length(theta, y)):
            if y[i] != -1:
                self.decide(theta, i, y[i] if y[i] >= 0 else -2 - y[i], y[i] >= 0)

    cdef bint same(self, const Tables *theta, const int32_t *y, const int32_t *y_hat) noexcept nogil:
        cdef int64_t i, n = self.length(theta, y)
        if n != self.length(theta, y_hat):
            return False
        for i in range(n):
            if y[i] != y_hat[i]:
                return False
        return True


cdef class Phi:
    """What the margin of a question with yes or no costs: a convex function that falls."""

    cdef void slopes(self, float *margin, int64_t n, Answers *out) noexcept nogil:
        """Add phi of n margins; in the place of each, leave its slope there."""
        pass

    cdef void ascend(self, float *margin, const float *m, int64_t n, double q, double C, Ascent *out) noexcept nogil:
        """For those that have a dual: in the place of each margin leave the best alpha'. What there was is alpha = |m|, and

            min over alpha' of q/2 (alpha' - alpha)^2 + margin (alpha' - alpha) + conjugate(-alpha'),    the conjugate that of C phi.
        """
        pass


cdef class Loss:
    """A surrogate for the cost. `evaluate` may overwrite theta."""

    @property
    def pointwise(self):
        """Whether it is the loss of each decision of an output by itself."""
        return False

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        out.value = 0
        out.active = False
        return out

    cdef Ascent ascend(self, Structure gen, Tables *theta, const int32_t *y, const float *m, double q, double C,
                       Tables *r) noexcept nogil:
        """For losses that have a dual, over a `single` or a `separate` structure: the step r = m - m' from m to the best m',

            min over m' of q/2 ||m' - m||^2 + theta.(m' - m) + conjugate(-m'),    q = ||x||^2, the conjugate that of C loss,

        and what was left of the duality gap at m. r is 0 when it comes.
        """
        cdef Ascent out
        out.value = out.left = 0
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
        cdef int k, n_at
        cdef float scale = <float>(-tau / a)
        cdef int64_t start = x.indptr[place], n = x.indptr[place + 1] - start
        cdef float *rows = w.v + w.stride
        cdef float *past = w.U + w.stride if w.U != NULL else NULL
        n_at = linnet_nonzero(r, w.stride, w.at, few(w.stride))
        if n_at == 0:
            return
        if n_at <= few(w.stride) and w.stride > 8:
            for k in range(n_at):
                w.d[w.at[k]] = scale * r[w.at[k]]
            linnet_update_some(w.v, w.U, w.stride, BIAS, ONE, 1, w.d, w.at, n_at, clock)
            linnet_update_some(rows, past, w.stride, x.indices + start, x.values + start, n, w.d, w.at, n_at, clock)
        else:
            for k in range(w.stride):
                w.d[k] = scale * r[k]
            linnet_update_rows(w.v, w.U, w.stride, BIAS, ONE, 1, w.d, clock)
            linnet_update_rows(rows, past, w.stride, x.indices + start, x.values + start, n, w.d, clock)

    cdef double weigh(self, const Rows *w, const uint32_t *j, const float *x, int64_t n, const float *r) noexcept nogil:
        """Of a joint step: what g = x r^T in the rows j adds to the weighted norm g^T Sigma g."""
        return 0

    cdef void move(self, Rows *w, const uint32_t *j, const float *x, int64_t n, const float *r, double tau, double a,
                   double clock) noexcept nogil:
        """Of a joint step: change the rows j by g = x r^T, which is all of X^T r that there is in them."""
        pass


cdef inline int few(int stride) noexcept nogil:
    """So many outcomes of a row are sooner changed one by one than all at once."""
    return max(4, stride // 16)


cdef class Zeros:
    """Memory full of zeros, on huge pages where it is large, that NumPy reads and writes in place."""
    cdef void *p
    cdef Py_ssize_t n_bytes

    def __cinit__(self, Py_ssize_t n_bytes):
        self.n_bytes = n_bytes
        self.p = linnet_zeros(n_bytes)
        if self.p == NULL:
            raise MemoryError(f"no memory for {n_bytes >> 20} MB of weights")

    def __dealloc__(self):
        linnet_free(self.p)

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.p, self.n_bytes, 0, flags)


cdef class Weights:
    """W of one block: a row of outcomes for the bias and for each feature."""

    def __init__(self, int64_t n_features, int n_outcomes, *, bint averaged=False, bint squares=False):
        if n_outcomes > MAX_OUTCOMES:
            raise ValueError(f"{n_outcomes} outcomes a place; at most {MAX_OUTCOMES}")
        self.n_rows = n_features + 1
        self.n_outcomes = n_outcomes
        self.rows.stride = stride_for(n_outcomes)
        self.rows.d = <float *>linnet_zeros(self.rows.stride * sizeof(float))
        self.rows.at = <int32_t *>linnet_zeros(few(self.rows.stride) * sizeof(int32_t))
        if self.rows.d == NULL or self.rows.at == NULL:
            raise MemoryError("no memory for a row of weights")
        self.arrays = {"v": self.zeros()}
        if averaged:
            self.arrays["U"] = self.zeros()
        if squares:
            self.arrays["G"] = self.zeros()
        self.point()

    def __dealloc__(self):
        linnet_free(self.rows.d)
        linnet_free(self.rows.at)

    cdef object zeros(self):
        return zero_rows(self.n_rows, self.rows.stride)

    cdef int point(self) except -1:
        self.rows.v = <float *><uintptr_t>self.arrays["v"].ctypes.data
        self.rows.U = <float *><uintptr_t>self.arrays["U"].ctypes.data if "U" in self.arrays else NULL
        self.rows.G = <float *><uintptr_t>self.arrays["G"].ctypes.data if "G" in self.arrays else NULL
        return 0

    cdef int grow(self, int64_t n_rows) except -1:
        """Room for more features; new rows are zero, which is what they were all along."""
        had = self.n_rows
        if n_rows <= self.n_rows:
            return 0
        self.n_rows = n_rows
        for name, old in list(self.arrays.items()):
            self.arrays[name] = self.zeros()
            self.arrays[name][:had] = old
        self.point()
        return 0

    cdef void rescale(self, double a, double S) noexcept nogil:
        """w = v again, with the sum of all w so far kept in -U."""
        rescale_all(self.rows.v, self.rows.U, self.n_rows * self.rows.stride, a, S)

    def learned(self, double a, double S, double t, bint take):
        """What was learned, as the arrays that a linear scorer holds: w = a v, or where t is not 0 the average (S v - U) / t.
        With `take` in the place of v, U and G: there is no learning from here."""
        cdef int64_t n = self.n_rows * self.rows.stride
        v = self.arrays["v"]
        out = v if take else np.empty_like(v)
        learned_of(<float *><uintptr_t>out.ctypes.data, self.rows.v, self.rows.U, n, a, S, t)
        if take:
            self.arrays = {"v": v}
            self.point()
        return [out]

    def sample(self, double a, int64_t apart):
        """w of one cache line in so many floats."""
        cdef int64_t i, k, n = self.n_rows * self.rows.stride, kept = (n + apart - 1) // apart * LINE
        found = np.zeros(kept, np.float32)
        cdef float[::1] out = found
        with nogil:
            for i in range(kept):
                k = i // LINE * apart + i % LINE
                if k < n:
                    out[i] = <float>(a * self.rows.v[k])
        return found

    def state(self):
        """All that is needed to go on exactly, by name, as it is at work."""
        return self.arrays

    def restore(self, arrays):
        """Go on from `state()`."""
        for name, array in self.arrays.items():
            if name not in arrays:
                continue
            if arrays[name].shape != array.shape:
                raise ValueError(f"{name} does not fit these weights")
            array[:] = arrays[name]


cdef object zero_rows(int64_t n, int stride):
    memory = Zeros(n * stride * sizeof(float))
    return np.frombuffer(memory, np.float32).reshape(n, stride)


cdef void learned_of(float *out, const float *v, const float *U, int64_t n, double a, double S, double t) noexcept nogil:
    """(S v - U) / t, or a v where t is 0."""
    cdef int64_t i
    if t == 0:
        for i in range(n):
            out[i] = <float>a * v[i]
    else:
        for i in range(n):
            out[i] = <float>((S * v[i] - U[i]) / t)


cdef void rescale_all(float *v, float *U, int64_t n, double a, double S) noexcept nogil:
    cdef int64_t i
    for i in range(n):
        if U != NULL:
            U[i] -= S * v[i]
        v[i] *= <float>a


cdef class Block:
    """The features of all places of all examples. `places` cuts the places into examples; None: one place each."""

    def __init__(self, const int64_t[::1] indptr, const uint32_t[::1] indices, const float[::1] values, places=None):
        cdef const int64_t[::1] cut
        self.owners = (indptr, indices, values, places)
        self.n = indptr.shape[0] - 1
        if self.n < 0 or indptr[self.n] > indices.shape[0] or indices.shape[0] != values.shape[0]:
            raise ValueError("indptr, indices and values do not fit each other")
        self.most_places = 1
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
        self.measure()

    cdef void measure(self) noexcept nogil:
        cdef int64_t i
        for i in range(self.x.indptr[first(&self.x, self.n)]):
            self.largest = max(self.largest, <int64_t>self.x.indices[i])
        if self.x.places != NULL:
            for i in range(self.n):
                self.most_places = max(self.most_places, self.x.places[i + 1] - self.x.places[i])

    cdef Maker maker(self):
        """None: all rows are there."""
        return None

    def arrays(self):
        """indptr, indices, values and places as they were given."""
        return self.owners

    def identity(self):
        """Arrays from which all of it follows."""
        return [np.asarray(part) for part in self.owners if part is not None]

    def length2(self):
        """The median of ||x||^2 over all places, the bias counted: a few long ones say nothing of the others."""
        cdef int64_t p, i, places = first(&self.x, self.n)
        lengths = np.ones(max(places, 1))
        cdef double[::1] length = lengths
        with nogil:
            for p in range(places):
                for i in range(self.x.indptr[p], self.x.indptr[p + 1]):
                    length[p] += <double>self.x.values[i] * self.x.values[i]
        return float(np.median(lengths))


cdef class Maker:
    cdef int fetch(self, Sparse *x, int64_t i) except -1 nogil:
        return 0


cdef class Lazy(Block):
    """A block whose rows are made one example at a time, because all of them are more than would fit in memory. Subclasses say how."""

    def __init__(self, const int64_t[::1] places, int64_t n_features):
        self.owners = (places,)
        self.n = places.shape[0] - 1
        self.x.places = &places[0]
        self.largest = n_features - 1
        self.most_places = int(np.diff(places).max()) if self.n else 1

    def arrays(self):
        """All rows at once."""
        return (*self._rows(self.n), np.asarray(self.owners[0]))

    def _rows(self, int64_t n):
        """indptr, indices and values of the first n examples."""
        cdef Sparse x = self.x
        cdef Maker maker = self.maker()
        cdef int64_t i, places, nnz, begin, total = 0
        indptr, indices, values = [np.zeros(1, np.int64)], [np.empty(0, np.uint32)], [np.empty(0, np.float32)]
        for i in range(n):
            maker.fetch(&x, i)
            begin, places = first(&x, i), first(&x, i + 1) - first(&x, i)
            nnz = x.indptr[begin + places]
            if places:
                indptr.append(total + np.array(<int64_t[:places]>(<int64_t *>x.indptr + begin + 1)))
            if nnz:
                indices.append(np.array(<uint32_t[:nnz]><uint32_t *>x.indices))
                values.append(np.array(<float[:nnz]><float *>x.values))
            total += nnz
        return np.concatenate(indptr), np.concatenate(indices), np.concatenate(values)

    def length2(self):
        """The median over the places of the first examples."""
        indptr, _, values = self._rows(min(self.n, SOME))
        squares = np.concatenate([np.zeros(1), np.cumsum(values.astype(np.float64) ** 2)])
        return float(np.median(1 + np.diff(squares[indptr]))) if len(indptr) > 1 else 1.0


cdef class Machine:
    """A structure and the tables for one example at a time: what learning and predicting share."""

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
            places = (<Block>blocks[g]).most_places
            most = max(most, places)
            if places > self.room[g]:
                floats = places * self.theta.stride[g]
                linnet_free(self.theta.block[g])
                linnet_free(self.r.block[g])
                self.theta.block[g] = <float *>linnet_zeros((floats + SLACK) * sizeof(float))
                self.r.block[g] = <float *>linnet_zeros((floats + SLACK) * sizeof(float))
                if self.theta.block[g] == NULL or self.r.block[g] == NULL:
                    raise MemoryError("no memory for the tables of one example")
                self.room[g] = places
        if blocks is not self.taken:
            self.makers = [(<Block>block).maker() for block in blocks]
            self.taken = blocks
        for g in range(self.theta.n_blocks):
            self.x[g] = (<Block>blocks[g]).x
            self.x[g].maker = <void *>self.makers[g] if self.makers[g] is not None else NULL
        free(self.y_hat)
        linnet_free(self.theta.work)
        self.y_hat = <int32_t *>malloc((2 * self.gen.room(most) + 8) * sizeof(int32_t))
        self.theta.work = <float *>linnet_zeros((self.gen.workspace((<Block>blocks[0]).most_places) + 8) * sizeof(float))
        if self.y_hat == NULL or self.theta.work == NULL:
            raise MemoryError("no memory for an output")
        return 0

    cdef int fetch(self, int64_t i) except -1 nogil:
        """Have the rows of example i: before anything is done with it."""
        cdef int g
        for g in range(self.theta.n_blocks):
            if self.x[g].maker != NULL:
                (<Maker>self.x[g].maker).fetch(&self.x[g], i)
        return 0

    cdef void score(self, int g, int64_t i, const float *v, double a) noexcept nogil:
        """theta_g of example i, with w = a v."""
        cdef const Sparse *x = &self.x[g]
        cdef int stride = self.theta.stride[g]
        cdef int64_t p, start, k, size, begin = first(x, i), end = first(x, i + 1)
        cdef float *theta = self.theta.block[g]
        self.theta.places[g] = self.r.places[g] = end - begin
        for p in range(begin, end):
            if x.out != NULL and x.out[p]:
                for k in range(stride):
                    theta[k] = -INFINITY
                theta += stride
                continue
            memcpy(theta, v, stride * sizeof(float))
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

    cdef void clear(self, Tables *table) noexcept nogil:
        cdef int g
        for g in range(table.n_blocks):
            memset(table.block[g], 0, table.places[g] * table.stride[g] * sizeof(float))


cdef void add_strips(float *theta, const Strip *rows, const uint32_t *j, const float *x, int64_t n) noexcept nogil:
    """theta += sum_{i < n} x_i W[j_i] over what these rows have."""
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
