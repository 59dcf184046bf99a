# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Operations on sparse rows: document frequencies, choosing features, how strongly features speak for labels."""

cimport cython
from libc.math cimport fabs, log, log1p
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from linnet.core.blocks cimport Block, Maker, Sparse, first

import numpy as np

from linnet.core.read_ahead import made_ahead, maker_of

cdef extern from "rows.h" nogil:
    void linnet_prefetch(const void *p)
    enum: LINNET_AHEAD

cdef enum:
    NONE = 0xFFFFFFFF               # the new number of a feature that is dropped
    MANY = 1 << 16                  # counts from which on their logarithms are computed when they are needed
    PIECE = 1 << 16                 # number of rows after which the memory of mapped files is given back


def count_documents(uint32_t[::1] df, const uint32_t[::1] indices):
    """Add to the number of rows that each feature stands in, given the features of more rows."""
    cdef int64_t i, n = indices.shape[0]
    with nogil:
        for i in range(n):
            if i + LINNET_AHEAD < n:
                linnet_prefetch(&df[indices[i + LINNET_AHEAD]])
            df[indices[i]] += 1


def renumber(int64_t[::1] indptr, uint32_t[::1] indices, float[::1] values, const uint32_t[::1] new):
    """Give every feature its new number, in place; NONE drops it. Returns the number of entries that are left."""
    cdef int64_t i, k, kept = 0, start = 0, end, n = indices.shape[0]
    cdef uint32_t j
    with nogil:
        for i in range(indptr.shape[0] - 1):
            end = indptr[i + 1]
            for k in range(start, end):
                if k + LINNET_AHEAD < n:
                    linnet_prefetch(&new[indices[k + LINNET_AHEAD]])
                j = new[indices[k]]
                indices[kept] = j
                values[kept] = values[k]
                kept += j != NONE
            start = end
            indptr[i + 1] = kept
    return kept


def add_lengths(double[::1] total, const int64_t[::1] indptr, const uint32_t[::1] indices, const float[::1] values, parts):
    """Add the values of each part (words, characters, ...), of one row after the other, to the total of the part."""
    cdef const uint8_t *part = address(parts)
    cdef int64_t k, n = indptr[indptr.shape[0] - 1]
    with nogil:
        for k in range(n):
            total[part[indices[k]] if part != NULL else 0] += values[k]


