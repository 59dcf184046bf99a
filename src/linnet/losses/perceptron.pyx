# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The perceptron's loss (Carpuat, algorithm 3; Smith, "Perceptron for Structured Models", and "0-1 loss", where it is written out).

    y_hat = argmax_y theta.mu(y),  of equals one that is not y_i
    loss  = theta.mu(y_hat) - theta.mu(y_i)
    r     = mu(y_hat) - mu(y_i)

Eisenstein, eq. 5, is the 0-1 loss itself, 1 for a mistake: the number of mistakes of a pass is its sum.

A tie is a mistake: y_i must score higher than every other output. So it is y_hat != y_i that makes an update, not loss > 0, and
where no example makes one, the weights separate the examples. At w = 0 all outputs tie, and every example is a mistake.

A tie is found by one argmax, after the scores of the rivals of y_i were raised by a grain for each outcome in which they differ
from y_i. The grain is the least that float32 keeps when it is added to the score of an output. So outputs whose scores differ
by less than such sums can tell are ties, too.
"""

from libc.math cimport ilogb, ldexp
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Loss, Outcome, Structure, Tables

from linnet.losses import phi

cdef extern from "rows.h" nogil:
    float linnet_magnitude(const float *x, int64_t n)

cdef enum:
    BITS = 21                       # the grain is about the largest score times the number of outcomes used / 2^BITS
    SMALLEST = -126                 # the exponent of the smallest float that has all its digits


cdef class Perceptron(Loss):
    def __init__(self):
        self.name = "perceptron"
        self.is_mistake = True
        self.phi = phi.Perceptron()

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        cdef float grain
        gen.add(r, y, 1)
        grain = grain_of(theta, r, gen.telling)
        gen.favour_rivals(theta, y, r, grain)
        gen.argmax(theta, y_hat)
        gen.favour_rivals(theta, y, r, -grain)
        gen.add(r, y, -1)
        out.value = 0
        out.active = not gen.same(theta, y, y_hat)
        if out.active:
            out.value = max(0.0, gen.score(theta, y_hat) - gen.score(theta, y))
            gen.add(r, y_hat, 1)
            gen.add(r, y, -1)
        return out


cdef float grain_of(const Tables *theta, const Tables *mu, int telling) noexcept nogil:
    """The grain of the scores of outputs, given mu(y): a power of two, so that whole scores and the grain add up without
    rounding."""
    cdef int g
    cdef int64_t k, used = 0
    cdef float most = 0
    for g in range(theta.n_blocks):
        most = max(most, linnet_magnitude(theta.block[g], theta.places[g] * theta.stride[g]))
    for k in range(mu.places[telling] * mu.stride[telling]):
        used += mu.block[telling][k] != 0
    if most == 0:
        return <float>ldexp(1, SMALLEST)
    return <float>ldexp(1, max(<int>SMALLEST, ilogb(most) + ilogb(<double>max(used, 1)) + 2 - BITS))
