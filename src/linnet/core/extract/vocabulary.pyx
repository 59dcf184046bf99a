# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The exact vocabulary: strings and n-grams to contiguous ids, growing online, with every name kept.

A node is a string (a word, a piece of a word) or a gram: a shorter node followed by a word. So the bigram `a b` is the pair
(id of a, id of b) and the trigram `a b c` is (id of `a b`, id of c), exact and without hashing. `info[id]` is all there
is to know of a node:

    string:  1 | kind (3 bits) | length (20 bits) | offset into the pool (40 bits)
    gram:    0 | shorter node (31 bits) | word (32 bits)

Two open-addressing tables (lookup.h) find the ids again. The key of a string of up to 7 bytes is the string itself; that of a
longer one is a 56-bit hash, checked against the pool. The key of a gram is its info, which its table looks up there. Strings of one
key that somebody has chosen to be many are in a third table, whose keys nobody else can know.

A vocabulary of INDEXED nodes or more has an index in the model file (filed_index.pxd), so that nothing is built, copied
or read as a whole when it is loaded: `info`, the pool and the index are used where they are in the file, and each use
checks its bounds. Tables are faster, but to fill them takes as long as to read WORTH bytes of text for each node: so
the vocabulary is brought into memory, with tables, as soon as that much text has been read, or when something is added.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

from linnet.core.extract.filed_index cimport PROBES, FiledIndex, bits_for, first_slot, index_hash
from linnet.core.extract.scripts cimport is_unspaced
from linnet.core.extract.tables cimport find_exact, free_table, grow_table, hash_of, line_of, new_secret, put, reserve, Slot
from linnet.core.extract.utf8 cimport decode

from threading import Lock

import numpy as np

from linnet.core.schema import later
from linnet.errors import ModelError

INDEXED = 1 << 21
"""The number of nodes from which on the model file has an index."""
WORTH = 2
"""The bytes of text for each node after which tables in memory have paid for the time to fill them."""
_INDEXING = Lock()
"""Held while tables are filled, which threads that share a vocabulary must not do at once."""

cdef uint64_t STRING = <uint64_t>1 << 63
cdef uint64_t OFFSET = (<uint64_t>1 << 40) - 1
cdef int MAX_ORDER = 64             # the most strings of a gram; a longer chain of nodes is taken for an endless one

cdef enum:
    PLACES = 8                      # number of grams of a line
    MOST_TAKEN = 80                 # percentage of places that are taken before the table grows
    TAG_BITS = 30                   # number of bits of a tag, less those that say how far after its line an entry is
    BYTES_OF_NODE = 8               # bytes of text for each node, if there are very many
    BYTES_OF_GRAM = 64              # bytes of text for each gram, if there are few
    LONG = 1 << 14                  # bytes of a word that are shown
    SAME = 8                        # number of long strings with one key that `strings` holds
    THINNEST = 4                    # an index with so many slots for each node that still has long searches is given up


