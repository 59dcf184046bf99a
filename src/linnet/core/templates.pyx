# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Features of tokens: columns of codes at offsets, alone or joined, to contiguous feature ids.

A template is a tuple of parts (column, offset). At token t it looks at the code of each part's column at t + offset; the tuple
of codes is the feature. As with n-grams, a tuple is found part by part: (template, first code) is a node, (node, second code)
another, and the last one is a feature. So a feature is exact, whatever the number of its parts, and its name can be had.

Beyond the ends of a sentence a column has the codes 0 and 1 (just before, further before), 2 and 3 (just behind, further
behind); -1 is no value, and a template that meets it has no feature there.

An attribute may have several values at a token: a list (indptr, codes) instead of a column. Each value is then a feature of its
own, once; lists are not joined.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc

from linnet.core.buffers cimport SparseRows
from linnet.core.vocabulary cimport NONE, Table, find_exact, grow_table, linnet_free, prefetch, put, reserve

import numpy as np

cdef enum:
    MAX_PARTS = 8
    MAX_TEMPLATES = 1024
    MAX_LISTS = 16


cdef struct Part:
    int column
    int offset


# The values of an attribute that may have several: those of token t are codes[indptr[t]:indptr[t + 1]].
cdef struct List:
    const int64_t *indptr
    const int32_t *codes


cdef struct Keys:
    uint64_t *key       # of each entry of a table, in the order of its ids
    uint64_t n
    uint64_t size


