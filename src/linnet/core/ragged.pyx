# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Rows of weights that hold only the outcomes which a step has changed: a weight that was never changed is 0.

    row of feature j    (k, v_jk) and what goes with v, for each such outcome k, in the order in which they came; a row that would
                        be more than half full has all outcomes, as the bias has

A feature meets few of 10,000 labels, so full rows would be nearly all zeros. Scores are those of full rows (machine.pyx),

    theta_k += x_j v_jk over the entries of row j,

and a step W -= tau X^T r changes few columns of few rows: those of the outcomes where r is not zero and of the features that the
example has. These are gathered into a table, the window; any step changes it as it would change W; and it is put back, with an
entry for each weight that was 0 and no longer is. So what is learned is the same, bit for bit.

When learning has ended, W is a matrix in compressed rows (strips.pyx).

How far weights have moved is told by a sketch of them, s_h(j, k) += sign(j, k) w_jk: the mean of ||s - s'||^2 over such hashes is
||w - w'||^2 (Charikar, Chen and Farach-Colton 2002).
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from linnet.core.blocks cimport Sparse, first
from linnet.core.buffers cimport larger
from linnet.core.form cimport Tables
from linnet.core.strips cimport FULL, Strip, check
from linnet.core.weights cimport Rows, Weights, learned_of, rescale_all, stride_for, zero_rows

import numpy as np

cdef extern from "rows.h" nogil:
    void *linnet_zeros(size_t size)
    void linnet_free(void *p)
    void linnet_prefetch(const void *p)
    int linnet_nonzero(const float *r, int n, int32_t *at, int most)

cdef enum:
    SLAB = 1 << 25                  # bytes of a slab, out of which strips are cut
    AHEAD = 8                       # number of rows ahead whose entries are prefetched
    SKETCH_BITS = 18                # a sketch has 2^18 numbers


cdef inline uint32_t room_of(uint32_t size) noexcept nogil:
    """The number of entries of a strip of a size class: 2, 3, 4, 6, 8, 12, 16 ..."""
    return (2 + (size & 1)) << (size >> 1)


