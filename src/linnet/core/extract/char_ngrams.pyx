# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""N-grams of characters: within each word, or across the whole text."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from linnet.core.buffers cimport larger
from linnet.core.extract.tokens cimport Token
from linnet.core.extract.scripts cimport is_unspaced
from linnet.core.extract.utf8 cimport Py_UNICODE_ISSPACE, Py_UNICODE_TOLOWER, after, decode, encode
from linnet.core.extract.vocabulary cimport ACROSS, CHARS, string_key


cdef class Pieces(Tokens):
    """The tokens of one document, and the pieces that they were cut into, at most MANY at a time. The object is reused, so that
    cutting allocates nothing."""

    def __dealloc__(self):
        free(self.pieces)

    cdef int look_up(self) except -1 nogil:
        """Look up the pieces and forget them, to make room for others."""
        self.n_pieces = 0
        return 0


cdef int within_words(Pieces s, int least, int most) except -1 nogil:
    """Cut the n-grams of characters out of ` word `, for each word; a word shorter than n counts once, whole. Characters of a
    script without blanks that follow each other count as one word."""
    cdef uint64_t i = 0
    cdef const Token *last
    cdef uint32_t length, a, b, k
    cdef int order
    cdef Token *t
    cdef uint8_t *word
    make_room(s)
    while i < s.n_tokens:
        t = &s.tokens[i]
        i = end_of_run(s, i)
        last = &s.tokens[i - 1]
        length = last.at + last.length - t.at + 2
        word = s.buffer + s.end
        word[0] = 32
        memcpy(word + 1, s.buffer + t.at, length - 2)
        word[length - 1] = 32
        s.end += length
        for order in range(least, most + 1):
            a = 0
            b = 0
            for k in range(order):
                if b < length:
                    b = after(word, b, length)
            while True:
                add_piece(s, word, a, b, CHARS, t.start + (a - 1 if a else 0),
                          t.start + (b - 1 if b < length else length - 2))
                if b >= length:
                    break
                a = after(word, a, length)
                b = after(word, b, length)
            if a == 0:          # the whole word was one piece, as it would be for each larger n
                break
    return s.look_up()


cdef uint64_t end_of_run(Tokens s, uint64_t i) noexcept nogil:
    """The number of the first token after the run of characters of a script without blanks that begins with token
    i. Where token i is a word, that is i + 1."""
    cdef uint64_t end = i + 1
    if starts_unspaced(s, i):
        while end < s.n_tokens and s.tokens[end].start == s.tokens[end - 1].end and starts_unspaced(s, end):
            end += 1
    return end


cdef inline bint starts_unspaced(Tokens s, uint64_t i) noexcept nogil:
    cdef uint32_t ch
    decode(s.buffer + s.tokens[i].at, s.tokens[i].length, &ch)
    return is_unspaced(ch)


cdef int across_words(Pieces s, const uint8_t *p, int64_t n, int least, int most, bint lower) except -1 nogil:
    """Cut the n-grams of characters out of the whole text, with white space folded into one space."""
    cdef uint8_t *text = s.buffer + s.end
    cdef int64_t i = 0
    cdef uint32_t length = 0, ch, a, b, k
    cdef int width, order
    cdef bint space = False
    make_room(s)
    while i < n:
        width = decode(p + i, n - i, &ch)
        i += width
        if Py_UNICODE_ISSPACE(ch):
            if not space:
                text[length] = 32
                length += 1
            space = True
        else:
            length += encode(Py_UNICODE_TOLOWER(ch) if lower else ch, text + length)
            space = False
    s.end += length
    for order in range(least, most + 1):
        a = 0
        b = 0
        for k in range(order):
            if b >= length:
                break
            b = after(text, b, length)
        else:
            while True:
                add_piece(s, text, a, b, ACROSS, 0, 0)
                if b >= length:
                    break
                a = after(text, a, length)
                b = after(text, b, length)
    return s.look_up()


cdef int make_room(Pieces s) except -1 nogil:
    s.pieces = <Token *>larger(s.pieces, &s.pieces_size, MANY, sizeof(Token))
    s.n_pieces = 0
    return 0


cdef inline int add_piece(Pieces s, const uint8_t *text, uint32_t a, uint32_t b, uint32_t kind, uint32_t start,
                          uint32_t end) except -1 nogil:
    cdef Token *piece
    if s.n_pieces == MANY:
        s.look_up()
    piece = &s.pieces[s.n_pieces]
    piece.at = <uint32_t>(text + a - s.buffer)
    piece.length = b - a
    piece.key = string_key(text + a, b - a, kind)
    piece.start = start
    piece.end = end
    s.n_pieces += 1
    return 0
