# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What boosting needs of all examples: for each weight, how much of the loss wants it up and how much wants it down.

    g    = sum_i weight_i X_i^T r_i         the gradient of the loss, r_i = d loss / d theta_i
    up   = the sum of its negative parts, down = that of its positive parts, each (place, outcome, feature) being a part

Where an output uses each place at most once, another output in its stead changes a part by at most |x|, the value of the feature. The
loss is a sum, or a concave function of sums, of exp(score differences), and exp is convex. So if w changes by delta, and for no
example the parts in which two outputs differ sum to more than 1 (else delta is divided by that sum, M),

    loss(w + delta) <= loss(w) - sum_j [up_j (1 - e^-delta_j) + down_j (1 - e^delta_j)]

which is least at delta = 1/2 ln(up / down) (Collins, Schapire and Singer 2002, for parallel updates; Schapire and Singer 1999 for one
coordinate). `span` says by how much the parts may change: M in all, R_j those of the feature j.
"""

from libc.math cimport INFINITY, fabs, log, sqrt
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free

from linnet.core.loops.batch cimport Sums
from linnet.core.blocks cimport Block, Sparse, first
from linnet.core.loops.gold_outputs cimport output_at
from linnet.core.form cimport MAX_BLOCKS, Loss, Structure

import numpy as np


cdef class Parts(Sums):
    cdef readonly list up               # one float64 array for each block, in the shape of its weights; `down` likewise
    cdef readonly list down
    cdef bint presence                  # whether a feature counts as 1 wherever it is not 0
    cdef double *ups[MAX_BLOCKS]
    cdef double *downs[MAX_BLOCKS]
    cdef double *wants_down             # for each outcome of a place, how much of the loss wants it down
    cdef int32_t *at                    # the outcomes of a place that the loss wants up

    def __init__(self, Structure gen, Loss loss, weights, *, bint presence=False):
        super().__init__(gen, loss, weights)
        self.wants_down = <double *>calloc(max(gen.outcomes), sizeof(double))
        self.at = <int32_t *>calloc(max(gen.outcomes), sizeof(int32_t))
        if self.wants_down == NULL or self.at == NULL:
            raise MemoryError("no memory for a row of weights")
        self.presence = presence
        self.up = self.sums_into(self.ups, [np.zeros(block.shape) for block in self.weights])
        self.down = self.sums_into(self.downs, [np.zeros(block.shape) for block in self.weights])

    def __dealloc__(self):
        free(self.wants_down)
        free(self.at)

    def clear_all(self):
        self.total = 0
        for array in self.up + self.down:
            array[:] = 0

    cdef void add_place(self, int g, int64_t place, const float *r, double weight) noexcept nogil:
        """Add r of one place to `up` and `down`. Most outcomes want down and few want up, so the few are handled one by
        one."""
        cdef const Sparse *x = &self.x[g]
        cdef int64_t j
        cdef int k, n = self.r.outcomes[g], stride = self.r.stride[g], n_at = 0
        cdef double *wants_down = self.wants_down
        cdef bint any_down = False
        for k in range(n):
            wants_down[k] = weight * max(r[k], 0)
            any_down |= r[k] > 0
            if r[k] < 0:
                self.at[n_at] = k
                n_at += 1
        if n_at == 0 and not any_down:
            return
        self.add_row(g, 0, x.one, r, weight, n, n_at)
        for j in range(x.indptr[place], x.indptr[place + 1]):
            self.add_row(g, (<int64_t>x.indices[j] + 1) * stride, 1 if self.presence else x.values[j], r, weight, n, n_at)

    cdef inline void add_row(self, int g, int64_t row, double x, const float *r, double weight, int n, int n_at) noexcept nogil:
        cdef int k
        cdef double size = fabs(x)
        cdef double *down = (self.downs[g] if x > 0 else self.ups[g]) + row
        cdef double *up = (self.ups[g] if x > 0 else self.downs[g]) + row
        for k in range(n):
            down[k] += size * self.wants_down[k]
        for k in range(n_at):
            up[self.at[k]] -= size * weight * r[self.at[k]]

    def span(self, tuple blocks, const int32_t[::1] y, const int64_t[::1] y_at, const float[::1] weight=None):
        """M, and R of each block: by how much the parts of an example may change, in all and for each feature.

        M is the largest sum over an example of the |x| of its gold output and of the |x| of the output that has most of them,
        which is the best output where the score of each place is the sum of its |x|. R_j is the sum of feature j over all
        places, each counted as often as an output can use it.
        """
        cdef int64_t i, p, k, begin, n = (<Block>blocks[0]).n
        cdef int g
        cdef double M = 0, length
        cdef double[::1] R, sums
        self.take(blocks, tuple([w.shape[0] for w in self.weights]))
        spans = [np.zeros(w.shape[0]) for w in self.weights]
        room = [np.zeros(w.shape[0]) for w in self.weights]
        for i in range(n):
            if weight is not None and weight[i] == 0:
                continue
            self.fetch(i)
            for g in range(self.theta.n_blocks):
                self.score(g, i, self.v[g], 0)          # only to learn the number of places
                begin = first(&self.x[g], i)
                for p in range(self.theta.places[g]):
                    length = self.x[g].one
                    for k in range(self.x[g].indptr[begin + p], self.x[g].indptr[begin + p + 1]):
                        length += fabs(self.x[g].values[k])
                    for k in range(self.theta.stride[g]):
                        self.theta.block[g][p * self.theta.stride[g] + k] = <float>length
            self.gen.argmax(&self.theta, self.y_hat)
            M = max(M, self.gen.score(&self.theta, self.y_hat) + self.gen.score(&self.theta, output_at(y, y_at[i])))
            for g in range(self.theta.n_blocks):
                R, sums = spans[g], room[g]
                self.spread(g, i, R, sums)
        return M, spans

    cdef void spread(self, int g, int64_t i, double[::1] R, double[::1] sums) noexcept nogil:
        """Raise R of block g to the sums of example i. How often an output can use a place is the score of the best
        output where that place alone scores, 1 for each outcome. `sums` is memory that is 0 before and after."""
        cdef const Sparse *x = &self.x[g]
        cdef int64_t p, j, begin = first(x, i), places = self.theta.places[g]
        cdef int k, stride = self.theta.stride[g]
        cdef double uses
        self.clear(&self.theta)
        for p in range(places):
            for k in range(stride):
                self.theta.block[g][p * stride + k] = 1
            self.gen.argmax(&self.theta, self.y_hat)
            uses = self.gen.score(&self.theta, self.y_hat)
            for k in range(stride):
                self.theta.block[g][p * stride + k] = 0
            sums[0] += uses * x.one
            for j in range(x.indptr[begin + p], x.indptr[begin + p + 1]):
                sums[x.indices[j] + 1] += uses * fabs(x.values[j])
        R[0] = max(R[0], sums[0])
        sums[0] = 0
        for j in range(x.indptr[begin], x.indptr[begin + places]):
            R[x.indices[j] + 1] = max(R[x.indices[j] + 1], sums[x.indices[j] + 1])
            sums[x.indices[j] + 1] = 0


cdef inline double lowered(double up, double down, double epsilon) noexcept nogil:
    """The amount by which the bound falls: up (1 - e^-d) + down (1 - e^d) at d = 1/2 ln((up + epsilon) / (down + epsilon))."""
    cdef double s = sqrt((up + epsilon) / (down + epsilon))
    return up * (1 - 1 / s) + down * (1 - s)


cdef inline double half_log(double up, double down, double epsilon) noexcept nogil:
    return log((up + epsilon) / (down + epsilon)) / 2


def all_steps(float[:, ::1] delta, const double[:, ::1] up, const double[:, ::1] down, const double[::1] R,
              int n_outcomes, double M, double epsilon):
    """Write delta = 1/M 1/2 ln(up / down) of every weight, and return by how much the loss falls at least."""
    cdef int64_t j
    cdef int k
    cdef double total = 0
    with nogil:
        for j in range(up.shape[0]):
            for k in range(n_outcomes):
                if up[j, k] != down[j, k]:
                    delta[j, k] = <float>(half_log(up[j, k], down[j, k], epsilon * R[j]) / M)
                    total += lowered(up[j, k], down[j, k], epsilon * R[j]) / M
    return total


def best_step(const double[:, ::1] up, const double[:, ::1] down, const double[::1] R, int n_outcomes, double epsilon):
    """The weight (row, outcome) whose own step lowers the bound most, the length of that step, and by how much the bound
    falls."""
    cdef int64_t j, row = 0
    cdef int k, outcome = 0
    cdef double found, most = 0, step = 0
    with nogil:
        for j in range(up.shape[0]):
            for k in range(n_outcomes):
                if up[j, k] == down[j, k]:
                    continue
                found = lowered(up[j, k], down[j, k], epsilon * R[j]) / R[j]
                if found > most:
                    most, row, outcome = found, j, k
        if most > 0:
            step = half_log(up[row, outcome], down[row, outcome], epsilon * R[row]) / R[row]
    return row, outcome, step, most


def best_stump(const double[:, ::1] up, const double[:, ::1] down, int n_outcomes, double epsilon):
    """The feature whose presence and absence lower the loss most, each of them with a step of its own for every outcome; and by
    how much they do.

    Row 0, the bias, has the sums over all places; where there are no features, it is all there is.
    """
    cdef int64_t j, row = 0
    cdef int k
    cdef double found, most = -INFINITY
    with nogil:
        for j in range(min(1, up.shape[0] - 1), up.shape[0]):
            found = 0
            for k in range(n_outcomes):
                found += lowered(up[j, k], down[j, k], epsilon)
                found += lowered(max(up[0, k] - up[j, k], 0), max(down[0, k] - down[j, k], 0), epsilon)
            if found > most:
                most, row = found, j
    return row, most
