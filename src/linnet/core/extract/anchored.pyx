# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Features of two positions a and b of a sentence, and of a third, c: codes around each of them and between a and b, joined.

A template is a tuple of parts (who, column, offset). A part is the code of a column at a, b or c (each with an offset), or at each
of the tokens between a and b; or the side of a on which b is, or the side and the distance. The codes of a feature are packed into
one number, from which its name can be read:

    key(a, c, b) = template | codes of a | codes of c | codes of b | distance

so the codes of each token are packed once, and a place costs two ORs for each template and a look into the table of known
features. Position 0 of a sentence is the root; positions beyond the ends have a code of their own, and so has a c that is not
there.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from linnet.core.blocks cimport Lazy, Maker, Sparse
from linnet.core.buffers cimport SparseRows, larger
from linnet.core.extract.keys cimport Keys
from linnet.core.extract.tables cimport mixed
from linnet.core.extract.vocabulary cimport NONE

import numpy as np

cdef enum:
    TEMPLATE_BITS = 7       # the lowest bits of a key, which are the number of the template: MAX_TEMPLATES is 2^7
    LOOKED = 1 << 27        # number of bits of `once`, and of `twice`
    LENGTH_BITS = 5         # bits of a direction or length: 1 of the direction, 3 of the distance, 1 of the side of c
    SIDES = 17              # mask of the bits of a length that say a side, and not a distance
    # The first codes of each column have a meaning of their own.
    BEFORE = 0              # a position before the sentence
    BEHIND = 1              # a position after the sentence
    ROOT = 2                # the root
    NOBODY = 3              # a c that is not there
    OWN = 4                 # the first code of the values of the column

A, B, C, BETWEEN, DIRECTION, LENGTH = range(6)
ARCS, SIBLINGS, GRANDPARENTS, SPANS, SPLITS = range(5)


