# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The sum of the losses of all yes-or-no questions that decide an output (core/form.pyx; phi.pyx has the loss of a margin).

    loss = sum_q phi(z_q <theta, a_q>),    or their mean,  as phi has it
    r    = sum_q phi'(z_q <theta, a_q>) z_q a_q

    labels, label sets    a_k = e_k, is it k?          one against the rest; with phi = exp AdaBoost.MH
    trees of labels       is it below v?               a machine for each node
    ratings               is it above r?               all thresholds (Shashua and Levin 2003; Rennie and Srebro 2005)
    rankings              is k before l?               pairs (structures/ranking.pyx)

In the dual m_k = z_k alpha_k, and the best alpha' of each question is found by itself. That works where each question
has an outcome of its own: if two questions shared an outcome, the second would not know of the step of the first. With
two labels the classifier of each is the mirror of the other.
"""

from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Answers, Ascent, Loss, Outcome, Phi, Structure, Tables, with_sign


cdef class Each(Loss):
    def __init__(self, Phi phi not None):
        self.name = "each-" + phi.name
        self.is_mistake = phi.is_mistake
        self.has_dual = phi.has_dual
        self.phi = phi

    cdef Outcome evaluate(self, Structure gen, Tables *theta, const int32_t *y, int32_t *y_hat,
                          Tables *r) noexcept nogil:
        cdef Outcome out
        cdef Answers found = gen.ask(theta, y, self.phi, r)
        cdef int g
        cdef int64_t k
        cdef float share
        out.value = found.value
        out.active = found.active > 0
        if self.phi.mean and found.asked > 1:
            out.value /= found.asked
            share = <float>1 / found.asked
            for g in range(r.n_blocks):
                for k in range(r.places[g] * r.stride[g]):
                    r.block[g][k] *= share
        return out

    cdef Ascent ascend(self, Structure gen, Tables *theta, const int32_t *y, const float *m, double q, double C,
                       Tables *r) noexcept nogil:
        cdef Ascent out
        cdef float *alpha = theta.block[0]
        cdef float *mu = r.block[0]
        cdef int k, n = theta.outcomes[0]
        out.value = out.left = 0
        gen.add(r, y, 1)
        with_sign(alpha, mu, n)
        self.phi.ascend(alpha, m, n, q, C, &out)
        with_sign(alpha, mu, n)
        for k in range(n):
            mu[k] = m[k] - alpha[k]
        return out
