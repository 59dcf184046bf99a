# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Bytes to tokens: lower-cased into a buffer, each with its key and its place in the text.

A word is a run of `\\w` as Python's `re` sees it, by CPython's own tables. With `punctuation`, every other character that is
not white space is a token too, and the ending after an apostrophe (`'t`, `'s`) is a token of its own. Where a script has no blanks
between words, each character is a token (scripts.pxd), so that n-grams of tokens are n-grams of characters.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memmove

from linnet.core.buffers cimport larger
from linnet.core.extract.scripts cimport is_unspaced
from linnet.core.extract.utf8 cimport (
    Py_UNICODE_ISALNUM, Py_UNICODE_ISDECIMAL, Py_UNICODE_ISSPACE, Py_UNICODE_ISUPPER, Py_UNICODE_TOLOWER, decode, encode, is_letter,
)
from linnet.core.extract.vocabulary cimport MAX_LENGTH, NONE, SHAPE, WORD, Vocabulary, linnet_load64, string_key

cdef extern from "characters.h" nogil:
    enum: LINNET_BITS
    uint64_t linnet_bits(const uint8_t *bits, int64_t i)
    void linnet_classify(const uint8_t *p, int64_t n, uint8_t *lowered, uint8_t *word, uint8_t *dark, bint lower)
    int linnet_ctz "__builtin_ctzll" (uint64_t x)

cdef enum Class:
    SPACE = 0
    LETTER = 1      # a character of words: a letter, a digit or _
    MARK = 2
    WIDE = 3        # a byte above 127, of a character that has to be decoded

cdef enum:
    APOSTROPHE = 39
    HYPHEN = 45
    TYPOGRAPHIC_APOSTROPHE = 0x2019

cdef uint8_t CLASS[256]


cdef void fill_classes() noexcept:
    cdef int c
    for c in range(256):
        if c >= 128:
            CLASS[c] = WIDE
        elif is_letter(c):
            CLASS[c] = LETTER
        elif Py_UNICODE_ISSPACE(c):
            CLASS[c] = SPACE
        else:
            CLASS[c] = MARK

fill_classes()


cdef class Tokens:
    """The tokens of one document. The object is reused, so that reading allocates nothing."""

    def __dealloc__(self):
        free(self.buffer)
        free(self.tokens)
        free(self.word)
        free(self.dark)


