from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from linnet.core.buffers cimport SparseRows
from linnet.core.extract.keys cimport Keys

cdef enum:
    MAX_PARTS = 8
    MAX_TEMPLATES = 128
    MAX_COLUMNS = 64
    MOST_BETWEEN = 256      # most codes that a column may have whose tokens between a and b are looked at

    # The positions of a place, as numbers of `packed`.
    A_ROLE = 0
    B_ROLE = 1
    C_ROLE = 2
    ROLES = 3

    # The kinds of places (places.pyx).
    OF_ARCS = 0
    OF_SIBLINGS = 1
    OF_GRANDPARENTS = 2
    OF_SPANS = 3
    OF_SPLITS = 4

cdef struct Part:
    int who                 # A, B, C, BETWEEN, DIRECTION or LENGTH
    int column
    int offset
    int shift               # the bit of the key at which the code begins

cdef class Anchored:
    cdef readonly int kind
    cdef readonly list templates
    cdef readonly tuple n_codes             # number of codes of each column
    cdef int n_templates
    cdef int n_columns
    cdef int bits[MAX_COLUMNS]
    cdef uint64_t mask[MAX_TEMPLATES][MAX_PARTS]    # the bits of the code of each part, before they are shifted
    cdef uint64_t most[MAX_TEMPLATES][MAX_PARTS]    # the largest code of each part
    cdef int n_bits[MAX_TEMPLATES]                  # the number of bits of a key of each template
    cdef Part parts[MAX_TEMPLATES][MAX_PARTS]
    cdef int n_parts[MAX_TEMPLATES]
    cdef int between[MAX_TEMPLATES]         # the part of each template that looks at the tokens between a and b, -1 for none
    cdef int length[MAX_TEMPLATES]          # the bit of a key where the length or direction begins, -1 for none
    cdef bint only_direction[MAX_TEMPLATES]
    cdef Keys keys                          # the key and the number of each feature
    cdef object named                       # all keys in the order of their features, made when the first name is asked for
    cdef uint64_t *once                     # while learning: one bit for each key seen, and in `twice` one for each key seen again
    cdef uint64_t *twice
    cdef bint looking
    cdef uint32_t *seen                     # how often each feature was learned
    cdef uint64_t seen_size

    cdef bint possible(self, uint64_t key) noexcept nogil
    cdef int point(self, uint64_t[::1] once, uint64_t[::1] twice) except -1
    cdef int learn_trees(self, const int32_t[:, ::1] codes, const int64_t[::1] starts, const int32_t[::1] heads) except -1
    cdef int learn_given(self, const int32_t[:, ::1] codes, const int64_t[::1] starts, const int64_t[::1] at_places,
                         const int32_t[:, ::1] places) except -1
    cdef int add(self, Sentence at, int64_t a, int64_t c, int64_t b, SparseRows rows) except -1 nogil
    cdef uint64_t n_counted         # features whose counts are there, of those from 0 on
    cdef int count(self, uint32_t id) except -1 nogil
    cdef int see(self, Sentence at, int64_t a, int64_t c, int64_t b) except -1 nogil
    cdef uint64_t make(self, Sentence at, int64_t a, int64_t c, int64_t b) noexcept nogil
    cdef uint64_t look(self, uint64_t *keys, uint64_t n) noexcept nogil

cdef class Sentence:
    cdef Anchored of
    cdef int64_t n
    cdef int64_t room               # number of positions that there is memory for, the root counted
    cdef uint64_t *packed[ROLES]    # [position, template]: packed codes, or NOT_THERE; the last row is for a missing token
    cdef uint64_t *keys
    cdef int32_t *code              # [column, position]: the code of each position
    cdef uint8_t *seen              # [column, side, k]: the k-th different code that is met going outwards from m
    cdef int64_t *n_between         # [column, h]: how many of those codes stand between h and m

    cdef void release(self) noexcept nogil
    cdef const uint8_t *codes_between(self, int column, bint left) noexcept nogil
    cdef int fill(self, const int32_t *codes, int64_t stride, int64_t n) except -1 nogil
    cdef int make_room(self, int64_t positions) except -1 nogil
    cdef int32_t code_at(self, int column, int64_t i) noexcept nogil
    cdef void pack(self) noexcept nogil
    cdef void look_between(self, int64_t m) noexcept nogil
    cdef void look(self, int column, int64_t m, int step) noexcept nogil
