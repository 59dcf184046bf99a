# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The exact vocabulary: strings and n-grams to contiguous ids, growing online, with every name kept.

A node is a string (a word, a piece of a word) or a gram: a shorter node followed by a word. So the bigram `a b` is the pair
(id of a, id of b) and the trigram `a b c` is (id of `a b`, id of c), exact and without hashing. `info[id]` is all there
is to know of a node:

    string:  1 | kind (3 bits) | length (20 bits) | offset into the pool (40 bits)
    gram:    0 | shorter node (31 bits) | word (32 bits)

Two open-addressing tables with linear probing find the ids again. The key of a string of up to 7 bytes is the string
itself; that of a longer one is a 56-bit hash, checked against the pool. The key of a gram is its info.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

from linnet.core.extract.scripts cimport is_unspaced
from linnet.core.extract.utf8 cimport decode

import numpy as np

cdef uint64_t STRING = <uint64_t>1 << 63
cdef uint64_t OFFSET = (<uint64_t>1 << 40) - 1
cdef int MAX_ORDER = 64


cdef int grow_table(Table *table) except -1 nogil:
    cdef uint64_t old_size = table.mask + 1 if table.slots != NULL else 0
    cdef uint64_t size = old_size * 2 if old_size else 1 << 10
    cdef Slot *slots = <Slot *>linnet_zeros(size * sizeof(Slot))
    cdef uint64_t i, at
    if slots == NULL:
        with gil:
            raise MemoryError(f"the vocabulary needs {size * sizeof(Slot) >> 20} MB; use hash=22 or min=2")
    for i in range(old_size):
        if table.slots[i].id_plus_1:
            at = mixed(table.slots[i].key) & (size - 1)
            while slots[at].id_plus_1:
                at = (at + 1) & (size - 1)
            slots[at] = table.slots[i]
    linnet_free(table.slots)
    table.slots = slots
    table.mask = size - 1
    return 0


