# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Text to sparse rows, in place: UTF-8 bytes from an Arrow column in, feature ids and counts out.

One document goes through four short loops, each of which asks for the memory that it will need some steps ahead:

1. bytes to tokens: lower-cased into a buffer, each with its key;
2. tokens to word ids, then n-grams from (n-1)-grams, then pieces of words;
3. ids to places in the row: an id seen before in this document raises its count;
4. hand-made features of the whole document.

A word is a run of `\\w` as Python's `re` sees it, by CPython's own tables. With `punctuation`, every other character that is
not white space is a token too, and the ending after an apostrophe (`'t`, `'s`) is a token of its own.
"""

from cpython.buffer cimport PyBuffer_FillInfo
from libc.math cimport log
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcpy, memset

from linnet.core.vocabulary cimport (
    ACROSS, CHARS, HANDMADE, LINNET_AHEAD, NONE, WORD, Vocabulary, find_exact, is_exact, linnet_larger, linnet_prefetch, mixed,
    prefetch, string_key,
)

import numpy as np
import pyarrow as pa

cdef extern from "Python.h" nogil:
    int Py_UNICODE_ISALNUM(uint32_t ch)
    int Py_UNICODE_ISSPACE(uint32_t ch)
    uint32_t Py_UNICODE_TOLOWER(uint32_t ch)

cdef enum Class:
    SPACE = 0
    LETTER = 1
    MARK = 2
    WIDE = 3

cdef enum Mode:
    COUNT = 0
    PRESENCE = 1
    LOG_LENGTH = 2

cdef enum:
    APOSTROPHE = 39

cdef uint8_t CLASS[256]
cdef uint8_t LOWER[256]
cdef uint8_t SAME[256]


cdef void fill_tables() noexcept:
    cdef int c
    for c in range(256):
        LOWER[c] = c
        SAME[c] = c
        if c >= 128:
            CLASS[c] = WIDE
        elif Py_UNICODE_ISALNUM(c) or c == 95:
            CLASS[c] = LETTER
            LOWER[c] = Py_UNICODE_TOLOWER(c)
        elif Py_UNICODE_ISSPACE(c):
            CLASS[c] = SPACE
        else:
            CLASS[c] = MARK

fill_tables()


cdef struct Token:
    uint64_t key
    uint32_t at         # where it starts in the buffer
    uint32_t length
    uint32_t start      # where it stood in the document
    uint32_t end
    uint32_t mark       # 1: a punctuation mark; 2: a word right after one


cdef struct Span:
    uint32_t start
    uint32_t end


cdef inline int decode(const uint8_t *p, int64_t left, uint32_t *ch) noexcept nogil:
    """One code point; a malformed byte is U+FFFD. Returns the number of bytes."""
    cdef uint8_t c = p[0]
    if c < 0x80:
        ch[0] = c
        return 1
    if c >= 0xC2 and c < 0xE0 and left >= 2 and (p[1] & 0xC0) == 0x80:
        ch[0] = (<uint32_t>(c & 0x1F) << 6) | (p[1] & 0x3F)
        return 2
    if c >= 0xE0 and c < 0xF0 and left >= 3 and (p[1] & 0xC0) == 0x80 and (p[2] & 0xC0) == 0x80:
        ch[0] = (<uint32_t>(c & 0x0F) << 12) | (<uint32_t>(p[1] & 0x3F) << 6) | (p[2] & 0x3F)
        return 3
    if (c >= 0xF0 and c < 0xF5 and left >= 4 and (p[1] & 0xC0) == 0x80 and (p[2] & 0xC0) == 0x80
            and (p[3] & 0xC0) == 0x80):
        ch[0] = ((<uint32_t>(c & 0x07) << 18) | (<uint32_t>(p[1] & 0x3F) << 12) | (<uint32_t>(p[2] & 0x3F) << 6)
                 | (p[3] & 0x3F))
        if ch[0] < 0x110000:
            return 4
    ch[0] = 0xFFFD
    return 1


cdef inline int encode(uint32_t ch, uint8_t *p) noexcept nogil:
    if ch < 0x80:
        p[0] = ch
        return 1
    if ch < 0x800:
        p[0] = 0xC0 | (ch >> 6)
        p[1] = 0x80 | (ch & 0x3F)
        return 2
    if ch < 0x10000:
        p[0] = 0xE0 | (ch >> 12)
        p[1] = 0x80 | (ch >> 6 & 0x3F)
        p[2] = 0x80 | (ch & 0x3F)
        return 3
    p[0] = 0xF0 | (ch >> 18)
    p[1] = 0x80 | (ch >> 12 & 0x3F)
    p[2] = 0x80 | (ch >> 6 & 0x3F)
    p[3] = 0x80 | (ch & 0x3F)
    return 4


cdef void *larger(void *p, uint64_t *size, uint64_t wanted, size_t item) except NULL nogil:
    """Room for `wanted` items, what is there kept."""
    if wanted <= size[0] and p != NULL:
        return p
    cdef uint64_t n = wanted + wanted // 2 + 64
    cdef void *q = linnet_larger(p, n * item)
    if q == NULL:
        with gil:
            raise MemoryError(f"no memory for {n * item >> 20} MB of features")
    size[0] = n
    return q


cdef class Memory:
    """A piece of C memory that NumPy reads in place."""
    cdef void *p
    cdef Py_ssize_t n_bytes

    def __dealloc__(self):
        free(self.p)

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.p, self.n_bytes, 0, flags)


cdef object array_of(void *p, uint64_t n, object dtype):
    """The array over p[:n], which takes p over and gives back what it does not need."""
    cdef Py_ssize_t item = np.dtype(dtype).itemsize
    if n == 0:
        free(p)
        return np.empty(0, dtype)
    cdef Memory memory = Memory()
    cdef void *q = realloc(p, n * item)
    memory.p = q if q != NULL else p
    memory.n_bytes = n * item
    return np.frombuffer(memory, dtype)


cdef class Scratch:
    """What one document needs while it is read. One per thread; reused, so that reading allocates nothing."""
    cdef uint8_t *buffer
    cdef uint64_t buffer_size
    cdef Token *tokens
    cdef uint64_t tokens_size
    cdef uint64_t n_tokens
    cdef uint64_t n_words
    cdef uint32_t *words
    cdef uint64_t words_size
    cdef uint32_t *grams
    cdef uint64_t grams_size
    cdef uint32_t *ids
    cdef Span *spans
    cdef uint64_t ids_size
    cdef uint64_t spans_size
    cdef uint64_t n_ids
    cdef uint32_t *last
    cdef uint64_t last_size
    cdef Token *pieces
    cdef uint64_t pieces_size
    cdef uint64_t n_pieces
    cdef uint64_t end               # of what is used of the buffer
    cdef float handmade[32]
    cdef bint spanned

    def __dealloc__(self):
        free(self.buffer)
        free(self.tokens)
        free(self.words)
        free(self.grams)
        free(self.ids)
        free(self.spans)
        free(self.last)
        free(self.pieces)

    cdef int reserve(self, uint64_t n_ids) except -1 nogil:
        self.ids = <uint32_t *>larger(self.ids, &self.ids_size, n_ids, sizeof(uint32_t))
        if self.spanned:
            self.spans = <Span *>larger(self.spans, &self.spans_size, n_ids, sizeof(Span))
        return 0

    cdef inline void emit(self, uint32_t id, uint32_t start, uint32_t end) noexcept nogil:
        self.ids[self.n_ids] = id
        if self.spanned:
            self.spans[self.n_ids].start = start
            self.spans[self.n_ids].end = end
        self.n_ids += 1


cdef class Rows:
    """Sparse rows that grow: row i has indices[indptr[i]:indptr[i + 1]] with their values."""
    cdef int64_t *indptr
    cdef uint64_t indptr_size
    cdef uint32_t *indices
    cdef uint64_t indices_size
    cdef float *values
    cdef uint64_t values_size
    cdef uint64_t n
    cdef uint64_t nnz

    def __cinit__(self):
        with nogil:
            self.indptr = <int64_t *>larger(NULL, &self.indptr_size, 1, sizeof(int64_t))
        self.indptr[0] = 0

    def __dealloc__(self):
        free(self.indptr)
        free(self.indices)
        free(self.values)

    cdef int reserve(self, uint64_t more) except -1 nogil:
        self.indices = <uint32_t *>larger(self.indices, &self.indices_size, self.nnz + more, sizeof(uint32_t))
        self.values = <float *>larger(self.values, &self.values_size, self.nnz + more, sizeof(float))
        self.indptr = <int64_t *>larger(self.indptr, &self.indptr_size, self.n + 2, sizeof(int64_t))
        return 0

    cdef void end_row(self) noexcept nogil:
        self.n += 1
        self.indptr[self.n] = self.nnz

    def take(self):
        """indptr, indices, values as arrays; the rows are empty afterwards."""
        out = (array_of(self.indptr, self.n + 1, np.int64), array_of(self.indices, self.nnz, np.uint32),
               array_of(self.values, self.nnz, np.float32))
        self.indptr = NULL
        self.indices = NULL
        self.values = NULL
        self.indptr_size = self.indices_size = self.values_size = self.n = self.nnz = 0
        with nogil:
            self.indptr = <int64_t *>larger(NULL, &self.indptr_size, 1, sizeof(int64_t))
        self.indptr[0] = 0
        return out


cdef class Analyser:
    """Which features a text has. `vocabulary` is None where ids are hashes of `hash_bits` bits.

    words, chars, across: (least, greatest) n, or (0, 0) for none.
    negations: words after which every word up to the next punctuation mark becomes NOT_word; empty for none.
    lexicons: (name, mode, words) of the hand-made features, mode one of count, presence, log-length.
    """
    cdef readonly Vocabulary vocabulary
    cdef readonly int hash_bits
    cdef int words_from, words_to, chars_from, chars_to, across_from, across_to
    cdef bint lower, punctuation, position
    cdef Vocabulary negations
    cdef Vocabulary lexicon
    cdef list scratches
    cdef uint32_t *lexicon_columns
    cdef uint32_t n_handmade
    cdef uint32_t handmade[32]
    cdef Mode handmade_mode[32]
    cdef uint32_t mark_columns[256]
    cdef bint has_marks
    cdef int room           # bytes of buffer for each byte of text
    cdef const uint8_t *lower_table

    def __init__(self, *, words=(1, 1), chars=(0, 0), across=(0, 0), bint lower=True, bint punctuation=False,
                 negations=(), bint position=False, lexicons=(), int hash_bits=0, Vocabulary vocabulary=None):
        self.words_from, self.words_to = words
        self.chars_from, self.chars_to = chars
        self.across_from, self.across_to = across
        self.lower = lower
        self.lower_table = &LOWER[0] if lower else &SAME[0]
        self.punctuation = punctuation
        self.position = position
        self.hash_bits = hash_bits
        self.vocabulary = None if hash_bits else (Vocabulary() if vocabulary is None else vocabulary)
        self.scratches = []
        self.room = 2 + 8 * (len(negations) > 0) + 8 * position + 4 * (self.chars_to > 0) + 2 * (self.across_to > 0)
        if negations:
            self.negations = Vocabulary()
            for word in negations:
                self.negations.add(word.encode())
        if len(lexicons) > 32:
            raise ValueError("at most 32 hand-made features")
        self._add_handmade(lexicons, grow=vocabulary is None)

    def __dealloc__(self):
        free(self.lexicon_columns)

    def _add_handmade(self, lexicons, bint grow):
        cdef dict masks = {}
        cdef uint32_t column
        modes = {"count": COUNT, "presence": PRESENCE, "log-length": LOG_LENGTH}
        for column, (name, mode, words) in enumerate(lexicons):
            encoded = name.encode()
            if self.hash_bits:
                padded = encoded + b"\0" * 8
                self.handmade[column] = self.hashed(string_key(padded, len(encoded), HANDMADE))
            elif grow:
                self.handmade[column] = self.vocabulary.add(encoded, HANDMADE)
            else:
                id = self.vocabulary.find(encoded, HANDMADE)
                self.handmade[column] = NONE if id is None else id
            self.handmade_mode[column] = modes[mode]
            for word in words:
                if len(word) == 1 and CLASS[<uint8_t>min(ord(word), 255)] == MARK:
                    self.mark_columns[<uint8_t>ord(word)] |= 1 << column
                    self.has_marks = True
                else:
                    masks[word] = masks.get(word, 0) | 1 << column
        self.n_handmade = len(lexicons)
        if masks:
            self.lexicon = Vocabulary()
            self.lexicon_columns = <uint32_t *>malloc(len(masks) * sizeof(uint32_t))
            if self.lexicon_columns == NULL:
                raise MemoryError("no memory for the lexicon")
            for word, mask in masks.items():
                self.lexicon_columns[<uint32_t>self.lexicon.add(word.encode())] = mask

    cdef inline uint32_t hashed(self, uint64_t key) noexcept nogil:
        return <uint32_t>(mixed(key) >> (64 - self.hash_bits))

    @property
    def n_features(self):
        return 1 << self.hash_bits if self.hash_bits else self.vocabulary.n_features

    def rows(self, column, bint grow=False):
        """indptr, indices, counts of a column of text (an Arrow array of large strings, or several)."""
        cdef Scratch scratch = self.scratches.pop() if self.scratches else Scratch()
        cdef Rows rows = Rows()
        try:
            for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else (column,):
                self._read(chunk, grow, scratch, rows)
        finally:
            self.scratches.append(scratch)
        return rows.take()

    cdef int _read(self, chunk, bint grow, Scratch scratch, Rows rows) except -1:
        cdef int64_t n = len(chunk), i
        if n == 0:
            return 0
        _, offsets_buffer, data_buffer = chunk.buffers()
        cdef const int64_t *offsets = <const int64_t *><uintptr_t>offsets_buffer.address
        cdef const uint8_t *data = NULL
        if data_buffer is not None:
            data = <const uint8_t *><uintptr_t>data_buffer.address
        cdef int64_t skipped = chunk.offset
        offsets += skipped
        with nogil:
            for i in range(n):
                self.document(data + offsets[i], offsets[i + 1] - offsets[i], grow, scratch)
                self.fold(scratch, rows)
        return 0

    def occurrences(self, str text):
        """Each feature of a text with the part of it (in code points) that it covers: ids, starts, ends.

        Hand-made features are not here: they belong to the text as a whole.
        """
        cdef Scratch scratch = Scratch()
        cdef bytes data = text.encode("utf-8", "surrogatepass")
        cdef const uint8_t *p = data
        cdef int64_t n = len(data)
        cdef uint64_t i
        scratch.spanned = True
        with nogil:
            self.document(p, n, False, scratch)
        at = np.frombuffer(data, np.uint8)
        code_point = np.concatenate([np.cumsum((at & 0xC0) != 0x80) - 1, [len(text)]])
        ids = np.array([scratch.ids[i] for i in range(scratch.n_ids)], np.int64)
        starts = np.array([scratch.spans[i].start for i in range(scratch.n_ids)], np.int64)
        ends = np.array([scratch.spans[i].end for i in range(scratch.n_ids)], np.int64)
        return ids, code_point[starts], code_point[ends]

    cdef int document(self, const uint8_t *p, int64_t n, bint grow, Scratch s) except -1 nogil:
        """Fill the scratch with the ids of one document."""
        if n > <int64_t>0x03FFFFFF:
            with gil:
                raise ValueError(f"a document of {n >> 20} MB; split texts of more than 64 MB")
        if self.lower and has_special_case(p, n):
            with gil:
                lowered = (<const char *>p)[:n].decode("utf-8", "replace").lower().encode()
                self.lowered_document(lowered, len(lowered), grow, s)
        else:
            self.lowered_document(p, n, grow, s)
        return 0

    cdef int lowered_document(self, const uint8_t *p, int64_t n, bint grow, Scratch s) except -1 nogil:
        s.n_ids = 0
        self.tokenise(p, n, s)
        s.reserve(s.n_tokens * (self.words_to - self.words_from + 1))
        if self.n_handmade:
            self.count_lexicons(p, n, s)
        if self.chars_to or self.across_to:
            s.n_pieces = 0
            if self.chars_to:
                self.within_words(s)
            if self.across_to:
                self.across_words(p, n, s)
            self.find_pieces(s, grow)
        if self.negations is not None:
            self.mark_negation(p, s)
        if self.position:
            self.mark_position(s)
        if self.words_to:
            if self.hash_bits:
                self.hash_words(s)
            else:
                self.find_words(s, grow)
        return 0

    cdef int tokenise(self, const uint8_t *p, int64_t n, Scratch s) except -1 nogil:
        cdef int64_t i = 0, start
        cdef uint8_t *out
        cdef uint8_t *begin
        cdef Token *token
        cdef uint32_t ch, after_mark = 0
        cdef int width, kind
        cdef const uint8_t *lower = self.lower_table
        cdef bint after_word = False
        s.buffer = <uint8_t *>larger(s.buffer, &s.buffer_size, self.room * n + 64, 1)
        s.tokens = <Token *>larger(s.tokens, &s.tokens_size, n + 1, sizeof(Token))
        out = s.buffer
        token = s.tokens
        s.n_words = 0
        while i < n:
            kind = CLASS[p[i]]
            width = 1
            if kind == WIDE:
                width = decode(p + i, n - i, &ch)
                kind = LETTER if Py_UNICODE_ISALNUM(ch) else SPACE if Py_UNICODE_ISSPACE(ch) else MARK
            if kind == SPACE:
                i += width
                after_word = False
                continue
            start = i
            begin = out
            if kind == MARK:
                i += width
                if p[start] == APOSTROPHE:
                    if not (self.punctuation and after_word and i < n and starts_word(p + i, n - i)):
                        if self.punctuation:
                            out[0] = APOSTROPHE
                            out += 1
                            end_token(s, token, begin, out, start, i, 0)
                            token += 1
                        after_word = False
                        continue
                    out[0] = APOSTROPHE
                    out += 1
                else:
                    after_mark = 2
                    after_word = False
                    if self.punctuation:
                        memcpy(out, p + start, width)
                        out += width
                        end_token(s, token, begin, out, start, i, 1)
                        token += 1
                    continue
            while i < n:
                kind = CLASS[p[i]]
                if kind == LETTER:
                    out[0] = lower[p[i]]
                    out += 1
                    i += 1
                elif kind == WIDE:
                    width = decode(p + i, n - i, &ch)
                    if not Py_UNICODE_ISALNUM(ch):
                        break
                    out += encode(Py_UNICODE_TOLOWER(ch) if self.lower else ch, out)
                    i += width
                else:
                    break
            end_token(s, token, begin, out, start, i, after_mark)
            token += 1
            s.n_words += 1
            after_mark = 0
            after_word = True
        s.n_tokens = token - s.tokens
        s.end = out - s.buffer
        return 0

    cdef void count_lexicons(self, const uint8_t *p, int64_t n, Scratch s) noexcept nogil:
        cdef uint64_t i
        cdef int64_t b
        cdef uint32_t id, column, mask
        cdef Token *t
        for column in range(self.n_handmade):
            s.handmade[column] = 0
        if self.lexicon is not None:
            for i in range(s.n_tokens):
                t = &s.tokens[i]
                id = self.lexicon.find_string(t.key, s.buffer + t.at, t.length)
                if id != NONE and t.mark != 1:
                    mask = self.lexicon_columns[id]
                    for column in range(self.n_handmade):
                        s.handmade[column] += mask >> column & 1
        if self.has_marks:
            for b in range(n):
                mask = self.mark_columns[p[b]]
                if mask:
                    for column in range(self.n_handmade):
                        s.handmade[column] += mask >> column & 1
        for column in range(self.n_handmade):
            if self.handmade_mode[column] == PRESENCE:
                s.handmade[column] = 1 if s.handmade[column] else 0
            elif self.handmade_mode[column] == LOG_LENGTH:
                s.handmade[column] = log(<double>s.n_words) if s.n_words else 0

    cdef void mark_negation(self, const uint8_t *p, Scratch s) noexcept nogil:
        """NOT_ before every word from a negation up to the next punctuation mark (Das and Chen 2001)."""
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
            negation = self.negations.find_string(t.key, s.buffer + t.at, t.length) != NONE
            if not negation and t.length == 1 and s.buffer[t.at] == 116 and t.start and p[t.start - 1] == APOSTROPHE:
                negation = True
            if negated and not negation:
                memcpy(out, <const char *>b"NOT_", 4)
                memcpy(out + 4, s.buffer + t.at, t.length)
                move_token(s, t, out, t.length + 4)
                out += t.length
            negated = negated or negation
        s.end = out - s.buffer

    cdef void mark_position(self, Scratch s) noexcept nogil:
        """@1 to @4 behind every word: the quarter of the document that it stands in."""
        cdef uint64_t i
        cdef uint8_t *out = s.buffer + s.end
        cdef Token *t
        for i in range(s.n_tokens):
            t = &s.tokens[i]
            memcpy(out, s.buffer + t.at, t.length)
            out[t.length] = 64
            out[t.length + 1] = <uint8_t>(49 + 4 * i // s.n_tokens)
            move_token(s, t, out, t.length + 2)
            out += t.length
        s.end = out - s.buffer

    cdef int find_words(self, Scratch s, bint grow) except -1 nogil:
        cdef int64_t n = s.n_tokens, i, ahead
        cdef int order
        cdef Token *t
        cdef uint32_t *words
        cdef uint32_t *grams
        cdef uint64_t key
        s.words = words = <uint32_t *>larger(s.words, &s.words_size, n + 1, sizeof(uint32_t))
        for i in range(n):
            if i + LINNET_AHEAD < n:
                prefetch(&self.vocabulary.strings, s.tokens[i + LINNET_AHEAD].key)
            words[i] = self.string_id(&s.tokens[i], s.buffer, grow)
        if self.words_from == 1:
            self.emit_grams(s, words, 1)
        if self.words_to == 1:
            return 0
        s.grams = grams = <uint32_t *>larger(s.grams, &s.grams_size, n + 1, sizeof(uint32_t))
        memcpy(grams, words, n * sizeof(uint32_t))
        for order in range(2, self.words_to + 1):
            for i in range(n - order + 1):
                ahead = i + LINNET_AHEAD
                if ahead + order <= n:
                    prefetch(&self.vocabulary.grams, <uint64_t>grams[ahead] << 32 | words[ahead + order - 1])
                if grams[i] == NONE or words[i + order - 1] == NONE:
                    grams[i] = NONE
                    continue
                key = <uint64_t>grams[i] << 32 | words[i + order - 1]
                grams[i] = find_exact(&self.vocabulary.grams, key)
                if grow and grams[i] == NONE:
                    grams[i] = self.vocabulary.add_gram(key)
            if order >= self.words_from:
                self.emit_grams(s, grams, order)
        return 0

    cdef inline uint32_t string_id(self, const Token *t, const uint8_t *buffer, bint grow) except? 0xFFFFFFFE nogil:
        cdef uint32_t id
        if is_exact(t.key):
            id = find_exact(&self.vocabulary.strings, t.key)
        else:
            id = self.vocabulary.find_string(t.key, buffer + t.at, t.length)
        if grow and id == NONE:
            id = self.vocabulary.add_string(t.key, buffer + t.at, t.length)
        return id

    cdef void emit_grams(self, Scratch s, const uint32_t *ids, int order) noexcept nogil:
        cdef int64_t i
        cdef uint32_t n_features = self.vocabulary.n_features
        for i in range(<int64_t>s.n_tokens - order + 1):
            if ids[i] < n_features:
                s.emit(ids[i], s.tokens[i].start, s.tokens[i + order - 1].end)

    cdef void hash_words(self, Scratch s) noexcept nogil:
        cdef int64_t n = s.n_tokens, i
        cdef int order
        cdef uint64_t key
        for i in range(n):
            key = s.tokens[i].key
            for order in range(1, self.words_to + 1):
                if i + order > n:
                    break
                if order > 1:
                    key = mixed(key * <uint64_t>0xD6E8FEB86659FD93 + s.tokens[i + order - 1].key)
                if order >= self.words_from:
                    s.emit(self.hashed(key), s.tokens[i].start, s.tokens[i + order - 1].end)

    cdef int within_words(self, Scratch s) except -1 nogil:
        """The n-grams of characters of ` word `; a word shorter than n counts once, whole."""
        cdef uint64_t i
        cdef uint32_t length, a, b, k
        cdef int order
        cdef Token *t
        cdef uint8_t *word
        for i in range(s.n_tokens):
            t = &s.tokens[i]
            length = t.length + 2
            word = s.buffer + s.end
            word[0] = 32
            memcpy(word + 1, s.buffer + t.at, t.length)
            word[length - 1] = 32
            s.end += length
            for order in range(self.chars_from, self.chars_to + 1):
                a = 0
                b = 0
                for k in range(order):
                    if b < length:
                        b = after(word, b, length)
                while True:
                    self.add_piece(s, word, a, b, CHARS, t.start + (a - 1 if a else 0),
                                   t.start + (b - 1 if b < length else length - 2))
                    if b >= length:
                        break
                    a = after(word, a, length)
                    b = after(word, b, length)
                if a == 0:
                    break
        return 0

    cdef int across_words(self, const uint8_t *p, int64_t n, Scratch s) except -1 nogil:
        """The n-grams of characters of the whole text, white space folded into one space."""
        cdef uint8_t *text = s.buffer + s.end
        cdef int64_t i = 0
        cdef uint32_t length = 0, ch, a, b, k
        cdef int width, order
        cdef bint space = False
        while i < n:
            width = decode(p + i, n - i, &ch)
            i += width
            if Py_UNICODE_ISSPACE(ch):
                if not space:
                    text[length] = 32
                    length += 1
                space = True
            else:
                length += encode(Py_UNICODE_TOLOWER(ch) if self.lower else ch, text + length)
                space = False
        s.end += length
        for order in range(self.across_from, self.across_to + 1):
            a = 0
            b = 0
            for k in range(order):
                if b >= length:
                    break
                b = after(text, b, length)
            else:
                while True:
                    self.add_piece(s, text, a, b, ACROSS, 0, 0)
                    if b >= length:
                        break
                    a = after(text, a, length)
                    b = after(text, b, length)
        return 0

    cdef int add_piece(self, Scratch s, const uint8_t *text, uint32_t a, uint32_t b, uint32_t kind, uint32_t start,
                       uint32_t end) except -1 nogil:
        cdef Token *piece
        s.pieces = <Token *>larger(s.pieces, &s.pieces_size, s.n_pieces + 1, sizeof(Token))
        piece = &s.pieces[s.n_pieces]
        piece.at = <uint32_t>(text + a - s.buffer)
        piece.length = b - a
        piece.key = string_key(text + a, b - a, kind)
        piece.start = start
        piece.end = end
        s.n_pieces += 1
        return 0

    cdef int find_pieces(self, Scratch s, bint grow) except -1 nogil:
        cdef uint64_t i
        cdef uint32_t id
        cdef Token *t
        s.reserve(s.n_ids + s.n_pieces + s.n_tokens * (self.words_to - self.words_from + 1))
        for i in range(s.n_pieces):
            t = &s.pieces[i]
            if self.hash_bits:
                s.emit(self.hashed(t.key), t.start, t.end)
                continue
            if i + LINNET_AHEAD < s.n_pieces:
                prefetch(&self.vocabulary.strings, s.pieces[i + LINNET_AHEAD].key)
            id = self.string_id(t, s.buffer, grow)
            if id < self.vocabulary.n_features:
                s.emit(id, t.start, t.end)
        return 0

    cdef int fold(self, Scratch s, Rows rows) except -1 nogil:
        """Add a row: each id once, with its count, in the order of first sight."""
        cdef uint64_t i, n_features = (<uint64_t>1 << self.hash_bits) if self.hash_bits else self.vocabulary.n_features
        cdef uint64_t old = s.last_size
        cdef uint32_t column
        rows.reserve(s.n_ids + self.n_handmade)
        if n_features > old:
            s.last = <uint32_t *>larger(s.last, &s.last_size, n_features, sizeof(uint32_t))
            memset(s.last + old, 0, (s.last_size - old) * sizeof(uint32_t))
        for i in range(s.n_ids):
            if i + LINNET_AHEAD < s.n_ids:
                linnet_prefetch(s.last + s.ids[i + LINNET_AHEAD])
            add_value(s, rows, s.ids[i], 1)
        for column in range(self.n_handmade):
            if s.handmade[column] and self.handmade[column] < n_features:
                add_value(s, rows, self.handmade[column], s.handmade[column])
        rows.end_row()
        return 0


cdef inline void add_value(Scratch s, Rows rows, uint32_t id, float value) noexcept nogil:
    cdef uint64_t start = rows.indptr[rows.n]
    cdef uint64_t at = start + s.last[id]
    if at < rows.nnz and rows.indices[at] == id:
        rows.values[at] += value
        return
    s.last[id] = <uint32_t>(rows.nnz - start)
    rows.indices[rows.nnz] = id
    rows.values[rows.nnz] = value
    rows.nnz += 1


cdef inline void end_token(Scratch s, Token *t, uint8_t *begin, uint8_t *out, int64_t start, int64_t end,
                           uint32_t mark) noexcept nogil:
    t.at = <uint32_t>(begin - s.buffer)
    t.length = <uint32_t>(out - begin)
    t.key = string_key(begin, t.length, WORD)
    t.start = <uint32_t>start
    t.end = <uint32_t>end
    t.mark = mark


cdef inline void move_token(Scratch s, Token *t, uint8_t *to, uint32_t length) noexcept nogil:
    t.at = <uint32_t>(to - s.buffer)
    t.length = length
    t.key = string_key(to, length, WORD)


cdef inline uint32_t after(const uint8_t *text, uint32_t at, uint32_t length) noexcept nogil:
    """The start of the next code point."""
    at += 1
    while at < length and (text[at] & 0xC0) == 0x80:
        at += 1
    return at


cdef inline bint starts_word(const uint8_t *p, int64_t left) noexcept nogil:
    cdef uint32_t ch
    if CLASS[p[0]] != WIDE:
        return CLASS[p[0]] == LETTER
    decode(p, left, &ch)
    return Py_UNICODE_ISALNUM(ch)


cdef bint has_special_case(const uint8_t *p, int64_t n) noexcept nogil:
    """Whether a capital sigma or a dotted capital I is there: their lower case is not one character for one."""
    cdef const uint8_t *q
    cdef int k
    cdef uint8_t *lead = [0xCE, 0xC4]
    cdef uint8_t *tail = [0xA3, 0xB0]
    for k in range(2):
        q = p
        while n - (q - p) >= 2:
            q = <const uint8_t *>memchr(q, lead[k], n - 1 - (q - p))
            if q == NULL:
                break
            if q[1] == tail[k]:
                return True
            q += 1
    return False
