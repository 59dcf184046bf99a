"""Vectors of texts, computed from vectors of their words, which are learned from texts that need no labels.

    vectors:200    words that stand near the same words are alike (core/unlabelled/cooccurrence.pyx, 200 directions)
    topics:100     words that stand in the same texts are alike (latent semantic analysis: 100 directions of the rows of words)

How the vector of a text comes about is told in vector_parts.py. `vectors` are centred, `topics` are not.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.digits import whole_number
from linnet.core.threads import each
from linnet.core.types import F32, I64, U32
from linnet.core.unlabelled.cooccurrence import rows_of_neighbours
from linnet.core.unlabelled.directions import directions, project
from linnet.errors import UsageError
from linnet.features.rows import SparseRows
from linnet.features.spec import FeatureSpec
from linnet.features.vector_parts import Projected, wide

if TYPE_CHECKING:
    from linnet.features.table import Table

_IN_ORDER = "words:1 punct sequence"
_CONTEXTS = 5000
"""How many words, the most frequent ones, are counted near each word."""
_WINDOW = 10
"""The largest distance in words, to either side, at which a word counts as near."""
_PASSES = 6
"""The passes of the decomposition. Two leave the last directions half random, which costs up to a point of accuracy on held-out
labels; four bring most of it back, eight a little more."""
_MOST = 2048
"""The largest number of directions."""


class _Learned(Projected):
    """A table that is learned from texts, with one row for each word."""

    kind: ClassVar[str]
    _specs = ("words:1 punct bm25 min=2 top=30000",)

    def __init__(self, name: str, weight: float) -> None:
        self._most = whole_number(name) or 0
        if not 1 <= self._most <= _MOST:
            raise UsageError(
                f"expected {self.kind}:N with a number of directions from 1 to {_MOST}, found {f'{self.kind}:{name}'!r:.60}."
            )
        super().__init__(f"{self.kind}:{name}", self.kind, weight)

    def _placed(self, table: Table) -> tuple[SparseRows, F32, U32]:
        rows = self.text.fit_transform(table)
        return rows, self._directions(table, rows), np.arange(self.text.n_features, dtype=np.uint32)

    def _leading(self, rows: tuple[I64, U32, F32], n: int) -> F32:
        """The directions in which sparse rows over the first n words vary most."""
        found: F32 = directions(*rows, n, self._most, _PASSES, keys=_keys(map(self.text.name, range(n))), run=each)
        return found

    @abstractmethod
    def _directions(self, table: Table, rows: SparseRows) -> F32:
        """A row for each word, given the texts and the rows of their words."""


def _keys(words: Iterable[str]) -> npt.NDArray[np.uint64]:
    """A hash of each word, by which the decomposition begins. It does not depend on the number of the word, so that
    directions do not depend on the order of the texts."""
    digests = b"".join(hashlib.blake2b(word.encode(), digest_size=8).digest() for word in words)
    return np.frombuffer(digests, "<u8")


class Vectors(_Learned):
    kind = "vectors"
    _is_centred = True

    def _directions(self, table: Table, rows: SparseRows) -> F32:
        n = self.text.n_features
        contexts = min(_CONTEXTS, n)
        starts, words = self.text.in_order(FeatureSpec.parse(_IN_ORDER), table)[:2]
        near = rows_of_neighbours(starts, words, n, contexts, _WINDOW)
        del starts, words
        found: F32 = project(*near, wide(self._leading(near, contexts)))
        return found[:, : min(self._most, contexts)]


class Topics(_Learned):
    kind = "topics"
    _is_centred = False

    def _directions(self, table: Table, rows: SparseRows) -> F32:
        return self._leading(rows, self.text.n_features)
