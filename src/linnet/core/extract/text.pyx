# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Text to sparse rows, in place: UTF-8 bytes from an Arrow column in, feature ids and counts out.

One document goes through four short loops, each of which prefetches the memory that it will need some steps later:

1. bytes to tokens: lower-cased into a buffer, each with its key;
2. tokens to word ids, then n-grams from (n-1)-grams, then the words at the start and pairs that skip some; pieces of words.
   Before that come n-grams of tokens that have been replaced by their shapes;
3. ids to places in the row: an id seen before in this document raises its count;
4. hand-made features of the whole document.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from linnet.core.buffers cimport SparseRows, larger
from linnet.core.extract.lexicons cimport Lexicons
from linnet.core.extract.char_ngrams cimport across_words, within_words
from linnet.core.extract.markup cimport may_have_markup, without_markup
from linnet.core.extract.scripts cimport is_unspaced
from linnet.core.extract.tables cimport find_exact, linnet_prefetch, mixed, prefetch
from linnet.core.extract.text_views cimport TextViews
from linnet.core.extract.tokens cimport Token, Tokeniser, shape
from linnet.core.extract.utf8 cimport decode, has_special_case, is_ascii_letter, is_letter
from linnet.core.extract.vocabulary cimport (
    HANDMADE, LINNET_AHEAD, NONE, SKIP, START, Vocabulary, is_exact, linnet_find_grams, string_key,
)

import numpy as np
import pyarrow as pa

from linnet.errors import DataError
from linnet.limits import TEXT

cdef int64_t MOST_BYTES = TEXT.most

cdef enum:
    MANY_IDS = 1 << 20      # ids of a document that are kept before they are counted
    MANY_TOKENS = 1 << 23   # room for tokens from which on buffers are not kept for the next texts


def code_points(str text):
    """The number of the code point that each byte belongs to; after the last byte, the number of code points."""
    at = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8)
    return np.append(np.cumsum((at & 0xC0) != 0x80) - 1, len(text))


