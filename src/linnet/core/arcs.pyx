# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Features of arcs between two tokens of a sentence: codes around the head, around the child and between them, joined; and of
triples, an arc with the child that the head has before that one on the same side.

A template is a tuple of parts (who, column, offset): the code of a column at the head, at the child, at the sibling (each with
an offset), or at each of the tokens between; the direction of the arc, or its length in steps with the direction. The codes of a
feature are packed into one number, which is so exact that its name can be read off it:

    key(h, s, m) = template | codes of h | codes of s | codes of m | length

so the codes of each are packed once for each token, and an arc costs two ORs for each template, and a look into the table of
known features. Position 0 of a sentence is the root; what is beyond the ends has a code of its own, and so has a sibling that
is not there.

Rows are made for one sentence at a time: those of a whole treebank are more than would fit in memory.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from linnet.core.buffers cimport SparseRows, larger
from linnet.core.vocabulary cimport NONE, Table, find_exact, grow_table, linnet_free, prefetch, put, reserve

import numpy as np

cdef enum:
    MAX_PARTS = 8
    MAX_TEMPLATES = 128
    MAX_COLUMNS = 64
    TEMPLATE_BITS = 7
    LENGTH_BITS = 4
    MOST_BETWEEN = 256      # codes of a column that is looked at between tokens
    # what comes before the codes of a column: beyond the ends of the sentence, and the root
    BEFORE = 0
    BEHIND = 1
    ROOT = 2
    NOBODY = 3
    OWN = 4

    HEAD_ROLE = 0
    CHILD_ROLE = 1
    SIBLING_ROLE = 2
    ROLES = 3

HEAD, CHILD, SIBLING, BETWEEN, DIRECTION, LENGTH = range(6)


cdef struct Part:
    int who
    int column
    int offset
    int shift


