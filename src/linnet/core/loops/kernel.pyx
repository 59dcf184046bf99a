# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Scores by comparison with places that were learned from: support rows x_s, each with a number for each outcome, alpha_s.

    kernel       theta_k = alpha_0k + sum_s alpha_sk k(x, x_s)        the perceptron and the SVM in their dual

and learners by heart compare places in the same way (densities.pyx). k is one of

    linear       k(x, x') = x.x'
    polynomial   k(x, x') = (1 + gamma x.x')^degree
    rbf          k(x, x') = exp(-gamma ||x - x'||^2)
    near         -gamma ||x - x'||^2, the logarithm of rbf

With a `length` n rows are sequences: features in the order of the text, their values the places in it. x.x' is then the sum over
all subsequences u of up to n features, each place in a gap costing `decay` (Lodhi et al. 2002; over words Cancedda et al. 2003):

    x.x' = sum_u sum_{i: x_i = u} sum_{j: x'_j = u} decay^(gaps of i + gaps of j),    gaps of i = i_|u| - i_1 + 1 - |u|

by their recursion over lengths, in n |x| |x'| steps, where |x| counts the features that both have. The first 1,024 features of each row are compared.

The bias is a feature of 1 as everywhere, so that f(x).f(x') is 1 + k(x, x'): alpha_0 = sum_s alpha_s. Each place of each block is
compared with the rows of its block; a block without features has no rows, and is linear.

