# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Links between the n tokens of a sentence and the m tokens of its translation.

    block 0:  n m x 1      place i m + j: source token i and target token j are linked
    block 1:  m x 1        target token j is linked to nothing
    y[i m + j]  = 1 for a link, else 0; in a gold output 2 for one that is possible and not sure: it may be there or not

    score(y)    = sum of theta_0 over the links, and of theta_1 over the target tokens without any
    cost(y, y') = links of y' that are not even possible + miss x sure links of y that y' lacks

A gold output may have more links than GEN(x) allows. This file has what all alignments share, and the structure in
which each target token picks a source token, or none, by itself, as in the models of Brown et al. (1993): a softmax for
each.
"""

from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from linnet.core.form cimport Tables
from linnet.structures.parts cimport Parted


cdef class Alignment(Parted):
    def __init__(self, double miss=1):
        if not 0 < miss < INFINITY:
            raise ValueError(f"expected a cost of missing a link above 0, found {miss:g}")
        self.outcomes = (1, 1)
        self.miss = miss

    @property
    def plain(self):
        return False

    @property
    def one_outcome(self):
        return False

    def given(self, int g):
        return None

    def accuracy(self, y, y_at, y_hat, y_hat_at):
        """1 - AER, the alignment error rate (Och and Ney 2003)."""
        found, sure = int((y_hat == 1).sum()), int((y == 1).sum())
        hits = int(((y_hat == 1) & (y == 1)).sum()) + int(((y_hat == 1) & (y > 0)).sum())
        return hits / (found + sure) if found + sure else 1.0

    cdef double nothing(self, const Tables *theta, int32_t *y) noexcept nogil:
        """Write the alignment without any link, and return its score."""
        cdef int64_t j
        cdef double total = 0
        memset(y, 0, theta.places[0] * sizeof(int32_t))
        for j in range(theta.places[1]):
            total += theta.block[1][j]
        return total

    cdef double score(self, const Tables *theta, const int32_t *y) noexcept nogil:
        cdef int64_t i, j, m = theta.places[1], n = theta.places[0] // m if m else 0
        cdef bint linked
        cdef double total = 0
        for j in range(m):
            linked = False
            for i in range(n):
                if y[i * m + j] == 1:
                    linked = True
                    total += theta.block[0][i * m + j]
            if not linked:
                total += theta.block[1][j]
        return total

    cdef void add(self, Tables *table, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t i, j, m = table.places[1], n = table.places[0] // m if m else 0
        cdef bint linked
        for j in range(m):
            linked = False
            for i in range(n):
                if y[i * m + j] == 1:
                    linked = True
                    table.block[0][i * m + j] += amount
            if not linked:
                table.block[1][j] += amount

    cdef void add_cost(self, Tables *theta, const int32_t *y, float amount) noexcept nogil:
        cdef int64_t p
        for p in range(theta.places[0]):
            if y[p] == 0:
                theta.block[0][p] += amount
            elif y[p] == 1:
                theta.block[0][p] -= <float>self.miss * amount

    cdef int64_t decisions(self, const Tables *theta) noexcept nogil:
        return theta.places[1] if theta.places[0] else 0

    cdef int32_t decision(self, const Tables *theta, const int32_t *y, int64_t i) noexcept nogil:
        """The source of target token i, or -1 for none."""
        cdef int32_t k
        for k in range(<int32_t>sources(theta)):
            if y[k * theta.places[1] + i] == 1:
                return k
        return -1

    cdef void decide(self, Tables *theta, int64_t i, int32_t value, bint holds) noexcept nogil:
        cdef int64_t k
        if (value < 0) != holds:
            theta.block[1][i] = -INFINITY
        for k in range(sources(theta)):
            if (k == value) != holds:
                theta.block[0][k * theta.places[1] + i] = -INFINITY

    cdef int64_t cut_room(self, int64_t places) noexcept nogil:
        return 2 * 2 * places

    cdef void force(self, Tables *theta, const int32_t *y) noexcept nogil:
        """Force links: 1, or -2 (any but 0), demands the link; 0, or -3 (any but 1), forbids it; -1 and 2 leave it
        open."""
        cdef int64_t p, m = theta.places[1]
        for p in range(theta.places[0]):
            if y[p] != -1 and y[p] != 2:
                self.decide(theta, p % m, <int32_t>(p // m), y[p] == 1 or y[p] == -2)


cdef class OneToMany(Alignment):
    """Alignments in which each target token has at most one source; a source may have many targets."""

    def __init__(self, double miss=1):
        Alignment.__init__(self, miss)
        self.name = "one-to-many"
        self.has_marginals = True

    cdef void argmax(self, const Tables *theta, int32_t *y_hat) noexcept nogil:
        cdef int64_t i, j, best, m = theta.places[1], n = sources(theta)
        cdef float most
        self.nothing(theta, y_hat)
        for j in range(m):
            best, most = -1, none(theta, j)
            for i in range(n):
                if link(theta, i, j) > most:
                    best, most = i, link(theta, i, j)
            if best >= 0:
                y_hat[best * m + j] = 1

    cdef double marginals(self, const Tables *theta, Tables *mu) noexcept nogil:
        cdef int64_t i, j, m = theta.places[1], n = sources(theta)
        cdef double most, total, logz = 0
        for j in range(m):
            most = none(theta, j)
            for i in range(n):
                most = max(most, link(theta, i, j))
            total = exp(none(theta, j) - most)
            for i in range(n):
                total += exp(link(theta, i, j) - most)
            mu.block[1][j] = <float>(exp(none(theta, j) - most) / total)
            for i in range(n):
                mu.block[0][i * m + j] = <float>(exp(link(theta, i, j) - most) / total)
            logz += most + log(total)
        return logz