cdef class Arcs:
    """Which features an arc has, once some arcs have been seen."""
    cdef readonly list templates
    cdef readonly tuple n_codes             # of each column
    cdef int n_templates
    cdef int n_columns
    cdef int bits[MAX_COLUMNS]
    cdef Part parts[MAX_TEMPLATES][MAX_PARTS]
    cdef int n_parts[MAX_TEMPLATES]
    cdef int between[MAX_TEMPLATES]         # the part that is looked at between, -1 for none
    cdef int length[MAX_TEMPLATES]          # where the length or direction goes, -1 for none
    cdef bint only_direction[MAX_TEMPLATES]
    cdef Table table
    cdef uint64_t *keys                     # of each feature
    cdef uint64_t n_keys
    cdef uint64_t keys_size

    def __init__(self, templates, n_codes):
        cdef int t, q, shift, bits
        self.templates = [tuple([tuple(map(int, part)) for part in parts]) for parts in templates]
        self.n_codes = tuple(n_codes)
        self.n_templates = len(self.templates)
        self.n_columns = len(self.n_codes)
        if self.n_templates > MAX_TEMPLATES or self.n_columns > MAX_COLUMNS:
            raise ValueError(f"at most {MAX_TEMPLATES} templates over {MAX_COLUMNS} columns")
        for t, n in enumerate(self.n_codes):
            self.bits[t] = max(int(n) + OWN - 1, 1).bit_length()
        for t, parts in enumerate(self.templates):
            if not 1 <= len(parts) <= MAX_PARTS:
                raise ValueError(f"a template of {len(parts)} parts; there may be 1 to {MAX_PARTS}")
            self.n_parts[t] = len(parts)
            self.between[t] = self.length[t] = -1
            shift = TEMPLATE_BITS
            for q, (who, column, offset) in enumerate(parts):
                if who in (HEAD, CHILD, SIBLING, BETWEEN) and not 0 <= column < self.n_columns:
                    raise ValueError(f"the templates look at column {column}, but there are {self.n_columns}")
                self.parts[t][q] = Part(who, column, offset, shift)
                bits = LENGTH_BITS if who in (DIRECTION, LENGTH) else self.bits[column]
                if who == BETWEEN:
                    if self.between[t] >= 0 or self.n_codes[column] + OWN > MOST_BETWEEN:
                        raise ValueError(f"one part between two tokens, of at most {MOST_BETWEEN - OWN} values")
                    self.between[t] = q
                if who in (DIRECTION, LENGTH):
                    if self.length[t] >= 0:
                        raise ValueError("one direction or length in a template")
                    self.length[t] = shift
                    self.only_direction[t] = who == DIRECTION
                shift += bits
            if shift > 64:
                raise OverflowError(f"template {t} joins more values than fit into 64 bits: {shift}")
        with nogil:
            grow_table(&self.table)

    def __dealloc__(self):
        linnet_free(self.table.slots)
        free(self.keys)

    @property
    def n_features(self):
        return self.n_keys

    def learn(self, const int32_t[:, ::1] codes, const int64_t[::1] starts, const int32_t[::1] heads):
        """Know the features of these trees: heads has for each token the number of its head in the sentence, 0 for the root."""
        cdef int64_t i, m, n, h
        cdef SparseRows rows = SparseRows()
        cdef Sentence at = Sentence(self)
        self.check(codes, starts)
        for i in range(starts.shape[0] - 1):
            n = starts[i + 1] - starts[i]
            at.fill(codes, starts[i], n)
            for m in range(1, n + 1):
                h = heads[starts[i] + m - 1]
                if not 0 <= h <= n or h == m:
                    raise ValueError(f"head {h} of token {m} in a sentence of {n}")
                with nogil:
                    at.look_between(m)
                    self.add(at, h, before_it(&heads[starts[i]], h, m), m, rows, True)
                    rows.nnz = 0
        return self

    def rows(self, const int32_t[:, ::1] codes, const int64_t[::1] starts, bint triples=False):
        """indptr, indices, values of all arcs of all sentences: of each token m, of each head h = 0..n (none of m itself). Or of all
        triples: of each h those to its left and those to its right, by the distance of m and within that of s."""
        cdef int64_t i
        cdef SparseRows rows = SparseRows()
        cdef Sentence at = Sentence(self)
        self.check(codes, starts)
        if triples and any([who == BETWEEN for parts in self.templates for who, _, _ in parts]):
            raise ValueError("templates of triples look at nothing between tokens")
        for i in range(starts.shape[0] - 1):
            at.fill(codes, starts[i], starts[i + 1] - starts[i])
            with nogil:
                if triples:
                    self.all_triples(at, rows)
                else:
                    self.all_arcs(at, rows)
        return rows.take()

    def check(self, const int32_t[:, ::1] codes, const int64_t[::1] starts):
        cdef int64_t i, k, n = starts.shape[0] - 1
        if codes.shape[0] != self.n_columns:
            raise ValueError(f"expected {self.n_columns} columns, found {codes.shape[0]}")
        if n < 0 or starts[0] < 0 or starts[n] > codes.shape[1]:
            raise ValueError("the sentences hold tokens that do not exist")
        for i in range(n):
            if starts[i] > starts[i + 1]:
                raise ValueError("a sentence ends before it begins")
        for k in range(codes.shape[0]):
            for i in range(codes.shape[1]):
                if codes[k, i] >= self.n_codes[k]:
                    raise ValueError(f"code {codes[k, i]} in a column of {self.n_codes[k]}")

    cdef int all_arcs(self, Sentence at, SparseRows rows) except -1 nogil:
        cdef int64_t h, m
        for m in range(1, at.n + 1):
            at.look_between(m)
            for h in range(at.n + 1):
                if h != m:
                    self.add(at, h, h, m, rows, False)
                rows.reserve(1)
                rows.end_row()
        return 0

    cdef int all_triples(self, Sentence at, SparseRows rows) except -1 nogil:
        cdef int64_t h, s, m
        cdef int side
        for h in range(at.n + 1):
            for side in range(-1, 2, 2):
                m = h + side
                while 1 <= m <= at.n:
                    s = h
                    while s != m:
                        self.add(at, h, s, m, rows, False)
                        rows.end_row()
                        s += side
                    m += side
        return 0

    cdef int add(self, Sentence at, int64_t h, int64_t s, int64_t m, SparseRows rows, bint grow) except -1 nogil:
        """The features of one arc with its sibling (h: none), behind those that are there."""
        cdef int t, column
        cdef int64_t of_s = at.n + 1 if s == h else s
        cdef uint64_t key, of_child, of_sibling, length = steps(h, m), k, n = 0
        cdef uint32_t id
        cdef int64_t i
        for t in range(self.n_templates):
            key = at.packed[HEAD_ROLE][t * at.room + h]
            of_child = at.packed[CHILD_ROLE][t * at.room + m]
            of_sibling = at.packed[SIBLING_ROLE][t * at.room + of_s]
            if key == NOT_THERE or of_child == NOT_THERE or of_sibling == NOT_THERE:
                continue
            key |= of_child | of_sibling
            if self.length[t] >= 0:
                key |= (length & 1 if self.only_direction[t] else length) << self.length[t]
            if self.between[t] < 0:
                at.keys[n] = key
                n += 1
                continue
            column = self.parts[t][self.between[t]].column
            for i in range(at.n_between[column * at.room + h]):
                at.keys[n] = key | <uint64_t>at.codes_between(column, h < m)[i] << self.parts[t][self.between[t]].shift
                n += 1
        rows.reserve(n + 1)
        for k in range(n):
            prefetch(&self.table, at.keys[k])
        for k in range(n):
            id = find_exact(&self.table, at.keys[k])
            if id == NONE and grow:
                id = self.new(at.keys[k])
            rows.indices[rows.nnz], rows.values[rows.nnz] = id, 1
            rows.nnz += id != NONE
        return 0

    cdef uint32_t new(self, uint64_t key) except? 0xFFFFFFFE nogil:
        if self.n_keys >= <uint64_t>0x7FFFFFFF:
            with gil:
                raise MemoryError("too many features of arcs; use fewer templates")
        if 2 * self.table.count > self.table.mask:
            grow_table(&self.table)
        self.keys = <uint64_t *>larger(self.keys, &self.keys_size, self.n_keys + 1, sizeof(uint64_t))
        self.keys[self.n_keys] = key
        put(&self.table, key, <uint32_t>self.n_keys)
        self.n_keys += 1
        return <uint32_t>(self.n_keys - 1)

    def codes(self, uint64_t feature):
        """The template of a feature, and the code of each of its parts; those of lengths as `length_name` has them."""
        cdef uint64_t key
        cdef int t, q, bits
        if feature >= self.n_keys:
            raise IndexError(feature)
        key = self.keys[feature]
        t = <int>(key & ((1 << TEMPLATE_BITS) - 1))
        found = []
        for q in range(self.n_parts[t]):
            bits = LENGTH_BITS if self.parts[t][q].who in (DIRECTION, LENGTH) else self.bits[self.parts[t][q].column]
            found.append(int(key >> self.parts[t][q].shift & ((<uint64_t>1 << bits) - 1)))
        return t, found

    def kept(self, const uint8_t[::1] wanted):
        """The same templates with the wanted features only, in their order."""
        cdef Arcs small = Arcs(self.templates, self.n_codes)
        cdef int64_t i
        if wanted.shape[0] != <int64_t>self.n_keys:
            raise ValueError(f"expected {self.n_keys} flags, found {wanted.shape[0]}")
        for i in range(wanted.shape[0]):
            if wanted[i]:
                small.new(self.keys[i])
        return small

    def arrays(self):
        """All that a file needs beside the templates and the numbers of codes."""
        out = np.empty(self.n_keys, np.uint64)
        cdef uint64_t[::1] view = out
        cdef uint64_t i
        for i in range(self.n_keys):
            view[i] = self.keys[i]
        return {"arcs": out}

    @staticmethod
    def from_arrays(templates, n_codes, const uint64_t[::1] arcs):
        """ValueError if these cannot be the features of such templates."""
        cdef Arcs self = Arcs(templates, n_codes)
        cdef int64_t i
        reserve(&self.table, arcs.shape[0])
        for i in range(arcs.shape[0]):
            if arcs[i] & ((1 << TEMPLATE_BITS) - 1) >= <uint64_t>self.n_templates or find_exact(&self.table, arcs[i]) != NONE:
                raise ValueError(f"feature {i} is of no template, or there twice")
            self.new(arcs[i])
        return self


