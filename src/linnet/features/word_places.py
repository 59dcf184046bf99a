"""Place words in a space, so that words which stand between the same words lie near each other.

    M(w, c at o) = max(0, ln(n_wco / (n_w p_co))),    p_co = n_co^0.75 / sum n^0.75

n_wco is how often the word c stands o tokens after w (before it for o < 0), for o of -2, -1, 1 and 2. These are counted
apart, since the words before a word tell other things of its part of speech than those after it. The borders of a
sentence count as words, too. With the singular value decomposition M = U S V', word w lies at U_w S^0.5, scaled to
length 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.arrow import numbers
from linnet.core.extract.different import different
from linnet.core.threads import each
from linnet.core.types import F32, I64
from linnet.core.unlabelled.directions import directions, project

Rows = tuple[I64, npt.NDArray[np.uint32], F32]
"""Sparse rows: indptr, indices and values."""

_OFFSETS = (-2, -1, 1, 2)
_CONTEXTS = 2000
"""How many words, the most frequent ones, are counted around each word."""
_DIRECTIONS = 64
"""The number of dimensions of the space."""
_LEAST = 2
"""How often a word must be seen to have a place."""
_MOST = 50_000
"""The largest number of words that have a place."""
_PIECE = 1024
"""The number of words whose cosines a thread computes at a time."""


@dataclass(frozen=True)
class WordPlaces:
    """Words, the most frequent one first, how often each was seen, and a table with a row of length 1 for each, its
    place."""

    words: list[str]
    counts: I64
    table: F32

    def nearness(self, table: F32) -> Iterator[tuple[slice, F32]]:
        """Yield a range of words, and the cosines of each of them with all rows of another table, until all words are
        done."""
        others = _wide(table.T)
        starts = range(0, len(self.words), _PIECE)
        for some in range(0, len(starts), 8):  # Eight pieces at a time bound the memory that threads take.
            pieces = [slice(at, at + _PIECE) for at in starts[some : some + 8]]
            for piece, found in zip(pieces, each(lambda at: _times(self.table[at], others), pieces), strict=True):
                yield piece, found[:, : len(table)]


def places_of(words: pa.LargeStringArray, starts: I64) -> WordPlaces:
    """The places of the words of sentences: sentence i has the tokens starts[i]:starts[i + 1]."""
    found, number = different(words)
    counts = np.bincount(number, minlength=len(found))
    order = np.argsort(-counts, kind="stable")[:_MOST]
    order = order[counts[order] >= _LEAST]
    rank = np.full(len(counts), -1, np.int64)
    rank[order] = np.arange(len(order))
    names = found.take(numbers(order)).to_pylist()
    return WordPlaces(names, counts[order], _directions(_rows(rank[number], starts, len(order)), len(order)))


def _rows(words: I64, starts: I64, n_words: int) -> Rows:
    """M, as sparse rows, given the number of each token's word, -1 for words without a place. Words are numbered by
    frequency."""
    contexts = min(_CONTEXTS, n_words)
    border, width = contexts, contexts + 1
    sentence = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    place = np.arange(len(words))
    cells, counts = [], []
    for k, offset in enumerate(_OFFSETS):
        at = np.clip(place + offset, 0, max(len(words) - 1, 0))
        inside = (at == place + offset) & (sentence[at] == sentence)
        beside = np.where(words[at] < contexts, words[at], -1)
        context = np.where(inside, beside, border)
        seen = (words >= 0) & (context >= 0)
        found, often = np.unique(words[seen] * (width * len(_OFFSETS)) + k * width + context[seen], return_counts=True)
        cells.append(found)
        counts.append(often)
    return _informative(np.concatenate(cells), np.concatenate(counts), n_words, width * len(_OFFSETS))


def _informative(cells: I64, counts: I64, n_words: int, width: int) -> Rows:
    """Positive pointwise mutual information, given the cells (row * width + column) that are not 0 and their counts."""
    order = np.argsort(cells, kind="stable")
    (row, column), n = np.divmod(cells[order], max(width, 1)), counts[order]
    of_row = np.bincount(row, n, minlength=n_words)
    share = np.bincount(column, n, minlength=width) ** 0.75
    share /= max(share.sum(), 1e-300)
    values = np.log(n / (of_row[row] * share[column]))
    kept = values > 0
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(row[kept], minlength=n_words))])
    return indptr, column[kept].astype(np.uint32), values[kept].astype(np.float32)


def _directions(rows: Rows, n_words: int) -> F32:
    """U S^0.5, its rows scaled to length 1; a row of zeros for a word that M has nothing of."""
    width = len(_OFFSETS) * (min(_CONTEXTS, n_words) + 1)
    if not len(rows[1]):
        return np.zeros((n_words, 1), np.float32)
    found: F32 = project(*rows, _wide(directions(*rows, width, _DIRECTIONS, run=each)))
    found /= np.sqrt(np.maximum(_lengths(found.T), np.float32(1e-12)))
    found /= np.maximum(_lengths(found), np.float32(1e-12))[:, None]
    return found


def _lengths(rows: F32) -> F32:
    lengths: F32 = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64)).astype(np.float32)
    return lengths


def _times(rows: F32, table: F32) -> F32:
    """Rows times a table, by a compiled loop whose results are the same to the last bit on any number of threads."""
    n, width = rows.shape
    indices = np.tile(np.arange(width, dtype=np.uint32), n)
    found: F32 = project(np.arange(n + 1) * width, indices, np.ascontiguousarray(rows).ravel(), table)
    return found


def _wide(table: F32) -> F32:
    """The table with columns of zeros after its own, up to a multiple of 8, as the compiled loops need it."""
    return np.ascontiguousarray(np.pad(table, ((0, 0), (0, -table.shape[1] % 8))), np.float32)