def mean_counts(column, int64_t most):
    """How many characters, letters, and letters of scripts without blanks between words a text has on average. At most so many
    texts are looked at, taken evenly from the column."""
    cdef int64_t row, i, first = 0, n_texts = 0, step = max((<int64_t>len(column) + most - 1) // most, 1)
    cdef int64_t n_characters = 0, n_letters = 0, n_unspaced = 0
    cdef uint32_t ch
    cdef bint unspaced
    cdef const int64_t *offsets
    cdef const uint8_t *data
    for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else (column,):
        if len(chunk) and chunk.buffers()[2] is not None:
            offsets = <const int64_t *><uintptr_t>chunk.buffers()[1].address + <int64_t>chunk.offset
            data = <const uint8_t *><uintptr_t>chunk.buffers()[2].address
            for row in range((step - first % step) % step, len(chunk), step):
                i = offsets[row]
                while i < offsets[row + 1]:
                    n_characters += 1
                    if data[i] < 0x80:
                        n_letters += is_ascii_letter(data[i])
                        i += 1
                        continue
                    i += decode(data + i, offsets[row + 1] - i, &ch)
                    unspaced = is_unspaced(ch)
                    n_letters += unspaced or is_letter(ch)
                    n_unspaced += unspaced
        first += len(chunk)
    n_texts = max((first + step - 1) // step, 1)
    return n_characters / <double>n_texts, n_letters / <double>n_texts, n_unspaced / <double>n_texts


cdef int check_length(int64_t n) except -1 nogil:
    """Raise DataError for a text that is too long: places in a buffer are 32 bits, and it has up to 27 bytes for each byte of
    text (`room` + 1)."""
    if n > MOST_BYTES:
        with gil:
            raise DataError(f"found a text of {(n + 0xFFFFF) >> 20:,} MB, at most {TEXT.shown} can be read. Split it.")
    return 0


cdef class Scratch(Pieces):
    """Buffers for one document while it is read. There is one for each thread; it is reused, so that reading allocates
    nothing."""

    def __dealloc__(self):
        free(self.plain)
        free(self.origin)
        free(self.words)
        free(self.grams)
        free(self.openings)
        free(self.ids)
        free(self.spans)
        free(self.last)

    cdef int reserve(self, uint64_t n_ids) except -1 nogil:
        self.ids = <uint32_t *>larger(self.ids, &self.ids_size, n_ids, sizeof(uint32_t))
        if self.spanned:
            self.spans = <Span *>larger(self.spans, &self.spans_size, n_ids, sizeof(Span))
        return 0

    cdef int64_t strip(self, const uint8_t *p, int64_t n) except -1 nogil:
        """Copy a text without its markup into `plain`, and return its length."""
        self.plain = <uint8_t *>larger(self.plain, &self.plain_size, n, 1)
        if self.spanned:
            self.origin = <uint32_t *>larger(self.origin, &self.origin_size, n + 1, sizeof(uint32_t))
        return without_markup(p, n, self.plain, self.origin if self.spanned else NULL)

    cdef int look_up(self) except -1 nogil:
        self.analyser.find_pieces(self, self.grow)
        self.n_pieces = 0
        return 0

    cdef void emit(self, uint32_t id, uint32_t start, uint32_t end) noexcept nogil:
        self.ids[self.n_ids] = id
        if self.spanned:
            self.spans[self.n_ids].start = start
            self.spans[self.n_ids].end = end
        self.n_ids += 1


cdef class Analyser:
    """Turns a text into its features. `vocabulary` is None where ids are hashes of `hash_bits` bits.

    words, chars, across, shapes: (least, greatest) n, or (0, 0) for none.
    start: how many of the first words together, (least, greatest). skip: how many words between the two of a pair, (least,
    greatest). These and shapes need a vocabulary.
    negations: words after which every word up to the next punctuation mark becomes NOT_word; empty for none.
    lexicons: (name, mode, words) of the hand-made features, mode one of count, presence, log-length, unknown.
    markup: whether HTML tags and entities are read as they stand (markup.pyx).
    sequence: rows have each feature as often as it is there, in the order of the text, its value the place, from 1. Features
    that are not in the vocabulary count as places.
    """

    def __init__(self, *, words=(1, 1), chars=(0, 0), across=(0, 0), start=(0, 0), skip=(0, 0), shapes=(0, 0), bint lower=True,
                 bint punctuation=False, negations=(), bint position=False, lexicons=(), bint markup=False, bint sequence=False,
                 int hash_bits=0, Vocabulary vocabulary=None):
        self.words_from, self.words_to = words
        self.chars_from, self.chars_to = chars
        self.across_from, self.across_to = across
        self.start_from, self.start_to = start
        self.skip_from, self.skip_to = skip
        self.shapes_from, self.shapes_to = shapes
        if hash_bits and (self.start_to or self.skip_to or self.shapes_to):
            raise ValueError("start, skip and shapes need a vocabulary")
        self.tokeniser = Tokeniser(lower=lower, punctuation=punctuation, negations=negations, position=position)
        self.cased = Tokeniser(lower=False, punctuation=punctuation)
        self.markup = markup
        self.sequence = sequence
        self.hash_bits = hash_bits
        self.vocabulary = None if hash_bits else (Vocabulary() if vocabulary is None else vocabulary)
        self.idle = []
        self.per_word = (1 + self.words_to - self.words_from + 2 * (1 + self.skip_to - self.skip_from) * (self.skip_to > 0)
                         + (1 + self.shapes_to - self.shapes_from) * (self.shapes_to > 0))
        self.per_token = self.per_word + 4 * (1 + self.chars_to - self.chars_from) * (
            self.chars_to > 0) + 5 * (1 + self.across_to - self.across_from) * (self.across_to > 0)
        self.room = 4 + 8 * (len(negations) > 0) + 8 * position + 4 * (self.chars_to > 0) + 2 * (self.across_to > 0)
        self.lexicons = Lexicons(lexicons)
        for column, (name, _, _) in enumerate(lexicons):
            self.handmade[<int>column] = self._handmade_id(name.encode(), grow=vocabulary is None)

    def _handmade_id(self, bytes name, bint grow):
        if self.hash_bits:
            return self.hashed(string_key(name + b"\0" * 8, len(name), HANDMADE))
        if grow:
            return self.vocabulary.add(name, HANDMADE)
        id = self.vocabulary.find(name, HANDMADE)
        return <uint32_t>NONE if id is None else id

    cdef uint32_t hashed(self, uint64_t key) noexcept nogil:
        return <uint32_t>(mixed(key) >> (64 - self.hash_bits))

    @property
    def n_features(self):
        return 2**self.hash_bits if self.hash_bits else self.vocabulary.n_features

    def ensure_index(self, bint grow=False, uint64_t n_bytes=0):
        """Make look-ups possible in texts of so many bytes; with `grow`, additions as well."""
        if self.vocabulary is not None:
            self.vocabulary.ensure_index(grow, n_bytes)
            if grow:
                self.vocabulary.expect(n_bytes)

    def rows(self, column, bint grow=False):
        """indptr, indices and counts of a column of text, as TextViews takes it."""
        cdef TextViews texts = TextViews(column)
        self.ensure_index(grow, texts.n_bytes)
        cdef Scratch scratch
        cdef SparseRows rows = SparseRows()
        cdef int64_t i
        scratch, idle = self.lent()
        scratch.rows = rows
        try:
            # Memory for about all rows is reserved at once: what is not used is never touched, and moving the rows later
            # would cost more.
            rows.reserve(texts.n + texts.n_bytes // 5 * self.per_token)
            with nogil:
                for i in range(texts.n):
                    self.row(texts.views[i].p, texts.views[i].n, grow, scratch, rows)
        finally:
            self.give_back(scratch, idle)
        return rows.take()

    cdef tuple lent(self):
        """Buffers for one document at a time and for its row, for whoever reads texts now."""
        cdef Scratch scratch
        try:
            scratch, rows = self.idle.pop()
        except IndexError:
            scratch, rows = Scratch(), SparseRows()
        scratch.analyser, scratch.rows = self, rows
        return scratch, rows

    cdef void give_back(self, Scratch scratch, SparseRows rows):
        scratch.next[0] = scratch.next[1] = NULL
        scratch.analyser = scratch.rows = None
        if scratch.tokens_size < MANY_TOKENS:
            self.idle.append((scratch, rows))

    cdef int row(self, const uint8_t *p, int64_t n, bint grow, Scratch s, SparseRows rows) except -1 nogil:
        """Add the row of one document."""
        self.begin_row(s)
        self.document(p, n, grow, s)
        return self.line_up(s, rows) if self.sequence else self.fold(s, rows)

    def occurrences(self, str text):
        """Each occurrence of a feature in a text with the part of the text that it covers, in code points: ids, starts,
        ends.

        Hand-made features are not here: they belong to the text as a whole.
        """
        if self.vocabulary is not None:
            self.vocabulary.ensure_index()
        cdef Scratch scratch = Scratch()
        cdef uint64_t i, n_shapes
        scratch.analyser, scratch.spanned = self, True
        text, origin = self.plain_text(text, scratch)
        cdef bytes data = text.encode("utf-8", "surrogatepass")
        self.shapes(data, len(data), False, scratch)
        n_shapes = scratch.n_ids
        lowered = text.lower() if self.tokeniser.lower else text
        data = lowered.encode("utf-8", "surrogatepass")
        self.lowered_document(data, len(data), False, scratch)
        ids, spans = np.empty(scratch.n_ids, np.int64), np.empty((scratch.n_ids, 2), np.int64)
        cdef int64_t[::1] id_of = ids
        cdef int64_t[:, ::1] span_of = spans
        for i in range(scratch.n_ids):
            id_of[i], span_of[i, 0], span_of[i, 1] = scratch.ids[i], scratch.spans[i].start, scratch.spans[i].end
        spans[:n_shapes] = code_points(text)[spans[:n_shapes]]
        starts, ends = code_points(lowered)[spans[n_shapes:]].T
        if len(lowered) != len(text):
            # Lower-casing turned one character into two: map each place of the result back to the original.
            back = np.append(np.repeat(np.arange(len(text)), [len(character.lower()) for character in text]), len(text))
            starts, ends = back[starts], back[np.maximum(ends - 1, 0)] + (ends > 0)
        spans[n_shapes:] = np.stack([starts, ends], axis=1)
        spans = origin[spans]
        return ids, spans[:, 0], spans[:, 1]

    def places(self, str text):
        """Where the words and punctuation marks of a text stand, in code points: starts, ends. Markup is none of them."""
        cdef Scratch s = Scratch()
        cdef uint64_t i
        s.spanned = True
        text, origin = self.plain_text(text, s)
        cdef bytes data = text.encode("utf-8", "surrogatepass")
        Tokeniser(lower=False, punctuation=True).tokenise(data, len(data), self.room, s)
        spans = np.empty((s.n_tokens, 2), np.int64)
        cdef int64_t[:, ::1] span_of = spans
        for i in range(s.n_tokens):
            span_of[i, 0], span_of[i, 1] = s.tokens[i].start, s.tokens[i].end
        spans = origin[code_points(text)[spans]]
        return spans[:, 0], spans[:, 1]

    def tokens(self, str text):
        """The words of a text as its features have them, and its punctuation marks where they are features too; negation and
        position are left out."""
        cdef Scratch s = Scratch()
        cdef uint64_t i
        cdef bytes data = (text.lower() if self.tokeniser.lower else text).encode("utf-8", "surrogatepass")
        self.tokeniser.tokenise(data, len(data), self.room, s)
        return [(<const char *>s.buffer + s.tokens[i].at)[:s.tokens[i].length].decode("utf-8", "surrogatepass")
                for i in range(s.n_tokens)]

    def plain_text(self, str text, Scratch s):
        """A text without its markup, and for each of its code points, and their end, the place in the text itself."""
        cdef bytes data = text.encode("utf-8", "surrogatepass")
        cdef int64_t n = len(data), i
        if self.markup or not may_have_markup(data, n):
            return text, np.arange(len(text) + 1)
        n = s.strip(data, n)
        plain = (<const char *>s.plain)[:n].decode("utf-8", "surrogatepass")
        places = code_points(text)[[s.origin[i] for i in range(n + 1)]]
        return plain, places[np.append(True, np.diff(code_points(plain)) > 0)]

    cdef int document(self, const uint8_t *p, int64_t n, bint grow, Scratch s) except -1 nogil:
        """Fill the scratch with the ids of one document."""
        if not self.markup and may_have_markup(p, n):
            n = s.strip(p, n)
            p = s.plain
        self.shapes(p, n, grow, s)
        if self.tokeniser.lower and has_special_case(p, n):
            self.special_document(p, n, grow, s)
        else:
            self.lowered_document(p, n, grow, s)
        return 0

    cdef int special_document(self, const uint8_t *p, int64_t n, bint grow, Scratch s) except -1 with gil:
        """Fill the scratch with the ids of a document some of whose letters only Python knows how to lower. This is not a
        part of `document`, which would take the interpreter's lock for every document if it had a variable of Python."""
        lowered = (<const char *>p)[:n].decode("utf-8", "replace").lower().encode()
        cdef const uint8_t *letters = lowered
        n = len(lowered)  # which may be more than before
        with nogil:
            check_length(n)
            return self.lowered_document(letters, n, grow, s)

    cdef int shapes(self, const uint8_t *p, int64_t n, bint grow, Scratch s) except -1 nogil:
        """Add the n-grams of shapes, the first ids of a document. The text must not have been lower-cased before."""
        check_length(n)
        s.n_ids = 0
        if self.shapes_to:
            self.cased.tokenise(p, n, self.room, s)
            shape(s)
            self.find_strings(s, grow)
            self.find_grams(s, self.shapes_from, self.shapes_to, grow)
        return 0

    cdef int lowered_document(self, const uint8_t *p, int64_t n, bint grow, Scratch s) except -1 nogil:
        self.tokeniser.tokenise(p, n, self.room, s)
        self.lexicons.count(self.tokeniser, p, n, s, s.handmade)
        if self.chars_to or self.across_to:
            s.grow = grow
            if self.chars_to:
                within_words(s, self.chars_from, self.chars_to)
            if self.across_to:
                across_words(s, p, n, self.across_from, self.across_to, self.tokeniser.lower)
        self.tokeniser.mark(p, s)
        if self.hash_bits:
            if self.words_to:
                self.make_room(s, s.n_tokens * self.words_to)
                self.hash_words(s)
        elif self.words_to or self.start_to or self.skip_to:
            self.find_strings(s, grow)
            if self.words_to:
                self.find_grams(s, self.words_from, self.words_to, grow)
            if self.lexicons.unknown >= 0:
                self.count_unknown(s)
            if self.start_to:
                self.find_start(s, grow)
            if self.skip_to:
                self.find_skips(s, grow)
        return 0

    cdef int find_strings(self, Scratch s, bint grow) except -1 nogil:
        """Find the id of each token. Keys of long strings are hashes, so that the letters of what is found must be
        compared with those of the token. This is done at the end, when the memory of all these letters has been
        prefetched."""
        cdef int64_t n = s.n_tokens, i, k, n_long = 0
        cdef uint32_t *words
        cdef const Token *t
        s.words = words = <uint32_t *>larger(s.words, &s.words_size, n + 1, sizeof(uint32_t))
        if self.vocabulary.in_place:
            for i in range(n):
                words[i] = self.string_id(&s.tokens[i], s.buffer, False)
            return 0
        s.openings = <uint32_t *>larger(s.openings, &s.openings_size, n + 1, sizeof(uint32_t))
        for i in range(n):
            if i + LINNET_AHEAD < n:
                prefetch(&self.vocabulary.strings, s.tokens[i + LINNET_AHEAD].key)
            t = &s.tokens[i]
            words[i] = find_exact(&self.vocabulary.strings, t.key)
            s.openings[n_long] = <uint32_t>i
            if words[i] != NONE and not is_exact(t.key):
                linnet_prefetch(self.vocabulary.info + words[i])
                n_long += 1
        for k in range(n_long):
            linnet_prefetch(self.vocabulary.letters_of(words[s.openings[k]]))
        for k in range(n_long):
            i = s.openings[k]
            t = &s.tokens[i]
            if not self.vocabulary.is_string(words[i], s.buffer + t.at, t.length):
                words[i] = self.vocabulary.find_string(t.key, s.buffer + t.at, t.length)
        if grow:
            for i in range(n):
                if words[i] == NONE:
                    words[i] = self.string_id(&s.tokens[i], s.buffer, True)
        return 0

    cdef int find_grams(self, Scratch s, int least, int most, bint grow) except -1 nogil:
        cdef int64_t n = s.n_tokens
        cdef int order
        cdef const uint32_t *words = s.words
        cdef uint32_t *grams
        if least == 1:
            self.make_room(s, n)
            self.emit_grams(s, words, 1)
        if most == 1:
            return 0
        s.grams = grams = <uint32_t *>larger(s.grams, &s.grams_size, n + 1, sizeof(uint32_t))
        memcpy(grams, words, n * sizeof(uint32_t))
        for order in range(2, most + 1):
            self.longer_grams(grams, words + order - 1, n - order + 1, grow)
            if order >= least:
                self.make_room(s, n)
                self.emit_grams(s, grams, order)
        return 0

    cdef int longer_grams(self, uint32_t *grams, const uint32_t *words, int64_t n, bint grow) except -1 nogil:
        """Put the grams of grams[i] and words[i] in the place of grams[i], for all i < n; with `grow`, those that are new join the
        vocabulary."""
        cdef int64_t i
        if grow:
            return self.vocabulary.grow_grams(grams, words, n)
        if not self.vocabulary.in_place:
            linnet_find_grams(&self.vocabulary.grams, self.vocabulary.info, grams, words, n)
            return 0
        for i in range(min(<int64_t>LINNET_AHEAD, n)):
            self.vocabulary.prefetch_gram(grams[i], words[i])
        for i in range(n):
            if i + LINNET_AHEAD < n:
                self.vocabulary.prefetch_gram(grams[i + LINNET_AHEAD], words[i + LINNET_AHEAD])
            grams[i] = self.gram_id(grams[i], words[i], False)
        return 0

    cdef void count_unknown(self, Scratch s) noexcept nogil:
        """Count the words that are no features by themselves."""
        cdef uint64_t i
        for i in range(s.n_tokens):
            s.handmade[self.lexicons.unknown] += s.words[i] >= self.vocabulary.n_features

    cdef int find_start(self, Scratch s, bint grow) except -1 nogil:
        """Add the n-grams that stand at the start of the text (option `start`)."""
        cdef int64_t n
        cdef uint32_t id = NONE
        self.make_room(s, self.start_to)
        for n in range(1, min(<int64_t>self.start_to, <int64_t>s.n_tokens) + 1):
            id = self.gram_id(id, s.words[n - 1], grow) if n > 1 else self.opening_id(s, 0, START, grow)
            if n >= self.start_from and id < self.vocabulary.n_features:
                s.emit(id, s.tokens[0].start, s.tokens[n - 1].end)
        return 0

    cdef int find_skips(self, Scratch s, bint grow) except -1 nogil:
        """Add pairs of words with some words left out between them (option `skip`). A pair covers two separate places of
        the text."""
        cdef int64_t n = s.n_tokens, i, k
        cdef int between
        cdef uint32_t *first
        cdef uint32_t *pairs
        s.grams = <uint32_t *>larger(s.grams, &s.grams_size, n + 1, sizeof(uint32_t))
        s.openings = <uint32_t *>larger(s.openings, &s.openings_size, n + 1, sizeof(uint32_t))
        first, pairs = s.openings, s.grams
        for i in range(n - self.skip_from - 1):
            first[i] = self.opening_id(s, i, SKIP, grow)
        for between in range(self.skip_from, self.skip_to + 1):
            if n <= between + 1:
                break
            self.make_room(s, 2 * n)
            memcpy(pairs, first, (n - between - 1) * sizeof(uint32_t))
            self.longer_grams(pairs, s.words + between + 1, n - between - 1, grow)
            for i in range(n - between - 1):
                if pairs[i] < self.vocabulary.n_features:
                    s.emit(pairs[i], s.tokens[i].start, s.tokens[i].end)
                    if s.spanned:
                        k = i + between + 1
                        s.emit(pairs[i], s.tokens[k].start, s.tokens[k].end)
        return 0

    cdef uint32_t opening_id(self, Scratch s, int64_t i, uint32_t kind, bint grow) except? 0xFFFFFFFE nogil:
        """The id of a word as the first string of an n-gram of this kind."""
        cdef Token t = s.tokens[i]
        t.key = string_key(s.buffer + t.at, t.length, kind)
        return self.string_id(&t, s.buffer, grow)

    cdef uint32_t gram_id(self, uint32_t shorter, uint32_t word, bint grow) except? 0xFFFFFFFE nogil:
        cdef uint64_t key = <uint64_t>shorter << 32 | word
        cdef uint32_t id
        if shorter == NONE or word == NONE:
            return NONE
        id = self.vocabulary.find_gram(key)
        if grow and id == NONE:
            id = self.vocabulary.add_gram(key)
        return id

    cdef uint32_t string_id(self, const Token *t, const uint8_t *buffer, bint grow) except? 0xFFFFFFFE nogil:
        cdef uint32_t id
        if is_exact(t.key) and not self.vocabulary.in_place:
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

    cdef int find_pieces(self, Scratch s, bint grow) except -1 nogil:
        cdef uint64_t i
        cdef uint32_t id
        cdef Token *t
        self.make_room(s, s.n_pieces)
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
        """Add a row in which each id stands as often as it occurs, with its place as its value."""
        cdef uint64_t i, n_features = self.n_ids()
        rows.reserve(s.n_ids + 1)
        for i in range(s.n_ids):
            rows.indices[rows.nnz] = s.ids[i]
            rows.values[rows.nnz] = <float>(i + 1)
            rows.nnz += s.ids[i] < n_features
        rows.end_row()
        return 0

    cdef uint64_t n_ids(self) noexcept nogil:
        return (<uint64_t>1 << self.hash_bits) if self.hash_bits else self.vocabulary.n_features

    cdef void begin_row(self, Scratch s) noexcept nogil:
        """Begin a row without any features. A row that an error has ended leaves nothing, either."""
        s.base += s.n_distinct
        s.n_distinct = 0
        # A row has fewer features than 2^31, so that no place in `last` is above 32 bits.
        if s.base == 0 or s.base > 0x7FFFFFFF:
            if s.last != NULL:
                memset(s.last, 0, s.last_size * sizeof(uint32_t))
            s.base = 1

    cdef int fold(self, Scratch s, SparseRows rows) except -1 nogil:
        """Add a row in which each id stands once, with its count, in the order of first sight."""
        cdef uint64_t i, n_features = self.n_ids()
        cdef uint32_t column
        self.fold_some(s, rows)
        cdef float *value = rows.values + rows.nnz
        cdef uint32_t *count = <uint32_t *>value
        for i in range(s.n_distinct):
            value[i] = <float>count[i]
        rows.nnz += s.n_distinct
        for column in range(self.lexicons.n):
            if s.handmade[column] and self.handmade[column] < n_features:
                rows.indices[rows.nnz] = self.handmade[column]
                rows.values[rows.nnz] = s.handmade[column]
                rows.nnz += 1
        rows.end_row()
        return 0

    cdef int make_room(self, Scratch s, uint64_t more) except -1 nogil:
        """Make room for so many more ids. Those that there are become a part of the row before, in the middle of a document that
        has very many: their memory does not grow with the text."""
        if s.n_ids > MANY_IDS and not (s.spanned or self.sequence):
            self.fold_some(s, s.rows)
        return s.reserve(s.n_ids + more)

    cdef int fold_some(self, Scratch s, SparseRows rows) except -1 nogil:
        """Add the ids that there are to the row, behind those that it has, and forget them.

        last[id] is `base`, as it was for the last row that had the id, plus the place of the id in that row. `base`
        grows by the length of each row. So an id has been seen in this row if last[id] is not below `base`, and `last`
        need not be cleared from row to row. Whether an id has been seen is hard for the processor to predict, so the
        loop has no branch. Counts are whole numbers, in the memory of the values, until the end. The tables in which
        the features will be looked up next (`next`) are prefetched here: the loops that look them up are too short to
        hide how long memory takes.
        """
        cdef uint64_t i, n_features = self.n_ids()
        cdef uint64_t old = s.last_size
        rows.reserve(s.n_distinct + s.n_ids + self.lexicons.n + 1)
        if n_features > old or s.last == NULL:
            s.last = <uint32_t *>larger(s.last, &s.last_size, n_features, sizeof(uint32_t))
            memset(s.last + old, 0, (s.last_size - old) * sizeof(uint32_t))
        cdef uint32_t *row = rows.indices + rows.nnz
        cdef uint32_t *count = <uint32_t *>(rows.values + rows.nnz)
        cdef uint32_t *last = s.last
        cdef const uint32_t *ids = s.ids
        cdef uint64_t n_ids = s.n_ids
        cdef uint32_t id, n = s.n_distinct, place, again, base = <uint32_t>s.base
        # Without such tables, what has just been used stands in for them: asking for it again costs nothing.
        cdef const char *first = s.next[0] if s.next[0] != NULL else <const char *>last
        cdef const char *second = s.next[1] if s.next[1] != NULL else <const char *>last
        cdef uint64_t first_size = s.next_size[0] if s.next[0] != NULL else sizeof(uint32_t)
        cdef uint64_t second_size = s.next_size[1] if s.next[1] != NULL else sizeof(uint32_t)
        for i in range(n_ids):
            if i + LINNET_AHEAD < n_ids:
                linnet_prefetch(last + ids[i + LINNET_AHEAD])
            id = ids[i]
            linnet_prefetch(first + id * first_size)
            linnet_prefetch(second + id * second_size)
            again = last[id] >= base
            place = n ^ ((last[id] - base ^ n) & -again)
            last[id] = base + place
            row[place] = id
            count[place] = (count[place] & -again) + 1
            n += 1 - again
        s.n_distinct = n
        s.n_ids = 0
        return 0
