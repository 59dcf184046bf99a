# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Features of tokens: columns of codes at offsets, alone or joined, to contiguous feature ids.

A template is a tuple of parts (column, offset). At token t it looks at the code of each part's column at t + offset; the tuple
of codes is the feature. As with n-grams, a tuple is found part by part: (template, first code) is a node, (node, second code)
another, and the last one is a feature. So a feature is exact, whatever the number of its parts, and its name can be had. Codes
are small and dense, so the first part is looked up in an array of its template; the others are looked up in tables.

Beyond the ends of a sentence a column has the codes 0 and 1 (just before, further before), 2 and 3 (just after, further
after); -1 is no value, and a template that meets it has no feature there.

An attribute may have several values at a token: a list (indptr, codes) instead of a column. Each value is then a feature of its
own, once; lists are not joined.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from linnet.core.buffers cimport SparseRows
from linnet.core.extract.vocabulary cimport NONE, Table, find_exact, grow_table, linnet_free, prefetch, put, reserve

import numpy as np

cdef enum:
    MAX_PARTS = 8
    MAX_TEMPLATES = 1024
    MAX_LISTS = 16
    TOGETHER = 8        # tokens looked up at once: memory of one is fetched while another is worked on


cdef struct Part:
    int column
    int offset


# Codes holds the codes of all tokens, column by column; sentences are ranges of tokens.
cdef struct Codes:
    const int32_t *code
    int64_t n               # number of tokens


# List holds the values of an attribute that may have several: those of token t are codes[indptr[t]:indptr[t + 1]].
cdef struct List:
    const int64_t *indptr
    const int32_t *codes


# First says what the first code of a template leads to: a node, or the feature itself if the template has one part.
cdef struct First:
    uint32_t *id_plus_1     # for each code, 1 + the node or feature; 0 where there is none
    uint64_t size


cdef struct Keys:
    uint64_t *key       # the key of each entry of a table, in the order of ids
    uint64_t n
    uint64_t size


