# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The best of the candidates that an example brings with it: a place for each, with one outcome, mu(y) the indicator of place y
(Collins and Koo 2005, "Discriminative reranking for natural language parsing").

    argmax = the place with the largest theta, the first of equals
    p(y)   = exp(theta_y) / Z                       so the log loss is that of the whole list
    cost   = cost_y' - cost_y                       whatever is given: 1 - F1, a rank, -BLEU

    questions  is a before b? for each pair with cost_a < cost_b:    a_ab = e_a - e_b, z = 1
    loss       1/n sum over these pairs of phi(theta_a - theta_b), n being how many are better than some other
               for the perceptron, the mean over the pairs in the wrong order; for a phi that is a mean, over all pairs

With two costs only, the questions are those of a ranking (ranking.pyx). Over `CandidatePairs` the loss of a learner is
that of these questions, over `Candidates` it is that of the best candidate: there boosting is that of Collins and Koo.

A gold output is the number of the cheapest candidate, and then the costs of all candidates of the example, as the bits
of float32 numbers: each example has other candidates, so that a structure cannot hold their costs. An output that was
found is the number alone. It is right if it costs as little as the gold one.
"""

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int32_t, int64_t

from linnet.core.form cimport Answers, Phi, Structure, Tables
from linnet.structures.largest cimport largest

import numpy as np


cdef class Candidates(Structure):
    def __init__(self):
        self.name = "candidates"
        self.outcomes = (1,)
        self.has_marginals = True

    @property
    def terms(self):
        return 2

    def given(self, int g):
        return None

    def accuracy(self, y, y_at, y_hat, y_hat_at):
        """The cost saved against the dearest candidate of each list, as a share of the most that could be saved."""
        at, last = np.asarray(y_at[:-1]), np.asarray(y_at[1:])
        costs = np.asarray(y).view(np.float32).astype(np.float64)
        costs[at] = -np.inf
        worst = np.maximum.reduceat(costs, at) if len(at) else costs
        best, found = costs[at + 1 + np.asarray(y)[at]], costs[at + 1 + np.asarray(y_hat)]
        there = last - at > 1
        gained, possible = np.sum((worst - found)[there]), np.sum((worst - best)[there])
        return float(gained / possible) if possible else 1.0

    cdef int64_t room(self, int64_t places) noexcept nogil:
        return 1

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        return 1

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef const float *score = theta.block[0]
        cdef int32_t c, best = 0
        for c in range(1, <int32_t>theta.places[0]):
            if score[c] > score[best]:
                best = c
        y_hat[0] = best

    cdef int64_t workspace_k(self, int64_t places, int k) noexcept nogil:
        return 0

    cdef int best_k(self, const Tables *theta, int k, int32_t *y, double *scores) noexcept nogil:
        return largest(theta.block[0], <int32_t>theta.places[0], k, y, scores)

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        return theta.block[0][y[0]]

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        cdef const float *score = theta.block[0]
        cdef float *p = mu.block[0]
        cdef int64_t c, n = theta.places[0]
        cdef float most = -INFINITY
        cdef double z = 0
        for c in range(n):
            most = max(most, score[c])
        if most == -INFINITY:
            return most
        for c in range(n):
            p[c] = <float>exp(score[c] - most)
            z += p[c]
        for c in range(n):
            p[c] = <float>(p[c] / z)
        return most + log(z)

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        table.block[0][y[0]] += amount

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        cdef const float *cost = <const float *>(y + 1)
        cdef int64_t c
        for c in range(theta.places[0]):
            theta.block[0][c] += amount * (cost[c] - cost[y[0]])

    cdef void favour_rivals(self, Tables *theta, const int32_t *y, const Tables *mu, float amount) noexcept nogil:
        """Raise the score of every candidate that costs more than y."""
        cdef const float *cost = <const float *>(y + 1)
        cdef int64_t c
        for c in range(theta.places[0]):
            if cost[c] > cost[y[0]]:
                theta.block[0][c] += amount

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        return 2 * places

    cdef Answers ask(self, Tables *theta, const int32_t *y, Phi phi, Tables *r) noexcept nogil:
        cdef Answers out
        cdef const float *cost = <const float *>(y + 1)
        cdef const float *score = theta.block[0]
        cdef float *slope = r.block[0]
        cdef float *margin = theta.work                                         # margins of a over each that is worse
        cdef int32_t *worse = <int32_t *>(theta.work + theta.places[0])         # the candidates that are worse than a
        cdef int32_t a, b, k = <int32_t>theta.places[0]
        cdef int64_t i, n, better = 0, counted
        out.value = 0
        out.asked = out.active = 0
        for a in range(k):
            n = 0
            for b in range(k):
                if cost[a] < cost[b]:
                    margin[n] = score[a] - score[b]
                    worse[n] = b
                    n += 1
            better += n > 0
            phi.slopes(margin, n, &out)
            for i in range(n):
                slope[a] += margin[i]
                slope[worse[i]] -= margin[i]
        counted = out.active if phi.is_mistake else 1 if phi.mean else better
        if counted > 1:
            out.value /= counted
            for a in range(k):
                slope[a] /= counted
        return out

    cdef void decide(self, Tables *theta, int64_t i, int32_t value, bint holds) noexcept nogil:
        cdef int64_t c
        for c in range(theta.places[0]):
            if (c == value) != holds:
                theta.block[0][c] = -INFINITY

    cdef bint same(self, const Tables *theta, const int32_t *y, const int32_t *y_hat) noexcept nogil:
        """Whether y_hat costs as little as the gold output y."""
        cdef const float *cost = <const float *>(y + 1)
        return cost[y_hat[0]] <= cost[y[0]]


cdef class CandidatePairs(Candidates):
    """Candidates that are learned by their order in pairs alone; the outputs are those of Candidates."""

    def __init__(self):
        self.name = "candidate-pairs"
        self.outcomes = (1,)

    @property
    def has_scores(self):
        return False


def gold(costs, at):
    """The gold outputs y and y_at of lists of candidates, where list i has the candidates with the costs
    costs[at[i]:at[i + 1]]."""
    costs, at = np.asarray(costs, np.float32), np.asarray(at, np.int64)
    y_at = at + np.arange(len(at))
    y = np.empty(y_at[-1], np.int32)
    first = np.zeros(len(y), bool)
    first[y_at[:-1]] = True
    y[~first] = costs.view(np.int32)
    y[first] = [int(np.argmin(costs[a:b])) for a, b in zip(at[:-1], at[1:], strict=True)]
    return y, y_at
