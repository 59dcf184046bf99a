# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Text to sparse rows, in place: UTF-8 bytes from an Arrow column in, feature ids and counts out.

One document goes through four short loops, each of which asks for the memory that it will need some steps ahead:

1. bytes to tokens: lower-cased into a buffer, each with its key;
2. tokens to word ids, then n-grams from (n-1)-grams, then pieces of words, then the words at the start with what follows;
3. ids to places in the row: an id seen before in this document raises its count;
4. hand-made features of the whole document.
"""

from libc.math cimport log
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from linnet.core.buffers cimport SparseRows, larger
from linnet.core.tokens cimport Token, Tokeniser, Tokens, is_mark
from linnet.core.utf8 cimport Py_UNICODE_ISSPACE, Py_UNICODE_TOLOWER, after, decode, encode, has_special_case
from linnet.core.vocabulary cimport (
    ACROSS, CHARS, HANDMADE, LINNET_AHEAD, NONE, PAIRS, START, Vocabulary, find_exact, is_exact, linnet_prefetch, mixed,
    prefetch, string_key,
)

import numpy as np
import pyarrow as pa

cdef enum Mode:
    COUNT = 0
    PRESENCE = 1
    LOG_LENGTH = 2

cdef struct Span:
    uint32_t start
    uint32_t end


cdef int64_t n_bytes(chunk) except -1:
    """How long the texts of a piece of a column are in all."""
    cdef const int64_t *offsets
    if len(chunk) == 0:
        return 0
    offsets = <const int64_t *><uintptr_t>chunk.buffers()[1].address + <int64_t>chunk.offset
    return offsets[<int64_t>len(chunk)] - offsets[0]


cdef class Scratch(Tokens):
    """What one document needs while it is read. One per thread; reused, so that reading allocates nothing."""
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
    cdef uint64_t base
    cdef Token *pieces
    cdef uint64_t pieces_size
    cdef uint64_t n_pieces
    cdef float handmade[32]
    cdef bint spanned

    def __dealloc__(self):
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


cdef class Analyser:
    """Which features a text has. `vocabulary` is None where ids are hashes of `hash_bits` bits.

    words, chars, across: (least, greatest) n, or (0, 0) for none.
    start: how many of the first words together, (least, greatest). pairs: the places, from 1, of the words that are paired with each
    later one, (first, last). Both need a vocabulary.
    negations: words after which every word up to the next punctuation mark becomes NOT_word; empty for none.
    lexicons: (name, mode, words) of the hand-made features, mode one of count, presence, log-length.
    sequence: rows have each feature as often as it is there, in the order of the text, its value the place, from 1. Features
    that are not in the vocabulary count as places.
    """
    cdef readonly Vocabulary vocabulary
    cdef readonly int hash_bits
    cdef int words_from, words_to, chars_from, chars_to, across_from, across_to
    cdef int start_from, start_to, pairs_from, pairs_to
    cdef Tokeniser tokeniser
    cdef Vocabulary lexicon
    cdef list scratches
    cdef uint32_t *lexicon_columns
    cdef uint32_t n_handmade
    cdef uint32_t handmade[32]
    cdef Mode handmade_mode[32]
    cdef uint32_t mark_columns[256]
    cdef bint has_marks, sequence
    cdef int room           # bytes of buffer for each byte of text
    cdef int64_t per_token  # features, about
    cdef int64_t per_word   # features of words, at most, where each half of a pair counts

    def __init__(self, *, words=(1, 1), chars=(0, 0), across=(0, 0), start=(0, 0), pairs=(0, 0), bint lower=True,
                 bint punctuation=False, negations=(), bint position=False, lexicons=(), bint sequence=False,
                 int hash_bits=0, Vocabulary vocabulary=None):
        self.words_from, self.words_to = words
        self.chars_from, self.chars_to = chars
        self.across_from, self.across_to = across
        self.start_from, self.start_to = start
        self.pairs_from, self.pairs_to = pairs
        if hash_bits and (self.start_to or self.pairs_to):
            raise ValueError("start and pairs need a vocabulary")
        self.tokeniser = Tokeniser(lower=lower, punctuation=punctuation, negations=negations, position=position)
        self.sequence = sequence
        self.hash_bits = hash_bits
        self.vocabulary = None if hash_bits else (Vocabulary() if vocabulary is None else vocabulary)
        self.scratches = []
        self.per_word = 1 + self.words_to - self.words_from + 2 * (1 + self.pairs_to - self.pairs_from) * (self.pairs_to > 0)
        self.per_token = self.per_word + 4 * (1 + self.chars_to - self.chars_from) * (
            self.chars_to > 0) + 5 * (1 + self.across_to - self.across_from) * (self.across_to > 0)
        self.room = 4 + 8 * (len(negations) > 0) + 8 * position + 4 * (self.chars_to > 0) + 2 * (self.across_to > 0)
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
                if len(word) == 1 and is_mark(ord(word)):
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
        return 2**self.hash_bits if self.hash_bits else self.vocabulary.n_features

    def rows(self, column, bint grow=False):
        """indptr, indices, counts of a column of text (an Arrow array of large strings, or several)."""
        if self.vocabulary is not None:
            self.vocabulary.ensure_index()
        cdef Scratch scratch = self.scratches.pop() if self.scratches else Scratch()
        cdef SparseRows rows = SparseRows()
        try:
            chunks = column.chunks if isinstance(column, pa.ChunkedArray) else (column,)
            # Room for about all of them at once: what is not used is never touched, and to move it would cost more.
            rows.reserve(len(column) + sum([n_bytes(chunk) for chunk in chunks]) // 5 * self.per_token)
            for chunk in chunks:
                self._read(chunk, grow, scratch, rows)
        finally:
            self.scratches.append(scratch)
        return rows.take()

    cdef int _read(self, chunk, bint grow, Scratch scratch, SparseRows rows) except -1:
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
                if self.sequence:
                    self.line_up(scratch, rows)
                else:
                    self.fold(scratch, rows)
        return 0

    def occurrences(self, str text):
        """Each feature of a text with the part of it (in code points) that it covers: ids, starts, ends.

        Hand-made features are not here: they belong to the text as a whole.
        """
        if self.vocabulary is not None:
            self.vocabulary.ensure_index()
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
        if self.tokeniser.lower and has_special_case(p, n):
            with gil:
                lowered = (<const char *>p)[:n].decode("utf-8", "replace").lower().encode()
                self.lowered_document(lowered, len(lowered), grow, s)
        else:
            self.lowered_document(p, n, grow, s)
        return 0

    cdef int lowered_document(self, const uint8_t *p, int64_t n, bint grow, Scratch s) except -1 nogil:
        s.n_ids = 0
        self.tokeniser.tokenise(p, n, self.room, s)
        s.reserve(s.n_tokens * self.per_word + self.start_to + 1)
        if self.n_handmade:
            self.count_lexicons(p, n, s)
        if self.chars_to or self.across_to:
            s.n_pieces = 0
            if self.chars_to:
                self.within_words(s)
            if self.across_to:
                self.across_words(p, n, s)
            self.find_pieces(s, grow)
        self.tokeniser.mark(p, s)
        if self.hash_bits:
            if self.words_to:
                self.hash_words(s)
        elif self.words_to or self.start_to or self.pairs_to:
            self.find_words(s, grow)
            if self.words_to > 1:
                self.find_grams(s, grow)
            if self.start_to:
                self.find_start(s, grow)
            if self.pairs_to:
                self.find_pairs(s, grow)
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
                id = self.tokeniser.lowered_id(self.lexicon, s, t)
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

    cdef int find_words(self, Scratch s, bint grow) except -1 nogil:
        cdef int64_t n = s.n_tokens, i
        cdef uint32_t *words
        s.words = words = <uint32_t *>larger(s.words, &s.words_size, n + 1, sizeof(uint32_t))
        for i in range(n):
            if i + LINNET_AHEAD < n:
                prefetch(&self.vocabulary.strings, s.tokens[i + LINNET_AHEAD].key)
            words[i] = self.string_id(&s.tokens[i], s.buffer, grow)
        if self.words_from == 1:
            self.emit_grams(s, words, 1)
        return 0

    cdef int find_grams(self, Scratch s, bint grow) except -1 nogil:
        cdef int64_t n = s.n_tokens, i, ahead
        cdef int order
        cdef const uint32_t *words = s.words
        cdef uint32_t *grams
        s.grams = grams = <uint32_t *>larger(s.grams, &s.grams_size, n + 1, sizeof(uint32_t))
        memcpy(grams, words, n * sizeof(uint32_t))
        for order in range(2, self.words_to + 1):
            for i in range(n - order + 1):
                ahead = i + LINNET_AHEAD
                if ahead + order <= n:
                    prefetch(&self.vocabulary.grams, <uint64_t>grams[ahead] << 32 | words[ahead + order - 1])
                grams[i] = self.gram_id(grams[i], words[i + order - 1], grow)
            if order >= self.words_from:
                self.emit_grams(s, grams, order)
        return 0

    cdef int find_start(self, Scratch s, bint grow) except -1 nogil:
        """The first words of the text, so many together."""
        cdef int64_t n
        cdef uint32_t id = NONE
        for n in range(1, min(<int64_t>self.start_to, <int64_t>s.n_tokens) + 1):
            id = self.gram_id(id, s.words[n - 1], grow) if n > 1 else self.opening_id(s, 0, START, grow)
            if n >= self.start_from and id < self.vocabulary.n_features:
                s.emit(id, s.tokens[0].start, s.tokens[n - 1].end)
        return 0

    cdef int find_pairs(self, Scratch s, bint grow) except -1 nogil:
        """Some of the first words, each with each later word. A pair stands in two places."""
        cdef int64_t n = s.n_tokens, i, k
        cdef uint32_t id, first
        for i in range(self.pairs_from - 1, min(<int64_t>self.pairs_to, n - 1)):
            first = self.opening_id(s, i, PAIRS, grow)
            for k in range(i + 1, n):
                id = self.gram_id(first, s.words[k], grow)
                if id < self.vocabulary.n_features:
                    s.emit(id, s.tokens[k].start, s.tokens[k].end)
                    if s.spanned:
                        s.emit(id, s.tokens[i].start, s.tokens[i].end)
        return 0

    cdef uint32_t opening_id(self, Scratch s, int64_t i, uint32_t kind, bint grow) except? 0xFFFFFFFE nogil:
        """The id of a word as the first string of a gram of this kind."""
        cdef Token t = s.tokens[i]
        t.key = string_key(s.buffer + t.at, t.length, kind)
        return self.string_id(&t, s.buffer, grow)

    cdef inline uint32_t gram_id(self, uint32_t shorter, uint32_t word, bint grow) except? 0xFFFFFFFE nogil:
        cdef uint64_t key = <uint64_t>shorter << 32 | word
        cdef uint32_t id
        if shorter == NONE or word == NONE:
            return NONE
        id = find_exact(&self.vocabulary.grams, key)
        if grow and id == NONE:
            id = self.vocabulary.add_gram(key)
        return id

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
        cdef uint64_t n_ids = s.n_ids
        cdef bint every = self.sequence
        if s.spanned:
            for i in range(<int64_t>s.n_tokens - order + 1):
                if ids[i] < n_features:
                    s.emit(ids[i], s.tokens[i].start, s.tokens[i + order - 1].end)
            return
        for i in range(<int64_t>s.n_tokens - order + 1):
            s.ids[n_ids] = ids[i]
            n_ids += (ids[i] < n_features) | every
        s.n_ids = n_ids

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
                length += encode(Py_UNICODE_TOLOWER(ch) if self.tokeniser.lower else ch, text + length)
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
        s.reserve(s.n_ids + s.n_pieces + s.n_tokens * self.per_word + self.start_to + 1)
        for i in range(s.n_pieces):
            t = &s.pieces[i]
            if self.hash_bits:
                s.emit(self.hashed(t.key), t.start, t.end)
                continue
            if i + LINNET_AHEAD < s.n_pieces:
                prefetch(&self.vocabulary.strings, s.pieces[i + LINNET_AHEAD].key)
            id = self.string_id(t, s.buffer, grow)
            if id < self.vocabulary.n_features or self.sequence:
                s.emit(id, t.start, t.end)
        return 0

    cdef int line_up(self, Scratch s, SparseRows rows) except -1 nogil:
        """Add a row: each id as often as it is there, with its place."""
        cdef uint64_t i, n_features = self.n_ids()
        rows.reserve(s.n_ids + 1)
        for i in range(s.n_ids):
            rows.indices[rows.nnz] = s.ids[i]
            rows.values[rows.nnz] = <float>(i + 1)
            rows.nnz += s.ids[i] < n_features
        rows.end_row()
        return 0

    cdef inline uint64_t n_ids(self) noexcept nogil:
        return (<uint64_t>1 << self.hash_bits) if self.hash_bits else self.vocabulary.n_features

    cdef int fold(self, Scratch s, SparseRows rows) except -1 nogil:
        """Add a row: each id once, with its count, in the order of first sight.

        Places are numbered through from row to row: last[id] is the last place that id had, and stands in this row if it is
        not below `base`. Whether it does is hard to guess, so the loop has no branch; counts are whole numbers until the end.
        """
        cdef uint64_t i, n_features = self.n_ids()
        cdef uint64_t old = s.last_size
        cdef uint32_t column
        rows.reserve(s.n_ids + self.n_handmade + 1)
        if n_features > old:
            s.last = <uint32_t *>larger(s.last, &s.last_size, n_features, sizeof(uint32_t))
            memset(s.last + old, 0, (s.last_size - old) * sizeof(uint32_t))
        if s.base == 0 or s.base + s.n_ids > <uint64_t>0xFFFFFFFF:
            memset(s.last, 0, s.last_size * sizeof(uint32_t))
            s.base = 1
        cdef uint32_t *row = rows.indices + rows.nnz
        cdef float *value = rows.values + rows.nnz
        cdef uint32_t *count = <uint32_t *>value
        cdef uint32_t *last = s.last
        cdef const uint32_t *ids = s.ids
        cdef uint64_t n_ids = s.n_ids
        cdef uint32_t id, n = 0, place, again, base = <uint32_t>s.base
        for i in range(n_ids):
            if i + LINNET_AHEAD < n_ids:
                linnet_prefetch(last + ids[i + LINNET_AHEAD])
            id = ids[i]
            again = last[id] >= base
            place = n ^ ((last[id] - base ^ n) & -again)
            last[id] = base + place
            row[place] = id
            count[place] = (count[place] & -again) + 1
            n += 1 - again
        s.base += n
        for i in range(n):
            value[i] = <float>count[i]
        rows.nnz += n
        for column in range(self.n_handmade):
            if s.handmade[column] and self.handmade[column] < n_features:
                rows.indices[rows.nnz] = self.handmade[column]
                rows.values[rows.nnz] = s.handmade[column]
                rows.nnz += 1
        rows.end_row()
        return 0