cdef class Ragged(Weights):
    """W of one block, in rows that hold only the outcomes that were changed. `arrays` holds the bias alone."""

    def __init__(self, int64_t n_features, int n_outcomes, *, bint averaged=False, bint squares=False):
        super().__init__(n_features, n_outcomes, averaged=averaged, squares=squares)
        cdef int k, stride = self.rows.stride
        self.per_entry = 2 + averaged + squares
        self.n_strips = max(n_features, 1)
        self.strips = <Strip *>linnet_zeros(self.n_strips * sizeof(Strip))
        self.mark = <float *>linnet_zeros(stride * sizeof(float))
        self.column = <int32_t *>linnet_zeros(stride * sizeof(int32_t))
        self.outcomes = <int32_t *>linnet_zeros(stride * sizeof(int32_t))
        self.all = <uint32_t *>linnet_zeros(stride * sizeof(uint32_t))
        if self.strips == NULL or self.mark == NULL or self.column == NULL or self.outcomes == NULL or self.all == NULL:
            raise MemoryError(f"no memory for the weights of {n_features} features")
        for k in range(stride):
            self.column[k] = -1
            self.all[k] = k

    def __dealloc__(self):
        cdef int a
        self.forget()
        linnet_free(self.strips)
        linnet_free(self.mark)
        linnet_free(self.column)
        linnet_free(self.outcomes)
        linnet_free(self.all)
        free(self.slabs)
        free(self.touched)
        free(self.where)
        for a in range(3):
            free(self.cells[a])
        free(self.indptr)
        free(self.indices)
        free(self.values)
        free(self.r_cells)

    cdef int64_t kept(self) noexcept:
        return 1

    cdef int grow(self, int64_t n_rows) except -1:
        cdef Strip *more
        cdef int64_t room
        if n_rows <= self.n_rows:
            return 0
        if n_rows - 1 > self.n_strips:
            room = max(n_rows - 1, 2 * self.n_strips)
            more = <Strip *>linnet_zeros(room * sizeof(Strip))
            if more == NULL:
                raise MemoryError(f"no memory for the weights of {n_rows} features")
            memcpy(more, self.strips, (self.n_rows - 1) * sizeof(Strip))
            linnet_free(self.strips)
            self.strips, self.n_strips = more, room
        self.n_rows = n_rows
        return 0

    cdef void rescale(self, double a, double S) noexcept nogil:
        cdef int64_t j
        cdef Strip *row
        rescale_all(self.rows.v, self.rows.U, self.rows.stride, a, S)
        for j in range(self.n_rows - 1):
            row = self.strips + j
            rescale_all(row.v, row.v + row.room if self.rows.U != NULL else NULL, row.n, a, S)

    # A step opens the window, changes it, and closes it.

    cdef int open(self, const Sparse *x, int64_t i, const Tables *r, int g) except -1 nogil:
        """Copy all weights that X^T r of example i can change into the window (w, x and r). Returns the number of its
        outcomes; if it is 0, nothing is open."""
        self.choose(r, g)
        if self.n_columns:
            self.take_features(x, i, r, g)
            self.gather()
        return self.n_columns

    cdef void choose(self, const Tables *r, int g) noexcept nogil:
        """Choose the outcomes of the window, those where r is not zero at some place, in order."""
        cdef int k, found, stride = r.stride[g]
        cdef int64_t p
        for p in range(r.places[g]):
            found = linnet_nonzero(r.block[g] + p * stride, stride, self.outcomes, stride)
            for k in range(found):
                self.mark[self.outcomes[k]] = 1
        self.n_columns = linnet_nonzero(self.mark, stride, self.outcomes, stride)
        for k in range(self.n_columns):
            self.mark[self.outcomes[k]] = 0
            self.column[self.outcomes[k]] = k

    cdef int take_features(self, const Sparse *x, int64_t i, const Tables *r, int g) except -1 nogil:
        """Fill x and r of the window: the places with the chosen columns, and a row for each feature of the places where r
        is not zero."""
        cdef int64_t p, j, n = 0, begin = first(x, i), places = r.places[g]
        cdef int64_t most = x.indptr[begin + places] - x.indptr[begin]
        cdef int k, stride = stride_for(self.n_columns)
        cdef float *to
        cdef bint some
        cdef Strip *row
        self.indptr = <int64_t *>larger(self.indptr, &self.indptr_size, places + 1, sizeof(int64_t))
        self.indices = <uint32_t *>larger(self.indices, &self.features_size[0], most, sizeof(uint32_t))
        self.values = <float *>larger(self.values, &self.features_size[1], most, sizeof(float))
        self.touched = <uint32_t *>larger(self.touched, &self.touched_size, most, sizeof(uint32_t))
        self.r_cells = <float *>larger(self.r_cells, &self.r_size, places * stride, sizeof(float))
        memset(self.r_cells, 0, places * stride * sizeof(float))
        self.n_touched = 0
        self.indptr[0] = 0
        for p in range(places):
            to, some = self.r_cells + p * stride, False
            for k in range(self.n_columns):
                to[k] = r.block[g][p * r.stride[g] + self.outcomes[k]]
                some = some or to[k] != 0
            if some:
                for j in range(x.indptr[begin + p], x.indptr[begin + p + 1]):
                    row = self.strips + x.indices[j]
                    if row.at == 0:
                        self.touched[self.n_touched] = x.indices[j]
                        self.n_touched += 1
                        row.at = <uint32_t>self.n_touched
                    self.indices[n] = row.at - 1
                    self.values[n] = x.values[j]
                    n += 1
            self.indptr[p + 1] = n
        self.x.indptr, self.x.indices, self.x.values, self.x.places = self.indptr, self.indices, self.values, NULL
        self.x.one = x.one
        self.r.block[g], self.r.places[g], self.r.stride[g], self.r.outcomes[g] = self.r_cells, places, stride, self.n_columns
        return 0

    cdef int gather(self) except -1 nogil:
        """Copy the weights of these features into the window, the bias first."""
        cdef int a, k, n_arrays = self.per_entry - 1, stride = stride_for(self.n_columns)
        cdef int64_t t, cell, n = (1 + self.n_touched) * stride
        cdef uint32_t e
        cdef Strip *row
        cdef float *bias[3]
        for a in range(n_arrays):
            self.cells[a] = <float *>larger(self.cells[a], &self.cells_size[a], n, sizeof(float))
            memset(self.cells[a], 0, n * sizeof(float))
        self.where = <int32_t *>larger(self.where, &self.cells_size[3], n, sizeof(int32_t))
        memset(self.where, -1, n * sizeof(int32_t))
        self.w.stride, self.w.d, self.w.at = stride, self.rows.d, self.rows.at
        self.w.v = self.cells[0]
        self.w.U = self.cells[1] if self.rows.U != NULL else NULL
        self.w.G = self.cells[n_arrays - 1] if self.rows.G != NULL else NULL
        self.point_bias(bias)
        for a in range(n_arrays):
            for k in range(self.n_columns):
                self.cells[a][k] = bias[a][self.outcomes[k]]
        for t in range(self.n_touched):
            if t + AHEAD < self.n_touched:
                row = self.strips + self.touched[t + AHEAD]
                linnet_prefetch(row.k)
            row = self.strips + self.touched[t]
            cell = (t + 1) * stride
            if row.size == FULL:
                for k in range(self.n_columns):
                    self.copy_entry(row, <uint32_t>self.outcomes[k], cell + k)
                continue
            for e in range(row.n):
                k = self.column[row.k[e]]
                if k >= 0:
                    self.copy_entry(row, e, cell + k)
        return 0

    cdef void copy_entry(self, const Strip *row, uint32_t e, int64_t cell) noexcept nogil:
        cdef int a
        self.where[cell] = <int32_t>e
        for a in range(self.per_entry - 1):
            self.cells[a][cell] = row.v[a * row.room + e]

    cdef void point_bias(self, float **bias) noexcept nogil:
        bias[0] = self.rows.v
        bias[1] = self.rows.U if self.rows.U != NULL else self.rows.G
        bias[2] = self.rows.G

    cdef int close(self) except -1 nogil:
        """Write the window back to the rows that it came from."""
        cdef int a, k, n_arrays = self.per_entry - 1
        cdef int64_t t, cell
        cdef Strip *row
        cdef float *bias[3]
        self.point_bias(bias)
        for a in range(n_arrays):
            for k in range(self.n_columns):
                bias[a][self.outcomes[k]] = self.cells[a][k]
        for t in range(self.n_touched):
            row = self.strips + self.touched[t]
            row.at = 0
            cell = (t + 1) * self.w.stride
            for k in range(self.n_columns):
                if self.where[cell + k] >= 0:
                    for a in range(n_arrays):
                        row.v[a * row.room + self.where[cell + k]] = self.cells[a][cell + k]
            # New entries come after all others have been written back, as `append` may move the entries that `where`
            # points to.
            for k in range(self.n_columns):
                if self.where[cell + k] < 0:
                    for a in range(n_arrays):
                        if self.cells[a][cell + k] != 0:
                            self.append(row, <uint32_t>self.outcomes[k], cell + k)
                            break
        for k in range(self.n_columns):
            self.column[self.outcomes[k]] = -1
        return 0

    cdef int append(self, Strip *row, uint32_t k, int64_t cell) except -1 nogil:
        cdef int a
        if row.n == row.room and row.size != FULL:
            self.enlarge(row)
        if row.size == FULL:
            for a in range(self.per_entry - 1):
                row.v[a * row.room + k] = self.cells[a][cell]
            return 0
        row.k[row.n] = k
        for a in range(self.per_entry - 1):
            row.v[a * row.room + row.n] = self.cells[a][cell]
        row.n += 1
        return 0

    # Strips are cut out of large slabs, in size classes; a strip that was outgrown goes to the next row that needs its
    # size.

    cdef int enlarge(self, Strip *row) except -1 nogil:
        """Move a row to a strip of the next size class, or let it hold all outcomes if that would be more than half
        full."""
        cdef int a
        cdef uint32_t size = row.size + 1 if row.room else 0, room = room_of(size)
        cdef uint32_t *k
        cdef float *v
        if 2 * room > <uint32_t>self.n_outcomes:
            return self.fill(row)
        k = <uint32_t *>self.piece(size, <size_t>room * self.per_entry * 4)
        v = <float *>(k + room)
        if row.room:
            memcpy(k, row.k, row.n * sizeof(uint32_t))
            for a in range(self.per_entry - 1):
                memcpy(v + a * room, row.v + a * row.room, row.n * sizeof(float))
            self.give_back(row)
        row.k, row.v, row.room, row.size = k, v, room, size
        return 0

    cdef int fill(self, Strip *row) except -1 nogil:
        """Make a row hold all outcomes, in order."""
        cdef int a, stride = self.rows.stride
        cdef size_t n_bytes = <size_t>stride * (self.per_entry - 1) * sizeof(float)
        cdef uint32_t e
        cdef float *v = <float *>self.piece(FULL, n_bytes)
        memset(v, 0, n_bytes)
        for e in range(row.n):
            for a in range(self.per_entry - 1):
                v[a * stride + row.k[e]] = row.v[a * row.room + e]
        if row.room:
            self.give_back(row)
        row.k, row.v, row.n, row.room, row.size = self.all, v, <uint32_t>self.n_outcomes, <uint32_t>stride, FULL
        return 0

    cdef void give_back(self, Strip *row) noexcept nogil:
        """Put the strip of a row on the list of its size class. A spare strip begins with the address of the next
        one."""
        memcpy(row.k, &self.spare[row.size], sizeof(void *))
        self.spare[row.size] = row.k

    cdef void *piece(self, uint32_t size, size_t n_bytes) except NULL nogil:
        """Memory for a strip of a size class: a spare one, or a new one cut out of a slab."""
        cdef void *p = self.spare[size] if size < FULL else NULL
        if p != NULL:
            memcpy(&self.spare[size], p, sizeof(void *))
            return p
        if self.n_slabs == 0 or self.used + n_bytes > self.slab_bytes:
            self.slabs = <void **>larger(self.slabs, &self.slabs_size, self.n_slabs + 1, sizeof(void *))
            self.slab_bytes = max(<size_t>SLAB, n_bytes)
            self.slabs[self.n_slabs] = linnet_zeros(self.slab_bytes)
            if self.slabs[self.n_slabs] == NULL:
                with gil:
                    raise MemoryError(f"no memory for {(self.n_slabs + 1) * (SLAB >> 20)} MB of weights")
            self.n_slabs += 1
            self.used = 0
        p = <char *>self.slabs[self.n_slabs - 1] + self.used
        self.used += (n_bytes + 7) // 8 * 8
        return p

    cdef void forget(self) noexcept nogil:
        """Drop all entries."""
        cdef int64_t s
        for s in range(self.n_slabs):
            linnet_free(self.slabs[s])
        self.n_slabs = 0
        memset(self.spare, 0, sizeof(self.spare))
        if self.strips != NULL:
            memset(self.strips, 0, (self.n_rows - 1) * sizeof(Strip))

    # What was learned, and the state needed to go on.

    @property
    def n_entries(self):
        cdef int64_t j, n = 0
        for j in range(self.n_rows - 1):
            n += self.strips[j].n
        return n

    def learned(self, double a, double S, double t, bint take):
        """The learned weights as indptr, outcomes and values of a compressed matrix."""
        cdef int64_t j, n = self.n_outcomes
        cdef uint32_t e
        cdef Strip *row
        cdef float *w
        with nogil:
            self.cells[0] = <float *>larger(self.cells[0], &self.cells_size[0], self.rows.stride, sizeof(float))
        w = self.cells[0]
        starts = np.zeros(self.n_rows + 1, np.uint64)
        cdef uint64_t[::1] indptr = starts
        with nogil:
            indptr[1] = n
            for j in range(self.n_rows - 1):
                row = self.strips + j
                learned_of(w, row.v, row.v + row.room, row.n, a, S, t)
                for e in range(row.n):
                    n += w[e] != 0 or row.size == FULL
                indptr[j + 2] = n
        names, numbers = np.empty(n, np.uint32), np.empty(n, np.float32)
        cdef uint32_t[::1] outcomes = names
        cdef float[::1] values = numbers
        with nogil:
            learned_of(&values[0], self.rows.v, self.rows.U, self.n_outcomes, a, S, t)
            for n in range(self.n_outcomes):
                outcomes[n] = <uint32_t>n
            n = self.n_outcomes
            for j in range(self.n_rows - 1):
                row = self.strips + j
                learned_of(w, row.v, row.v + row.room, row.n, a, S, t)
                for e in range(row.n):
                    if w[e] != 0 or row.size == FULL:
                        outcomes[n], values[n] = row.k[e], w[e]
                        n += 1
        if take:
            self.forget()
        return [starts, names, numbers]

    def sample(self, double a, int64_t apart):
        """A sketch of w, to see how far the weights move."""
        cdef int64_t j
        cdef uint32_t e
        cdef Strip *row
        sums = np.zeros(1 << SKETCH_BITS, np.float32)
        cdef float[::1] s = sums
        with nogil:
            for e in range(<uint32_t>self.n_outcomes):
                sketch(&s[0], 0, e, <float>(a * self.rows.v[e]))
            for j in range(self.n_rows - 1):
                row = self.strips + j
                for e in range(row.n):
                    sketch(&s[0], j + 1, row.k[e], <float>(a * row.v[e]))
        return sums

    def state(self):
        """The bias, and for all other rows `indptr`, `outcomes` and `entries`, which has a row for v, and for U and G where
        there are any."""
        cdef int64_t j, n = self.n_entries, at = 0
        cdef int b
        cdef Strip *row
        starts, names = np.zeros(self.n_rows, np.uint64), np.empty(n, np.uint32)
        numbers = np.empty((self.per_entry - 1, n), np.float32)
        cdef uint64_t[::1] indptr = starts
        cdef uint32_t *outcomes = <uint32_t *><uintptr_t>names.ctypes.data
        cdef float *entries = <float *><uintptr_t>numbers.ctypes.data
        with nogil:
            for j in range(self.n_rows - 1):
                row = self.strips + j
                if row.n:
                    memcpy(outcomes + at, row.k, row.n * sizeof(uint32_t))
                    for b in range(self.per_entry - 1):
                        memcpy(entries + b * n + at, row.v + b * row.room, row.n * sizeof(float))
                at += row.n
                indptr[j + 1] = at
        return self.arrays | {"indptr": starts, "outcomes": names, "entries": numbers}

    def restore(self, arrays):
        """Go on from `state()`, or from the state of full rows."""
        if "indptr" not in arrays:
            arrays = compressed({name: arrays[name] for name in self.arrays})
        super().restore(arrays)
        cdef const uint64_t[::1] indptr = arrays["indptr"]
        cdef const uint32_t[::1] outcomes = arrays["outcomes"]
        cdef const float[:, ::1] entries = arrays["entries"]
        cdef int64_t j, n = entries.shape[1]
        cdef uint64_t at, e
        cdef int b
        cdef Strip *row
        if indptr.shape[0] != self.n_rows or entries.shape[0] != self.per_entry - 1:
            raise ValueError("the entries do not fit these weights")
        check(indptr, outcomes, n, self.n_outcomes)
        with nogil:
            self.forget()
            for j in range(self.n_rows - 1):
                row = self.strips + j
                while row.room < indptr[j + 1] - indptr[j]:
                    self.enlarge(row)
                if row.size != FULL:
                    row.n = <uint32_t>(indptr[j + 1] - indptr[j])
                for at in range(indptr[j], indptr[j + 1]):
                    e = outcomes[at] if row.size == FULL else at - indptr[j]
                    row.k[e] = outcomes[at]
                    for b in range(self.per_entry - 1):
                        row.v[b * row.room + e] = entries[b, at]


def compressed(arrays):
    """The state of full rows, converted to that of rows that hold only what was changed."""
    rows = list(arrays.values())
    changed = np.any([part[1:] != 0 for part in rows], axis=0)
    starts = np.concatenate([[0], np.cumsum(changed.sum(axis=1))]).astype(np.uint64)
    entries = np.stack([part[1:][changed] for part in rows])
    return {name: part[:1] for name, part in arrays.items()} | {
        "indptr": starts, "outcomes": np.nonzero(changed)[1].astype(np.uint32), "entries": entries}


cdef inline void sketch(float *s, int64_t j, uint32_t k, float w) noexcept nogil:
    """Add the weight w_jk to a sketch. The highest bits of a hash of (j, k) choose the number that it is added to, and
    the next bit the sign; k has 20 bits."""
    cdef uint64_t h = ((<uint64_t>j << 20) + k + 1) * <uint64_t>0x9E3779B97F4A7C15
    h = (h ^ (h >> 32)) * <uint64_t>0xD6E8FEB86659FD93
    s[h >> (64 - SKETCH_BITS)] += w if h >> (63 - SKETCH_BITS) & 1 else -w