cdef class Sentence:
    """One sentence: for each template what the codes around each token make of it, and room for the features of one arc."""
    cdef Arcs arcs
    cdef int64_t n
    cdef int64_t room               # positions, the root counted
    cdef uint64_t *packed[ROLES]    # [template, position]; NOT_THERE where a code is missing. Behind the last token: nobody
    cdef uint64_t *keys
    cdef int32_t *code              # [column, position]
    cdef uint8_t *seen              # [column, side, how many]: the different codes from m outwards
    cdef int64_t *n_between         # [column, h]: how many of them are between h and m

    def __init__(self, Arcs arcs):
        self.arcs = arcs

    def __dealloc__(self):
        self.release()

    cdef void release(self) noexcept nogil:
        cdef int role
        for role in range(ROLES):
            free(self.packed[role])
        free(self.keys)
        free(self.code)
        free(self.seen)
        free(self.n_between)

    cdef const uint8_t *codes_between(self, int column, bint left) noexcept nogil:
        return self.seen + (2 * column + left) * MOST_BETWEEN

    cdef int fill(self, const int32_t[:, ::1] codes, int64_t start, int64_t n) except -1:
        cdef int k
        cdef int64_t i
        self.n = n
        self.make_room(n + 2)
        for k in range(self.arcs.n_columns):
            self.code[k * self.room] = ROOT
            for i in range(n):
                self.code[k * self.room + i + 1] = codes[k, start + i] + OWN if codes[k, start + i] >= 0 else -1
        with nogil:
            self.pack()
        return 0

    cdef int make_room(self, int64_t positions) except -1:
        cdef int64_t room, T = max(self.arcs.n_templates, 1), C = max(self.arcs.n_columns, 1)
        cdef int role
        cdef bint enough = True
        if positions <= self.room:
            return 0
        self.release()
        self.room = room = 2 * positions
        for role in range(ROLES):
            self.packed[role] = <uint64_t *>malloc(T * room * sizeof(uint64_t))
            enough = enough and self.packed[role] != NULL
        self.keys = <uint64_t *>malloc((T * MOST_BETWEEN + 1) * sizeof(uint64_t))
        self.code = <int32_t *>malloc(C * room * sizeof(int32_t))
        self.seen = <uint8_t *>calloc(2 * C * MOST_BETWEEN, 1)
        self.n_between = <int64_t *>malloc(C * room * sizeof(int64_t))
        if not (enough and self.keys and self.code and self.seen and self.n_between):
            raise MemoryError("no memory for the features of one sentence")
        return 0

    cdef int32_t code_at(self, int column, int64_t i) noexcept nogil:
        return BEFORE if i < 0 else BEHIND if i > self.n else self.code[column * self.room + i]

    cdef void pack(self) noexcept nogil:
        cdef int t, q, role
        cdef int64_t i
        cdef const Part *part
        cdef uint64_t *key
        cdef int32_t code
        for t in range(self.arcs.n_templates):
            for role in range(ROLES):
                for i in range(self.n + 2):
                    self.packed[role][t * self.room + i] = t if role == HEAD_ROLE else 0
            for q in range(self.arcs.n_parts[t]):
                part = &self.arcs.parts[t][q]
                if part.who >= ROLES:
                    continue
                key = self.packed[part.who] + t * self.room
                for i in range(self.n + 2):
                    code = self.code_at(part.column, i + part.offset) if i <= self.n else NOBODY
                    key[i] = key[i] | <uint64_t>code << part.shift if code >= 0 and key[i] != NOT_THERE else NOT_THERE

    cdef void look_between(self, int64_t m) noexcept nogil:
        """For each head how many different codes there are between it and m."""
        cdef int t, column
        for t in range(self.arcs.n_templates):
            if self.arcs.between[t] >= 0:
                column = self.arcs.parts[t][self.arcs.between[t]].column
                self.look(column, m, -1)
                self.look(column, m, 1)

    cdef void look(self, int column, int64_t m, int step) noexcept nogil:
        cdef uint8_t *seen = self.seen + (2 * column + (step < 0)) * MOST_BETWEEN
        cdef int64_t h = m + step, n = 0, i
        cdef int32_t code
        while 0 <= h <= self.n:
            self.n_between[column * self.room + h] = n
            code = self.code[column * self.room + h]
            for i in range(n):
                if seen[i] == code:
                    break
            else:
                if code >= 0:
                    seen[n] = <uint8_t>code
                    n += 1
            h += step


cdef uint64_t NOT_THERE = 0xFFFFFFFFFFFFFFFF


cdef int64_t before_it(const int32_t *heads, int64_t h, int64_t m) noexcept nogil:
    """The child of h that comes before m, going away from h; h itself if there is none."""
    cdef int64_t step = 1 if h > m else -1, s = m + step
    while s != h and heads[s - 1] != h:
        s += step
    return s


cdef inline uint64_t steps(int64_t h, int64_t m) noexcept nogil:
    """The direction in the lowest bit, 1 where the head comes first; above it the length: 1, 2, 3, 4, 5-6, 7-10, 11 and more."""
    cdef int64_t length = m - h if h < m else h - m
    cdef uint64_t step = length - 1 if length <= 4 else 4 if length <= 6 else 5 if length <= 10 else 6
    return step << 1 | (h < m)


def length_name(int code, bint only_direction):
    """How people would say it: > to the right, < to the left, and how far."""
    arrow = ">" if code & 1 else "<"
    return arrow if only_direction else arrow + ("1", "2", "3", "4", "5-6", "7-10", "11+")[code >> 1]
