"""Words with their vectors, and the choice of the words of a file that are kept. Files have millions of words, and few
are needed."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from linnet.core.types import F32, F64
from linnet.errors import DataError

MOST_DIMENSIONS = 4096
"""The largest number of numbers that a vector may have."""
MOST_WORDS = 100_000_000
"""The largest number of words that a file may have."""
LARGEST = 1e6
"""The largest number that a vector may have. Sums of such numbers and of their squares are still finite numbers of 32
bits."""


class WordVectors(NamedTuple):
    """Some words of a file with their vectors."""

    words: list[str]
    """The words that the file lists, in its order, the most frequent first; then words whose vectors come from n-grams."""
    table: F32
    """A row for each word."""
    n_listed: int
    """The number of words that the file lists."""


class Kept:
    """The words that are kept while a file is read: its first ones, which are the most frequent, and those needed.

    first: how many words at the start of the file are kept. needed: the words that are kept wherever they are.
    """

    def __init__(self, name: str, first: int, needed: Collection[str]) -> None:
        self.name, self._first = name, first
        self._needed = {word.encode() for word in needed}
        self._rows: dict[bytes, F32] = {}

    def wants(self, word: bytes, number: int) -> bool:
        """Whether to keep a word that is word `number` of the file, counted from 0. A word that is in the file twice is
        kept only the first time."""
        return (number < self._first or word in self._needed) and word not in self._rows

    def add(self, word: bytes, vector: F32) -> None:
        self._rows[word] = vector

    def found(self) -> WordVectors:
        """The words that were kept, without those that are not UTF-8, which no text has. DataError where there are
        none."""
        known = {decoded: row for word, row in self._rows.items() if (decoded := _decoded(word)) is not None}
        if not known:
            raise DataError(
                "none of the words that are needed is in this file of vectors. Is it the right one?", self.name
            )
        return WordVectors(list(known), np.stack(list(known.values())), len(known))

    def missing(self) -> list[bytes]:
        """The words that are needed and were not found, in the order of their bytes."""
        return sorted(self._needed - self._rows.keys())


def _decoded(word: bytes) -> str | None:
    try:
        return word.decode()
    except UnicodeDecodeError:
        return None


def check_sizes(n_words: int, n_dimensions: int, name: str) -> None:
    """Raise DataError where a file cannot have so many words, or so long vectors."""
    if not (1 <= n_words <= MOST_WORDS and 1 <= n_dimensions <= MOST_DIMENSIONS):
        raise DataError(
            f"expected up to {MOST_WORDS:,} words with up to {MOST_DIMENSIONS:,} numbers each, found {n_words:,} words with "
            f"{n_dimensions:,} numbers. Is this a file of word vectors?",
            name,
        )


def checked(vector: F32 | F64, word: bytes, name: str, line: int | None = None) -> F32:
    """The vector of a word. Raise DataError where its numbers are not finite, or too large to count with."""
    if not np.all(np.abs(vector) <= LARGEST):
        raise DataError(
            f"expected numbers between -{LARGEST:,.0f} and {LARGEST:,.0f} for {shown(word)}, found "
            f"{vector[~(np.abs(vector) <= LARGEST)][0]:g}. Download the file again, or leave the word out.",
            name,
            line,
        )
    return vector.astype(np.float32)


def shown(word: bytes) -> str:
    """A word for a message."""
    return repr(word[:40].decode("utf-8", "replace"))
