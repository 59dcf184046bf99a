# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""All labels in order, those of an example's set before the others: one place, an outcome for each label (Crammer and Singer 2003,
"A family of additive online algorithms for category ranking"; Schapire and Singer 2000).

    output     all labels, the one with the largest theta first
    gold       a set y of labels
    questions  is k before l? for each pair of k in y and l not in y:    a_kl = e_k - e_l, z = 1
    loss       1/|y| sum over k in y of sum over l not in y of phi(theta_k - theta_l)
               for the perceptron, the mean over the pairs in the wrong order; for a phi that is a mean, over all pairs

So phi = perceptron is their MMP, phi = exp is AdaBoost.MR (RankBoost), phi = hinge a machine over pairs. Equal scores are in the wrong
order. A set that is empty, or has all labels, asks nothing. A ranking has no score and no probability: the questions are all.

An output is the number of labels and then those, the best first, the smaller number first of equals; a gold one is the number of
its labels, and then those.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport qsort

from linnet.core.form cimport Answers, Phi, Structure, Tables

cdef struct Scored:
    float score
    int32_t k


cdef class Ranking(Structure):
    cdef readonly int n

    def __init__(self, int n_labels):
        if n_labels < 1:
            raise ValueError("expected at least one label")
        self.name = "ranking"
        self.n = n_labels
        self.outcomes = (n_labels,)

    @property
    def one_outcome(self):
        return False

    @property
    def plain(self):
        return False

    @property
    def has_scores(self):
        return False

    @property
    def terms(self):
        return 2

    def given(self, int g):
        return None

    def accuracy(self, const int32_t[::1] y, const int64_t[::1] y_at, const int32_t[::1] y_hat, const int64_t[::1] y_hat_at):
        """Average precision over the examples that have a label: the mean, over its labels, of the share of right labels
        down to each."""
        cdef int64_t i, k, found, examples = 0, n = y_at.shape[0] - 1
        cdef double total = 0, precision
        for i in range(n):
            if y[y_at[i]] == 0:
                continue
            found, precision = 0, 0
            for k in range(1, y_hat[y_hat_at[i]] + 1):
                if holds(&y[y_at[i]], y_hat[y_hat_at[i] + k]):
                    found += 1
                    precision += <double>found / k
            total += precision / y[y_at[i]]
            examples += 1
        return total / examples if examples else 1.0

    cdef int64_t workspace(self, int64_t places) noexcept nogil:
        return 2 * self.n

    cdef int64_t room(self, int64_t places) noexcept nogil:
        return self.n + 1

    cdef int64_t length(self, const Tables *theta, const int32_t *y) noexcept nogil:
        return 1 + y[0]

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef Scored *order = <Scored *>theta.work
        cdef int32_t k
        for k in range(self.n):
            order[k].score = theta.block[0][k]
            order[k].k = k
        qsort(order, self.n, sizeof(Scored), &before)
        y_hat[0] = self.n
        for k in range(self.n):
            y_hat[1 + k] = order[k].k

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        """Add an output: each label gets 1 plus the number of labels after it, so that votes are counted as Borda did
        (1781)."""
        cdef int32_t i
        for i in range(1, y[0] + 1):
            table.block[0][y[i]] += amount * (y[0] - i + 1)

    cdef Answers ask(self, Tables *theta, const int32_t *y, Phi phi, Tables *r) noexcept nogil:
        cdef Answers out
        cdef const float *score = theta.block[0]
        cdef float *slope = r.block[0]
        cdef float *margin = theta.work                             # margins between one label of y and each that is not in y
        cdef int32_t *other = <int32_t *>(theta.work + self.n)      # the labels that are not in y
        cdef int32_t i, k, l, n = 0
        cdef int64_t counted
        out.value = 0
        out.asked = out.active = 0
        for i in range(1, y[0] + 1):
            slope[y[i]] = 1
        for l in range(self.n):
            if slope[l] == 0:
                other[n] = l
                n += 1
        for i in range(1, y[0] + 1):
            slope[y[i]] = 0
        for i in range(1, y[0] + 1):
            for l in range(n):
                margin[l] = score[y[i]] - score[other[l]]
            phi.slopes(margin, n, &out)
            for l in range(n):
                slope[y[i]] += margin[l]
                slope[other[l]] -= margin[l]
        counted = out.active if phi.is_mistake else y[0]
        if counted > 1:
            out.value /= counted
            for k in range(self.n):
                slope[k] /= counted
        out.asked = n
        return out

    cdef void force(self, Tables *theta, const int32_t *y) noexcept nogil:
        pass

    cdef bint same(self, const Tables *theta, const int32_t *y, const int32_t *y_hat) noexcept nogil:
        """Whether the labels of the set y come first in the ranking."""
        cdef int32_t i
        for i in range(1, y[0] + 1):
            if not holds(y, y_hat[i]):
                return False
        return True


cdef inline bint holds(const int32_t *y, int32_t k) noexcept nogil:
    cdef int32_t i
    for i in range(1, y[0] + 1):
        if y[i] == k:
            return True
    return False


cdef int before(const void *a, const void *b) noexcept nogil:
    cdef const Scored *x = <const Scored *>a
    cdef const Scored *y = <const Scored *>b
    if x.score != y.score:
        return -1 if x.score > y.score else 1
    return -1 if x.k < y.k else 1
