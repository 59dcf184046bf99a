cimport cython
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from linnet.core.buffers cimport SparseRows
from linnet.core.extract.char_ngrams cimport Pieces
from linnet.core.extract.lexicons cimport MOST, Lexicons
from linnet.core.extract.tokens cimport Token, Tokeniser
from linnet.core.extract.vocabulary cimport Vocabulary

cdef struct Span:
    uint32_t start
    uint32_t end

cdef class Analyser

@cython.final
cdef class Scratch(Pieces):
    cdef Analyser analyser          # who reads the document, whether its features may be new, and the row that gets them
    cdef bint grow
    cdef SparseRows rows
    cdef uint32_t *words
    cdef uint64_t words_size
    cdef uint32_t *grams
    cdef uint64_t grams_size
    cdef uint32_t *openings
    cdef uint64_t openings_size
    cdef uint32_t *ids
    cdef Span *spans
    cdef uint64_t ids_size
    cdef uint64_t spans_size
    cdef uint64_t n_ids
    cdef uint32_t *last
    cdef uint64_t last_size
    cdef uint32_t n_distinct        # how many features the current row has so far
    cdef uint64_t base              # `last` and `base` say which ids the current row has already: see Analyser.fold
    cdef const char *next[2]        # tables that the features of a row are looked up in next; NULL where there is none
    cdef uint64_t next_size[2]      # number of bytes of a row of each
    cdef float handmade[MOST]
    cdef bint spanned
    cdef uint8_t *plain             # the text without its markup, and the place in the text of each byte
    cdef uint64_t plain_size
    cdef uint32_t *origin
    cdef uint64_t origin_size
    cdef int reserve(self, uint64_t n_ids) except -1 nogil
    cdef int64_t strip(self, const uint8_t *p, int64_t n) except -1 nogil
    cdef void emit(self, uint32_t id, uint32_t start, uint32_t end) noexcept nogil

@cython.final
cdef class Analyser:
    cdef readonly Vocabulary vocabulary
    cdef readonly int hash_bits
    cdef int words_from, words_to, chars_from, chars_to, across_from, across_to
    cdef int start_from, start_to, skip_from, skip_to, shapes_from, shapes_to
    cdef Tokeniser tokeniser
    cdef Tokeniser cased
    cdef Lexicons lexicons
    cdef list idle          # buffers that nobody uses now
    cdef uint32_t handmade[MOST]
    cdef bint markup
    cdef bint sequence
    cdef int room           # bytes of buffer for each byte of text
    cdef int64_t per_token  # about how many features a token has
    cdef int64_t per_word   # the most features of words for each word, where each half of a pair counts
    cdef tuple lent(self)
    cdef void give_back(self, Scratch scratch, SparseRows rows)
    cdef uint32_t hashed(self, uint64_t key) noexcept nogil
    cdef uint64_t n_ids(self) noexcept nogil
    cdef uint32_t gram_id(self, uint32_t shorter, uint32_t word, bint grow) except? 0xFFFFFFFE nogil
    cdef uint32_t string_id(self, const Token *t, const uint8_t *buffer, bint grow) except? 0xFFFFFFFE nogil
    cdef int row(self, const uint8_t *p, int64_t n, bint grow, Scratch s, SparseRows rows) except -1 nogil
    cdef int document(self, const uint8_t *p, int64_t n, bint grow, Scratch s) except -1 nogil
    cdef int special_document(self, const uint8_t *p, int64_t n, bint grow, Scratch s) except -1 with gil
    cdef int shapes(self, const uint8_t *p, int64_t n, bint grow, Scratch s) except -1 nogil
    cdef int lowered_document(self, const uint8_t *p, int64_t n, bint grow, Scratch s) except -1 nogil
    cdef int find_strings(self, Scratch s, bint grow) except -1 nogil
    cdef int find_grams(self, Scratch s, int least, int most, bint grow) except -1 nogil
    cdef int longer_grams(self, uint32_t *grams, const uint32_t *words, int64_t n, bint grow) except -1 nogil
    cdef void count_unknown(self, Scratch s) noexcept nogil
    cdef int find_start(self, Scratch s, bint grow) except -1 nogil
    cdef int find_skips(self, Scratch s, bint grow) except -1 nogil
    cdef uint32_t opening_id(self, Scratch s, int64_t i, uint32_t kind, bint grow) except? 0xFFFFFFFE nogil
    cdef void emit_grams(self, Scratch s, const uint32_t *ids, int order) noexcept nogil
    cdef void hash_words(self, Scratch s) noexcept nogil
    cdef int find_pieces(self, Scratch s, bint grow) except -1 nogil
    cdef int line_up(self, Scratch s, SparseRows rows) except -1 nogil
    cdef void begin_row(self, Scratch s) noexcept nogil
    cdef int fold(self, Scratch s, SparseRows rows) except -1 nogil
    cdef int make_room(self, Scratch s, uint64_t more) except -1 nogil
    cdef int fold_some(self, Scratch s, SparseRows rows) except -1 nogil
