# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Features of tokens: columns of codes at offsets, alone or joined, to contiguous feature ids.

A code is the number of a value of an attribute, such as a word or a suffix; a column has the codes of one attribute at all
tokens. A template is a tuple of parts (column, offset). At token t it looks at the code of each part's column at t + offset;
the tuple of codes is the feature. As with n-grams, a tuple is found part by part: (template, first code) is a node, (node,
second code) another, and the last one is a feature. So a feature is exact, whatever the number of its parts, and its name can
be had. Codes are small and dense, so the first part is looked up in an array of its template; the others are looked up in
tables.

Beyond the ends of a sentence a column has the codes 0 and 1 (just before, further before), 2 and 3 (just after, further
after). So a caller whose templates look there must give values the codes from 4 on, as features/tokens.py does. The code -1 is
no value, and a template that meets it has no feature there.

An attribute may have several values at a token: a list (indptr, values) instead of a column. Each value is then a feature of
its own, once; lists are not joined.

A node or a feature is known by its key, which is what it is made of:

    key     parent (high 32 bits) | code (low 32 bits)
    parent  0 ... n_templates - 1           a template: the code is that of its first part
            n_templates ... n_roots - 1     a list: the code is the value, and the key that of a feature
            n_roots + i                     node i: the code is that of the part after it

Nodes and features are numbered from 0 on, each by themselves. So node i is i among the nodes, and n_roots + i as a parent.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from linnet.core.buffers cimport SparseRows
from linnet.core.extract.tables cimport Table, find_exact, grow_table, linnet_free, prefetch, put, reserve
from linnet.core.extract.vocabulary cimport LINNET_AHEAD, NONE

import numpy as np

cdef enum:
    MAX_PARTS = 8
    MAX_TEMPLATES = 1024
    MAX_LISTS = 16
    TOGETHER = 8        # tokens looked up at once: memory of one is fetched while another is worked on
    # There are at most so many nodes, and so many features. So the number of one is never NONE, nor 0xFFFFFFFE, by which the
    # functions that return a number tell of an exception; and n_roots + the number of a node fits into 32 bits.
    MOST = 0x7FFFFFFF


cdef struct Part:
    int column
    int offset


# Columns holds the codes of all tokens, one column after the other; sentences are ranges of tokens.
cdef struct Columns:
    const int32_t *code
    int64_t n_tokens


# List holds the codes of an attribute that may have several values: those of token t are values[indptr[t]:indptr[t + 1]].
cdef struct List:
    const int64_t *indptr
    const int32_t *values


# First says for each code where it leads as the first code of a template: to a node, or to the feature itself if the template
# has one part. For a list, it says to which feature each code leads.
cdef struct First:
    uint32_t *number_plus_1     # 1 + the number of the node or feature; 0 where there is none
    uint64_t size               # the codes that there is room for


# Keys holds the keys of all nodes, or of all features, in the order of their numbers.
cdef struct Keys:
    uint64_t *key
    uint64_t n
    uint64_t size               # the keys that there is room for


cdef inline uint64_t key_of(uint64_t parent, uint32_t code) noexcept nogil:
    return parent << 32 | code


cdef inline uint64_t parent_of(uint64_t key) noexcept nogil:
    return key >> 32


cdef inline uint32_t code_of(uint64_t key) noexcept nogil:
    return <uint32_t>key


