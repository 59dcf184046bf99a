# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Hand-made features of a whole text: how many of its words are in a list, whether any is, how long it is.

An entry of a list is a word, or anything longer that begins with a word or a mark: `second-rate`, `o'clock`, `not bad`, `:-)`. It is
found where the text has the same letters and marks in upper or lower case, unless it would end inside a word of the text. A feature
counts what is longest first, so that a list with `low` and `low-brow` counts one of them in *low-brow*.
"""

from libc.math cimport log
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from linnet.core.extract.scripts cimport is_unspaced
from linnet.core.extract.tokens cimport Token, length_of, starts_word
from linnet.core.extract.utf8 cimport Py_UNICODE_ISSPACE, Py_UNICODE_TOLOWER, decode, is_letter
from linnet.core.extract.vocabulary cimport NONE

_MODES = {"count": COUNT, "presence": PRESENCE, "log-length": LOG_LENGTH, "unknown": UNKNOWN}

cdef enum:
    BLANK = 32
    APOSTROPHE = 39
    TYPOGRAPHIC_APOSTROPHE = 0x2019


cdef class Lexicons:
    """Hand-made features, each given as (name, mode, entries), the entries in lower case. A feature of mode `unknown`, of which there
    is one at most, is left at 0 here: the caller, who has the vocabulary of the model, writes its value into the column
    `unknown`."""

    def __init__(self, lexicons):
        cdef dict masks = {}
        cdef uint32_t column
        if len(lexicons) > MOST:
            raise ValueError(f"at most {MOST} hand-made features")
        self.unknown = -1
        for column, (_, mode, entries) in enumerate(lexicons):
            self.mode[column] = _MODES[mode]
            if mode == "unknown":
                self.unknown = <int>column
            for entry in entries:
                plain = " ".join(entry.replace("\u2019", "'").split()).encode()
                if plain:
                    masks[plain] = masks.get(plain, 0) | 1 << column
        self.n = len(lexicons)
        self._keep(masks)

    def _keep(self, dict masks):
        """Keep the entries, given as UTF-8 with the features that count them: single words in a vocabulary; what is longer in
        lists, one for each first word or mark, the longest first."""
        cdef Tokeniser tokeniser = Tokeniser()
        cdef Tokens s = Tokens()
        cdef uint32_t i, id
        cdef list single = [], longer = []
        for entry in sorted(masks, key=len):
            tokeniser.tokenise(entry, len(entry), 4, s)
            begins = s.n_tokens > 0 and s.tokens[0].start == 0
            word = entry[:s.tokens[0].end] if begins else None
            if word == entry:
                single.append(entry)
            else:
                longer.append((word, entry))
        self.words = Vocabulary()
        for entry in single:
            self.words.add(entry)
        for word, _ in longer:
            if word is not None:
                self.words.add(word)
        self.masks = <uint32_t *>_room(len(self.words) * sizeof(uint32_t))
        self.first = <int32_t *>_room(len(self.words) * sizeof(int32_t))
        self.longer = <Entry *>_room(len(longer) * sizeof(Entry))
        for i in range(<uint32_t>len(self.words)):
            self.masks[i], self.first[i] = 0, -1
        for i in range(256):
            self.first_of_mark[i] = -1
        for entry in single:
            self.masks[<uint32_t>self.words.find(entry)] = masks[entry]
        self.text = b"".join([entry for _, entry in longer])
        self.letters = self.text
        at = 0
        for i, (word, entry) in enumerate(longer):
            self.longer[i].at, self.longer[i].length, self.longer[i].mask = at, len(entry), masks[entry]
            at += len(entry)
            if word is None:
                self.longer[i].next = self.first_of_mark[<uint8_t>entry[0]]
                self.first_of_mark[<uint8_t>entry[0]] = i
            else:
                id = self.words.find(word)
                self.longer[i].next = self.first[id]
                self.first[id] = i
        self.has_marks = any([word is None for word, _ in longer])

    def __dealloc__(self):
        free(self.masks)
        free(self.first)
        free(self.longer)

    cdef void count(self, Tokeniser tokeniser, const uint8_t *p, int64_t n, Tokens s, float *values) noexcept nogil:
        """Write the value of each feature into `values`, in one pass over the words and marks of a text in their order.
        ends[k] is where the last entry ends that feature k has counted."""
        cdef int64_t ends[MOST]
        cdef int64_t looked = 0
        cdef uint64_t i
        cdef uint32_t id, column
        cdef Token *t
        if self.n == 0:
            return
        for column in range(self.n):
            values[column] = 0
            ends[column] = 0
        for i in range(s.n_tokens):
            t = &s.tokens[i]
            if self.has_marks:
                self.count_marks(p, n, looked, t.start + 1, ends, values)
                looked = t.start + 1
            id = tokeniser.lowered_id(self.words, s, t)
            if id != NONE and t.mark != 1:
                if self.first[id] >= 0:
                    self.count_longer(self.first[id], p, n, t.start, ends, values)
                self.add(self.masks[id], t.start, t.end, ends, values)
        if self.has_marks:
            self.count_marks(p, n, looked, n, ends, values)
        for column in range(self.n):
            if self.mode[column] == PRESENCE:
                values[column] = 1 if values[column] else 0
            elif self.mode[column] == LOG_LENGTH:
                values[column] = log(<double>max(length_of(p, n), 1))

    cdef void count_marks(self, const uint8_t *p, int64_t n, int64_t begin, int64_t end, int64_t *ends,
                          float *values) noexcept nogil:
        """Count the entries that begin with a mark between two places of a text."""
        cdef int64_t b
        for b in range(begin, end):
            if self.first_of_mark[p[b]] >= 0:
                self.count_longer(self.first_of_mark[p[b]], p, n, b, ends, values)

    cdef void count_longer(self, int32_t entry, const uint8_t *p, int64_t n, int64_t start, int64_t *ends,
                           float *values) noexcept nogil:
        """Count the entries of a list that stand at a place of a text."""
        cdef int64_t end
        while entry >= 0:
            end = self.end_of(&self.longer[entry], p, n, start)
            if end >= 0:
                self.add(self.longer[entry].mask, start, end, ends, values)
            entry = self.longer[entry].next

    cdef void add(self, uint32_t mask, int64_t start, int64_t end, int64_t *ends, float *values) noexcept nogil:
        """Count what stands from `start` to `end` for the features of a mask that have not counted a part of it yet."""
        cdef uint32_t column
        if not mask:
            return
        for column in range(self.n):
            if mask >> column & 1 and start >= ends[column]:
                values[column] += 1
                ends[column] = end

    cdef int64_t end_of(self, const Entry *entry, const uint8_t *p, int64_t n, int64_t start) noexcept nogil:
        """Where an entry ends that stands at this place of a text; -1 where it does not stand there."""
        cdef const uint8_t *wanted = self.letters + entry.at
        cdef int64_t at = start
        cdef uint32_t k = 0, want = 0, ch = 0
        cdef int width
        while k < entry.length:
            if at >= n:
                return -1
            k += decode(wanted + k, entry.length - k, &want)
            width = decode(p + at, n - at, &ch)
            if want == BLANK:
                if not Py_UNICODE_ISSPACE(ch):
                    return -1
                while at < n and Py_UNICODE_ISSPACE(ch):
                    at += width
                    if at < n:
                        width = decode(p + at, n - at, &ch)
                continue
            if want != (APOSTROPHE if ch == TYPOGRAPHIC_APOSTROPHE else Py_UNICODE_TOLOWER(ch)):
                return -1
            at += width
        if is_letter(want) and not is_unspaced(want) and at < n and starts_word(p + at, n - at):
            return -1
        return at


cdef void *_room(size_t size) except NULL:
    cdef void *room = malloc(size or 1)
    if room == NULL:
        raise MemoryError("no memory for the lexicon")
    return room
