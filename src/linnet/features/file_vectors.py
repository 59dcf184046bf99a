"""`vectors:FILE` takes word vectors from a file. They were learned from other texts than those of the user.

The model keeps 50,000 words, or as many as `vectors:FILE,top=N` says: first the words of its texts that the file has,
the most frequent first, and then the most frequent other words of the file, as new texts may have these. The file is
not needed again.

Where the file has words with capitals, a word is looked up as it is spelled, and then in lower case. This is done while
learning for every spelling that the texts have, and for `Word` and `WORD` of every other word that is kept. So
predicting finds each of these spellings at once. Where it has none, every word is looked up in lower case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from linnet.core.digits import whole_number
from linnet.core.types import F32, U32
from linnet.errors import DataError, UsageError
from linnet.features.rows import SparseRows
from linnet.features.text import TextFeatures
from linnet.features.vector_parts import Projected
from linnet.io.vectors.kept_words import MOST_DIMENSIONS, WordVectors
from linnet.io.vectors.reading import read_vectors

if TYPE_CHECKING:
    from linnet.features.table import Table

_TOP = 50_000
"""The number of words that a model keeps, unless another is said."""
_MOST_KEPT = 2_000_000
"""The largest number of words that a model may keep."""
_LOWER, _CASED = "words:1 punct bm25", "words:1 punct case bm25"
"""The features that find words: for files whose words are all in lower case, and for others."""


class FileVectors(Projected):
    _specs = (_LOWER, _CASED)
    _most = MOST_DIMENSIONS
    _is_centred = True

    def __init__(self, name: str, weight: float) -> None:
        path, comma, top = name.rpartition(",top=")
        self._path = path if comma else name
        self._top = whole_number(top) or 0 if comma else _TOP
        if not 1 <= self._top <= _MOST_KEPT:
            raise UsageError(
                f"expected vectors:FILE,top=N with N from 1 to {_MOST_KEPT}, found {f'vectors:{name}'!r:.200}."
            )
        super().__init__(f"vectors:{name}", f"vectors:{Path(self._path).name.partition('.')[0]}", weight)

    def _placed(self, table: Table) -> tuple[SparseRows, F32, U32]:
        spellings = _spellings(table)
        found = read_vectors(self._path, first=self._top, needed=spellings.keys() | set(map(str.lower, spellings)))
        looked_up = _LookedUp(found)
        kept = looked_up.kept(spellings, self._top)
        self.text = TextFeatures(_CASED if looked_up.is_cased else _LOWER)
        rows = self.text.fit_words(list(looked_up.spellings(kept, spellings)), table)
        words = [looked_up.row(word) for word in map(self.text.name, range(self.text.n_features))]
        if not words:
            raise DataError("none of the words of this file of vectors is a word as texts have it.", self._path)
        used, row_of = np.unique(np.array(words, np.uint32), return_inverse=True)
        return rows, found.table[used], row_of.astype(np.uint32)


def _spellings(table: Table) -> dict[str, int]:
    """The words of texts as they are spelled, and how many texts have each."""
    text = TextFeatures("words:1 punct case")
    text.fit_transform(table)
    return dict(zip(text.names(), text.document_frequency.tolist(), strict=True))


class _LookedUp:
    """The words of a file with their rows. Words that the file does not list may have vectors of their n-grams."""

    def __init__(self, found: WordVectors) -> None:
        self._row = {word: row for row, word in enumerate(found.words)}
        self._words, self._n_listed = found.words, found.n_listed
        self.is_cased = any(word != word.lower() for word in found.words[: found.n_listed])

    def row(self, word: str) -> int:
        """The row of a word, -1 where it has none. It is that of the word as it is spelled, if the file lists it; else
        of the word in lower case, if the file lists that; else one of n-grams, of the word as it is spelled if there is
        one. For a file whose words are all in lower case, every word is in lower case."""
        own = self._row.get(word if self.is_cased else word.lower(), -1)
        if 0 <= own < self._n_listed:
            return own
        lower = self._row.get(word.lower(), -1)
        return lower if 0 <= lower < self._n_listed or own < 0 else own

    def kept(self, spellings: Mapping[str, int], top: int) -> list[int]:
        """The rows that are kept: those of the words of texts, the most frequent first, and then the first of the file."""
        times: dict[int, int] = {}
        for word, n in spellings.items():
            row = self.row(word)
            if row >= 0:
                times[row] = times.get(row, 0) + n
        rows = sorted(times, key=lambda row: (-times[row], row))
        return list(dict.fromkeys([*rows, *range(self._n_listed)]))[:top]

    def spellings(self, kept: Iterable[int], of_texts: Iterable[str]) -> Iterable[str]:
        """All spellings that lead to rows that are kept, each once. of_texts: the words of texts as they are spelled
        there."""
        rows = set(kept)
        words = [self._words[row] for row in sorted(rows)]
        if self.is_cased:
            words += [word for word in of_texts if self.row(word) in rows]
            words += [other for word in words for other in (word.capitalize(), word.upper()) if self.row(other) in rows]
        return dict.fromkeys(words)
