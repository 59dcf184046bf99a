# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Features of two positions a and b of a sentence, and of a third, c: codes around each of them and between a and b, joined.

A template is a tuple of parts (who, column, offset): the code of a column at a, b or c (each with an offset), or at each of the
tokens between a and b; on which side of a b is, or how far away as well. The codes of a feature are packed into one number, which is
so exact that its name can be read off it:

    key(a, c, b) = template | codes of a | codes of c | codes of b | distance

so the codes of each are packed once for each token, and a place costs two ORs for each template, and a look into the table of
known features. Position 0 of a sentence is the root; what is beyond the ends has a code of its own, and so has a c that
is not there.

Which positions a place of a block has:

    ARCS           a -> b: of each token b = 1..n, of each head a = 0..n (none of b itself)
    SIBLINGS       a -> c, a -> b: of each a those to its left, then to its right; by the distance of b, and within that of c; c = a: none
    GRANDPARENTS   c -> a -> b: as arcs, and of each of them c = 0..n; none of those with a = 0
    SPANS          a..b: of each b = 1..n, of each a = 1..b
    SPLITS         a..c - 1, c..b: of each span of two tokens and more, of each c = a + 1..b

Of arcs some may be out: then the places that need them are there, but have no features. Rows are made for one sentence at a time:
those of a whole treebank are more than would fit in memory.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from linnet.core.blocks cimport Lazy, Maker, Sparse
from linnet.core.buffers cimport SparseRows, larger
from linnet.core.vocabulary cimport NONE, Table, find_exact, grow_table, linnet_free, mixed, prefetch, put, reserve

import numpy as np

cdef enum:
    MAX_PARTS = 8
    MAX_TEMPLATES = 128
    MAX_COLUMNS = 64
    TEMPLATE_BITS = 7
    LEAST_BITS = (1 << 16) - 1
    LOOKED = 1 << 27
    LENGTH_BITS = 5
    SIDES = 17              # of the bits of a length those that are no length
    MOST_BETWEEN = 256      # codes of a column that is looked at between tokens
    # what comes before the codes of a column: beyond the ends of the sentence, and the root
    BEFORE = 0
    BEHIND = 1
    ROOT = 2
    NOBODY = 3
    OWN = 4

    A_ROLE = 0
    B_ROLE = 1
    C_ROLE = 2
    ROLES = 3

    OF_ARCS = 0
    OF_SIBLINGS = 1
    OF_GRANDPARENTS = 2
    OF_SPANS = 3
    OF_SPLITS = 4

A, B, C, BETWEEN, DIRECTION, LENGTH = range(6)
ARCS, SIBLINGS, GRANDPARENTS, SPANS, SPLITS = range(5)


cdef struct Part:
    int who
    int column
    int offset
    int shift


