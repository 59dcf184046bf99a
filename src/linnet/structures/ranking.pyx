# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""All labels in order, those of an example's set before the others: one place, an outcome for each label (Crammer and Singer
2003, "A family of additive online algorithms for category ranking"; Schapire and Singer 2000). core/form.pyx has the terms.

    output     all labels, the one with the largest theta first
    gold       a set y of labels
    questions  is k before l? for each pair of k in y and l not in y:    a_kl = e_k - e_l, z = 1
    loss       1/c sum over k in y of sum over l not in y of phi(theta_k - theta_l)

The divisor c depends on phi:

    phi            c                                        the loss is then
    perceptron     the number of pairs in the wrong order   the mean over these pairs: MMP of Crammer and Singer
    exponential    the number of all pairs                  the mean over all pairs: AdaBoost.MR (RankBoost)
    hinge, log     |y|                                      the mean over k in y of the sum over l; with the hinge a ranking SVM

Two labels with equal scores are in the wrong order. A set that is empty, or has all labels, has no pairs: its loss is 0. A
ranking has no score and no probability: the questions are all.

An output is the number of labels and then those, the best first, the smaller number first of equals; a gold one is the number
of its labels, and then those.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport qsort

from linnet.core.form cimport Answers, Phi, Structure, Tables

cdef struct Scored:
    float score
    int32_t k               # the label


cdef class Ranking(Structure):
    """Rankings of labels. Where a method or property has no docstring of its own, that of Structure in core/form.pyx holds."""
    cdef readonly int n     # the number of labels

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
    def has_forced(self):
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
        """The mean of the average precision over the examples that have a label.

        The average precision of an example is the mean over its gold labels of the precision of the ranking cut at that label:
        the share of gold labels among those from the first down to it.
        """
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
        # In floats: argmax needs a Scored, of the size of two, for each label; ask needs a margin and a label for each.
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
        cdef int32_t i, j, k, n_other = 0
        cdef int64_t divisor
        out.value = 0
        out.asked = out.active = 0
        # r arrives as zeros, as every `ask` demands, so it can mark the labels of y before it is needed itself.
        for i in range(1, y[0] + 1):
            slope[y[i]] = 1
        for k in range(self.n):
            if slope[k] == 0:
                other[n_other] = k
                n_other += 1
        for i in range(1, y[0] + 1):
            slope[y[i]] = 0
        for i in range(1, y[0] + 1):
            for j in range(n_other):
                margin[j] = score[y[i]] - score[other[j]]
            # `slopes` adds phi of all margins to `out`, and writes the slope of phi over each margin. No slope is above 0, so r
            # falls for the label of y, whose score should rise, and rises for the others.
            phi.slopes(margin, n_other, &out)
            for j in range(n_other):
                slope[y[i]] += margin[j]
                slope[other[j]] -= margin[j]
        divisor = out.active if phi.is_mistake else y[0]
        if divisor > 1:
            out.value /= divisor
            for k in range(self.n):
                slope[k] /= divisor
        # Where phi is a mean, the loss then divides by `asked` (losses/each.pyx): after |y| above by n_other, so in all by the
        # number of pairs. An empty set has no pairs and still n_other > 0, but its loss and r are 0 whatever divides them.
        out.asked = n_other
        return out

    cdef void force(self, Tables *theta, const int32_t *y) noexcept nogil:
        """Do nothing: no part of a ranking can be demanded or forbidden by itself."""

    cdef bint same(self, const Tables *theta, const int32_t *y, const int32_t *y_hat) noexcept nogil:
        """Whether the ranking y_hat is right: all labels of the set y come before the others. Here equal scores are in the
        order that argmax gave them, and not always in the wrong order as in the loss."""
        cdef int32_t i
        for i in range(1, y[0] + 1):
            if not holds(y, y_hat[i]):
                return False
        return True


cdef inline bint holds(const int32_t *y, int32_t k) noexcept nogil:
    """Whether label k is in the set y."""
    cdef int32_t i
    for i in range(1, y[0] + 1):
        if y[i] == k:
            return True
    return False


cdef int before(const void *a, const void *b) noexcept nogil:
    """Compare two Scored for qsort: the larger score is first, and of equal scores the smaller label."""
    cdef const Scored *x = <const Scored *>a
    cdef const Scored *y = <const Scored *>b
    if x.score != y.score:
        return -1 if x.score > y.score else 1
    return -1 if x.k < y.k else 1
