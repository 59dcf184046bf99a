from libc.stdint cimport int64_t, uint8_t, uint64_t

from linnet.core.extract.tokens cimport Token, Tokens

cdef enum:
    MANY = 1 << 13      # pieces that are kept before they are looked up: their memory does not grow with the text

cdef class Pieces(Tokens):
    cdef Token *pieces
    cdef uint64_t pieces_size
    cdef uint64_t n_pieces
    cdef int look_up(self) except -1 nogil

cdef int within_words(Pieces s, int least, int most) except -1 nogil
cdef int across_words(Pieces s, const uint8_t *p, int64_t n, int least, int most, bint lower) except -1 nogil