cdef class Vocabulary:
    def __cinit__(self):
        with nogil:
            grow_table(&self.strings)
            grow_table(&self.grams)
        self.indexed = True

    def __dealloc__(self):
        linnet_free(self.strings.slots)
        linnet_free(self.grams.slots)
        free(self.info)
        free(self.pool)

    def __len__(self):
        return self.n

    cdef uint32_t find_string(self, uint64_t key, const unsigned char *p, uint32_t length) noexcept nogil:
        cdef uint64_t at, info
        cdef Slot *slot
        if is_exact(key):
            return find_exact(&self.strings, key)
        at = mixed(key) & self.strings.mask
        while True:
            slot = &self.strings.slots[at]
            if slot.id_plus_1 == 0:
                return NONE
            if slot.key == key:
                info = self.info[slot.id_plus_1 - 1]
                if (info >> 40) & MAX_LENGTH == length and memcmp(self.pool + (info & OFFSET), p, length) == 0:
                    return slot.id_plus_1 - 1
            at = (at + 1) & self.strings.mask

    cdef uint32_t new_id(self, uint64_t info) except? 0xFFFFFFFE nogil:
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
        self.info[self.n] = info
        self.n += 1
        self.n_features = self.n
        return self.n - 1

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
        put(&self.strings, key, id)
        return id

    cdef uint32_t add_gram(self, uint64_t key) except? 0xFFFFFFFE nogil:
        """Add a gram that is not in the vocabulary yet, and return its id."""
        cdef uint32_t id
        if 4 * self.grams.count > 3 * self.grams.mask:
            grow_table(&self.grams)
        id = self.new_id(key)
        put(&self.grams, key, id)
        return id

    def add(self, bytes string, uint32_t kind=WORD):
        """The id of a string; a new string is added."""
        self.ensure_index()
        string = string[:MAX_LENGTH]
        padded = string + b"\0" * 8
        cdef const unsigned char *p = padded
        cdef uint32_t length = <uint32_t>len(string)
        return self.add_string(string_key(p, length, kind), p, length)

    def add_pair(self, uint32_t shorter, uint32_t word):
        """The id of the gram of a shorter node and a word, given their ids; a new gram is added."""
        if max(shorter, word) >= self.n or not self.info[word] & STRING:
            raise IndexError((shorter, word))
        self.ensure_index()
        cdef uint64_t key = <uint64_t>shorter << 32 | word
        cdef uint32_t id = find_exact(&self.grams, key)
        return self.add_gram(key) if id == NONE else id

    def find(self, bytes string, uint32_t kind=WORD):
        """The id of a string, or None where it is not in the vocabulary."""
        self.ensure_index()
        string = string[:MAX_LENGTH]
        padded = string + b"\0" * 8
        cdef const unsigned char *p = padded
        cdef uint32_t length = <uint32_t>len(string)
        cdef uint32_t id = self.find_string(string_key(p, length, kind), p, length)
        return None if id == NONE else id

    def codes(self, column, bint grow=False):
        """The id of each string of an Arrow array of large strings. An unknown string gets -1, or is added where `grow` is
        set."""
        cdef int64_t i, n = len(column), left
        cdef uint32_t length, id
        cdef const unsigned char *p
        cdef unsigned char short_string[16]
        cdef uint64_t key
        self.ensure_index()
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
        for i in range(self.n):
            info = self.info[i]
            while not info & STRING:
                info = self.info[info >> 32]
            kind[i] = <uint8_t>(info >> 60 & 7)
        return out

    def name(self, uint32_t id):
        """The string of a node, the words of a gram joined by blanks. Characters of a script without blanks are joined as they
        are, unless others stand between them."""
        if id >= self.n:
            raise IndexError(id)
        cdef uint64_t info = self.info[id]
        words = []
        while not info & STRING:
            words.append(self._string(self.info[<uint32_t>info]))
            info = self.info[info >> 32]
        words.append(self._string(info))
        words.reverse()
        name = words[0]
        for before, word in zip(words, words[1:]):
            joined = info >> 60 & 7 != SKIP and is_unspaced_character(before) and is_unspaced_character(word)
            name += word if joined else b" " + word
        return name.decode("utf-8", "replace")

    def _string(self, uint64_t info):
        cdef uint64_t length = info >> 40 & MAX_LENGTH
        return (<char *>self.pool + (info & OFFSET))[:length]

    def kept(self, uint32_t[::1] features):
        """A new vocabulary whose ids 0, 1, ... are the given nodes, followed by the nodes that these are made of."""
        cdef Vocabulary small = Vocabulary()
        cdef uint32_t none = NONE
        cdef uint32_t[::1] new = np.full(self.n, none, np.uint32)
        cdef uint8_t[::1] wanted = np.zeros(self.n, np.uint8)
        cdef uint32_t[::1] order
        cdef int64_t i, n_features = features.shape[0]
        cdef uint64_t info
        cdef bint again = True
        for i in range(n_features):
            wanted[features[i]] = 1
            new[features[i]] = <uint32_t>i
        # One pass from the last to the first finds the parts of parts where grams are younger than their parts. They are not in
        # a vocabulary that was made here, whose internal nodes stand behind the features: another pass follows.
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
        small.indexed = False
        return small

    def added_to(self, Vocabulary whole):
        """Add all nodes to another vocabulary, unless they are there, and return the ids of the features in it."""
        cdef uint64_t i, info, key
        cdef uint32_t id, length
        found = np.empty(self.n, np.int64)
        cdef int64_t[::1] ids = found
        whole.ensure_index()
        # Internal nodes stand behind the features, so a gram may come before its parts: strings first, then grams by length.
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
                    id = find_exact(&whole.grams, key)
                    ids[i] = whole.add_gram(key) if id == NONE else id
        return found[:self.n_features]

    def ensure_index(self):
        """Fill both tables from `info` and the pool, if that has not been done. A model that is only saved never needs
        them."""
        if not self.indexed:
            self._index()
            self.indexed = True

    def count_all(self):
        """Make features of all nodes, of those too that only others are made of."""
        self.n_features = self.n

    def drop_index(self):
        """Free both tables, which are filled again when something is looked up."""
        reserve(&self.strings, 0)
        reserve(&self.grams, 0)
        self.indexed = False

    def _index(self):
        cdef uint32_t i
        cdef uint64_t info, n_strings = 0, n_grams = 0
        cdef uint64_t key
        for i in range(self.n):
            if self.info[i] & STRING:
                n_strings += 1
            else:
                n_grams += 1
        reserve(&self.strings, n_strings)
        reserve(&self.grams, n_grams)
        if self.pool_length + 8 > self.pool_size:
            self.pool = <unsigned char *>realloc(self.pool, self.pool_length + 8)
            self.pool_size = self.pool_length + 8
        with nogil:
            for i in range(self.n):
                info = self.info[i]
                if info & STRING:
                    key = string_key(self.pool + (info & OFFSET), <uint32_t>(info >> 40 & MAX_LENGTH),
                                     <uint32_t>(info >> 60 & 7))
                    put(&self.strings, key, i)
                else:
                    put(&self.grams, info, i)
                if i + LINNET_AHEAD < self.n and not self.info[i + LINNET_AHEAD] & STRING:
                    prefetch(&self.grams, self.info[i + LINNET_AHEAD])

    def arrays(self):
        """Arrays for the model file: the info of each node, and the pool of strings."""
        info = np.empty(self.n, np.uint64)
        pool = np.empty(self.pool_length, np.uint8)
        cdef uint64_t[::1] info_view = info
        cdef uint8_t[::1] pool_view = pool
        if self.n:
            memcpy(&info_view[0], self.info, self.n * sizeof(uint64_t))
        if self.pool_length:
            memcpy(&pool_view[0], self.pool, self.pool_length)
        return {"info": info, "pool": pool}

    @staticmethod
    def from_arrays(const uint64_t[::1] info, const uint8_t[::1] pool, uint32_t n_features):
        """Restore a vocabulary from `arrays()`. ValueError where they cannot be one."""
        cdef Vocabulary self = Vocabulary()
        cdef uint64_t n = info.shape[0], i, length = pool.shape[0], node
        cdef int order
        if n >= <uint64_t>1 << 31 or n_features > n:
            raise ValueError("more features than entries")
        for i in range(n):
            node = info[i]
            if node & STRING:
                if node >> 60 & 7 > HANDMADE:
                    raise ValueError(f"entry {i} is of no known kind")
                if (node & OFFSET) + (node >> 40 & MAX_LENGTH) > length:
                    raise ValueError(f"entry {i} points outside the strings")
                continue
            for order in range(MAX_ORDER):
                if node >> 32 >= n or <uint32_t>node >= n or not info[<uint32_t>node] & STRING:
                    raise ValueError(f"entry {i} is made of entries that do not exist")
                node = info[node >> 32]
                if node & STRING:
                    break
            else:
                raise ValueError(f"entry {i} is made of itself")
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
        self.n_features = n_features
        self.indexed = False
        return self


cdef bint is_unspaced_character(const uint8_t[::1] string):
    cdef uint32_t ch
    return string.shape[0] > 0 and decode(&string[0], string.shape[0], &ch) == string.shape[0] and is_unspaced(ch)


cdef void put(Table *table, uint64_t key, uint32_t id) noexcept nogil:
    cdef uint64_t at = mixed(key) & table.mask
    while table.slots[at].id_plus_1:
        at = (at + 1) & table.mask
    table.slots[at].key = key
    table.slots[at].id_plus_1 = id + 1
    table.count += 1


cdef int reserve(Table *table, uint64_t count) except -1:
    """Make an empty table for `count` entries."""
    cdef uint64_t size = 1 << 10
    while size < 2 * count:
        size *= 2
    linnet_free(table.slots)
    table.slots = <Slot *>linnet_zeros(size * sizeof(Slot))
    if table.slots == NULL:
        raise MemoryError("no memory for the vocabulary")
    table.mask = size - 1
    table.count = 0
    return 0
