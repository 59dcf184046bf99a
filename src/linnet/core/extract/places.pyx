# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Blocks for trees: all arcs of a sentence, all pairs of arcs that may score together, all spans, with their features.

Which positions a place of a block has:

    ARCS           a -> b: for each token b = 1..n, for each head a = 0..n (a = b is not there)
    SIBLINGS       a -> c, a -> b: for each a those to its left, then to its right; by the distance of b, then of c; c = a: none
    GRANDPARENTS   c -> a -> b: as arcs, and for each of them c = 0..n; arcs with a = 0 have none
    SPANS          a..b: for each b = 1..n, for each a = 1..b
    SPLITS         a..c - 1, c..b: for each span of two tokens and more, for each c = a + 1..b

Some arcs may be out of GEN(x): the places that need them are there, but have no features. Rows are made for one sentence at a
time, as those of a whole treebank would not fit in memory.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t

from linnet.core.extract.anchored cimport OF_ARCS, OF_GRANDPARENTS, OF_SIBLINGS, OF_SPANS, Anchored, Sentence
from linnet.core.blocks cimport Lazy, Maker, Sparse
from linnet.core.buffers cimport SparseRows

import numpy as np

from linnet.core.long_arrays import within
from linnet.core.extract.anchored import ARCS, BETWEEN, GRANDPARENTS, SIBLINGS, SPANS, SPLITS


cdef class Places(Lazy):
    """The places of some sentences. `of` knows the features of a place; `out` has a flag for each arc of each sentence, set
    where the arc is not allowed."""
    cdef Anchored of
    cdef const int32_t[:, ::1] codes
    cdef const int64_t[::1] starts
    cdef const uint8_t[::1] arcs_out
    cdef const int64_t[::1] arcs_at         # the number of the first arc of each sentence

    def __init__(self, Anchored of, const int32_t[:, ::1] codes, const int64_t[::1] starts, out=None):
        of.check(codes, starts)
        if of.kind in (SIBLINGS, GRANDPARENTS, SPLITS) and any([who == BETWEEN for parts in of.templates for who, _, _ in parts]):
            raise ValueError("templates of three positions look at nothing between them")
        n = np.diff(np.asarray(starts))
        Lazy.__init__(self, ends(n_places(of.kind, n)), of.n_features)
        self.of, self.codes, self.starts = of, codes, starts
        self.arcs_at = ends(n_places(ARCS, n))
        self.arcs_out = out                 # None is not the same as an array that was never assigned
        if out is not None:
            if len(out) != self.arcs_at[self.arcs_at.shape[0] - 1]:
                raise ValueError(f"expected a flag for each of {self.arcs_at[self.arcs_at.shape[0] - 1]} arcs, found {len(out)}")
            if of.kind == ARCS:
                self.x.out = &self.arcs_out[0] if len(out) else NULL

    def part(self, sentences):
        """The places of the sentences with these numbers."""
        tokens, starts = within(np.asarray(self.starts), sentences)
        out = None
        if self.arcs_out is not None:
            out = np.asarray(self.arcs_out)[within(np.asarray(self.arcs_at), sentences)[0]]
        return Places(self.of, np.ascontiguousarray(np.asarray(self.codes)[:, tokens]), starts, out)

    def __reduce__(self):
        out = None if self.arcs_out is None else np.asarray(self.arcs_out)
        return Places, (self.of, np.asarray(self.codes), np.asarray(self.starts), out)

    cdef Maker maker(self):
        return PlaceMaker(self)

    def identity(self):
        yield np.asarray(self.codes), np.asarray(self.starts)
        if self.arcs_out is not None:
            yield np.asarray(self.arcs_out),