cdef class Tokeniser:
    """Cuts text into tokens. `negations` are words after which every word up to the next punctuation mark becomes NOT_word."""

    def __init__(self, *, bint lower=True, bint punctuation=False, negations=(), bint position=False):
        self.lower = lower
        self.punctuation = punctuation
        self.position = position
        if negations:
            self.negations = Vocabulary()
            for word in negations:
                self.negations.add(word.encode())

    cdef int tokenise(self, const uint8_t *p, int64_t n, int room, Tokens s) except -1 nogil:
        """Fill the buffer and the list of tokens. The buffer begins with the text itself, with A-Z in lower case if
        `lower`, where most tokens stand as they are; those with other letters are written after it. There it gets
        `room` bytes for each byte of text.

        A token begins at each byte that begins a run of letters and at each other byte that is no blank, unless a token before it has
        taken that byte. So where one begins does not depend on where the last one ended, which the processor would have to wait for."""
        cdef int64_t block, start, end, done = 0, word_end = -1
        cdef Token *token
        cdef uint32_t after_mark = 0
        cdef uint64_t words, before = 0, starts
        s.buffer = <uint8_t *>larger(s.buffer, &s.buffer_size, (room + 1) * n + 128, 1)
        s.tokens = <Token *>larger(s.tokens, &s.tokens_size, n + 1, sizeof(Token))
        s.word = <uint8_t *>larger(s.word, &s.word_size, n // 8 + 32, 1)
        s.dark = <uint8_t *>larger(s.dark, &s.dark_size, n // 8 + 32, 1)
        linnet_classify(p, n, s.buffer, s.word, s.dark, self.lower)
        s.end = n + 32
        token = s.tokens
        for block in range((n + 63) // 64):
            words = linnet_load64(s.word + 8 * block)
            # A byte begins nothing if it is a blank, or if it and the byte before it are letters.
            starts = linnet_load64(s.dark + 8 * block) & ~(words & (words << 1 | before))
            before = words >> 63
            while starts:
                start = 64 * block + linnet_ctz(starts)
                starts &= starts - 1
                if start < done:
                    continue
                if CLASS[p[start]] == LETTER:
                    # The word ends at the first bit that is 0; LINNET_BITS says that it is longer than the bits that
                    # are known.
                    end = start + linnet_ctz(~linnet_bits(s.word, start) | <uint64_t>1 << LINNET_BITS)
                    if end - start < LINNET_BITS and (end == n or p[end] < 128):
                        end_token(s, token, s.buffer + start, s.buffer + end, start, end, after_mark)
                        token += 1
                        after_mark = 0
                        word_end = end
                        continue
                elif p[start] < 128 and p[start] != APOSTROPHE:
                    after_mark = 2
                    if self.punctuation:
                        end_token(s, token, s.buffer + start, s.buffer + start + 1, start, start + 1, 1)
                        token += 1
                    continue
                done = self.unusual(p, start, n, s, &token, &after_mark, &word_end)
        s.n_tokens = token - s.tokens
        return 0

    cdef int64_t unusual(self, const uint8_t *p, int64_t start, int64_t n, Tokens s, Token **at, uint32_t *after_mark,
                         int64_t *word_end) noexcept nogil:
        """Read a token that is not of ASCII alone, begins with an apostrophe, or is very long, and return where it
        ends."""
        cdef uint8_t *begin = s.buffer + s.end
        cdef uint8_t *out = begin
        cdef uint32_t ch
        cdef int width = decode(p + start, n - start, &ch)
        cdef int64_t end = start + width
        if is_unspaced(ch):
            memcpy(out, p + start, width)
            out += width
        elif ch == APOSTROPHE or ch == TYPOGRAPHIC_APOSTROPHE:
            out[0] = APOSTROPHE
            out += 1
            if not (self.punctuation and word_end[0] == start and end < n and starts_word(p + end, n - end)):
                if self.punctuation:
                    add_token(s, at, begin, out, start, end, 0)
                return end
            end = word_end[0] = self.copy_word(p, end, n, &out)
        elif is_letter(ch):
            end = word_end[0] = self.copy_word(p, start, n, &out)
        elif Py_UNICODE_ISSPACE(ch):
            return end
        else:
            after_mark[0] = 2
            if self.punctuation:
                memcpy(out, p + start, width)
                add_token(s, at, begin, out + width, start, end, 1)
            return end
        add_token(s, at, begin, out, start, end, after_mark[0])
        after_mark[0] = 0
        return end

    cdef int64_t copy_word(self, const uint8_t *p, int64_t i, int64_t n, uint8_t **to) noexcept nogil:
        """Write the word that begins at i, whatever its letters are, and return where it ends."""
        cdef uint8_t *out = to[0]
        cdef uint32_t ch
        cdef int width
        while i < n:
            width = decode(p + i, n - i, &ch)
            if not is_letter(ch) or is_unspaced(ch):
                break
            out += encode(Py_UNICODE_TOLOWER(ch) if self.lower else ch, out)
            i += width
        to[0] = out
        return i

    cdef void mark(self, const uint8_t *p, Tokens s) noexcept nogil:
        if self.negations is not None:
            self.mark_negation(p, s)
        if self.position:
            self.mark_position(s)

    cdef void mark_negation(self, const uint8_t *p, Tokens s) noexcept nogil:
        """Put NOT_ before every word from a negation up to the next punctuation mark (Das and Chen 2001)."""
        cdef uint64_t i
        cdef uint8_t *out = s.buffer + s.end
        cdef Token *t
        cdef bint negated = False, negation
        for i in range(s.n_tokens):
            t = &s.tokens[i]
            if t.mark:
                negated = False
            if t.mark == 1:
                continue
            negation = self.lowered_id(self.negations, s, t) != NONE
            # The t of n't (116 is t) is a negation, too.
            if not negation and t.length == 1 and s.buffer[t.at] == 116 and t.start and after_apostrophe(p, t.start):
                negation = True
            if negated and not negation:
                memcpy(out, <const char *>b"NOT_", 4)
                memcpy(out + 4, s.buffer + t.at, t.length)
                move_token(s, t, out, t.length + 4)
                out += t.length
            negated = negated or negation
        s.end = out - s.buffer

    cdef uint32_t lowered_id(self, Vocabulary words, Tokens s, const Token *t) noexcept nogil:
        """The id of a token among words in lower case. Where case is kept, the token is lower-cased into the free end of
        the buffer."""
        cdef uint8_t *out = s.buffer + s.end
        cdef uint32_t i = 0, length = 0, ch
        if self.lower:
            return words.find_string(t.key, s.buffer + t.at, t.length)
        while i < t.length:
            i += decode(s.buffer + t.at + i, t.length - i, &ch)
            length += encode(Py_UNICODE_TOLOWER(ch), out + length)
        length = min(length, <uint32_t>MAX_LENGTH)
        return words.find_string(string_key(out, length, WORD), out, length)

    cdef void mark_position(self, Tokens s) noexcept nogil:
        """Put @1 to @4 after every word: the quarter of the document in which it stands."""
        cdef uint64_t i
        cdef uint8_t *out = s.buffer + s.end
        cdef Token *t
        for i in range(s.n_tokens):
            t = &s.tokens[i]
            memcpy(out, s.buffer + t.at, t.length)
            out[t.length] = 64                                              # @
            out[t.length + 1] = <uint8_t>(49 + 4 * i // s.n_tokens)         # 1 to 4
            move_token(s, t, out, t.length + 2)
            out += t.length
        s.end = out - s.buffer


cdef inline void add_token(Tokens s, Token **at, uint8_t *begin, uint8_t *out, int64_t start, int64_t end,
                           uint32_t mark) noexcept nogil:
    """Add a token that has been written into the buffer after the text."""
    end_token(s, at[0], begin, out, start, end, mark)
    at[0] += 1
    s.end = out - s.buffer


cdef inline void end_token(Tokens s, Token *t, uint8_t *begin, uint8_t *out, int64_t start, int64_t end,
                           uint32_t mark) noexcept nogil:
    t.at = <uint32_t>(begin - s.buffer)
    t.length = min(<uint32_t>(out - begin), <uint32_t>MAX_LENGTH)
    t.key = string_key(begin, t.length, WORD)
    t.start = <uint32_t>start
    t.end = <uint32_t>end
    t.mark = mark


cdef inline void move_token(Tokens s, Token *t, uint8_t *to, uint32_t length) noexcept nogil:
    t.at = <uint32_t>(to - s.buffer)
    t.length = min(length, <uint32_t>MAX_LENGTH)
    t.key = string_key(to, t.length, WORD)


cdef inline bint after_apostrophe(const uint8_t *p, uint32_t start) noexcept nogil:
    return p[start - 1] == APOSTROPHE or (start >= 3 and p[start - 3] == 0xE2 and p[start - 2] == 0x80
                                          and p[start - 1] == 0x99)


cdef bint starts_word(const uint8_t *p, int64_t left) noexcept nogil:
    """Whether a word with blanks or marks around it begins here, or goes on."""
    cdef uint32_t ch
    if CLASS[p[0]] != WIDE:
        return CLASS[p[0]] == LETTER
    decode(p, left, &ch)
    return is_letter(ch) and not is_unspaced(ch)


cdef uint64_t length_of(const uint8_t *p, int64_t n) noexcept nogil:
    """The number of words and marks of a text as people count them: words with a hyphen or an apostrophe inside are one."""
    cdef uint64_t length = 0
    cdef int64_t i = 0
    cdef uint32_t ch
    cdef int kind
    cdef bint inside = False, joins
    while i < n:
        kind = CLASS[p[i]]
        if kind == WIDE:
            i += decode(p + i, n - i, &ch)
            kind = LETTER if is_letter(ch) and not is_unspaced(ch) else SPACE if Py_UNICODE_ISSPACE(ch) else MARK
        else:
            ch = p[i]
            i += 1
        if kind == SPACE:
            inside = False
        elif kind == LETTER:
            length += not inside
            inside = True
        else:
            joins = ch == HYPHEN or ch == APOSTROPHE or ch == TYPOGRAPHIC_APOSTROPHE
            inside = inside and joins and i < n and starts_word(p + i, n - i)
            length += not inside
    return length


cdef void shape(Tokens s) noexcept nogil:
    """Replace every token by its shape: X for upper case, d for a digit, x for other letters, each run of them once.
    Punctuation marks are kept as they are."""
    cdef uint64_t i
    cdef uint32_t k, length, ch, letter, before
    cdef int width
    cdef uint8_t *text
    cdef Token *t
    for i in range(s.n_tokens):
        t = &s.tokens[i]
        text = s.buffer + t.at
        k = length = before = 0
        while k < t.length:
            width = decode(text + k, t.length - k, &ch)
            letter = 0
            if Py_UNICODE_ISUPPER(ch):
                letter = c'X'
            elif Py_UNICODE_ISDECIMAL(ch):
                letter = c'd'
            elif Py_UNICODE_ISALNUM(ch):
                letter = c'x'
            if not letter:
                memmove(text + length, text + k, width)
                length += width
            elif letter != before:
                text[length] = letter
                length += 1
            before = letter
            k += width
        t.length = length
        t.key = string_key(text, length, SHAPE)