cdef class Anchored:
    """The features of places: which of them are known, and which a given place has."""

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
                self.mask[t][q] = (<uint64_t>1 << bits) - 1
                self.most[t][q] = self.mask[t][q] if who in (DIRECTION, LENGTH) else self.n_codes[column] + OWN - 1
                shift += bits
            if shift > 64:
                raise OverflowError(f"template {t} joins more values than fit into 64 bits: {shift}")
            self.n_bits[t] = shift
        self.keys = Keys()

    def __dealloc__(self):
        free(self.seen)

    @property
    def n_features(self):
        return self.keys.n

    def learn(self, codes, starts, heads, least=1):
        """Learn the features of these trees. `heads` has the number of each token's head in its sentence, 0 for the root.
        If `least` is above 1, most features that are seen only once are left out already; `frequent` leaves out the
        rest."""
        for _ in self.turns(least):
            self.learn_trees(codes, starts, heads)
        return self

    def turns(self, least):
        """Yield once for each pass over the data. If features seen once are to be left out, there are two passes: the
        first marks the hashes of keys that are seen, and seen again, so that the second can tell. Else there is one."""
        try:
            if least > 1:
                once, twice = (np.zeros(LOOKED // 64, np.uint64) for _ in range(2))
                self.point(once, twice)
                yield
                self.looking = False
            yield
        finally:                # after an error too: the marks are freed, and must not be used again
            self.once = self.twice = NULL
            self.looking = False

    cdef int point(self, uint64_t[::1] once, uint64_t[::1] twice) except -1:
        self.once, self.twice = &once[0], &twice[0]
        self.looking = True
        return 0

    cdef int learn_trees(self, const int32_t[:, ::1] codes, const int64_t[::1] starts, const int32_t[::1] heads) except -1:
        cdef int64_t i, m, n, h, c
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
                    self.see(at, h, c, m)
        return 0

    def learn_places(self, codes, starts, at_places, places, least=1):
        """Learn the features of these places. `at_places` cuts them into sentences; `places` has three rows, with a, c and
        b of all places, where c = a stands for no c."""
        for _ in self.turns(least):
            self.learn_given(codes, starts, at_places, places)
        return self

    cdef int learn_given(self, const int32_t[:, ::1] codes, const int64_t[::1] starts, const int64_t[::1] at_places,
                         const int32_t[:, ::1] places) except -1:
        cdef int64_t i, p, k, n
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
                    self.see(at, places[0, p], places[1, p], places[2, p])
        return 0

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

    cdef int add(self, Sentence at, int64_t a, int64_t c, int64_t b, SparseRows rows) except -1 nogil:
        """Add the features of one place to the current row; c = a says that there is no c."""
        cdef uint64_t k, n = self.make(at, a, c, b)
        rows.reserve(n)
        n = self.keys.known(at.keys, n, rows.indices + rows.nnz)
        for k in range(n):
            rows.values[rows.nnz + k] = 1
        rows.nnz += n
        return 0

    cdef int see(self, Sentence at, int64_t a, int64_t c, int64_t b) except -1 nogil:
        """Count the features of one place, and number those that are new."""
        cdef uint64_t k, n = self.make(at, a, c, b)
        cdef uint32_t id
        if self.once != NULL:
            n = self.look(at.keys, n)
        for k in range(n):
            id = self.keys.find(at.keys[k])
            if id == NONE:
                id = self.keys.add(at.keys[k])
            self.count(id)
        return 0

    cdef int count(self, uint32_t id) except -1 nogil:
        """Count a feature. Those that were restored, and not seen here, begin at 0."""
        cdef uint64_t had = self.n_counted
        if id >= had:
            self.seen = <uint32_t *>larger(self.seen, &self.seen_size, id + 1, sizeof(uint32_t))
            self.n_counted = id + 1
            memset(self.seen + had, 0, (self.n_counted - had) * sizeof(uint32_t))
        self.seen[id] += 1
        return 0

    cdef uint64_t make(self, Sentence at, int64_t a, int64_t c, int64_t b) noexcept nogil:
        """Write the keys of one place into at.keys, and return how many there are."""
        cdef int t, column
        cdef int64_t third = at.n + 1 if c == a else c
        cdef bint same_side = self.kind == OF_GRANDPARENTS and (c > a) == (b > a)
        cdef uint64_t key, of_b, of_c, length = steps(a, b) | <uint64_t>same_side << 4, n = 0
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
        return n

    cdef uint64_t look(self, uint64_t *keys, uint64_t n) noexcept nogil:
        """In the first pass, mark each key as seen or as seen again. In the second, keep only keys seen again, and return
        how many these are."""
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

    cdef bint possible(self, uint64_t key) noexcept nogil:
        """Whether each part of a key is a code of its column, and nothing is left beside them."""
        cdef int q, t = <int>(key & ((1 << TEMPLATE_BITS) - 1))
        for q in range(self.n_parts[t]):
            if key >> self.parts[t][q].shift & self.mask[t][q] > self.most[t][q]:
                return False
        return self.n_bits[t] == 64 or key >> self.n_bits[t] == 0

    def codes(self, uint64_t feature):
        """The template of a feature and the code of each of its parts, with lengths coded as `length_name` expects them."""
        cdef uint64_t key
        cdef int t, q, bits
        if feature >= self.keys.n:
            raise IndexError(feature)
        if self.named is None or len(self.named) != self.keys.n:
            self.named = self.keys.in_order()
        key = self.named[feature]
        t = <int>(key & ((1 << TEMPLATE_BITS) - 1))
        found = []
        for q in range(self.n_parts[t]):
            bits = LENGTH_BITS if self.parts[t][q].who in (DIRECTION, LENGTH) else self.bits[self.parts[t][q].column]
            found.append(int(key >> self.parts[t][q].shift & ((<uint64_t>1 << bits) - 1)))
        return t, found

    def frequent(self, uint32_t least):
        """A copy with only the features that were learned at least `least` times, in the same order."""
        cdef Anchored small = Anchored(self.templates, self.n_codes, self.kind)
        cdef const uint64_t[::1] keys = self.keys.in_order()
        cdef uint64_t i
        for i in range(self.keys.n):
            if i < self.n_counted and self.seen[i] >= least:
                small.keys.add(keys[i])
        return small

    def arrays(self):
        """Arrays for the model file: with the templates and the numbers of codes, all that is needed to restore the
        features."""
        return {"keys": self.keys.in_order()}

    def __reduce__(self):
        return Anchored.from_arrays, (self.templates, self.n_codes, self.keys.in_order(), self.kind)

    @staticmethod
    def from_arrays(templates, n_codes, const uint64_t[::1] keys, int kind=ARCS):
        """Restore features from `arrays()`. ValueError where they do not fit the templates."""
        cdef Anchored self = Anchored(templates, n_codes, kind)
        cdef int64_t i, n = keys.shape[0]
        for i in range(n):
            if keys[i] & ((1 << TEMPLATE_BITS) - 1) >= <uint64_t>self.n_templates:
                raise ValueError(f"feature {i} is of no template")
            if not self.possible(keys[i]):
                raise ValueError(f"feature {i} is made of codes that do not exist")
        i = self.keys.add_all(&keys[0], n) if n else -1
        if i >= 0:
            raise ValueError(f"feature {i} is there twice")
        return self


cdef class Sentence:
    """One sentence: the packed codes of each token for each template, and memory for the features of one place."""

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
        """Take in a sentence of n tokens. `codes` points to its first token in the first column; columns are `stride`
        apart."""
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
        """Count, for each position, the different codes that stand between it and m."""
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


# In the place of packed codes, where a token has no value in one of the columns.
cdef uint64_t NOT_THERE = 0xFFFFFFFFFFFFFFFF


cdef int64_t before_it(const int32_t *heads, int64_t h, int64_t m) noexcept nogil:
    """The sibling of m that stands next to it on the side of their head h; h itself if there is none."""
    cdef int64_t step = 1 if h > m else -1, s = m + step
    while s != h and heads[s - 1] != h:
        s += step
    return s


cdef inline uint64_t steps(int64_t a, int64_t b) noexcept nogil:
    """The direction and distance from a to b as a code: the lowest bit is 1 where a comes first, the bits above are the
    class of the distance, 1, 2, 3, 4, 5-6, 7-10, 11 and more; 0 where a = b."""
    cdef int64_t length = b - a if a < b else a - b
    cdef uint64_t step = 7 if length == 0 else length - 1 if length <= 4 else 4 if length <= 6 else 5 if length <= 10 else 6
    return step << 1 | (a < b)


def length_name(int code, bint only_direction):
    """A distance for people to read: > is to the right, < to the left, then how far; ^ says that a third position is on the
    same side."""
    arrow = (">" if code & 1 else "<") + ("^" if code >> 4 else "")
    return arrow if only_direction else arrow + ("1", "2", "3", "4", "5-6", "7-10", "11+", "0")[code >> 1 & 7]