cdef class PlaceMaker(Maker):
    cdef Places block
    cdef Sentence at
    cdef SparseRows rows

    def __init__(self, Places block):
        self.block = block
        self.at = Sentence(block.of)
        self.rows = SparseRows()

    cdef int fetch(self, Sparse *x, int64_t i) except -1 nogil:
        cdef int64_t start = self.block.starts[i], n = self.block.starts[i + 1] - start
        cdef const uint8_t *out = NULL
        if self.block.arcs_out is not None and self.block.arcs_out.shape[0]:
            out = &self.block.arcs_out[0] + self.block.arcs_at[i]
        self.rows.n = self.rows.nnz = 0
        cdef bint some = self.block.codes.shape[0] > 0 and self.block.codes.shape[1] > 0
        self.at.fill(&self.block.codes[0, 0] + start if some else NULL, self.block.codes.shape[1], n)
        all_places(self.block.of, self.at, out, self.rows)
        x.indptr = self.rows.indptr - self.block.x.places[i]    # places are numbered as if all rows were in memory
        x.indices = self.rows.indices
        x.values = self.rows.values
        return 0


def n_places(int kind, n):
    """The number of places that a sentence of n tokens has, for each n."""
    spans = n * (n + 1) // 2
    if kind == SIBLINGS:
        return (n * (n + 1) * (n + 2) + (n - 1) * n * (n + 1)) // 6
    return {ARCS: n * (n + 1), GRANDPARENTS: n * (n + 1) ** 2, SPANS: spans, SPLITS: spans * (n - 1) // 3}[kind]


def ends(sizes):
    """Where parts of these sizes begin when they stand one after the other, and where the last one ends."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])


cdef inline bint is_out(Sentence at, const uint8_t *out, int64_t h, int64_t m) noexcept nogil:
    return out != NULL and out[(m - 1) * (at.n + 1) + h]


cdef int all_places(Anchored of, Sentence at, const uint8_t *out, SparseRows rows) except -1 nogil:
    if of.kind == OF_ARCS:
        return all_arcs(of, at, out, rows)
    if of.kind == OF_SIBLINGS:
        return all_siblings(of, at, out, rows)
    if of.kind == OF_GRANDPARENTS:
        return all_grandparents(of, at, out, rows)
    return all_spans(of, at, rows)


cdef int all_arcs(Anchored of, Sentence at, const uint8_t *out, SparseRows rows) except -1 nogil:
    cdef int64_t h, m
    for m in range(1, at.n + 1):
        at.look_between(m)
        rows.reserve_rows(at.n + 1)
        for h in range(at.n + 1):
            if h != m and not is_out(at, out, h, m):
                of.add(at, h, h, m, rows)
            rows.end_row()
    return 0


cdef int all_siblings(Anchored of, Sentence at, const uint8_t *out, SparseRows rows) except -1 nogil:
    cdef int64_t h, s, m
    cdef int side
    for h in range(at.n + 1):
        for side in range(-1, 2, 2):
            m = h + side
            while 1 <= m <= at.n:
                s = h
                rows.reserve_rows(at.n + 1)
                while s != m:
                    if not is_out(at, out, h, m) and (s == h or not is_out(at, out, h, s)):
                        of.add(at, h, s, m, rows)
                    rows.end_row()
                    s += side
                m += side
    return 0


cdef int all_grandparents(Anchored of, Sentence at, const uint8_t *out, SparseRows rows) except -1 nogil:
    cdef int64_t h, g, m
    for m in range(1, at.n + 1):
        for h in range(at.n + 1):
            rows.reserve_rows(at.n + 1)
            if h == 0 or h == m or is_out(at, out, h, m):
                rows.end_rows(at.n + 1)
                continue
            for g in range(at.n + 1):
                if g != h and g != m and not is_out(at, out, g, h):
                    of.add(at, h, g, m, rows)
                rows.end_row()
    return 0


cdef int all_spans(Anchored of, Sentence at, SparseRows rows) except -1 nogil:
    """Add the rows of all spans, or of all points where spans can be split."""
    cdef int64_t a, b, c
    for b in range(1, at.n + 1):
        at.look_between(b)
        for a in range(1, b + 1):
            rows.reserve_rows(at.n + 1)
            if of.kind == OF_SPANS:
                of.add(at, a, a, b, rows)
                rows.end_row()
                continue
            for c in range(a + 1, b + 1):
                of.add(at, a, c, b, rows)
                rows.end_row()
    return 0
