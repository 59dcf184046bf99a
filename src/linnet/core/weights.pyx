# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""W while it is learned: a row for each feature, a number in it for each outcome.

Weights are kept as w = a v, so that the shrinking of L2 regularisation, w <- (1 - eta lam) w, is one multiplication. The
average over steps 1..t needs no pass over the weights either: with the clock S_t = a_1 + ... + a_t and U += S_(t-1) dv at
each change dv of v,

    w_1 + ... + w_t = S_t v - U.

Every place has the constant feature f_0 = 1: row 0 of W is the bias, and it counts in ||f||^2. In a model without a bias f_0 is 0
at the places of block 0 (machine.pyx), so that row 0 stays 0.
"""

from cpython.buffer cimport PyBuffer_FillInfo
from libc.stdint cimport int32_t, int64_t, uintptr_t

import numpy as np

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)

cdef enum:
    MAX_OUTCOMES = 1 << 20          # the sketch of ragged.pyx has 20 bits for an outcome

BIAS = [0]
ONE = [1.0]


def stride_of(int n_outcomes):
    """The number of floats from one row of weights to the next: 1, 2, 4 or a multiple of 8."""
    return stride_for(n_outcomes)


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
        self.capacity = self.kept()
        names = ["v", *(["U"] if averaged else []), *(["G"] if squares else [])]
        self.store = {name: zero_rows(self.capacity, self.rows.stride) for name in names}
        self.use()

    def __dealloc__(self):
        linnet_free(self.rows.d)
        linnet_free(self.rows.at)

    cdef int64_t kept(self) noexcept:
        """The number of rows of `arrays`: here all of them, in ragged weights the bias alone."""
        return self.n_rows

    cdef int use(self) except -1:
        """Let `arrays` be the rows in use of the arrays in `store`, which may have room for more, and point `rows` to
        them."""
        self.arrays = {name: array[:self.kept()] for name, array in self.store.items()}
        self.point()
        return 0

    cdef int point(self) except -1:
        self.rows.v = <float *><uintptr_t>self.arrays["v"].ctypes.data
        self.rows.U = <float *><uintptr_t>self.arrays["U"].ctypes.data if "U" in self.arrays else NULL
        self.rows.G = <float *><uintptr_t>self.arrays["G"].ctypes.data if "G" in self.arrays else NULL
        return 0

    cdef int grow(self, int64_t n_rows) except -1:
        """Make room for more features. New rows are zero, as they would have been all along. Room doubles, so that weights that
        grow feature by feature are copied once in a while."""
        cdef int64_t had = self.n_rows
        if n_rows <= had:
            return 0
        self.n_rows = n_rows
        if n_rows > self.capacity:
            self.capacity = max(n_rows, 2 * self.capacity)
            for name, old in self.arrays.items():
                self.store[name] = zero_rows(self.capacity, self.rows.stride)
                self.store[name][:had] = old
        self.use()
        return 0

    cdef void rescale(self, double a, double S) noexcept nogil:
        """Write w into v, so that a = 1 again; the sum of all w so far is kept in -U."""
        rescale_all(self.rows.v, self.rows.U, self.n_rows * self.rows.stride, a, S)

    def learned(self, double a, double S, double t, bint take):
        """The arrays that a linear scorer holds: w = a v, or the average (S v - U) / t where t is not 0. With `take`
        they take the place of v, U and G, and nothing can be learned afterwards."""
        cdef int64_t n = self.n_rows * self.rows.stride
        v = self.arrays["v"]
        out = v if take else np.empty_like(v)
        learned_of(<float *><uintptr_t>out.ctypes.data, self.rows.v, self.rows.U, n, a, S, t)
        if take:
            self.store = {"v": self.store["v"]}
            self.use()
        return [out]

    def sample(self, double a, int64_t apart):
        """A sample of w: one cache line in every `apart` floats."""
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
        """The state needed to go on exactly: the arrays at work, by name."""
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
    """Write (S v - U) / t, or a v where t is 0."""
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
