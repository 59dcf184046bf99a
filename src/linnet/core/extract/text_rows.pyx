# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The rows of texts, each made when it is scored: a text, its tokens, its row and its score never leave the cache."""

from libc.stdint cimport int64_t, uint32_t

from linnet.core.blocks cimport Lazy, Maker, Sparse
from linnet.core.buffers cimport SparseRows
from linnet.core.extract.text cimport Analyser, Scratch
from linnet.core.extract.text_views cimport TextViews
from linnet.core.extract.weighting cimport Weighting


cdef class TextRows(Lazy):
    """A block of texts with one place each. `weighting` is None where values are counts. `others`: indptr, indices and
    values of rows that are appended to those of the texts, with their features numbered after those of texts; None
    where there are none. `weights`: the weights that scoring will read, a row for the bias and for each feature, so
    that they can be prefetched while the row of a text is made; None where they are not known."""
    cdef Analyser analyser
    cdef Weighting weighting
    cdef TextViews texts
    cdef tuple others
    cdef const float[:, ::1] weights

    def __init__(self, Analyser analyser, Weighting weighting, TextViews texts, int64_t n_features, tuple others=None,
                 const float[:, ::1] weights=None):
        analyser.ensure_index(False, texts.n_bytes)
        self.analyser, self.weighting, self.texts, self.others = analyser, weighting, texts, others
        self.weights = weights
        self.owners = (None,)
        self.n = texts.n
        self.most_places = 1
        self.largest = n_features - 1

    cdef Maker maker(self):
        cdef TextMaker made = TextMaker(self.analyser, self.weighting, self.texts, self.others)
        if self.weighting is not None and self.weighting.inverse != NULL:
            made.scratch.next[0] = <const char *>self.weighting.inverse
            made.scratch.next_size[0] = sizeof(float)
        if self.weights is not None and self.weights.shape[0] > 1:
            made.scratch.next[1] = <const char *>&self.weights[1, 0]
            made.scratch.next_size[1] = self.weights.shape[1] * sizeof(float)
        return made

    def __len__(self):
        return self.n

    def block(self):
        """The block itself, as `block()` of other rows (features/rows.py) returns one."""
        return self

    def arrays(self):
        """indptr, indices, values and places of all rows, made at once."""
        return (*self._rows(self.n), None)


cdef class TextMaker(Maker):
    """Makes the row of a text whenever it is asked for, in buffers that it borrows from the analyser."""
    cdef Analyser analyser
    cdef Weighting weighting
    cdef TextViews texts
    cdef Scratch scratch
    cdef SparseRows rows
    cdef bint joined
    cdef const int64_t[::1] other_ptr
    cdef const uint32_t[::1] other_indices
    cdef const float[::1] other_values
    cdef uint32_t first
    cdef int64_t ends[2]

    def __init__(self, Analyser analyser, Weighting weighting, TextViews texts, tuple others):
        self.analyser, self.weighting, self.texts = analyser, weighting, texts
        self.scratch, self.rows = analyser.lent()
        self.joined = others is not None
        if self.joined:
            self.other_ptr, self.other_indices, self.other_values = others
            self.first = analyser.n_features

    def __del__(self):
        self.analyser.give_back(self.scratch, self.rows)

    cdef int fetch(self, Sparse *x, int64_t i) except -1 nogil:
        self.rows.n = self.rows.nnz = 0
        self.analyser.row(self.texts.views[i].p, self.texts.views[i].n, False, self.scratch, self.rows)
        if self.weighting is not None:
            self.weighting.row(self.rows.indices, self.rows.values, self.rows.nnz)
        if self.joined:
            self.join(i)
        self.ends[1] = self.rows.nnz
        x.indptr = &self.ends[0] - i            # so that the row of text i is from x.indptr[i] to x.indptr[i + 1]
        x.indices = self.rows.indices
        x.values = self.rows.values
        return 0

    cdef int join(self, int64_t i) except -1 nogil:
        """Append row i of the others to the row of the text."""
        cdef int64_t k, begin = self.other_ptr[i], n = self.other_ptr[i + 1] - begin
        self.rows.reserve(n)
        for k in range(n):
            self.rows.indices[self.rows.nnz + k] = self.first + self.other_indices[begin + k]
            self.rows.values[self.rows.nnz + k] = self.other_values[begin + k]
        self.rows.nnz += n
        return 0