cdef class Templates:
    """Which features a token has, once some tokens have been seen."""
    cdef readonly list templates
    cdef int n_templates, n_lists, depth, n_columns
    cdef int n_roots                # where the numbers of nodes begin: behind those of templates and lists
    cdef Part parts[MAX_TEMPLATES][MAX_PARTS]
    cdef int n_parts[MAX_TEMPLATES]
    cdef Table nodes
    cdef Table features
    cdef Keys node_keys
    cdef Keys feature_keys

    def __init__(self, templates, int n_lists=0):
        cdef int m, q
        self.templates = [tuple([(int(column), int(offset)) for column, offset in parts]) for parts in templates]
        if len(self.templates) > MAX_TEMPLATES:
            raise ValueError(f"at most {MAX_TEMPLATES} templates")
        self.n_templates = len(self.templates)
        self.n_lists = n_lists
        self.n_roots = self.n_templates + n_lists
        for m, parts in enumerate(self.templates):
            if not 1 <= len(parts) <= MAX_PARTS:
                raise ValueError(f"a template of {len(parts)} parts; there may be 1 to {MAX_PARTS}")
            self.n_parts[m] = len(parts)
            self.depth = max(self.depth, self.n_parts[m])
            for q, (column, offset) in enumerate(parts):
                self.parts[m][q].column = column
                self.parts[m][q].offset = offset
                self.n_columns = max(self.n_columns, column + 1)
        with nogil:
            grow_table(&self.nodes)
            grow_table(&self.features)

    def __dealloc__(self):
        linnet_free(self.nodes.slots)
        linnet_free(self.features.slots)
        free(self.node_keys.key)
        free(self.feature_keys.key)

    @property
    def n_features(self):
        return self.feature_keys.n

    def rows(self, const int32_t[:, ::1] codes, const int64_t[::1] starts, bint grow=False, int skip=0, lists=()):
        """indptr, indices, values of the tokens of sentences; sentence i is tokens starts[i]:starts[i + 1], and the first
        `skip` of them have no row."""
        cdef SparseRows rows = SparseRows()
        cdef List given[MAX_LISTS]
        cdef int64_t i, t, n = starts.shape[0] - 1
        cdef int m
        cdef const int64_t[::1] indptr
        cdef const int32_t[::1] values
        if len(lists) != self.n_lists:
            raise ValueError(f"expected {self.n_lists} lists, found {len(lists)}")
        for m, (indptr, values) in enumerate(lists):
            if indptr.shape[0] != codes.shape[1] + 1 or indptr[codes.shape[1]] != values.shape[0]:
                raise ValueError("a list does not hold all tokens")
            given[m].indptr = &indptr[0]
            given[m].codes = &values[0] if values.shape[0] else NULL
        if codes.shape[0] < self.n_columns:
            raise ValueError(f"the templates look at {self.n_columns} columns, but there are {codes.shape[0]}")
        if n < 0 or starts[0] != 0 or starts[n] != codes.shape[1]:
            raise ValueError("the sentences do not hold all tokens")
        for i in range(n):
            if starts[i] > starts[i + 1]:
                raise ValueError("a sentence ends before it begins")
        rows.reserve(starts[n] * self.n_templates + 1)
        with nogil:
            for i in range(n):
                for t in range(starts[i] + skip, starts[i + 1]):
                    self.token(codes, t, starts[i], starts[i + 1], grow, rows)
                    self.add_lists(given, t, grow, rows)
                    rows.end_row()
        return rows.take()

    cdef int token(self, const int32_t[:, ::1] codes, int64_t t, int64_t begin, int64_t end, bint grow,
                   SparseRows rows) except -1 nogil:
        cdef uint32_t at[MAX_TEMPLATES]
        cdef uint64_t key[MAX_TEMPLATES]
        cdef int m, level
        cdef int32_t code
        cdef bint last
        rows.reserve(self.n_templates)
        for m in range(self.n_templates):
            at[m] = m
        for level in range(self.depth):
            for m in range(self.n_templates):
                if at[m] == NONE or level >= self.n_parts[m]:
                    continue
                code = code_at(codes, self.parts[m][level], t, begin, end)
                if code < 0:
                    at[m] = NONE
                    continue
                key[m] = <uint64_t>at[m] << 32 | <uint32_t>code
                prefetch(&self.features if level + 1 == self.n_parts[m] else &self.nodes, key[m])
            for m in range(self.n_templates):
                if at[m] == NONE or level >= self.n_parts[m]:
                    continue
                last = level + 1 == self.n_parts[m]
                at[m] = self.entry(&self.features if last else &self.nodes,
                                   &self.feature_keys if last else &self.node_keys, key[m], grow)
                if not last and at[m] != NONE:
                    at[m] += self.n_roots
        for m in range(self.n_templates):
            if at[m] != NONE:
                rows.indices[rows.nnz] = at[m]
                rows.values[rows.nnz] = 1
                rows.nnz += 1
        return 0

    cdef int add_lists(self, const List *lists, int64_t t, bint grow, SparseRows rows) except -1 nogil:
        cdef int m
        cdef int64_t i
        cdef uint64_t k, begin
        cdef uint32_t id
        for m in range(self.n_lists):
            rows.reserve(lists[m].indptr[t + 1] - lists[m].indptr[t])
            begin = rows.nnz
            for i in range(lists[m].indptr[t], lists[m].indptr[t + 1]):
                if lists[m].codes[i] < 0:
                    continue
                id = self.entry(&self.features, &self.feature_keys,
                                <uint64_t>(self.n_templates + m) << 32 | <uint32_t>lists[m].codes[i], grow)
                if id == NONE:
                    continue
                for k in range(begin, rows.nnz):
                    if rows.indices[k] == id:
                        break
                else:
                    rows.indices[rows.nnz] = id
                    rows.values[rows.nnz] = 1
                    rows.nnz += 1
        return 0

    cdef inline uint32_t entry(self, Table *table, Keys *keys, uint64_t key, bint grow) except? 0xFFFFFFFE nogil:
        cdef uint32_t id = find_exact(table, key)
        if id != NONE or not grow:
            return id
        if 4 * table.count > 3 * table.mask:
            grow_table(table)
        put(table, key, <uint32_t>keys.n)
        return append(keys, key)

    def codes(self, uint64_t feature):
        """The template of a feature (lists count on behind templates), and its code at each part."""
        cdef uint64_t key
        if feature >= self.feature_keys.n:
            raise IndexError(feature)
        key = self.feature_keys.key[feature]
        codes = [<uint32_t>key]
        while key >> 32 >= <uint64_t>self.n_roots:
            key = self.node_keys.key[(key >> 32) - self.n_roots]
            codes.append(<uint32_t>key)
        return int(key >> 32), codes[::-1]

    def arrays(self):
        """All that a file needs beside the templates."""
        return {"nodes": copied(&self.node_keys), "features": copied(&self.feature_keys)}

    @staticmethod
    def from_arrays(templates, const uint64_t[::1] nodes, const uint64_t[::1] features, int n_lists=0):
        """The templates of `arrays()`; ValueError if these cannot be theirs."""
        cdef Templates self = Templates(templates, n_lists)
        cdef uint64_t i, n_nodes = nodes.shape[0], n_features = features.shape[0], known = self.n_roots
        if n_features >= NONE or n_nodes >= NONE - known:
            raise ValueError("too many features")
        reserve(&self.nodes, n_nodes)
        reserve(&self.features, n_features)
        for i in range(n_nodes):
            if nodes[i] >> 32 >= known + i:
                raise ValueError(f"node {i} is made of nodes that do not exist")
            put(&self.nodes, nodes[i], <uint32_t>i)
            append(&self.node_keys, nodes[i])
        for i in range(n_features):
            if features[i] >> 32 >= known + n_nodes:
                raise ValueError(f"feature {i} is made of nodes that do not exist")
            put(&self.features, features[i], <uint32_t>i)
            append(&self.feature_keys, features[i])
        return self


cdef inline int32_t code_at(const int32_t[:, ::1] codes, Part part, int64_t t, int64_t begin, int64_t end) noexcept nogil:
    t += part.offset
    if t < begin:
        return 0 if t == begin - 1 else 1
    if t >= end:
        return 2 if t == end else 3
    return codes[part.column, t]


cdef uint32_t append(Keys *keys, uint64_t key) except? 0xFFFFFFFE nogil:
    cdef uint64_t size
    cdef uint64_t *larger
    if keys.n >= keys.size:
        size = 2 * keys.size + 1024
        larger = <uint64_t *>realloc(keys.key, size * sizeof(uint64_t))
        if larger == NULL or keys.n >= <uint64_t>0x7FFFFFFF:
            with gil:
                raise MemoryError("no memory for the features; use fewer templates")
        keys.key = larger
        keys.size = size
    keys.key[keys.n] = key
    keys.n += 1
    return <uint32_t>(keys.n - 1)


cdef object copied(const Keys *keys):
    out = np.empty(keys.n, np.uint64)
    cdef uint64_t[::1] view = out
    cdef uint64_t i
    for i in range(keys.n):
        view[i] = keys.key[i]
    return out
