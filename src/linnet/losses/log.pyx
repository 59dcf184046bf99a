# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The log loss (Choi, "Cross Entropy Loss"; Smith, "Loss Functions": maximum conditional likelihood).

    loss = -log p(y_i | x) = log Z - theta.mu(y_i),    p(y | x) = exp(theta.mu(y)) / Z
    r    = E[mu(y)] - mu(y_i)

With a cost, every other output scores that much more while learning: softmax-margin (Gimpel and Smith 2010). An outcome whose
probability is wrong by no more than `negligible` is left alone.

In the dual m = C (mu(y_i) - p), p a distribution, and conjugate(-m) = C sum_k p_k log p_k. The best p' is that which the scores
after the step have: with a = q C and z = theta + a p (Yu, Huang and Lin 2011, for all labels at once)

    log p'_k + a p'_k = z_k - beta,    beta such that sum_k p'_k = 1

Newton's method finds omega = a p' for a given beta, and beta itself. Both functions are convex or concave, so that it
always converges.
"""

from libc.math cimport exp, fabs, log
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from linnet.core.form cimport Ascent, Loss, Outcome, Structure, Tables

from linnet.losses import phi


cdef class Log(Loss):
    cdef float cost
    cdef float negligible

    def __init__(self, float cost=0, float negligible=0):
        self.name = "log"
        self.needs_marginals = True
        self.has_dual = True
        self.cost = cost
        self.negligible = negligible
        self.phi = phi.Log(cost, negligible)

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        if self.cost:
            gen.add_cost(theta, y, self.cost)
        out.value = gen.marginals(theta, r) - gen.score(theta, y)
        gen.add(r, y, -1)
        out.active = True
        if self.negligible:
            self.settle(r)
        return out

    cdef Ascent ascend(self, Structure gen, Tables *theta, const int32_t *y, const float *m, double q, double C,
                       Tables *r) noexcept nogil:
        cdef Ascent out
        cdef float *z = theta.block[0]
        cdef float *mu = r.block[0]
        cdef int k, n = theta.outcomes[0]
        cdef double a = q * C, p, total, logz
        if self.cost:
            gen.add_cost(theta, y, self.cost)
        logz = gen.marginals(theta, r)
        out.value = logz - gen.score(theta, y)
        out.left = C * out.value
        memset(mu, 0, n * sizeof(float))
        gen.add(r, y, 1)
        for k in range(n):
            p = max(0.0, mu[k] - m[k] / C)
            out.left += <double>z[k] * m[k] + (C * p * log(p) if p > 0 else 0)
            z[k] = <float>(z[k] + a * p)
        total = normalise(z, n, a, logz - log(a))
        for k in range(n):
            mu[k] = <float>(m[k] - C * (mu[k] - z[k] / total))
        return out

    cdef void settle(self, Tables *r) noexcept nogil:
        cdef int g
        cdef int64_t k
        for g in range(r.n_blocks):
            for k in range(r.places[g] * r.stride[g]):
                if fabs(r.block[g][k]) <= self.negligible:
                    r.block[g][k] = 0


cdef double normalise(float *z, int n, double a, double beta) noexcept nogil:
    """Replace z by omega / a with omega_k + log omega_k = z_k - beta, and beta such that they sum to 1 within 1e-6; returns
    the sum."""
    cdef int k, again
    cdef double w, total, slope
    for again in range(50):
        total, slope = 0, 0
        for k in range(n):
            w = omega(z[k] - beta)
            total += w
            slope += w / (1 + w)
        if fabs(total - a) <= 1e-6 * a:
            break
        beta += (total - a) / slope
    total = 0
    for k in range(n):
        z[k] = <float>(omega(z[k] - beta) / a)
        total += z[k]
    return total


cdef double omega(double s) noexcept nogil:
    """The solution of omega + log omega = s, found from below."""
    cdef int again
    cdef double z, w, last
    if s > 1:
        w = s - log(s)
    else:
        z = exp(s)
        w = z / (1 + z)
        if z < 1e-8:
            return z
    for again in range(8):
        last = w
        w *= (1 + s - log(w)) / (1 + w)
        if w - last <= 1e-9 * w:
            break
    return w
