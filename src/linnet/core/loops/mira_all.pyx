# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""MIRA with a margin over all outputs, where they are few: the labels of an example (Crammer and Singer 2003, "Ultraconservative
online algorithms for multiclass problems").

    w <- the nearest w' with  w'.(f(x, y) - f(x, y_i)) + cost(y_i, y) <= xi  for all y,  xi costing C

It is a step of the hinge loss in the dual (losses/hinge.pyx) by an example that has added nothing to w so far: m = 0.
The step -m' raises the score of the right label, and lowers those of the labels that would otherwise stay inside the
margin. Where C is infinite, the hinge loss after the step is 0. A step over the best output alone (PA) closes that
margin, and may leave another one open.

Where each label of a set is decided by itself, each is one such program with two outputs.
"""

from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Ascent, Loss, Step, Structure
from linnet.core.loops.online cimport Online

from linnet.errors import UsageError

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)


cdef class AllMargins(Online):
    cdef double C
    cdef float *nothing             # m = 0, what an example has added so far

    def __init__(self, Structure gen, Loss loss, Step step, n_features, *, double C, **how):
        if not (gen.single or gen.separate):
            raise UsageError(
                f"k=all needs outputs that are labels, which those of structure {gen.name!r} are not. Use a number, such as k=5.")
        super().__init__(gen, loss, step, n_features, **how)
        self.C = C
        self.nothing = <float *>linnet_zeros((self.theta.stride[0] + 8) * sizeof(float))
        if self.nothing == NULL:
            raise MemoryError("no memory for the scores of one example")

    def __dealloc__(self):
        linnet_free(self.nothing)

    cdef int learn(self, int64_t i, const int32_t *y, double weight) except -1 nogil:
        cdef Ascent out
        self.score(0, i, self.w[0].v, self.a)
        self.check_scores()
        self.clear(&self.r)
        if self.asks:
            self.gen.argmax(&self.theta, self.y_hat)
            self.count(not self.gen.same(&self.theta, y, self.y_hat))
        out = self.loss.ascend(self.gen, &self.theta, y, self.nothing, self.own_length2(i), max(weight, 1.0) * self.C, &self.r)
        self.t += 1
        self.last_loss = out.value
        self.last_tau = weight * (out.value > 0)
        self.total += weight * out.value
        if out.value > 0:
            self.updates += 1
            self.update(i, min(weight, 1.0))
        self.S += self.a
        return 0
