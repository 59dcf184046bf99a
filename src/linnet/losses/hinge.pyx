# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The hinge loss with a margin as wide as the cost (Eisenstein, eq. 7, where it is 1; Smith,
"(Multiclass) Support Vector Machines").

    y_hat = argmax_y theta.mu(y) + cost(y_i, y)
    loss  = theta.mu(y_hat) + cost(y_i, y_hat) - theta.mu(y_i)
    r     = mu(y_hat) - mu(y_i)

An example may be right and still be inside the margin: it is updated too.

In the dual of Crammer and Singer (2001) m_k <= C mu_k(y_i) and sum_k m_k = 0. The best step is a projection, for all labels at
once (Keerthi et al. 2008, sec. 4; Michelot 1986):

    m'_k = min(C mu_k(y_i), (beta - b_k) / q),    b = theta + cost - q m,    beta such that sum_k m'_k = 0
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t

from linnet.core.form cimport Ascent, Loss, Outcome, Structure, Tables

from linnet.losses import phi


cdef class Hinge(Loss):
    cdef float cost

    def __init__(self, float cost=1):
        self.name = "hinge"
        self.has_dual = True
        self.cost = cost
        self.phi = phi.Hinge(cost)

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        gen.add_cost(theta, y, self.cost)
        gen.argmax(theta, y_hat)
        out.value = gen.score(theta, y_hat) - gen.score(theta, y)
        out.active = not gen.same(theta, y, y_hat)
        # r is written even where y_hat is as right as y_i, so that it is the derivative that goes with the value.
        gen.add(r, y_hat, 1)
        gen.add(r, y, -1)
        return out

    cdef Ascent ascend(self, Structure gen, Tables *theta, const int32_t *y, const float *m, double q, double C,
                       Tables *r) noexcept nogil:
        cdef Ascent out
        cdef float *score = theta.block[0]
        cdef float *b = r.block[0]
        cdef int k, n = theta.outcomes[0]
        cdef double best, beta, rest = 0
        gen.add_cost(theta, y, self.cost)
        best = score[0]
        for k in range(n):
            best = max(best, score[k])
        out.value = best - gen.score(theta, y)
        out.left = C * out.value
        for k in range(n):
            out.left += <double>score[k] * m[k]
        if out.left <= 0:
            return out
        for k in range(n):
            b[k] = <float>(score[k] - q * m[k])
        beta = threshold(b, n, y[0], q * C)
        for k in range(n):
            if k != y[0]:
                best = min(0.0, (beta - b[k]) / q)
                rest -= best
                b[k] = <float>(m[k] - best)
        b[y[0]] = <float>(m[y[0]] - rest)
        return out


cdef double threshold(const float *b, int n, int y, double most) noexcept nogil:
    """Find beta such that sum over k != y of max(0, b_k - beta) = min(most, beta - b_y). Each turn solves this for the
    b_k that are above the last beta, until these are the same as before."""
    cdef int k, above, before = 0
    cdef double beta = -INFINITY, sums
    while True:
        above, sums = 0, 0
        for k in range(n):
            if k != y and b[k] > beta:
                above += 1
                sums += b[k]
        if b[y] + most > beta:
            above += 1
            sums += b[y]
        else:
            sums -= most
        if above == before:
            return beta
        beta = sums / above
        before = above
