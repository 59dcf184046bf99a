from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from linnet.core.extract.tokens cimport Tokeniser, Tokens
from linnet.core.extract.vocabulary cimport Vocabulary

cdef enum:
    MOST = 32           # the most hand-made features: each is a bit of a mask of 32 bits

cdef enum Mode:
    COUNT = 0           # how often the text has an entry of the list
    PRESENCE = 1        # 1 where the text has an entry of the list, else 0
    LOG_LENGTH = 2      # the logarithm of the number of words and marks of the text
    UNKNOWN = 3         # the number of words that are no features

# An entry that is more than one word.
cdef struct Entry:
    uint32_t at         # where it starts in `Lexicons.text`
    uint32_t length
    uint32_t mask       # the features that count it, as bits
    int32_t next        # the next entry with the same first word or mark, -1 after the last

cdef class Lexicons:
    cdef uint32_t n
    cdef int unknown                    # the feature that counts unknown words, or -1
    cdef Mode mode[MOST]
    cdef Vocabulary words               # single words, and the first words of longer entries
    cdef uint32_t *masks                # for each word, the features that count it, as bits
    cdef int32_t *first                 # for each word, the first of the longer entries that begin with it, or -1
    cdef int32_t first_of_mark[256]     # for each byte, the first of the entries that begin with a mark that begins with it
    cdef Entry *longer
    cdef bytes text                     # the letters of all longer entries
    cdef const uint8_t *letters         # the same, for loops without the interpreter
    cdef bint has_marks

    cdef void count(self, Tokeniser tokeniser, const uint8_t *p, int64_t n, Tokens s, float *values) noexcept nogil
    cdef void count_marks(self, const uint8_t *p, int64_t n, int64_t begin, int64_t end, int64_t *ends,
                          float *values) noexcept nogil
    cdef void count_longer(self, int32_t entry, const uint8_t *p, int64_t n, int64_t start, int64_t *ends,
                           float *values) noexcept nogil
    cdef void add(self, uint32_t mask, int64_t start, int64_t end, int64_t *ends, float *values) noexcept nogil
    cdef int64_t end_of(self, const Entry *entry, const uint8_t *p, int64_t n, int64_t start) noexcept nogil
