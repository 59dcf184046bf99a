"""Features of a text as a whole, learned from texts that need no labels: where its words lie among all words.

    vectors:200    words that stand near the same words are alike (core/unlabelled/cooccurrence.pyx, 200 directions)
    topics:100     words that stand in the same texts are alike (latent semantic analysis: 100 directions of the rows of words)

What both make of a text is told in vector_parts.py. Vectors are centred, topics are not.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from linnet.core.threads import each
from linnet.core.types import F32, U32
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
"""The number of words, the most frequent ones, whose nearness tells words apart."""
_WINDOW = 10
"""How many words away a word is near, on either side."""
_MOST = 2048
"""The largest number of directions."""


class _Learned(Projected):
    """A table that is learned from texts, with one row for each word."""

    kind: ClassVar[str]
    _specs = ("words:1 punct bm25 min=2 top=30000",)

    def __init__(self, name: str, weight: float) -> None:
        if not (name.isdecimal() and 1 <= int(name) <= _MOST):
            raise UsageError(
                f"expected {self.kind}:N with a number of directions from 1 to {_MOST}, found '{self.kind}:{name}'."
            )
        self._most = int(name)
        super().__init__(f"{self.kind}:{name}", self.kind, weight)

    def _placed(self, table: Table) -> tuple[SparseRows, F32, U32]:
        rows = self.text.fit_transform(table)
        return rows, self._directions(table, rows), np.arange(self.text.n_features, dtype=np.uint32)

    @abstractmethod
    def _directions(self, table: Table, rows: SparseRows) -> F32:
        """A row for each word, given the texts and the rows of their words."""


class Vectors(_Learned):
    kind = "vectors"
    _is_centred = True

    def _directions(self, table: Table, rows: SparseRows) -> F32:
        n = self.text.n_features
        contexts = min(_CONTEXTS, n)
        starts, words, _ = self.text.in_order(FeatureSpec.parse(_IN_ORDER), table)
        near = rows_of_neighbours(starts, words, n, contexts, _WINDOW)
        found: F32 = project(*near, wide(directions(*near, contexts, self._most, run=each)))
        return found[:, : min(self._most, contexts)]


class Topics(_Learned):
    kind = "topics"
    _is_centred = False

    def _directions(self, table: Table, rows: SparseRows) -> F32:
        found: F32 = directions(*rows, self.text.n_features, self._most, run=each)
        return found
