# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Operations on sparse rows: document frequencies, choosing features, how strongly features speak for labels."""

from libc.math cimport fabs, log
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from linnet.core.blocks cimport Block, Maker, Sparse, first

import numpy as np

cdef extern from "rows.h" nogil:
    void linnet_prefetch(const void *p)
    enum: LINNET_AHEAD

cdef enum:
    NONE = 0xFFFFFFFF


def document_frequency(const uint32_t[::1] indices, int64_t n_features):
    """The number of rows that each feature stands in."""
    out = np.zeros(n_features, np.uint32)
    cdef uint32_t[::1] df = out
    cdef int64_t i, n = indices.shape[0]
    with nogil:
        for i in range(n):
            if i + LINNET_AHEAD < n:
                linnet_prefetch(&df[indices[i + LINNET_AHEAD]])
            df[indices[i]] += 1
    return out


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
    cdef Maker maker = block.maker()
    counted = np.ones(first(&x, block.n), np.bool_) if weight is None else np.asarray(weight) > 0
    of_counted = counted[rows]
    by_label = np.argsort(labels[of_counted], kind="stable")
    cdef const int64_t[::1] order = np.asarray(rows[of_counted][by_label], np.int64)
    cdef const int64_t[::1] of = np.concatenate([[0], np.cumsum(np.bincount(labels[of_counted], minlength=n_labels))])
    cdef int64_t[::1] all_rows = np.flatnonzero(counted)
    cdef bint either = n_labels == 2 and np.array_equal(np.sort(order), all_rows)
    cdef uint32_t[::1] of_first = np.zeros(n_features if either else 0, np.uint32)
    cdef int64_t i, j, c, d, label, n_seen, seen, all_seen = 0, n = all_rows.shape[0], n_df
    cdef double prior, priors = 0, shift
    cdef const double[::1] ln = np.log1p(np.arange(n + 1))
    cdef uint32_t[::1] df = np.zeros(n_features, np.uint32)
    cdef uint32_t[::1] of_label = np.zeros(n_features, np.uint32)
    cdef uint32_t[::1] found = np.empty(n_features, np.uint32)
    out = np.zeros(n_features)
    cdef double[::1] f = out
    cdef double[::1] times = np.zeros(n_features)
    cdef double[::1] unseen = np.zeros(n + 1)
    cdef const int64_t[::1] some
    with nogil:
        for i in range(n):
            if either and i == of[1]:
                of_first[:] = df
            all_seen += count_row(&x, maker, order[i] if either else all_rows[i], df, NULL, NULL)
        if either and of[1] == n:
            of_first[:] = df
    some = np.flatnonzero(np.bincount(df))
    n_df = some.shape[0]
    with nogil:
        for label in range(n_labels):
            seen = n_seen = 0
            if either:
                for j in range(n_features):
                    of_label[j] = df[j] - of_first[j] if label else of_first[j]
                    if of_label[j]:
                        seen += of_label[j]
                        found[n_seen] = j
                        n_seen += 1
            else:
                for i in range(of[label], of[label + 1]):
                    seen += count_row(&x, maker, order[i], of_label, &found[0], &n_seen)
            prior = <double>(of[label + 1] - of[label]) / max(n, 1)
            priors += prior
            shift = log(<double>(n_features + seen)) - log(<double>(n_features + all_seen - seen))
            for i in range(n_df):
                unseen[some[i]] += prior * fabs(ln[some[i]] + shift)
            for i in range(n_seen):
                j = found[i]
                c, d = of_label[j], df[j]
                of_label[j] = 0
                f[j] += (c + prior) * fabs(ln[c] - ln[d - c] - shift) - prior * fabs(ln[d] + shift)
                times[j] += c
        for j in range(n_features):
            f[j] = (f[j] + unseen[df[j]]) / (times[j] + priors) if priors > 0 else 0
    return out


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
    cdef Maker maker = block.maker()
    cdef int64_t i, k, end, n = block.n_values() // 8 * 8, at = 0, rows = first(&x, block.n)
    cdef int lane
    cdef float scaled_value
    cdef double plain[8]
    cdef double scaled_sum[8]
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


def scaled(const uint32_t[::1] indices, const float[::1] values, const float[::1] f):
    """The array values[k] f[indices[k]]."""
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