cdef class Templates:
    """The features of tokens: which of them are known, and which a given token has."""
    cdef readonly list templates
    cdef int n_templates, n_lists, n_columns
    cdef int depth                  # the most parts that a template has
    cdef uint64_t n_roots           # templates and lists together: where the parents that are nodes begin
    cdef Part parts[MAX_TEMPLATES][MAX_PARTS]
    cdef int n_parts[MAX_TEMPLATES]
    cdef First first[MAX_TEMPLATES + MAX_LISTS]
    cdef Table nodes                # from keys whose parent is a node to numbers of nodes
    cdef Table features             # from keys whose parent is a node to numbers of features
    cdef Keys node_keys
    cdef Keys feature_keys

    def __init__(self, templates, int n_lists=0):
        cdef int m, q
        if not 0 <= n_lists <= MAX_LISTS:
            raise ValueError(f"expected 0 to {MAX_LISTS} lists, found {n_lists}")
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
                if column < 0:
                    raise ValueError(f"expected a column of 0 or more in each part of a template, found {column}")
                self.parts[m][q].column = column
                self.parts[m][q].offset = offset
                self.n_columns = max(self.n_columns, column + 1)
        with nogil:
            grow_table(&self.nodes)
            grow_table(&self.features)

    def __dealloc__(self):
        cdef uint64_t root
        for root in range(self.n_roots):
            free(self.first[root].number_plus_1)
        linnet_free(self.nodes.slots)
        linnet_free(self.features.slots)
        free(self.node_keys.key)
        free(self.feature_keys.key)

    @property
    def n_features(self):
        return self.feature_keys.n

    def rows(self, const int32_t[:, ::1] codes, const int64_t[::1] starts, bint grow=False, int skip=0, lists=()):
        """indptr, indices and values of the tokens of sentences. Sentence i is tokens starts[i]:starts[i + 1], and its
        first `skip` tokens have no row: a feature of a token and the one before it needs skip=1. There may be tokens before the
        first sentence and after the last."""
        cdef SparseRows rows = SparseRows()
        cdef List listed[MAX_LISTS]
        cdef Columns columns
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
            listed[m].indptr = &indptr[0]
            listed[m].values = &values[0] if values.shape[0] else NULL
        if codes.shape[0] < self.n_columns:
            raise ValueError(f"the templates look at {self.n_columns} columns, but there are {codes.shape[0]}")
        if n < 0 or starts[0] < 0 or starts[n] > codes.shape[1]:
            raise ValueError("the sentences hold tokens that do not exist")
        for i in range(n):
            if starts[i] > starts[i + 1]:
                raise ValueError("a sentence ends before it begins")
        rows.reserve((starts[n] - starts[0]) * self.n_templates + 1)
        columns.code = &codes[0, 0] if codes.shape[0] and codes.shape[1] else NULL
        columns.n_tokens = codes.shape[1]
        with nogil:
            for i in range(n):
                t = starts[i] + skip
                while t < starts[i + 1]:
                    self.add_rows(&columns, t, min(t + together, starts[i + 1]), starts[i], starts[i + 1], listed, grow, rows)
                    t += together
        return rows.take()

    cdef int add_rows(self, const Columns *columns, int64_t t, int64_t stop, int64_t begin, int64_t end, const List *lists,
                      bint grow, SparseRows rows) except -1 nogil:
        """Add the rows of tokens t:stop of the sentence begin:end."""
        # at[i][m] is how far token t + i has come with template m: the node, after the last part the feature; NONE if it ended.
        cdef uint32_t at[TOGETHER][MAX_TEMPLATES]
        cdef uint64_t key[TOGETHER][MAX_TEMPLATES]
        cdef uint32_t *indices
        cdef float *values
        cdef int i, m, level, found, n = <int>(stop - t)
        cdef int32_t code
        cdef bint last
        for i in range(n):
            for m in range(self.n_templates):
                code = code_at(columns, self.parts[m][0], t + i, begin, end)
                at[i][m] = self.after_first(m, code, self.n_parts[m] == 1, grow) if code >= 0 else NONE
        # All keys of a level are made before the first is looked up, so that the memory of each has come when it is its turn.
        for level in range(1, self.depth):
            for i in range(n):
                for m in range(self.n_templates):
                    if at[i][m] == NONE or level >= self.n_parts[m]:
                        continue
                    code = code_at(columns, self.parts[m][level], t + i, begin, end)
                    if code < 0:
                        at[i][m] = NONE
                        continue
                    key[i][m] = key_of(self.n_roots + at[i][m], code)
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
            # Every template writes, and the next one writes over what was NONE: this needs no branch.
            for m in range(self.n_templates):
                indices[found], values[found] = at[i][m], 1
                found += at[i][m] != NONE
            rows.nnz += found
            self.add_lists(lists, t + i, grow, rows)
            rows.end_row()
        return 0

    cdef int add_lists(self, const List *lists, int64_t t, bint grow, SparseRows rows) except -1 nogil:
        """Add to the row of token t the features of its lists, each once."""
        cdef int m
        cdef int64_t i
        cdef uint64_t k, begin
        cdef uint32_t feature
        for m in range(self.n_lists):
            rows.reserve(lists[m].indptr[t + 1] - lists[m].indptr[t])
            begin = rows.nnz
            for i in range(lists[m].indptr[t], lists[m].indptr[t + 1]):
                if lists[m].values[i] < 0:
                    continue
                feature = self.after_first(self.n_templates + m, lists[m].values[i], True, grow)
                if feature == NONE:
                    continue
                for k in range(begin, rows.nnz):
                    if rows.indices[k] == feature:
                        break
                else:
                    rows.indices[rows.nnz] = feature
                    rows.values[rows.nnz] = 1
                    rows.nnz += 1
        return 0

    cdef inline uint32_t after_first(self, int root, uint32_t code, bint is_feature, bint grow) except? 0xFFFFFFFE nogil:
        """The number of the node or feature that the first code of a template or list leads to. One that is not there is added
        if `grow`, and is NONE otherwise."""
        cdef First *first = &self.first[root]
        if code < first.size and first.number_plus_1[code]:
            return first.number_plus_1[code] - 1
        if not grow:
            return NONE
        return self.add(key_of(root, code), is_feature)

    cdef uint32_t add(self, uint64_t key, bint is_feature) except? 0xFFFFFFFE nogil:
        """Add a node or a feature that is not there yet, and return its number."""
        cdef Table *table = &self.features if is_feature else &self.nodes
        # The key comes first: if there is no memory for more, nothing leads to a number that has no key.
        cdef uint32_t number = append(&self.feature_keys if is_feature else &self.node_keys, key)
        if parent_of(key) < self.n_roots:
            set_first(&self.first[parent_of(key)], code_of(key), number)
        else:
            if 4 * table.count > 3 * table.mask:
                grow_table(table)
            put(table, key, number)
        return number

    def codes(self, uint64_t feature):
        """The template of a feature (lists are numbered after templates), and its code at each part."""
        cdef uint64_t key
        if feature >= self.feature_keys.n:
            raise IndexError(feature)
        key = self.feature_keys.key[feature]
        codes = [code_of(key)]
        while parent_of(key) >= self.n_roots:
            key = self.node_keys.key[parent_of(key) - self.n_roots]
            codes.append(code_of(key))
        return int(parent_of(key)), codes[::-1]

    def arrays(self):
        """Arrays for the model file: with the templates, all that is needed to restore the features."""
        return {"nodes": copied(&self.node_keys), "features": copied(&self.feature_keys)}

    @staticmethod
    def from_arrays(templates, const uint64_t[::1] nodes, const uint64_t[::1] features, n_codes, int n_lists=0):
        """Restore features from `arrays()`, over columns of codes below `n_codes`: one number for all, or one for each column and
        then for each list. ValueError where the arrays do not fit."""
        cdef Templates self = Templates(templates, n_lists)
        cdef uint64_t i, n_nodes = nodes.shape[0], n_features = features.shape[0]
        if max(n_nodes, n_features) > MOST:
            raise ValueError(f"expected at most {MOST} nodes and as many features, found {n_nodes} and {n_features}")
        # The parts of the template that come after each node; one more, so that there is an address without any node.
        cdef uint8_t[::1] to_come = np.empty(n_nodes + 1, np.uint8)
        cdef uint32_t[::1] root = np.empty(n_nodes, np.uint32)       # the template of each node
        cdef const uint64_t[::1] most = self.bounds(n_codes)
        cdef uint64_t parent
        reserve(&self.nodes, n_nodes)
        reserve(&self.features, n_features)
        for i in range(n_nodes):
            if i + LINNET_AHEAD < n_nodes:
                prefetch(&self.nodes, nodes[i + LINNET_AHEAD])
            parent = parent_of(nodes[i])
            if parent >= self.n_roots + i or code_of(nodes[i]) >= self.bound(parent, to_come, root, most):
                raise ValueError(f"node {i} is made of nodes or codes that do not exist")
            to_come[i] = self.parts_after(parent, &to_come[0]) - 1
            root[i] = <uint32_t>parent if parent < self.n_roots else root[parent - self.n_roots]
            if to_come[i] == 0:
                raise ValueError(f"node {i} has all parts of its template, as only a feature may")
            self.add(nodes[i], False)
        for i in range(n_features):
            if i + LINNET_AHEAD < n_features:
                prefetch(&self.features, features[i + LINNET_AHEAD])
            parent = parent_of(features[i])
            if parent >= self.n_roots + n_nodes or code_of(features[i]) >= self.bound(parent, to_come, root, most):
                raise ValueError(f"feature {i} is made of nodes or codes that do not exist")
            if self.parts_after(parent, &to_come[0]) > 1:
                raise ValueError(f"feature {i} has fewer parts than its template")
            self.add(features[i], True)
        return self

    def bounds(self, n_codes):
        """What is given for each column of codes, and then for each list, such as the number of codes; of those that the
        templates look at."""
        each = np.full(self.n_columns + self.n_lists, n_codes, np.uint64) if np.ndim(n_codes) == 0 else np.array(n_codes, np.uint64)
        columns = len(each) - self.n_lists
        if columns < self.n_columns:
            raise ValueError(f"codes of {columns} columns for templates over {self.n_columns}")
        return np.concatenate([each[:self.n_columns], each[columns:]])

    cdef inline uint64_t bound(self, uint64_t parent, const uint8_t[::1] to_come, const uint32_t[::1] root,
                               const uint64_t[::1] most) noexcept:
        """What `most` has for the part that comes after a parent: for the column that it looks at, or for the list."""
        cdef uint64_t of = parent if parent < self.n_roots else root[parent - self.n_roots]
        cdef int at
        if of >= <uint64_t>self.n_templates:
            return most[self.n_columns + of - self.n_templates]
        at = self.n_parts[of] - (self.n_parts[of] if parent < self.n_roots else to_come[parent - self.n_roots])
        return most[self.parts[of][at].column]

    cdef inline uint8_t parts_after(self, uint64_t parent, const uint8_t *to_come) noexcept nogil:
        """The number of parts of the template that come after a parent, given that number for each node."""
        if parent >= self.n_roots:
            return to_come[parent - self.n_roots]
        return <uint8_t>self.n_parts[parent] if parent < <uint64_t>self.n_templates else 1

    def joined(self):
        """A flag for each feature, set where it has several parts."""
        out = np.empty(self.feature_keys.n, np.bool_)
        cdef uint8_t[::1] is_joined = out.view(np.uint8)
        cdef uint64_t i
        for i in range(self.feature_keys.n):
            is_joined[i] = parent_of(self.feature_keys.key[i]) >= self.n_roots
        return out

    def kept(self, const uint8_t[::1] wanted):
        """A copy with only the wanted features, and the nodes that lead to them, in the same order."""
        cdef Templates small = Templates(self.templates, self.n_lists)
        cdef uint32_t[::1] number = np.zeros(self.node_keys.n, np.uint32)       # the number of each needed node in the copy
        cdef uint8_t[::1] needed = np.zeros(self.node_keys.n, np.uint8)
        cdef int64_t i
        if wanted.shape[0] != <int64_t>self.feature_keys.n:
            raise ValueError(f"expected {self.feature_keys.n} flags, found {wanted.shape[0]}")
        for i in range(wanted.shape[0]):
            if wanted[i] and parent_of(self.feature_keys.key[i]) >= self.n_roots:
                needed[parent_of(self.feature_keys.key[i]) - self.n_roots] = 1
        # A node always has a larger number than the node before it on the path, so going backwards meets all that follow it
        # first.
        for i in range(<int64_t>self.node_keys.n - 1, -1, -1):
            if needed[i] and parent_of(self.node_keys.key[i]) >= self.n_roots:
                needed[parent_of(self.node_keys.key[i]) - self.n_roots] = 1
        for i in range(<int64_t>self.node_keys.n):
            if needed[i]:
                number[i] = small.add(self.renumbered(self.node_keys.key[i], number), False)
        for i in range(wanted.shape[0]):
            if wanted[i]:
                small.add(self.renumbered(self.feature_keys.key[i], number), True)
        return small

    def added_to(self, Templates whole, codes):
        """Add all features to others of the same templates, unless they are there, and return their numbers there.

        codes: for each column, and then for each list, the code there of each code here."""
        cdef uint64_t i, key, n_nodes = self.node_keys.n
        cdef uint32_t[::1] number = np.empty(n_nodes, np.uint32)        # the number of each node there
        cdef uint8_t[::1] to_come = np.empty(n_nodes + 1, np.uint8)     # the parts of the template that come after each node
        cdef uint32_t[::1] root = np.empty(n_nodes, np.uint32)          # the template of each node
        cdef const uint32_t[::1] code = np.concatenate(codes).astype(np.uint32)
        starts = np.concatenate([[0], np.cumsum([len(some) for some in codes])[:-1]])
        cdef const uint64_t[::1] first = self.bounds(starts)            # where the codes of each column and list begin
        found = np.empty(self.feature_keys.n, np.int64)
        cdef int64_t[::1] numbers = found
        if whole.templates != self.templates or whole.n_lists != self.n_lists:
            raise ValueError("features of other templates")
        for i in range(n_nodes):
            key = self.node_keys.key[i]
            to_come[i] = self.parts_after(parent_of(key), &to_come[0]) - 1
            root[i] = <uint32_t>parent_of(key) if parent_of(key) < self.n_roots else root[parent_of(key) - self.n_roots]
            number[i] = whole.found_or_added(self.recoded(key, number, to_come, root, first, code), False)
        for i in range(self.feature_keys.n):
            key = self.recoded(self.feature_keys.key[i], number, to_come, root, first, code)
            numbers[i] = whole.found_or_added(key, True)
        return found

    cdef uint64_t recoded(self, uint64_t key, const uint32_t[::1] number, const uint8_t[::1] to_come, const uint32_t[::1] root,
                          const uint64_t[::1] first, const uint32_t[::1] code) noexcept:
        """The key with other numbers of nodes and other codes: those of column k are code[first[k]:]."""
        cdef uint64_t at = self.bound(parent_of(key), to_come, root, first) + code_of(key)
        return key_of(parent_of(self.renumbered(key, number)), code[at])

    cdef uint32_t found_or_added(self, uint64_t key, bint is_feature) except? 0xFFFFFFFE:
        """The number of a node or a feature; a new one is added."""
        cdef uint32_t number
        if parent_of(key) < self.n_roots:
            return self.after_first(<int>parent_of(key), code_of(key), is_feature, True)
        number = find_exact(&self.features if is_feature else &self.nodes, key)
        return self.add(key, is_feature) if number == NONE else number

    cdef uint64_t renumbered(self, uint64_t key, const uint32_t[::1] number) noexcept:
        """The key with the new number of its parent, where that is a node. Templates and lists keep theirs."""
        if parent_of(key) < self.n_roots:
            return key
        return key_of(self.n_roots + number[parent_of(key) - self.n_roots], code_of(key))


