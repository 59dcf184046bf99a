"""Models of fastText (.bin): words, and a table with a row for each word and for each bucket of n-grams of characters.

The vector of a word is the mean of its row and of the rows of its n-grams. For a word that is not in the model, it is
the mean of the rows of its n-grams alone. `Format` describes the bytes; numbers are little-endian, without gaps between
them.
"""

from __future__ import annotations

import mmap
import struct
from typing import NamedTuple

import numpy as np

from linnet.core.extract.subwords import subwords
from linnet.core.types import F32, I64
from linnet.errors import DataError
from linnet.io.bytes.source import Source
from linnet.io.vectors.kept_words import Kept, WordVectors, check_sizes, checked

MAGIC = struct.pack("<i", 793712314)
_VERSIONS = (11, 12)
_SUPERVISED = 3
"""The number of the kind of model that learns labels."""
_LONGEST_NGRAM = 32
_MOST_BUCKETS = 2**31 - 1
_END_OF_TEXT = b"</s>"
"""The word that stands for the end of a text. It has no n-grams."""


class Format:
    """The parts of a file, in their order."""

    START = struct.Struct("<ii")
    """The magic number, and the version."""
    ARGUMENTS = struct.Struct("<12id")
    """Dimensions, window, epochs, least count, negatives, n-grams of words, loss, model, buckets, shortest and longest n-gram
    of characters, update rate, and the sampling threshold."""
    WORDS = struct.Struct("<3i2q")
    """The numbers of entries, of words, of labels, of tokens, and of buckets that are left after pruning, -1 if it was
    not pruned."""
    ENTRY = struct.Struct("<qb")
    """An entry is a string that ends with a zero byte. These numbers follow it: its count, and whether it is a
    label."""
    TABLE = struct.Struct("<?2q")
    """Whether the table is quantised, and the numbers of its rows and columns. Its numbers follow."""


class _Model(NamedTuple):
    words: list[bytes]
    rows: F32
    """A row for each word, and then one for each bucket of n-grams. Labels have none."""
    shortest: int
    longest: int
    n_buckets: int

    def vectors(self, words: list[bytes], own: I64) -> list[F32]:
        """The vectors of words, given the number of the row of each, -1 where it has none. A word without a row and
        without n-grams has zeros."""
        longest = self.longest if self.n_buckets else 0
        at, buckets = subwords(words, self.shortest, longest, max(self.n_buckets, 1))
        first = len(self.rows) - self.n_buckets
        found = []
        for i, word in enumerate(words):
            ngrams = buckets[:0] if word == _END_OF_TEXT else first + buckets[at[i] : at[i + 1]]
            rows = np.append(own[i], ngrams) if own[i] >= 0 else ngrams
            found.append(self.rows[rows].mean(axis=0) if len(rows) else self.rows[:0].sum(axis=0))
        return found


def read_fasttext(source: Source, kept: Kept) -> WordVectors:
    """Read a model, and keep the words that are wanted; those that are not in it have the vectors of their n-grams."""
    model = _read(source)
    numbers = [i for i, word in enumerate(model.words) if kept.wants(word, i)]
    words = [model.words[i] for i in numbers]
    for word, vector in zip(words, model.vectors(words, np.array(numbers, np.int64)), strict=True):
        kept.add(word, checked(vector, word, source.name))
    found = kept.found()
    others = [(word, row) for word, row in _from_ngrams(model, kept.missing()) if row.any()]
    if not others:
        return found
    rows = [checked(row, word, source.name) for word, row in others]
    return WordVectors(
        found.words + [word.decode() for word, _ in others], np.concatenate([found.table, rows]), found.n_listed
    )


def _from_ngrams(model: _Model, words: list[bytes]) -> list[tuple[bytes, F32]]:
    return list(zip(words, model.vectors(words, np.full(len(words), -1, np.int64)), strict=True))


def _read(source: Source) -> _Model:
    at = _At(source.mapped(), source.name)
    _, version = at.numbers(Format.START)
    if version not in _VERSIONS:
        raise DataError(
            f"expected a model of fastText of version 11 or 12, found {version}. Save it anew.", source.name
        )
    size, *_, model, n_buckets, shortest, longest, _, _ = at.numbers(Format.ARGUMENTS)
    if version == 11 and model == _SUPERVISED:  # These models have no n-grams of characters, whatever the file says.
        longest = 0
    n_entries, n_words, n_labels, _, n_left = at.numbers(Format.WORDS)
    check_sizes(n_words, size, source.name)
    if n_words + n_labels != n_entries or not (
        0 <= n_buckets <= _MOST_BUCKETS and 0 <= longest <= _LONGEST_NGRAM and shortest >= 0
    ):
        raise at.damaged()
    words = [at.entry() for _ in range(n_entries)][:n_words]
    if n_left >= 0:
        raise _quantised(source.name)
    is_quantised, n_rows, n_columns = at.numbers(Format.TABLE)
    if is_quantised:
        raise _quantised(source.name)
    if n_columns != size or n_rows != n_words + n_buckets:
        raise at.damaged()
    return _Model(words, at.table(n_rows, n_columns), shortest, longest, n_buckets)


def _quantised(name: str) -> DataError:
    return DataError("the model of fastText is quantised (.ftz). Take the .bin or the .vec file instead.", name)


class _At:
    """A position in the bytes of a file. What is read begins there, and moves the position to its end."""

    def __init__(self, data: mmap.mmap | bytes, name: str) -> None:
        self._data, self._name, self._at = data, name, 0

    def numbers(self, form: struct.Struct) -> tuple[int, ...]:
        end = self._at + form.size
        if end > len(self._data):
            raise self.damaged()
        found: tuple[int, ...] = form.unpack(self._data[self._at : end])
        self._at = end
        return found

    def entry(self) -> bytes:
        """A word or a label."""
        end = self._data.find(b"\0", self._at)
        if end < 0:
            raise self.damaged()
        word = bytes(self._data[self._at : end])
        self._at = end + 1
        self.numbers(Format.ENTRY)
        return word

    def table(self, n_rows: int, n_columns: int) -> F32:
        n = n_rows * n_columns
        if self._at + 4 * n > len(self._data):
            raise self.damaged()
        found: F32 = np.frombuffer(self._data, "<f4", n, self._at).reshape(n_rows, n_columns)
        return found

    def damaged(self) -> DataError:
        return DataError(
            f"the model of fastText ends, or is damaged, at byte {self._at:,}. Download it again.", self._name
        )