cdef class Vocabulary:
    def __cinit__(self):
        self.naming = new_secret()
        with nogil:
            grow_table(&self.strings)
            self.make_grams(0)
        self.indexed = self.trusted = True

    def __dealloc__(self):
        free_table(&self.strings)
        free_table(&self.namesakes)
        linnet_free(self.grams.lines)
        if not self.in_place:
            free(self.info)
            free(self.pool)

    def __len__(self):
        return self.n

    cdef uint32_t find_filed(self, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil:
        """The id of a node by the index of the model file: of the gram with this key where p is NULL, else of a string."""
        cdef uint64_t hash = index_hash(key), at = first_slot(&self.filed, hash), info
        cdef uint32_t low = (<uint32_t>1 << self.filed.id_bits) - 1, tag = <uint32_t>hash & ~low, slot, id
        cdef uint64_t i, steps = min(<uint64_t>PROBES, self.filed.size)
        for i in range(steps):
            slot = self.filed.slots[at]
            if slot == 0:
                return NONE
            id = (slot & low) - 1
            if slot & ~low == tag and id < self.n:
                info = self.info[id]
                if info == key if p == NULL else self.is_filed(info, key, p, length):
                    return id
            at = at + 1 if at + 1 < self.filed.size else 0
        return NONE

    cdef bint is_filed(self, uint64_t info, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil:
        """Whether a node with this info is the string of a key. Nothing of the info has been checked."""
        cdef uint64_t head = STRING | (key >> 60 & 7) << 60 | <uint64_t>length << 40
        if info & ~OFFSET != head or (info & OFFSET) + length > self.pool_length:
            return False
        return memcmp(self.pool + (info & OFFSET), p, length) == 0

    cdef uint32_t find_string(self, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil:
        cdef uint64_t at
        cdef Slot *slot
        cdef int same = 0
        if self.in_place:
            return self.find_filed(key, p, length)
        if is_exact(key):
            return find_exact(&self.strings, key)
        at = line_of(&self.strings, key)
        while True:
            slot = &self.strings.slots[at]
            if slot.id_plus_1 == 0:
                return NONE
            if slot.key == key:
                if self.is_named(slot.id_plus_1 - 1, key, p, length):
                    return slot.id_plus_1 - 1
                same += 1
                if same == SAME:
                    return self.find_namesake(key, p, length)
            at = (at + 1) & self.strings.mask

    cdef uint32_t find_namesake(self, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil:
        """The id of a string whose key SAME others have."""
        cdef uint64_t hash, at
        cdef Slot *slot
        if self.namesakes.slots == NULL:
            return NONE
        hash = hash_of(self.naming, p, length)
        at = line_of(&self.namesakes, hash)
        while True:
            slot = &self.namesakes.slots[at]
            if slot.id_plus_1 == 0:
                return NONE
            if slot.key == hash and self.is_named(slot.id_plus_1 - 1, key, p, length):
                return slot.id_plus_1 - 1
            at = (at + 1) & self.namesakes.mask

    cdef int put_string(self, uint64_t key, const unsigned char *p, uint32_t length, uint32_t id) except -1 nogil:
        """Add a string that is not there to the table, which must have room."""
        cdef uint64_t at
        cdef int same = 0
        if not is_exact(key):
            at = line_of(&self.strings, key)
            while self.strings.slots[at].id_plus_1 and same < SAME:
                same += self.strings.slots[at].key == key
                at = (at + 1) & self.strings.mask
        if same < SAME:
            put(&self.strings, key, id)
            return 0
        if 2 * self.namesakes.count >= self.namesakes.mask:
            grow_table(&self.namesakes)
        put(&self.namesakes, hash_of(self.naming, p, length), id)
        return 0

    cdef uint32_t find_gram(self, uint64_t key) noexcept nogil:
        if self.in_place:
            return self.find_filed(key, NULL, 0)
        return linnet_find_gram(&self.grams, self.info, <uint32_t>(key >> 32), <uint32_t>key)

    cdef int make_grams(self, uint64_t room) except -1 nogil:
        """Make a table with room for so many nodes, all of which may be grams, and put in those that are there."""
        cdef int line_bits = 7
        while PLACES * MOST_TAKEN << line_bits < 100 * room:
            line_bits += 1
        self.grams.bits = 10
        while self.grams.bits < 31 and room > <uint64_t>1 << self.grams.bits:
            self.grams.bits += 1
        while True:
            linnet_free(self.grams.lines)
            self.grams.lines = <Line *>linnet_zeros(sizeof(Line) << line_bits)
            if self.grams.lines == NULL:
                with gil:
                    raise MemoryError(f"the vocabulary needs {sizeof(Line) << line_bits >> 20} MB; use hash=22 or min=2")
            self.grams.count = 0
            self.grams.mask = (<uint64_t>1 << line_bits) - 1
            self.grams.line_bits = line_bits
            self.grams.exact = 2 * self.grams.bits - line_bits <= TAG_BITS
            self.grams.secret = new_secret()
            if self.put_grams():
                return 0
            # Four lines that are full while most places are empty are bad luck: another secret helps, not a larger table.
            if 2 * self.grams.count > most_grams(&self.grams):
                line_bits += 1

    cdef bint put_grams(self) noexcept nogil:
        """Put all grams into the table; False where they do not fit. Of a gram that is there twice, as in a forged model, the
        first is put in."""
        cdef uint32_t i
        cdef uint64_t next, gram
        for i in range(self.n):
            if i + LINNET_AHEAD < self.n:
                next = self.info[i + LINNET_AHEAD]
                if not next & STRING:
                    linnet_prefetch(&self.grams.lines[linnet_gram_hash(&self.grams, next >> 32, <uint32_t>next) & self.grams.mask])
            gram = self.info[i]
            if gram & STRING or linnet_find_gram(&self.grams, self.info, gram >> 32, <uint32_t>gram) != NONE:
                continue
            if not linnet_put_gram(&self.grams, gram >> 32, <uint32_t>gram, i):
                return False
        return True

    cdef uint32_t new_id(self, uint64_t info) except? 0xFFFFFFFE nogil:
        if self.n >= self.info_size or self.indexed and self.n >> self.grams.bits:
            self.make_room()
        self.info[self.n] = info
        self.n += 1
        self.n_features = self.n
        return self.n - 1

    cdef int make_room(self) except -1 nogil:
        """Make room for one more node at least, where there is none."""
        cdef uint64_t size
        cdef uint64_t *larger
        if self.n >= <uint32_t>1 << 31:
            with gil:
                raise MemoryError("the vocabulary has 2^31 entries; use hash=22 or a smaller n-gram range")
        if self.n >= self.info_size:
            size = self.info_size * 2 if self.info_size else 1 << 10
            larger = <uint64_t *>linnet_larger(self.info, size * sizeof(uint64_t))
            if larger == NULL:
                with gil:
                    raise MemoryError("no memory for the vocabulary; use hash=22 or min=2")
            self.info = larger
            self.info_size = size
        if self.indexed and self.n >> self.grams.bits:
            self.make_grams(2 * self.n)
        return 0

    cdef uint64_t pooled(self, uint64_t key, const unsigned char *p, uint32_t length) except? 0 nogil:
        """Copy a string into the pool and return its info."""
        cdef uint64_t size, info
        cdef unsigned char *larger
        if self.pool_length + length + 8 > self.pool_size:
            size = 2 * (self.pool_length + length) + (1 << 12)
            larger = <unsigned char *>linnet_larger(self.pool, size)
            if larger == NULL:
                with gil:
                    raise MemoryError("no memory for the vocabulary; use hash=22 or min=2")
            self.pool = larger
            self.pool_size = size
        memcpy(self.pool + self.pool_length, p, length)
        info = STRING | (key >> 60 & 7) << 60 | <uint64_t>length << 40 | self.pool_length
        self.pool_length += length
        return info

    cdef uint32_t add_string(self, uint64_t key, const unsigned char *p, uint32_t length) except? 0xFFFFFFFE nogil:
        cdef uint32_t id
        id = self.find_string(key, p, length)
        if id != NONE:
            return id
        if 2 * self.strings.count > self.strings.mask:
            grow_table(&self.strings)
        id = self.new_id(self.pooled(key, p, length))
        self.put_string(key, p, length, id)
        return id

    cdef uint32_t add_gram(self, uint64_t key) except? 0xFFFFFFFE nogil:
        """Add a gram that is not in the vocabulary yet, and return its id."""
        cdef uint32_t id
        if self.grams.count >= most_grams(&self.grams):
            self.make_grams(2 * self.n)
        id = self.new_id(key)
        if not linnet_put_gram(&self.grams, key >> 32, <uint32_t>key, id):
            self.make_grams(2 * self.n)
        return id

    cdef int grow_grams(self, uint32_t *grams, const uint32_t *words, int64_t n) except -1 nogil:
        """Put the gram of grams[i] and words[i] in the place of grams[i], for all i < n; those that are new are added."""
        cdef int64_t done = 0
        cdef uint64_t room
        while True:
            room = self.n + most_grams(&self.grams) - min(self.grams.count, most_grams(&self.grams))
            room = min(room, self.info_size, <uint64_t>1 << self.grams.bits)
            done += linnet_grow_grams(&self.grams, self.info, &self.n, <uint32_t>room, grams + done, words + done, n - done)
            self.n_features = self.n
            if done == n:
                return 0
            grams[done] = self.add_gram(<uint64_t>grams[done] << 32 | words[done])
            done += 1

    def add(self, bytes string, uint32_t kind=WORD):
        """The id of a string; a new string is added."""
        self.ensure_index(True)
        string = string[:MAX_LENGTH]
        padded = string + b"\0" * 8
        cdef const unsigned char *p = padded
        cdef uint32_t length = <uint32_t>len(string)
        return self.add_string(string_key(p, length, kind), p, length)

    def add_pair(self, uint32_t shorter, uint32_t word):
        """The id of the gram of a shorter node and a word, given their ids; a new gram is added."""
        if max(shorter, word) >= self.n or not self.info[word] & STRING:
            raise IndexError((shorter, word))
        self.ensure_index(True)
        cdef uint64_t key = <uint64_t>shorter << 32 | word
        cdef uint32_t id = self.find_gram(key)
        return self.add_gram(key) if id == NONE else id

    def find(self, bytes string, uint32_t kind=WORD):
        """The id of a string, or None where it is not in the vocabulary."""
        self.ensure_index()
        string = string[:MAX_LENGTH]
        padded = string + b"\0" * 8
        cdef const unsigned char *p = padded
        cdef uint32_t length = <uint32_t>len(string)
        cdef uint64_t key = string_key(p, length, kind)
        cdef uint32_t id = self.find_string(key, p, length)
        return None if id == NONE else id

    def codes(self, column, bint grow=False):
        """The id of each string of an Arrow array of large strings. An unknown string gets -1, or is added where `grow` is
        set."""
        cdef int64_t i, n = len(column), left
        cdef uint32_t length, id
        cdef const unsigned char *p
        cdef unsigned char short_string[16]
        cdef uint64_t key
        self.ensure_index(True)
        out = np.empty(n, np.int32)
        cdef int32_t[::1] code = out
        if n == 0:
            return out
        _, offsets_buffer, data_buffer = column.buffers()
        cdef const int64_t *offsets = <const int64_t *><uintptr_t>offsets_buffer.address + <int64_t>column.offset
        cdef const unsigned char *data = NULL
        cdef int64_t size = 0
        if data_buffer is not None:
            data = <const unsigned char *><uintptr_t>data_buffer.address
            size = data_buffer.size
        with nogil:
            for i in range(n):
                length = <uint32_t>min(offsets[i + 1] - offsets[i], <int64_t>MAX_LENGTH)
                p = data + offsets[i]
                left = size - offsets[i]
                if left < 8:  # a key is made of 8 bytes at once, so the last bytes are copied first
                    memcpy(short_string, p, length)
                    p = short_string
                key = string_key(p, length, WORD)
                id = self.find_string(key, p, length)
                if id == NONE and grow:
                    id = self.add_string(key, p, length)
                code[i] = <int32_t>id
        return out

    def kinds(self):
        """The kind of each node; that of a gram is the kind of its first string."""
        out = np.empty(self.n, np.uint8)
        cdef uint8_t[::1] kind = out
        cdef uint32_t i
        cdef uint64_t info
        self.check()
        for i in range(self.n):
            info = self.info[i]
            while not info & STRING:
                info = self.info[info >> 32]
            kind[i] = <uint8_t>(info >> 60 & 7)
        return out

    def name(self, uint32_t id):
        """The string of a node, the words of a gram joined by blanks. Characters of a script without blanks are joined as they
        are, unless others stand between them. Each word is cut where it is longer than any that people wrote: in a forged model, a
        thousand grams may share one of a megabyte."""
        if id >= self.n:
            raise IndexError(id)
        if not self.trusted:
            check_node(self, id)
        cdef uint64_t info = self.info[id]
        words = []
        while not info & STRING:
            words.append(self._string(self.info[<uint32_t>info], LONG))
            info = self.info[info >> 32]
        words.append(self._string(info, LONG))
        words.reverse()
        name = words[0]
        for before, word in zip(words, words[1:]):
            joined = info >> 60 & 7 != SKIP and is_unspaced_character(before) and is_unspaced_character(word)
            name += word if joined else b" " + word
        return name.decode("utf-8", "replace")

    def _string(self, uint64_t info, uint64_t most=MAX_LENGTH):
        cdef uint64_t length = min(info >> 40 & MAX_LENGTH, most)
        return (<char *>self.pool + (info & OFFSET))[:length]

    def kept(self, uint32_t[::1] features):
        """A new vocabulary whose ids 0, 1, ... are the given nodes, followed by the nodes that these are made of."""
        cdef Vocabulary small = Vocabulary()
        cdef uint32_t none = NONE
        small.indexed = False
        cdef uint32_t[::1] new = np.full(self.n, none, np.uint32)
        cdef uint8_t[::1] wanted = np.zeros(self.n, np.uint8)
        cdef uint32_t[::1] order
        cdef int64_t i, n_features = features.shape[0]
        cdef uint64_t info
        cdef bint again = True
        self.check()
        for i in range(n_features):
            wanted[features[i]] = 1
            new[features[i]] = <uint32_t>i
        # Where grams have larger numbers than their parts, one pass from the last node to the first finds the parts of
        # parts. In a vocabulary that this method has made, internal nodes come after the features, so that a part may
        # have a larger number than its gram; then another pass follows.
        while again:
            again = False
            for i in range(<int64_t>self.n - 1, -1, -1):
                info = self.info[i]
                if wanted[i] and not info & STRING:
                    again = again or not wanted[info >> 32] and <int64_t>(info >> 32) > i
                    wanted[<uint32_t>info] = 1
                    wanted[info >> 32] = 1
        internal = np.flatnonzero((np.asarray(wanted) == 1) & (np.asarray(new) == none)).astype(np.uint32)
        np.asarray(new)[internal] = n_features + np.arange(len(internal), dtype=np.uint32)
        order = np.concatenate([features, internal])
        for i in range(order.shape[0]):
            if i + 2 * LINNET_AHEAD < order.shape[0]:
                linnet_prefetch(&self.info[order[i + 2 * LINNET_AHEAD]])
                info = self.info[order[i + LINNET_AHEAD]]
                if not info & STRING:
                    linnet_prefetch(&new[info >> 32])
                    linnet_prefetch(&new[<uint32_t>info])
            info = self.info[order[i]]
            if info & STRING:
                small.new_id(small.pooled(info, self.pool + (info & OFFSET), <uint32_t>(info >> 40 & MAX_LENGTH)))
            else:
                small.new_id(<uint64_t>new[info >> 32] << 32 | new[<uint32_t>info])
        small.n_features = <uint32_t>n_features
        return small

    def added_to(self, Vocabulary whole):
        """Add all nodes to another vocabulary, unless they are there, and return the ids of the features in it."""
        cdef uint64_t i, info, key
        cdef uint32_t id, length
        found = np.empty(self.n, np.int64)
        cdef int64_t[::1] ids = found
        self.check()
        whole.ensure_index(True)
        # Internal nodes come after the features, so that a gram may come before its parts: strings are added first,
        # then grams whose parts have been added, until none is left.
        for i in range(self.n):
            info = self.info[i]
            if info & STRING:
                padded = self._string(info) + b"\0" * 8
                length = <uint32_t>(info >> 40 & MAX_LENGTH)
                key = string_key(<const unsigned char *>padded, length, <uint32_t>(info >> 60 & 7))
                ids[i] = whole.add_string(key, <const unsigned char *>padded, length)
            else:
                ids[i] = -1
        while (found < 0).any():
            for i in range(self.n):
                info = self.info[i]
                if ids[i] < 0 and ids[info >> 32] >= 0:
                    key = <uint64_t>ids[info >> 32] << 32 | <uint64_t>ids[<uint32_t>info]
                    id = whole.find_gram(key)
                    ids[i] = whole.add_gram(key) if id == NONE else id
        return found[:self.n_features]

    def ensure_index(self, bint grow=False, uint64_t n_bytes=0):
        """Make look-ups possible in a text of so many bytes; with `grow`, additions as well. Tables are filled where there is no
        index in the model file, or where they pay. A model that is only saved never needs them."""
        if self.in_place:
            self.n_read += n_bytes
            if grow or self.n_read >= <uint64_t>WORTH * self.n:
                self._bring_into_memory()
        if self.in_place or self.indexed:
            return
        with _INDEXING:
            if not self.indexed:
                self._index()
                self.indexed = True

    def expect(self, uint64_t n_bytes):
        """Make room for what a text of so many bytes may add to an empty vocabulary, so that little has to be moved while it
        grows. Memory that is not used then is never touched."""
        if self.n or self.info != NULL:
            return
        self.info_size = n_bytes // BYTES_OF_NODE
        self.info = <uint64_t *>linnet_larger(NULL, self.info_size * sizeof(uint64_t))
        if self.info == NULL:
            self.info_size = 0
        with nogil:
            self.make_grams(n_bytes // BYTES_OF_GRAM)

    def _bring_into_memory(self):
        """Go over from the index in the model file to tables. Other threads may use the index meanwhile, so its arrays
        are kept."""
        cdef Vocabulary copied = Vocabulary._copied(self.filed_arrays[0], self.filed_arrays[1])
        copied.trusted = False
        copied.check()
        copied._index()
        if not self.in_place:  # Another thread was faster.
            return
        cdef Table strings = self.strings
        cdef Grams grams = self.grams
        self.strings, self.grams, copied.strings, copied.grams = copied.strings, copied.grams, strings, grams
        self.namesakes, self.naming, copied.namesakes.slots = copied.namesakes, copied.naming, NULL
        self.info, self.pool, self.info_size, self.pool_size = copied.info, copied.pool, copied.info_size, copied.pool_size
        copied.info, copied.pool = NULL, NULL
        self.indexed = self.trusted = True
        self.in_place = False

    def check(self):
        """Raise ModelError unless what `info` says of each node can be: what it is made of is there."""
        cdef uint64_t wrong
        cdef int fault = 0
        if self.trusted:
            return
        with nogil:
            wrong = first_wrong(self.info, self.n, self.pool_length, &fault)
        if wrong < self.n:
            raise ModelError(f"the model file is damaged ({said(wrong, fault)}). Copy or train it again.")
        self.trusted = True

    def count_all(self):
        """Make all nodes features, even those that are only parts of other nodes."""
        self.n_features = self.n

    def drop_index(self):
        """Free both tables, which are filled again when something is looked up."""
        reserve(&self.strings, 0)
        free_table(&self.namesakes)
        linnet_free(self.grams.lines)
        self.grams.lines = NULL
        self.grams.count = 0
        self.indexed = False

    def _index(self):
        cdef uint32_t i, length
        cdef uint64_t info, key, n_strings = 0
        cdef const unsigned char *p
        for i in range(self.n):
            n_strings += self.info[i] >> 63
        reserve(&self.strings, n_strings)
        if self.pool_length + 8 > self.pool_size:
            self._pad_pool()
        with nogil:
            for i in range(self.n):
                info = self.info[i]
                if not info & STRING:
                    continue
                p, length = self.pool + (info & OFFSET), <uint32_t>(info >> 40 & MAX_LENGTH)
                key = string_key(p, length, <uint32_t>(info >> 60 & 7))
                if self.find_string(key, p, length) == NONE:  # it may be there twice in a forged model
                    self.put_string(key, p, length, i)
            self.make_grams(self.n)

    def arrays(self):
        """Arrays for the model file: the info of each node, and the pool of strings."""
        if self.in_place:
            return {"info": self.filed_arrays[0], "pool": self.filed_arrays[1]}
        info = np.empty(self.n, np.uint64)
        pool = np.empty(self.pool_length, np.uint8)
        cdef uint64_t[::1] info_view = info
        cdef uint8_t[::1] pool_view = pool
        if self.n:
            memcpy(&info_view[0], self.info, self.n * sizeof(uint64_t))
        if self.pool_length:
            memcpy(&pool_view[0], self.pool, self.pool_length)
        return {"info": info, "pool": pool}

    def index(self):
        """The index for the model file, as filed_index.pxd describes it; None where there are too few nodes. It is four fifths
        full, or less where a search would be too long; None where it would be long even so, as among strings that somebody has
        chosen for it."""
        if self.in_place:
            return self.filed_arrays[2]
        if self.n < INDEXED:
            return None
        cdef FiledIndex index
        cdef uint32_t[::1] slots
        cdef uint64_t i, hash, at, steps, info
        cdef bint short
        if self.pool_length + 8 > self.pool_size:
            self._pad_pool()
        index.id_bits = bits_for(self.n)
        index.size = self.n
        while index.size < <uint64_t>THINNEST * self.n:
            index.size += self.n // 4 + 1
            found = np.zeros(index.size, np.uint32)
            slots = found
            short = True
            with nogil:
                for i in range(self.n):
                    info = self.info[i]
                    if info & STRING:
                        hash = index_hash(string_key(self.pool + (info & OFFSET), <uint32_t>(info >> 40 & MAX_LENGTH),
                                                     <uint32_t>(info >> 60 & 7)))
                    else:
                        hash = index_hash(info)
                        if i + LINNET_AHEAD < self.n and not self.info[i + LINNET_AHEAD] & STRING:
                            linnet_prefetch(&slots[first_slot(&index, index_hash(self.info[i + LINNET_AHEAD]))])
                    at = first_slot(&index, hash)
                    steps = 1
                    while slots[at] != 0:
                        steps += 1
                        at = at + 1 if at + 1 < index.size else 0
                    slots[at] = <uint32_t>hash >> index.id_bits << index.id_bits | <uint32_t>(i + 1)
                    short = short and steps < PROBES
            if short:
                return found
        return None

    def _pad_pool(self):
        """Make room for 8 bytes after the last string: keys are made of 8 bytes at a time."""
        cdef unsigned char *larger = <unsigned char *>realloc(self.pool, self.pool_length + 8)
        if larger == NULL:
            raise MemoryError("no memory for the vocabulary")
        self.pool = larger
        self.pool_size = self.pool_length + 8

    @staticmethod
    def from_arrays(const uint64_t[::1] info, const uint8_t[::1] pool, uint32_t n_features, index=None):
        """Restore a vocabulary from `arrays()`. ValueError where they cannot be one. With an index, nothing is copied, and
        nodes are checked as they are used; all of them are checked later, if somebody wants that (core/schema.py)."""
        cdef Vocabulary self
        cdef uint64_t n = info.shape[0], wrong
        cdef int fault = 0
        if n >= <uint64_t>1 << 31 or n_features > n:
            raise ValueError("more features than entries")
        if index is not None:
            self = Vocabulary._in_place(info, pool, index)
        else:
            self = Vocabulary._copied(info, pool)
            wrong = first_wrong(self.info, n, self.pool_length, &fault)
            if wrong < n:
                raise ValueError(said(wrong, fault))
        self.n_features = n_features
        return self

    @staticmethod
    cdef Vocabulary _copied(const uint64_t[::1] info, const uint8_t[::1] pool):
        cdef Vocabulary self = Vocabulary()
        cdef uint64_t n = info.shape[0], length = pool.shape[0]
        self.info = <uint64_t *>realloc(self.info, (n + 1) * sizeof(uint64_t))
        self.pool = <unsigned char *>realloc(self.pool, length + 8)
        if self.info == NULL or self.pool == NULL:
            raise MemoryError("no memory for the vocabulary")
        if n:
            memcpy(self.info, &info[0], n * sizeof(uint64_t))
        if length:
            memcpy(self.pool, &pool[0], length)
        self.info_size = n + 1
        self.pool_length = length
        self.pool_size = length + 8
        self.n = <uint32_t>n
        self.indexed = False
        return self

    @staticmethod
    cdef Vocabulary _in_place(const uint64_t[::1] info, const uint8_t[::1] pool, const uint32_t[::1] index):
        cdef Vocabulary self = Vocabulary()
        if info.shape[0] == 0 or not info.shape[0] < index.shape[0] < <int64_t>1 << 32:
            raise ValueError("the index of the vocabulary is not as long as it should be")
        self.info = <uint64_t *>&info[0]
        self.pool = <unsigned char *>&pool[0] if pool.shape[0] else NULL
        self.pool_length = self.pool_size = pool.shape[0]
        self.n = <uint32_t>info.shape[0]
        self.info_size = self.n
        self.filed.slots = &index[0]
        self.filed.size = index.shape[0]
        self.filed.id_bits = bits_for(self.n)
        self.filed_arrays = (np.asarray(info), np.asarray(pool), np.asarray(index))
        self.trusted = False
        self.in_place = True
        later(self.check)
        return self


FAULTS = {
    1: "is of no known kind",
    2: "points outside the strings",
    3: "is made of entries that do not exist",
    4: "is made of itself",
    5: "shares its letters with other strings",
}


cdef int fault_of(const uint64_t *info, uint64_t n, uint64_t pool_length, uint64_t i) noexcept nogil:
    """What is wrong with a node, one of FAULTS; 0 where it is a string in the pool, or a gram of such strings."""
    cdef uint64_t node = info[i]
    cdef int order
    for order in range(MAX_ORDER):
        if node & STRING:
            if node >> 60 & 7 > HANDMADE:
                return 1
            return 2 if (node & OFFSET) + (node >> 40 & MAX_LENGTH) > pool_length else 0
        if node >> 32 >= n or <uint32_t>node >= n or not info[<uint32_t>node] & STRING:
            return 3
        node = info[node >> 32]
    return 4


cdef uint64_t first_wrong(const uint64_t *info, uint64_t n, uint64_t pool_length, int *fault) noexcept nogil:
    """The first node with a fault, and what it is; n where all are good. Strings do not overlap, so that together they are no longer
    than the pool: else a small file could hold names without end."""
    cdef uint64_t i, in_all = 0
    for i in range(n):
        fault[0] = fault_of(info, n, pool_length, i)
        if not fault[0] and info[i] & STRING:
            in_all += info[i] >> 40 & MAX_LENGTH
            fault[0] = 5 if in_all > pool_length else 0
        if fault[0]:
            return i
    return n


cdef str said(uint64_t id, int fault):
    return f"entry {id} {FAULTS[fault]}"


cdef int check_node(Vocabulary words, uint32_t id) except -1:
    """Raise ModelError unless a node and all that it is made of are good."""
    cdef uint64_t node
    cdef uint32_t part = id
    cdef int fault
    while True:
        fault = fault_of(words.info, words.n, words.pool_length, part)
        if fault:
            raise ModelError(f"the model file is damaged ({said(part, fault)}). Copy or train it again.")
        node = words.info[id]
        if node & STRING:
            return 0
        if part == id:
            part = <uint32_t>node
        else:
            id = part = <uint32_t>(node >> 32)


cdef bint is_unspaced_character(const uint8_t[::1] string):
    cdef uint32_t ch
    return string.shape[0] > 0 and decode(&string[0], string.shape[0], &ch) == string.shape[0] and is_unspaced(ch)


cdef inline uint64_t most_grams(const Grams *table) noexcept nogil:
    """The number of grams from which on a table grows."""
    return PLACES * (table.mask + 1) * MOST_TAKEN // 100