def strength(Block block, rows, labels, int64_t n_labels, int64_t n_features, weight=None):
    """The strength with which each feature speaks for or against labels, from the labels that it is seen with:

        f_j = sum_k P(k | j) |r_jk|,    r_jk = ln[(1 + df_jk) / sum_j' (1 + df_j'k)] - the same of all rows without k

    with df_jk the number of rows of label k in which feature j is greater than 0, and P(k | j) proportional to df_jk + P(k). With two labels,
    f = |r|. labels[i] is a label of the row rows[i]: a row may have several, or none. Rows without weight are not counted; all others
    count once.

    A label that j is not seen with adds an amount that depends on df_j alone, so this is summed once for each df, not for each j. Where each
    row has one of two labels, df_j1 = df_j - df_j0, and no row is counted twice.
    """
    block = in_single_places(block)
    cdef Sparse x = block.x
    cdef Maker maker = maker_of(block)
    cdef const float[::1] counted = None if weight is None else np.ascontiguousarray(weight, np.float32)
    rows, labels = np.ascontiguousarray(rows, np.int64), np.ascontiguousarray(labels, np.int64)
    cdef const int64_t[::1] of = _ends(block, rows, labels, n_labels, counted)
    cdef const int64_t[::1] order = _by_label(block, rows, labels, np.asarray(of), counted)
    cdef int64_t i, j, c, d, label, n_seen, seen, all_seen = 0, n = 0, n_df, places = first(&x, block.n)
    # Of two labels, each row has one or the other: what is not counted for the first belongs to the second.
    cdef bint either = n_labels == 2 and labels.shape[0] == places and _in_turn(block, rows)
    cdef uint32_t[::1] of_first = np.zeros(n_features if either else 0, np.uint32)
    cdef double prior, priors = 0, shift
    cdef uint32_t[::1] df = np.zeros(n_features, np.uint32)
    # What is counted for one label after the other, where there are not just two; n_more: the features that need it.
    cdef int64_t n_more = 0 if either else n_features
    cdef uint32_t[::1] of_label = np.zeros(n_more, np.uint32)
    cdef uint32_t[::1] found = np.empty(n_more, np.uint32)
    cdef uint32_t[::1] times = np.zeros(n_more, np.uint32)
    out = np.zeros(n_features)
    cdef double[::1] f = out
    cdef double[::1] unseen
    cdef Logarithms ln
    cdef const int64_t[::1] some
    with made_ahead(maker, order[:of[2]] if either else None, places):
        with nogil:
            if either:
                n = of[2]
                for i in range(n):
                    if i == of[1]:
                        of_first[:] = df
                    all_seen += count_row(&x, maker, order[i], df, NULL, NULL)
                if of[1] == n:
                    of_first[:] = df
            else:
                for i in range(places):
                    if counted is None or counted[i] > 0:
                        n += 1
                        all_seen += count_row(&x, maker, i, df, NULL, NULL)
    some = _distinct(df)
    n_df = some.shape[0]
    unseen = np.zeros(n_df)
    ln = Logarithms(np.asarray(some))
    with nogil:
        for label in range(n_labels):
            seen = n_seen = 0
            if either:
                n_seen = n_features
                for j in range(n_features):
                    seen += df[j] - of_first[j] if label else of_first[j]
            else:
                for i in range(of[label], of[label + 1]):
                    seen += count_row(&x, maker, order[i], of_label, &found[0] if n_features else NULL, &n_seen)
            prior = <double>(of[label + 1] - of[label]) / max(n, 1)
            priors += prior
            shift = log(<double>(n_features + seen)) - log(<double>(n_features + all_seen - seen))
            for i in range(n_df):
                unseen[i] += prior * fabs(ln.of(some[i]) + shift)
            for i in range(n_seen):
                j = i if either else found[i]
                d = df[j]
                if either:
                    c = d - of_first[j] if label else of_first[j]
                    if c == 0:
                        continue
                else:
                    c = of_label[j]
                    of_label[j] = 0
                    times[j] += <uint32_t>c
                f[j] += (c + prior) * fabs(ln.of(c) - ln.of(d - c) - shift) - prior * fabs(ln.of(d) + shift)
        for j in range(n_features):
            f[j] = (f[j] + unseen[ln.rank(df[j])]) / ((df[j] if either else times[j]) + priors) if priors > 0 else 0
    return out


cdef _distinct(const uint32_t[::1] numbers):
    """The distinct numbers, in ascending order, as integers of 64 bits."""
    cdef int64_t j, n = numbers.shape[0]
    cdef uint32_t largest = 0
    for j in range(n):
        largest = max(largest, numbers[j])
    is_there = np.zeros(<int64_t>largest + 1 if n else 0, np.bool_)
    cdef unsigned char[::1] there = is_there.view(np.uint8)
    for j in range(n):
        there[numbers[j]] = 1
    return np.flatnonzero(is_there)


cdef bint _in_turn(Block block, const int64_t[::1] rows):
    """Whether the rows are 0, 1, 2, ..."""
    cdef int64_t k, begin, n = rows.shape[0]
    for begin in range(0, n, PIECE):
        for k in range(begin, min(begin + PIECE, n)):
            if rows[k] != k:
                return False
        block.give_back()
    return True


cdef object _ends(Block block, const int64_t[::1] rows, const int64_t[::1] labels, int64_t n_labels, const float[::1] counted):
    """Where the rows of each label begin, and where the last ends, if the rows that count stand in the order of their
    labels."""
    cdef int64_t[::1] ends = np.zeros(n_labels + 1, np.int64)
    cdef int64_t k, begin, n = labels.shape[0]
    for begin in range(0, n, PIECE):
        with nogil:
            for k in range(begin, min(begin + PIECE, n)):
                ends[labels[k] + 1] += counted is None or counted[rows[k]] > 0
        block.give_back()
    return np.cumsum(ends)


cdef object _by_label(Block block, const int64_t[::1] rows, const int64_t[::1] labels, ends, const float[::1] counted):
    """The rows that count, those of label 0 first; in the order of the data where they have the same label."""
    out = block.kept(max(int(ends.max()), 1), np.int64)
    cdef int64_t[::1] order = out
    cdef int64_t[::1] at = ends.copy()
    cdef int64_t k, begin, n = labels.shape[0]
    for begin in range(0, n, PIECE):
        with nogil:
            for k in range(begin, min(begin + PIECE, n)):
                if counted is None or counted[rows[k]] > 0:
                    order[at[labels[k]]] = rows[k]
                    at[labels[k]] += 1
        block.give_back()
    return out


