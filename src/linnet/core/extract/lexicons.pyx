# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Hand-made features of a whole text: how many of its words are in a list, whether any is, how long it is."""

from libc.math cimport log
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from linnet.core.extract.tokens cimport Token, is_mark
from linnet.core.extract.vocabulary cimport NONE

_MODES = {"count": COUNT, "presence": PRESENCE, "log-length": LOG_LENGTH}


cdef class Lexicons:
    """Hand-made features, each given as (name, mode, words). A punctuation mark is looked for in the text, a word among its
    tokens."""

    def __init__(self, lexicons):
        cdef dict masks = {}
        cdef uint32_t column
        if len(lexicons) > MOST:
            raise ValueError(f"at most {MOST} hand-made features")
        for column, (_, mode, words) in enumerate(lexicons):
            self.mode[column] = _MODES[mode]
            for word in words:
                if len(word) == 1 and is_mark(ord(word)):
                    self.mark_columns[<uint8_t>ord(word)] |= 1 << column
                    self.has_marks = True
                else:
                    masks[word] = masks.get(word, 0) | 1 << column
        self.n = len(lexicons)
        if masks:
            self.words = Vocabulary()
            self.columns = <uint32_t *>malloc(len(masks) * sizeof(uint32_t))
            if self.columns == NULL:
                raise MemoryError("no memory for the lexicon")
            for word, mask in masks.items():
                self.columns[<uint32_t>self.words.add(word.encode())] = mask

    def __dealloc__(self):
        free(self.columns)

    cdef void count(self, Tokeniser tokeniser, const uint8_t *p, int64_t n, Tokens s, float *values) noexcept nogil:
        cdef uint64_t i
        cdef int64_t b
        cdef uint32_t id, column, mask
        cdef Token *t
        for column in range(self.n):
            values[column] = 0
        if self.words is not None:
            for i in range(s.n_tokens):
                t = &s.tokens[i]
                id = tokeniser.lowered_id(self.words, s, t)
                if id != NONE and t.mark != 1:
                    mask = self.columns[id]
                    for column in range(self.n):
                        values[column] += mask >> column & 1
        if self.has_marks:
            for b in range(n):
                mask = self.mark_columns[p[b]]
                if mask:
                    for column in range(self.n):
                        values[column] += mask >> column & 1
        for column in range(self.n):
            if self.mode[column] == PRESENCE:
                values[column] = 1 if values[column] else 0
            elif self.mode[column] == LOG_LENGTH:
                values[column] = log(<double>s.n_words) if s.n_words else 0
