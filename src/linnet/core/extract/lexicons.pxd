from libc.stdint cimport int64_t, uint8_t, uint32_t

from linnet.core.extract.tokens cimport Tokeniser, Tokens
from linnet.core.extract.vocabulary cimport Vocabulary

cdef enum:
    MOST = 32

cdef enum Mode:
    COUNT = 0
    PRESENCE = 1
    LOG_LENGTH = 2

cdef class Lexicons:
    cdef uint32_t n
    cdef Mode mode[MOST]
    cdef Vocabulary words
    cdef uint32_t *columns              # for each word, the features that count it, as bits
    cdef uint32_t mark_columns[256]
    cdef bint has_marks

    cdef void count(self, Tokeniser tokeniser, const uint8_t *p, int64_t n, Tokens s, float *values) noexcept nogil