@cython.final
cdef class Logarithms:
    """ln(1 + c) of counts, and the place of a count among those that occur. Those of small counts are in tables."""
    cdef const int64_t[::1] some
    cdef const double[::1] small
    cdef uint32_t[::1] ranks

    def __init__(self, some):
        """some: the counts that occur, in order."""
        self.some = some
        size = min(int(some.max(initial=-1)) + 1, MANY) + 1
        self.small = np.log1p(np.arange(size))
        self.ranks = np.zeros(size, np.uint32)
        low = some[some < size]
        np.asarray(self.ranks)[low] = np.arange(len(low), dtype=np.uint32)

    cdef inline double of(self, int64_t c) noexcept nogil:
        return self.small[c] if c < self.small.shape[0] else log1p(<double>c)

    cdef inline int64_t rank(self, int64_t c) noexcept nogil:
        cdef int64_t low = 0, high = self.some.shape[0], middle
        if c < self.ranks.shape[0]:
            return self.ranks[c]
        while low < high:
            middle = (low + high) // 2
            if self.some[middle] < c:
                low = middle + 1
            else:
                high = middle
        return low


cdef int64_t count_row(Sparse *x, Maker maker, int64_t i, uint32_t[::1] df, uint32_t *found, int64_t *n_found) except -1 nogil:
    """Count the features of row i, and return how many it has. Features that had no count before are also written into
    `found`."""
    cdef int64_t k, end, seen = 0
    if maker is not None:
        maker.fetch(x, i)
    end = x.indptr[i + 1]
    for k in range(x.indptr[i], end):
        if k + LINNET_AHEAD < end:
            linnet_prefetch(&df[x.indices[k + LINNET_AHEAD]])
        if x.values[k] <= 0:
            continue
        if found != NULL and df[x.indices[k]] == 0:
            found[n_found[0]] = x.indices[k]
            n_found[0] += 1
        df[x.indices[k]] += 1
        seen += 1
    return seen


def squares(Block block, const float[::1] f):
    """The sum of x_j^2 over all rows, and that of (x_j f_j)^2. They are added up in float64 and always in the same order, by
    eight sums that take turns."""
    block = in_single_places(block)
    cdef Sparse x = block.x
    cdef Maker maker = maker_of(block)
    cdef int64_t i, k, end, n = block.n_values() // 8 * 8, at = 0, rows = first(&x, block.n)
    cdef int lane
    cdef float scaled_value
    cdef double plain[8]
    cdef double scaled_sum[8]
    with made_ahead(maker, None, rows):
        with nogil:
            for lane in range(8):
                plain[lane] = scaled_sum[lane] = 0
            for i in range(rows):
                if maker is not None:
                    maker.fetch(&x, i)
                end = x.indptr[i + 1]
                for k in range(x.indptr[i], end):
                    if k + LINNET_AHEAD < end:
                        linnet_prefetch(&f[x.indices[k + LINNET_AHEAD]])
                    lane = at & 7 if at < n else 0
                    scaled_value = x.values[k] * f[x.indices[k]]
                    plain[lane] += <double>x.values[k] * x.values[k]
                    scaled_sum[lane] += <double>scaled_value * scaled_value
                    at += 1
    return added(plain), added(scaled_sum)


cdef double added(double *sums) noexcept nogil:
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))


cdef Block in_single_places(Block block):
    """The block itself, or all of its rows in memory where they are made on demand and an example has several."""
    return block if block.x.places == NULL or block.maker() is None else Block(*block.arrays())


def scaled(const uint32_t[::1] indices, const float[::1] values, const float[::1] f, out=None):
    """The array of values[k] f[indices[k]]; it is written into `out`, where that is given."""
    if out is None:
        out = np.empty(values.shape[0], np.float32)
    cdef float[::1] x = out
    cdef int64_t k, n = values.shape[0]
    with nogil:
        for k in range(n):
            if k + LINNET_AHEAD < n:
                linnet_prefetch(&f[indices[k + LINNET_AHEAD]])
            x[k] = values[k] * f[indices[k]]
    return out


cdef const uint8_t *address(parts) except? NULL:
    cdef const uint8_t[::1] view
    if parts is None or len(parts) == 0:
        return NULL
    view = parts
    return &view[0]
