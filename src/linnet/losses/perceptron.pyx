# cython: language_level=3
"""The perceptron's loss (Carpuat, algorithm 3; Smith, "Perceptron for Structured Models", and "0-1 loss", where it is written out).

    y_hat = argmax_y theta.mu(y)
    loss  = theta.mu(y_hat) - theta.mu(y)
    r     = mu(y_hat) - mu(y)

Eisenstein, eq. 5, is the 0-1 loss itself, 1 for a mistake: the number of mistakes of a pass is its sum. At w = 0 the loss is 0
whatever y_hat is, so it is y_hat != y that makes an update, not loss > 0.
"""

from libc.stdint cimport int32_t

from linnet.core.form cimport Loss, Outcome, Structure, Tables

from linnet.losses import phi


cdef class Perceptron(Loss):
    def __init__(self):
        self.name = "perceptron"
        self.is_mistake = True
        self.phi = phi.Perceptron()

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        gen.argmax(theta, y_hat)
        out.value = gen.score(theta, y_hat) - gen.score(theta, y)
        out.active = not gen.same(theta, y, y_hat)
        if out.active:
            gen.add(r, y_hat, 1)
            gen.add(r, y, -1)
        return out