cdef inline int32_t code_at(const Columns *columns, Part part, int64_t t, int64_t begin, int64_t end) noexcept nogil:
    """The code that a part sees from token t of the sentence begin:end, or beyond its ends."""
    t += part.offset
    if t < begin:
        return 0 if t == begin - 1 else 1
    if t >= end:
        return 2 if t == end else 3
    return columns.code[part.column * columns.n_tokens + t]


cdef int set_first(First *first, uint32_t code, uint32_t number) except -1 nogil:
    """Let this code, as the first one, lead to the node or feature of this number."""
    cdef uint64_t size
    cdef uint32_t *larger
    if code >= first.size:
        size = max(2 * first.size, <uint64_t>code + 64)
        larger = <uint32_t *>realloc(first.number_plus_1, size * sizeof(uint32_t))
        if larger == NULL:
            with gil:
                raise MemoryError("no memory for the features; use fewer templates")
        memset(larger + first.size, 0, (size - first.size) * sizeof(uint32_t))
        first.number_plus_1 = larger
        first.size = size
    first.number_plus_1[code] = number + 1
    return 0


cdef uint32_t append(Keys *keys, uint64_t key) except? 0xFFFFFFFE nogil:
    """Add a key, and return its number."""
    cdef uint64_t size
    cdef uint64_t *larger
    if keys.n >= MOST:
        with gil:
            raise MemoryError(f"there may be {MOST} features, and as many beginnings of features; use fewer templates")
    if keys.n >= keys.size:
        size = 2 * keys.size + 1024
        larger = <uint64_t *>realloc(keys.key, size * sizeof(uint64_t))
        if larger == NULL:
            with gil:
                raise MemoryError("no memory for the features; use fewer templates")
        keys.key = larger
        keys.size = size
    keys.key[keys.n] = key
    keys.n += 1
    return <uint32_t>(keys.n - 1)


cdef object copied(const Keys *keys):
    """The keys as an array."""
    out = np.empty(keys.n, np.uint64)
    cdef uint64_t[::1] view = out
    cdef uint64_t i
    for i in range(keys.n):
        view[i] = keys.key[i]
    return out