The linear kernel over `chars:3-5` is the spectrum kernel (Leslie, Eskin and Noble 2002), blended over lengths.
"""

from libc.math cimport INFINITY, NAN, exp, isfinite, pow, sqrt
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memcpy, memset

from linnet.core.blocks cimport Sparse, first
from linnet.core.form cimport Structure
from linnet.core.machine cimport Machine

import numpy as np

from linnet.core.schema import LARGEST, Numbers
from linnet.core.weights import stride_of
from linnet.errors import UsageError

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)

cdef enum:
    LINEAR
    POLYNOMIAL
    RBF
    NEAR
    LONGEST = 8             # longest subsequences, in features
    MOST = 1024             # most features of a sequence that are compared

# A decayed sum below this counts as 0: smaller ones would become denormal numbers, which are slow.
cdef double NOTHING = 1e-200

KINDS = {"linear": LINEAR, "polynomial": POLYNOMIAL, "rbf": RBF, "near": NEAR}


cdef Similarity similarity(dict options) except *:
    """Read the options kind, gamma, degree, unit, length and decay, by name."""
    cdef Similarity how
    how.kind = KINDS[options["kind"]]
    how.gamma = options.get("gamma", 1)
    how.degree = options.get("degree", 1)
    how.unit = options.get("unit", False)
    how.length = options.get("length", 0)
    how.decay = options.get("decay", 1)
    if not 0 <= how.length <= LONGEST:
        raise ValueError(f"subsequences of at most {LONGEST} features")
    return how


def check_sequences(indptr, values):
    """Raise UsageError where a row is not a sequence: its values must be places, in ascending order."""
    steps = np.diff(values, prepend=np.float32(0))
    begins = indptr[:len(indptr) - 1][np.diff(indptr) > 0]
    steps[begins] = values[begins]
    if np.any(steps <= 0):
        raise UsageError(
            "subsequences are compared in the order of the text, which these features do not keep. Use the features "
            "'words:1 sequence' or 'chars-across:1 sequence'."
        )


cdef double spread(Support *to, const Similarity *how, const Sparse *x, int64_t place) noexcept nogil:
    """Lay out a place as a full vector, ready to be compared, and return its squared length."""
    cdef int64_t j, begin = x.indptr[place], end = x.indptr[place + 1]
    cdef double length2 = 0
    if how.length:
        to.n_of_x = min(end - begin, <int64_t>MOST)
        to.ids, to.places = x.indices + begin, x.values + begin
        for j in range(to.n_of_x):
            to.x[to.ids[j]] = 1
        return subsequences(to, how, to.ids, to.places, to.n_of_x)
    for j in range(begin, end):
        to.x[x.indices[j]] += x.values[j]
    for j in range(begin, end):
        length2 += <double>x.values[j] * to.x[x.indices[j]]
    return length2


cdef void gather(Support *to, const Sparse *x, int64_t place) noexcept nogil:
    """Clear the vector that `spread` has laid out."""
    cdef int64_t j
    for j in range(x.indptr[place], x.indptr[place + 1]):
        to.x[x.indices[j]] = 0


cdef double compare(const Support *to, const Similarity *how, double length2, int64_t s) noexcept nogil:
    """k(x, x_s), where x is the place that is laid out."""
    cdef int64_t j, begin = to.indptr[s], end = to.indptr[s + 1]
    cdef double dot = 0
    if how.length:
        dot = subsequences(to, how, to.indices + begin, to.values + begin, end - begin)
    else:
        for j in range(begin, end):
            dot += <double>to.x[to.indices[j]] * to.values[j]
    return of(how, dot, length2, to.length2[s])


cdef double subsequences(const Support *to, const Similarity *how, const uint32_t *ids, const float *places,
                         int64_t n) noexcept nogil:
    """x.x' of the sequence x that is laid out and another sequence x'. Up to feature a of x and feature j of x',

        K_i[j]    = the sum over subsequences of i features, each decayed to the ends of both
        last_i    = those of them that end with feature a of x
        new_i     = those that end with feature j too, if x_a = x'_j: 1 for i = 1, then G H / decay^2 K_(i-1)[j - 1] as before a

        last_i    = H last_i + new_i
        K_i[j]    = G K_i[j] + last_i

    with G and H the decay from the feature before to a and to j. Only features that both have are looked at.
    """
    cdef int i, length = how.length
    cdef int64_t a, j, shared = 0
    cdef uint32_t id
    cdef float before = 0
    cdef double G, H, total = 0, decay2 = how.decay * how.decay
    cdef double last[LONGEST + 1]
    cdef double left[LONGEST + 1]       # K[j - 1] as it was before feature a
    cdef double *K
    # to.x is 1 for each feature of x, and 2 for those of them that x' has too, until the end.
    for j in range(min(n, <int64_t>MOST)):
        if to.x[ids[j]] != 0:
            to.x[ids[j]] = 2
            to.shared[shared] = ids[j]
            to.steps[shared] = pow(how.decay, places[j] - before)
            before = places[j]
            shared += 1
    memset(to.grid, 0, shared * length * sizeof(double))
    before = 0
    for a in range(to.n_of_x):
        id = to.ids[a]
        if to.x[id] != 2:
            continue
        G = pow(how.decay, to.places[a] - before)
        before = to.places[a]
        for i in range(length + 1):
            last[i] = left[i] = 0
        for j in range(shared):
            H = to.steps[j]
            K = to.grid + j * length
            for i in range(1, length):
                last[i] = faded(H * last[i])
            if to.shared[j] == id:
                H *= G / decay2
                last[1] += 1
                total += 1
                for i in range(2, length + 1):
                    last[i] += H * left[i - 1]
                    total += H * left[i - 1]
            for i in range(1, length):
                left[i] = K[i]
                K[i] = faded(G * K[i] + last[i])
    for j in range(shared):
        to.x[to.shared[j]] = 1
    return total


cdef inline double faded(double x) noexcept nogil:
    return x if x > NOTHING else 0


cdef bint too_far(const float *k, int64_t n) noexcept nogil:
    """Whether a place is so far from another that the logarithm of the kernel is no number, so that nothing is near."""
    cdef int64_t s
    for s in range(n):
        if k[s] == -INFINITY:
            return True
    return False


cdef double with_itself(const Similarity *how, double length2) noexcept nogil:
    return of(how, length2, length2, length2)


cdef inline double of(const Similarity *how, double dot, double a, double b) noexcept nogil:
    """k of two rows, from their inner product and their squared lengths."""
    if how.unit:
        dot = dot / sqrt(a * b) if a * b > 0 else 0
        a = b = 1
    if how.kind == LINEAR:
        return dot
    if how.kind == POLYNOMIAL:
        return pow(1 + how.gamma * dot, how.degree)
    dot = -how.gamma * max(a + b - 2 * dot, 0.0)
    return exp(dot) if how.kind == RBF else dot


cdef class Rows:
    """Support rows of one block, and room to compare a place with them."""

    def __cinit__(self, indptr, indices, values, int64_t n_features, Similarity how):
        cdef const int64_t[::1] at = indptr
        cdef const uint32_t[::1] features = indices
        cdef const float[::1] x = values
        cdef Sparse own
        cdef int64_t s
        self.indptr, self.indices, self.values, self.n_features = indptr, indices, values, n_features
        self.owners = (at, features, x)
        self.at.n = at.shape[0] - 1
        if (self.at.n < 0 or at[0] != 0 or at[self.at.n] != features.shape[0] or features.shape[0] != x.shape[0]
                or np.any(np.diff(indptr) < 0) or (features.shape[0] and np.max(indices) >= n_features)):
            raise ValueError("the parts of the support rows do not fit each other")
        self.at.indptr = &at[0]
        self.at.indices = &features[0] if features.shape[0] else NULL
        self.at.values = &x[0] if x.shape[0] else NULL
        self.at.length2 = <double *>linnet_zeros((self.at.n + 1) * sizeof(double))
        self.at.k = <float *>linnet_zeros((self.at.n + 1) * sizeof(float))
        self.at.x = <float *>linnet_zeros((n_features + 1) * sizeof(float))
        self.at.shared = <uint32_t *>linnet_zeros(MOST * sizeof(uint32_t))
        self.at.steps = <double *>linnet_zeros(MOST * sizeof(double))
        self.at.grid = <double *>linnet_zeros(MOST * max(how.length, 1) * sizeof(double))
        if (self.at.length2 == NULL or self.at.k == NULL or self.at.x == NULL or self.at.shared == NULL
                or self.at.steps == NULL or self.at.grid == NULL):
            raise MemoryError("no memory to compare a place with the support rows")
        if how.length:
            check_sequences(indptr, values)
        own.indptr, own.indices, own.values = self.at.indptr, self.at.indices, self.at.values
        for s in range(self.at.n):
            self.at.length2[s] = spread(&self.at, &how, &own, s)
            gather(&self.at, &own, s)

    def __dealloc__(self):
        linnet_free(self.at.length2)
        linnet_free(self.at.k)
        linnet_free(self.at.x)
        linnet_free(self.at.shared)
        linnet_free(self.at.steps)
        linnet_free(self.at.grid)


cdef class Compared(Scorer):
    """A scorer that compares places with support rows. Its first array has, for each block, the number of features,
    plus 1 for the bias. Then come, for each block, alpha, whose row 0 is the bias, and the support rows as indptr,
    indices and values."""

    def __init__(self, name, weights, **how):
        super().__init__(weights)
        self.name = name
        self.how = similarity(how)

    def layout(self, Structure gen, n_features):
        n_blocks = len(gen.outcomes)
        if len(self.weights) != 1 + 4 * n_blocks:
            raise ValueError(f"expected {1 + 4 * n_blocks} arrays for {n_blocks} blocks, found {len(self.weights)}")
        found = [Numbers(np.uint64, (n_blocks,), 1, LARGEST)]
        found[0].check(self.weights[0], "0")
        for g, n in enumerate(n_features):
            if self.weights[0][g] != n + 1:
                raise ValueError(f"{n} features, but {self.weights[0][g] - 1} weights")
            columns = self.columns(gen, g) if n else gen.outcomes[g]
            n_rows, size = self.weights[2 + 4 * g].size - 1, self.weights[3 + 4 * g].size
            found += [
                self.alphas(n_rows + 1, stride_of(columns), n),
                Numbers(np.uint64, (n_rows + 1,), 0, size, ascending=True),
                Numbers(np.uint32, (size,), 0, n - 1),
                Numbers(np.float32, (size,)),
            ]
        return found

    def alphas(self, n_rows, stride, n):
        """The layout of alpha of a block with n features."""
        return Numbers(np.float32, (n_rows, stride))

    cpdef tuple rows(self, Structure gen):
        cdef const float[:, ::1] alpha
        cdef Rows held
        n_blocks = len(gen.outcomes)
        if len(self.weights) != 1 + 4 * n_blocks or len(self.weights[0]) != n_blocks:
            raise ValueError(f"expected {1 + 4 * n_blocks} arrays for {n_blocks} blocks, found {len(self.weights)}")
        self.held = []
        for g, outcomes in enumerate(gen.outcomes):
            alpha = self.weights[1 + 4 * g]
            rows = self.weights[2 + 4 * g:5 + 4 * g]
            held = Rows(rows[0].astype(np.int64), rows[1], rows[2], self.weights[0][g] - 1, self.how)
            columns = self.columns(gen, g) if held.n_features else outcomes
            if alpha.shape[0] != held.at.n + 1 or alpha.shape[1] != stride_of(columns):
                raise ValueError(f"{held.at.n} support rows of block {g}, but {alpha.shape[0] - 1} rows of alpha")
            self.alpha[g], self.stride[g] = &alpha[0, 0], alpha.shape[1]
            self.support[g] = held.at
            self.held.append(held)
        return tuple([int(n) for n in self.weights[0]])

    def columns(self, Structure gen, int g):
        """The number of columns of alpha in block g."""
        return gen.outcomes[g]

    cdef void score(self, Machine at, int64_t i) noexcept nogil:
        cdef int g, stride
        cdef int64_t p, s, begin, end
        cdef double length2
        cdef float *theta
        cdef Support *to
        for g in range(at.theta.n_blocks):
            to = &self.support[g]
            stride = at.theta.stride[g]
            theta = at.theta.block[g]
            begin, end = first(&at.x[g], i), first(&at.x[g], i + 1)
            at.theta.places[g] = at.r.places[g] = end - begin
            at.theta.impossible[g] = -1         # what was never seen may have minus infinity
            for p in range(begin, end):
                memcpy(theta, self.alpha[g], stride * sizeof(float))
                if to.n:
                    length2 = spread(to, &self.how, &at.x[g], p)
                    for s in range(to.n):
                        to.k[s] = <float>compare(to, &self.how, length2, s)
                    gather(to, &at.x[g], p)
                    self.combine(g, to.k, to.n, at.theta.outcomes[g], theta)
                    if not isfinite(length2) or too_far(to.k, to.n):
                        theta[0] = NAN
                theta += stride

    cdef void combine(self, int g, const float *k, int64_t n, int outcomes, float *theta) noexcept nogil:
        """Turn the similarities of one place to n rows of block g into its scores. theta comes in as alpha_0."""
        cdef int64_t s
        cdef int j, stride = self.stride[g]
        cdef const float *alpha = self.alpha[g] + stride
        for s in range(n):
            for j in range(outcomes):
                theta[j] += k[s] * alpha[s * stride + j]