cdef class Anchored:
    """Which features a place has, once some have been seen."""
    cdef readonly int kind
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
    cdef uint64_t *maybe                    # a bit for what a key is mixed to; where it is 0, there is no such feature
    cdef uint64_t maybe_mask
    cdef uint64_t *once                     # while learning: bits of what was seen, and of what was seen again
    cdef uint64_t *twice
    cdef bint looking
    cdef uint32_t *seen                     # how often each was learned
    cdef uint64_t seen_size

    def __init__(self, templates, n_codes, int kind=ARCS):
        cdef int t, q, shift, bits
        self.kind = kind
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
                if who in (A, B, C, BETWEEN) and not 0 <= column < self.n_columns:
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
        free(self.maybe)
        free(self.seen)

    @property
    def n_features(self):
        return self.n_keys

    def learn(self, codes, starts, heads, least=1):
        """Know the features of these trees: heads has for each token the number of its head in the sentence, 0 for the root.
        Of those that are seen less often, some are left out already."""
        for _ in self.turns(least):
            self.learn_trees(codes, starts, heads)
        return self

    def turns(self, least):
        """Once; or, where what is seen once does not count, twice: to look what is seen again, and then to learn that."""
        if least > 1:
            once, twice = (np.zeros(LOOKED // 64, np.uint64) for _ in range(2))
            self.point(once, twice)
            yield
            self.looking = False
        yield
        self.once = self.twice = NULL

    cdef int point(self, uint64_t[::1] once, uint64_t[::1] twice) except -1:
        self.once, self.twice = &once[0], &twice[0]
        self.looking = True
        return 0

    cdef int learn_trees(self, const int32_t[:, ::1] codes, const int64_t[::1] starts, const int32_t[::1] heads) except -1:
        cdef int64_t i, m, n, h, c
        cdef SparseRows rows = SparseRows()
        cdef Sentence at = Sentence(self)
        self.check(codes, starts)
        for i in range(starts.shape[0] - 1):
            n = starts[i + 1] - starts[i]
            if n == 0:
                continue
            at.fill(&codes[0, starts[i]] if codes.shape[0] else NULL, codes.shape[1], n)
            for m in range(1, n + 1):
                h = heads[starts[i] + m - 1]
                if not 0 <= h <= n or h == m:
                    raise ValueError(f"head {h} of token {m} in a sentence of {n}")
                if self.kind == OF_GRANDPARENTS and h == 0:
                    continue
                c = (heads[starts[i] + h - 1] if self.kind == OF_GRANDPARENTS else
                     before_it(&heads[starts[i]], h, m) if self.kind == OF_SIBLINGS else h)
                with nogil:
                    at.look_between(m)
                    self.add(at, h, c, m, rows, True)
                    rows.nnz = 0
        return 0

    def learn_places(self, codes, starts, at_places, places, least=1):
        """Know the features of these places: at_places cuts them into sentences, rows of places are a, c and b; c = a: none."""
        for _ in self.turns(least):
            self.learn_given(codes, starts, at_places, places)
        return self

    cdef int learn_given(self, const int32_t[:, ::1] codes, const int64_t[::1] starts, const int64_t[::1] at_places,
                         const int32_t[:, ::1] places) except -1:
        cdef int64_t i, p, k, n
        cdef SparseRows rows = SparseRows()
        cdef Sentence at = Sentence(self)
        self.check(codes, starts)
        for i in range(starts.shape[0] - 1):
            n = starts[i + 1] - starts[i]
            if n == 0:
                continue
            at.fill(&codes[0, starts[i]] if codes.shape[0] else NULL, codes.shape[1], n)
            for p in range(at_places[i], at_places[i + 1]):
                for k in range(3):
                    if not 0 <= places[k, p] <= n:
                        raise ValueError(f"position {places[k, p]} in a sentence of {n}")
                with nogil:
                    at.look_between(places[2, p])
                    self.add(at, places[0, p], places[1, p], places[2, p], rows, True)
                    rows.nnz = 0
        return 0

    def block(self, const int32_t[:, ::1] codes, const int64_t[::1] starts, out=None):
        """The block of these sentences. out: for each arc of each sentence whether it is out."""
        return Places(self, codes, starts, out)

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

    cdef int all_places(self, Sentence at, const uint8_t *out, SparseRows rows) except -1 nogil:
        if self.kind == OF_ARCS:
            return self.all_arcs(at, out, rows)
        if self.kind == OF_SIBLINGS:
            return self.all_siblings(at, out, rows)
        if self.kind == OF_GRANDPARENTS:
            return self.all_grandparents(at, out, rows)
        return self.all_spans(at, rows)

    cdef int all_arcs(self, Sentence at, const uint8_t *out, SparseRows rows) except -1 nogil:
        cdef int64_t h, m
        for m in range(1, at.n + 1):
            at.look_between(m)
            rows.reserve_rows(at.n + 1)
            for h in range(at.n + 1):
                if h != m and not is_out(at, out, h, m):
                    self.add(at, h, h, m, rows, False)
                rows.end_row()
        return 0

    cdef int all_siblings(self, Sentence at, const uint8_t *out, SparseRows rows) except -1 nogil:
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
                            self.add(at, h, s, m, rows, False)
                        rows.end_row()
                        s += side
                    m += side
        return 0

    cdef int all_grandparents(self, Sentence at, const uint8_t *out, SparseRows rows) except -1 nogil:
        cdef int64_t h, g, m
        for m in range(1, at.n + 1):
            for h in range(at.n + 1):
                rows.reserve_rows(at.n + 1)
                if h == 0 or h == m or is_out(at, out, h, m):
                    rows.end_rows(at.n + 1)
                    continue
                for g in range(at.n + 1):
                    if g != h and g != m and not is_out(at, out, g, h):
                        self.add(at, h, g, m, rows, False)
                    rows.end_row()
        return 0

    cdef int all_spans(self, Sentence at, SparseRows rows) except -1 nogil:
        """Spans, or the points where they can be split."""
        cdef int64_t a, b, c
        for b in range(1, at.n + 1):
            at.look_between(b)
            for a in range(1, b + 1):
                rows.reserve_rows(at.n + 1)
                if self.kind == OF_SPANS:
                    self.add(at, a, a, b, rows, False)
                    rows.end_row()
                    continue
                for c in range(a + 1, b + 1):
                    self.add(at, a, c, b, rows, False)
                    rows.end_row()
        return 0

    cdef int add(self, Sentence at, int64_t a, int64_t c, int64_t b, SparseRows rows, bint grow) except -1 nogil:
        """The features of one place (c = a: none), behind those that are there."""
        cdef int t, column
        cdef int64_t third = at.n + 1 if c == a else c
        cdef bint same_side = self.kind == OF_GRANDPARENTS and (c > a) == (b > a)
        cdef uint64_t key, of_b, of_c, length = steps(a, b) | <uint64_t>same_side << 4, k, n = 0
        cdef uint32_t id
        cdef int64_t i
        cdef const uint64_t *of[ROLES]
        of[A_ROLE] = at.packed[A_ROLE] + a * self.n_templates
        of[B_ROLE] = at.packed[B_ROLE] + b * self.n_templates
        of[C_ROLE] = at.packed[C_ROLE] + third * self.n_templates
        for t in range(self.n_templates):
            key = of[A_ROLE][t]
            of_b = of[B_ROLE][t]
            of_c = of[C_ROLE][t]
            if key == NOT_THERE or of_b == NOT_THERE or of_c == NOT_THERE:
                continue
            key |= of_b | of_c
            if self.length[t] >= 0:
                key |= (length & SIDES if self.only_direction[t] else length) << self.length[t]
            if self.between[t] < 0:
                at.keys[n] = key
                n += 1
                continue
            column = self.parts[t][self.between[t]].column
            for i in range(at.n_between[column * at.room + a] if a != b else 0):
                at.keys[n] = key | <uint64_t>at.codes_between(column, a < b)[i] << self.parts[t][self.between[t]].shift
                n += 1
        rows.reserve(n)
        if not grow:
            n = self.sift(at.keys, n)
        elif self.once != NULL:
            n = self.look(at.keys, n)
        for k in range(n):
            prefetch(&self.table, at.keys[k])
        for k in range(n):
            id = find_exact(&self.table, at.keys[k])
            if grow:
                if id == NONE:
                    id = self.new(at.keys[k])
                    self.seen = <uint32_t *>larger(self.seen, &self.seen_size, self.n_keys, sizeof(uint32_t))
                    self.seen[id] = 0
                self.seen[id] += 1
            rows.indices[rows.nnz], rows.values[rows.nnz] = id, 1
            rows.nnz += id != NONE
        return 0

    cdef uint64_t look(self, uint64_t *keys, uint64_t n) noexcept nogil:
        """Mark what is seen, and what is seen again; or leave out what was not seen again."""
        cdef uint64_t k, bit, one, left = 0
        for k in range(n):
            bit = mixed(keys[k]) >> 16 & (LOOKED - 1)
            one = <uint64_t>1 << (bit & 63)
            if self.looking:
                self.twice[bit >> 6] |= self.once[bit >> 6] & one
                self.once[bit >> 6] |= one
            elif self.twice[bit >> 6] & one:
                keys[left] = keys[k]
                left += 1
        return left

    cdef uint64_t sift(self, uint64_t *keys, uint64_t n) noexcept nogil:
        """Leave out most of the keys of which there is no feature: their bits are in cache, the table is not."""
        cdef uint64_t k, bit, left = 0
        if self.maybe == NULL:
            return 0
        for k in range(n):
            bit = mixed(keys[k]) >> 16 & self.maybe_mask
            keys[left] = keys[k]
            left += self.maybe[bit >> 6] >> (bit & 63) & 1
        return left

    cdef int remember(self, uint64_t key) except -1 nogil:
        cdef uint64_t bit, k
        if 8 * self.n_keys > self.maybe_mask or self.maybe == NULL:
            free(self.maybe)
            self.maybe_mask = max(2 * self.maybe_mask + 1, <uint64_t>LEAST_BITS)
            self.maybe = <uint64_t *>calloc((self.maybe_mask + 1) // 64, sizeof(uint64_t))
            if self.maybe == NULL:
                with gil:
                    raise MemoryError("no memory for the features")
            for k in range(self.n_keys):
                bit = mixed(self.keys[k]) >> 16 & self.maybe_mask
                self.maybe[bit >> 6] |= <uint64_t>1 << (bit & 63)
        bit = mixed(key) >> 16 & self.maybe_mask
        self.maybe[bit >> 6] |= <uint64_t>1 << (bit & 63)
        return 0

    cdef uint32_t new(self, uint64_t key) except? 0xFFFFFFFE nogil:
        if self.n_keys >= <uint64_t>0x7FFFFFFF:
            with gil:
                raise MemoryError("too many features; use fewer templates")
        if 10 * self.table.count > 7 * self.table.mask:     # few look for what is not there: they are sifted out
            grow_table(&self.table)
        self.keys = <uint64_t *>larger(self.keys, &self.keys_size, self.n_keys + 1, sizeof(uint64_t))
        self.keys[self.n_keys] = key
        self.remember(key)
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

    def frequent(self, uint32_t least):
        """The same templates with those features only that were learned so often, in their order."""
        cdef Anchored small = Anchored(self.templates, self.n_codes, self.kind)
        cdef uint64_t i
        for i in range(self.n_keys):
            if self.seen[i] >= least:
                small.new(self.keys[i])
        return small

    def arrays(self):
        """All that a file needs beside the templates and the numbers of codes."""
        out = np.empty(self.n_keys, np.uint64)
        cdef uint64_t[::1] view = out
        cdef uint64_t i
        for i in range(self.n_keys):
            view[i] = self.keys[i]
        return {"keys": out}

    @staticmethod
    def from_arrays(templates, n_codes, const uint64_t[::1] keys, int kind=ARCS):
        """ValueError if these cannot be the features of such templates."""
        cdef Anchored self = Anchored(templates, n_codes, kind)
        cdef int64_t i
        reserve(&self.table, keys.shape[0])
        for i in range(keys.shape[0]):
            if keys[i] & ((1 << TEMPLATE_BITS) - 1) >= <uint64_t>self.n_templates or find_exact(&self.table, keys[i]) != NONE:
                raise ValueError(f"feature {i} is of no template, or there twice")
            self.new(keys[i])
        return self


cdef class Sentence:
    """One sentence: for each template what the codes around each token make of it, and room for the features of one arc."""
    cdef Anchored of
    cdef int64_t n
    cdef int64_t room               # positions, the root counted
    cdef uint64_t *packed[ROLES]    # [position, template]; NOT_THERE where a code is missing. Behind the last token: nobody
    cdef uint64_t *keys
    cdef int32_t *code              # [column, position]
    cdef uint8_t *seen              # [column, side, how many]: the different codes from m outwards
    cdef int64_t *n_between         # [column, h]: how many of them are between h and m

    def __init__(self, Anchored of):
        self.of = of

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

    cdef int fill(self, const int32_t *codes, int64_t stride, int64_t n) except -1 nogil:
        """codes: of the first token, columns `stride` apart."""
        cdef int k
        cdef int64_t i
        self.n = n
        self.make_room(n + 2)
        for k in range(self.of.n_columns):
            self.code[k * self.room] = ROOT
            for i in range(n):
                self.code[k * self.room + i + 1] = codes[k * stride + i] + OWN if codes[k * stride + i] >= 0 else -1
        self.pack()
        return 0

    cdef int make_room(self, int64_t positions) except -1 nogil:
        cdef int64_t room, T = max(self.of.n_templates, 1), C = max(self.of.n_columns, 1)
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
        if not enough or self.keys == NULL or self.code == NULL or self.seen == NULL or self.n_between == NULL:
            with gil:
                raise MemoryError("no memory for the features of one sentence")
        return 0

    cdef int32_t code_at(self, int column, int64_t i) noexcept nogil:
        return BEFORE if i < 0 else BEHIND if i > self.n else self.code[column * self.room + i]

    cdef void pack(self) noexcept nogil:
        cdef int t, q, role, T = self.of.n_templates
        cdef int64_t i
        cdef const Part *part
        cdef uint64_t *key
        cdef int32_t code
        for t in range(self.of.n_templates):
            for role in range(ROLES):
                for i in range(self.n + 2):
                    self.packed[role][i * T + t] = t if role == A_ROLE else 0
            for q in range(self.of.n_parts[t]):
                part = &self.of.parts[t][q]
                if part.who >= ROLES:
                    continue
                for i in range(self.n + 2):
                    key = self.packed[part.who] + i * T + t
                    code = self.code_at(part.column, i + part.offset) if i <= self.n else NOBODY
                    key[0] = key[0] | <uint64_t>code << part.shift if code >= 0 and key[0] != NOT_THERE else NOT_THERE

    cdef void look_between(self, int64_t m) noexcept nogil:
        """For each position how many different codes there are between it and m."""
        cdef int t, column
        for t in range(self.of.n_templates):
            if self.of.between[t] >= 0:
                column = self.of.parts[t][self.of.between[t]].column
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


cdef class Places(Lazy):
    """The places of some sentences."""
    cdef Anchored of
    cdef const int32_t[:, ::1] codes
    cdef const int64_t[::1] starts
    cdef const uint8_t[::1] arcs_out
    cdef const int64_t[::1] arcs_at         # of each sentence: its first arc

    def __init__(self, Anchored of, const int32_t[:, ::1] codes, const int64_t[::1] starts, out=None):
        of.check(codes, starts)
        if of.kind in (SIBLINGS, GRANDPARENTS, SPLITS) and any([who == BETWEEN for parts in of.templates for who, _, _ in parts]):
            raise ValueError("templates of three positions look at nothing between them")
        n = np.diff(np.asarray(starts))
        Lazy.__init__(self, ends(n_places(of.kind, n)), of.n_features)
        self.of, self.codes, self.starts = of, codes, starts
        self.arcs_at = ends(n_places(ARCS, n))
        if out is not None:
            if len(out) != self.arcs_at[self.arcs_at.shape[0] - 1]:
                raise ValueError(f"expected a flag for each of {self.arcs_at[self.arcs_at.shape[0] - 1]} arcs, found {len(out)}")
            self.arcs_out = out
            if of.kind == ARCS:
                self.x.out = &self.arcs_out[0] if len(out) else NULL

    cdef Maker maker(self):
        return PlaceMaker(self)

    def identity(self):
        parts = [self.codes, self.starts] + ([] if self.arcs_out is None else [self.arcs_out])
        return [np.asarray(part) for part in parts]


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
        self.at.fill(&self.block.codes[0, 0] + start if self.block.codes.shape[0] else NULL, self.block.codes.shape[1], n)
        self.block.of.all_places(self.at, out, self.rows)
        x.indptr = self.rows.indptr - self.block.x.places[i]
        x.indices = self.rows.indices
        x.values = self.rows.values
        return 0


def n_places(int kind, n):
    """How many places sentences of n tokens have."""
    spans = n * (n + 1) // 2
    if kind == SIBLINGS:
        return (n * (n + 1) * (n + 2) + (n - 1) * n * (n + 1)) // 6
    return {ARCS: n * (n + 1), GRANDPARENTS: n * (n + 1) ** 2, SPANS: spans, SPLITS: spans * (n - 1) // 3}[kind]


def ends(sizes):
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])


cdef inline bint is_out(Sentence at, const uint8_t *out, int64_t h, int64_t m) noexcept nogil:
    return out != NULL and out[(m - 1) * (at.n + 1) + h]


cdef uint64_t NOT_THERE = 0xFFFFFFFFFFFFFFFF


cdef int64_t before_it(const int32_t *heads, int64_t h, int64_t m) noexcept nogil:
    """The child of h that comes before m, going away from h; h itself if there is none."""
    cdef int64_t step = 1 if h > m else -1, s = m + step
    while s != h and heads[s - 1] != h:
        s += step
    return s


cdef inline uint64_t steps(int64_t a, int64_t b) noexcept nogil:
    """The side in the lowest bit, 1 where a comes first; above it how far: 1, 2, 3, 4, 5-6, 7-10, 11 and more; 0."""
    cdef int64_t length = b - a if a < b else a - b
    cdef uint64_t step = 7 if length == 0 else length - 1 if length <= 4 else 4 if length <= 6 else 5 if length <= 10 else 6
    return step << 1 | (a < b)


def length_name(int code, bint only_direction):
    """How people would say it: > to the right, < to the left, and how far; ^ where a third position is on the same side."""
    arrow = (">" if code & 1 else "<") + ("^" if code >> 4 else "")
    return arrow if only_direction else arrow + ("1", "2", "3", "4", "5-6", "7-10", "11+", "0")[code >> 1 & 7]
