from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from linnet.core.extract.vocabulary cimport Vocabulary

cdef struct Token:
    uint64_t key
    uint32_t at         # where the token starts in the buffer
    uint32_t length
    uint32_t start      # where the token starts in the document
    uint32_t end
    uint32_t mark       # 1 for a punctuation mark, 2 for a word right after one, else 0

cdef class Tokens:
    cdef uint8_t *buffer
    cdef uint64_t buffer_size
    cdef uint64_t end               # number of bytes of the buffer that are used
    cdef Token *tokens
    cdef uint64_t tokens_size
    cdef uint64_t n_tokens
    cdef uint8_t *word              # a bit for each byte of the text that belongs to a word of ASCII
    cdef uint64_t word_size
    cdef uint8_t *dark              # a bit for each byte of the text that is no blank of ASCII
    cdef uint64_t dark_size

cdef class Tokeniser:
    cdef readonly bint lower
    cdef bint punctuation
    cdef bint position
    cdef Vocabulary negations
    cdef int tokenise(self, const uint8_t *p, int64_t n, int room, Tokens s) except -1 nogil
    cdef int64_t unusual(self, const uint8_t *p, int64_t start, int64_t n, Tokens s, Token **at, uint32_t *after_mark,
                         int64_t *word_end) noexcept nogil
    cdef int64_t copy_word(self, const uint8_t *p, int64_t i, int64_t n, uint8_t **to) noexcept nogil
    cdef uint32_t lowered_id(self, Vocabulary words, Tokens s, const Token *t) noexcept nogil
    cdef void mark(self, const uint8_t *p, Tokens s) noexcept nogil
    cdef void mark_negation(self, const uint8_t *p, Tokens s) noexcept nogil
    cdef void mark_position(self, Tokens s) noexcept nogil

cdef void shape(Tokens s) noexcept nogil
cdef bint starts_word(const uint8_t *p, int64_t left) noexcept nogil
cdef uint64_t length_of(const uint8_t *p, int64_t n) noexcept nogil