cdef class Templates:
    """The features of tokens: which of them are known, and which a given token has."""
    cdef readonly list templates
    cdef int n_templates, n_lists, depth, n_columns
    cdef int n_roots                # the number of the first node: smaller numbers are those of templates and lists
    cdef Part parts[MAX_TEMPLATES][MAX_PARTS]
    cdef int n_parts[MAX_TEMPLATES]
    cdef First first[MAX_TEMPLATES + MAX_LISTS]
    cdef Table nodes
    cdef Table features
    cdef Keys node_keys
    cdef Keys feature_keys

    def __init__(self, templates, int n_lists=0):
        cdef int m, q
        if n_lists > MAX_LISTS:
            raise ValueError(f"at most {MAX_LISTS} lists")
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
        cdef int m
        for m in range(self.n_roots):
            free(self.first[m].id_plus_1)
        linnet_free(self.nodes.slots)
        linnet_free(self.features.slots)
        free(self.node_keys.key)
        free(self.feature_keys.key)

    @property
    def n_features(self):
        return self.feature_keys.n

    def rows(self, const int32_t[:, ::1] codes, const int64_t[::1] starts, bint grow=False, int skip=0, lists=()):
        """indptr, indices and values of the tokens of sentences. Sentence i is tokens starts[i]:starts[i + 1], and its
        first `skip` tokens have no row. There may be tokens before the first sentence and after the last."""
        cdef SparseRows rows = SparseRows()
        cdef List given[MAX_LISTS]
        cdef Codes x
        cdef int64_t i, t, n = starts.shape[0] - 1
        # Tokens are taken one by one while features are added, so that features are numbered in the order of first sight.
        cdef int64_t together = 1 if grow else TOGETHER
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
        if n < 0 or starts[0] < 0 or starts[n] > codes.shape[1]:
            raise ValueError("the sentences hold tokens that do not exist")
        for i in range(n):
            if starts[i] > starts[i + 1]:
                raise ValueError("a sentence ends before it begins")
        rows.reserve((starts[n] - starts[0]) * self.n_templates + 1)
        x.code = &codes[0, 0] if codes.shape[0] and codes.shape[1] else NULL
        x.n = codes.shape[1]
        with nogil:
            for i in range(n):
                t = starts[i] + skip
                while t < starts[i + 1]:
                    self.add_rows(&x, t, min(t + together, starts[i + 1]), starts[i], starts[i + 1], given, grow, rows)
                    t += together
        return rows.take()

    cdef int add_rows(self, const Codes *x, int64_t t, int64_t stop, int64_t begin, int64_t end, const List *lists, bint grow,
                      SparseRows rows) except -1 nogil:
        """Add the rows of tokens t:stop of the sentence begin:end."""
        cdef uint32_t at[TOGETHER][MAX_TEMPLATES]
        cdef uint64_t key[TOGETHER][MAX_TEMPLATES]
        cdef uint32_t *indices
        cdef float *values
        cdef int i, m, level, found, n = <int>(stop - t)
        cdef int32_t code
        cdef bint last
        for i in range(n):
            for m in range(self.n_templates):
                code = code_at(x, self.parts[m][0], t + i, begin, end)
                at[i][m] = self.first_entry(m, code, self.n_parts[m] == 1, grow) if code >= 0 else NONE
        for level in range(1, self.depth):
            for i in range(n):
                for m in range(self.n_templates):
                    if at[i][m] == NONE or level >= self.n_parts[m]:
                        continue
                    code = code_at(x, self.parts[m][level], t + i, begin, end)
                    if code < 0:
                        at[i][m] = NONE
                        continue
                    key[i][m] = <uint64_t>(self.n_roots + at[i][m]) << 32 | <uint32_t>code
                    prefetch(&self.features if level + 1 == self.n_parts[m] else &self.nodes, key[i][m])
            for i in range(n):
                for m in range(self.n_templates):
                    if at[i][m] == NONE or level >= self.n_parts[m]:
                        continue
                    last = level + 1 == self.n_parts[m]
                    at[i][m] = find_exact(&self.features if last else &self.nodes, key[i][m])
                    if at[i][m] == NONE and grow:
                        at[i][m] = self.add(key[i][m], last)
        for i in range(n):
            rows.reserve(self.n_templates)
            indices, values, found = rows.indices + rows.nnz, rows.values + rows.nnz, 0
            for m in range(self.n_templates):
                indices[found], values[found] = at[i][m], 1
                found += at[i][m] != NONE
            rows.nnz += found
            self.add_lists(lists, t + i, grow, rows)
            rows.end_row()
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
                id = self.first_entry(self.n_templates + m, lists[m].codes[i], True, grow)
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

    cdef inline uint32_t first_entry(self, int m, uint32_t code, bint is_feature, bint grow) except? 0xFFFFFFFE nogil:
        """The node or feature that the first code of template m leads to, or NONE."""
        cdef First *first = &self.first[m]
        if code < first.size and first.id_plus_1[code]:
            return first.id_plus_1[code] - 1
        if not grow:
            return NONE
        return self.add(<uint64_t>m << 32 | code, is_feature)

    cdef uint32_t add(self, uint64_t key, bint is_feature) except? 0xFFFFFFFE nogil:
        """Add a node or a feature, and return its number."""
        cdef Table *table = &self.features if is_feature else &self.nodes
        cdef Keys *keys = &self.feature_keys if is_feature else &self.node_keys
        if key >> 32 < <uint64_t>self.n_roots:
            lead(&self.first[key >> 32], <uint32_t>key, <uint32_t>keys.n)
        else:
            if 4 * table.count > 3 * table.mask:
                grow_table(table)
            put(table, key, <uint32_t>keys.n)
        return append(keys, key)

    def codes(self, uint64_t feature):
        """The template of a feature (lists are numbered after templates), and its code at each part."""
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
        """Arrays for the model file: with the templates, all that is needed to restore the features."""
        return {"nodes": copied(&self.node_keys), "features": copied(&self.feature_keys)}

    @staticmethod
    def from_arrays(templates, const uint64_t[::1] nodes, const uint64_t[::1] features, uint64_t n_codes, int n_lists=0):
        """Restore features from `arrays()`, over columns of codes below `n_codes`. ValueError where the arrays do not fit."""
        cdef Templates self = Templates(templates, n_lists)
        cdef uint64_t i, n_nodes = nodes.shape[0], n_features = features.shape[0], known = self.n_roots
        if n_features >= NONE or n_nodes >= NONE - known:
            raise ValueError("too many features")
        reserve(&self.nodes, n_nodes)
        reserve(&self.features, n_features)
        for i in range(n_nodes):
            if nodes[i] >> 32 >= known + i or <uint32_t>nodes[i] >= n_codes or self.is_whole(nodes[i]):
                raise ValueError(f"node {i} is made of nodes or codes that do not exist")
            self.add(nodes[i], False)
        for i in range(n_features):
            if features[i] >> 32 >= known + n_nodes or <uint32_t>features[i] >= n_codes or (
                    features[i] >> 32 < known and not self.is_whole(features[i])):
                raise ValueError(f"feature {i} is made of nodes or codes that do not exist")
            self.add(features[i], True)
        return self

    cdef bint is_whole(self, uint64_t key) noexcept:
        """Whether a key is that of a feature with one part."""
        cdef uint64_t m = key >> 32
        return m < <uint64_t>self.n_roots and (m >= <uint64_t>self.n_templates or self.n_parts[m] == 1)

    def joined(self):
        """A flag for each feature, set where it has several parts."""
        out = np.empty(self.feature_keys.n, np.bool_)
        cdef uint8_t[::1] is_joined = out.view(np.uint8)
        cdef uint64_t i
        for i in range(self.feature_keys.n):
            is_joined[i] = self.feature_keys.key[i] >> 32 >= <uint64_t>self.n_roots
        return out

    def kept(self, const uint8_t[::1] wanted):
        """A copy with only the wanted features, in the same order."""
        cdef Templates small = Templates(self.templates, self.n_lists)
        cdef uint32_t[::1] number = np.zeros(self.node_keys.n, np.uint32)
        cdef uint8_t[::1] needed = np.zeros(self.node_keys.n, np.uint8)
        cdef int64_t i
        if wanted.shape[0] != <int64_t>self.feature_keys.n:
            raise ValueError(f"expected {self.feature_keys.n} flags, found {wanted.shape[0]}")
        for i in range(wanted.shape[0]):
            if wanted[i] and self.feature_keys.key[i] >> 32 >= <uint64_t>self.n_roots:
                needed[(self.feature_keys.key[i] >> 32) - self.n_roots] = 1
        # A node always has a larger number than the node before it on the path, so going backwards meets all that follow it
        # first.
        for i in range(<int64_t>self.node_keys.n - 1, -1, -1):
            if needed[i] and self.node_keys.key[i] >> 32 >= <uint64_t>self.n_roots:
                needed[(self.node_keys.key[i] >> 32) - self.n_roots] = 1
        for i in range(<int64_t>self.node_keys.n):
            if needed[i]:
                number[i] = small.add(self.moved(self.node_keys.key[i], number), False)
        for i in range(wanted.shape[0]):
            if wanted[i]:
                small.add(self.moved(self.feature_keys.key[i], number), True)
        return small

    cdef uint64_t moved(self, uint64_t key, const uint32_t[::1] number) noexcept:
        """The key with the new number of its node."""
        if key >> 32 < <uint64_t>self.n_roots:
            return key
        return <uint64_t>(self.n_roots + number[(key >> 32) - self.n_roots]) << 32 | <uint32_t>key


cdef inline int32_t code_at(const Codes *x, Part part, int64_t t, int64_t begin, int64_t end) noexcept nogil:
    t += part.offset
    if t < begin:
        return 0 if t == begin - 1 else 1
    if t >= end:
        return 2 if t == end else 3
    return x.code[part.column * x.n + t]


cdef int lead(First *first, uint32_t code, uint32_t id) except -1 nogil:
    """Make this code lead to this node or feature from now on."""
    cdef uint64_t size
    cdef uint32_t *larger
    if code >= first.size:
        size = max(2 * first.size, <uint64_t>code + 64)
        larger = <uint32_t *>realloc(first.id_plus_1, size * sizeof(uint32_t))
        if larger == NULL:
            with gil:
                raise MemoryError("no memory for the features; use fewer templates")
        memset(larger + first.size, 0, (size - first.size) * sizeof(uint32_t))
        first.id_plus_1 = larger
        first.size = size
    first.id_plus_1[code] = id + 1
    return 0


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
