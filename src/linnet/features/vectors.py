"""Features of a text as a whole, learned from texts that need no labels: where its words lie among all words.

    vectors:200    words that stand near the same words are alike (core/unlabelled/cooccurrence.pyx, 200 directions)
    topics:100     words that stand in the same texts are alike (latent semantic analysis: 100 directions of the rows of words)

Both are a row x of the words of the text, weighed by BM25, times a table W with a row for each word, made as long as 1:

    z = (x W - m) / ||x W - m||,    m the mean of x W over all texts for vectors, 0 for topics

A linear model over z has a weight for every word, v.W_w / ||x W - m||, also for words that no labelled text had: `spread` gives
what each word adds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.schema import Numbers, Record, Schema, check_arrays
from linnet.core.threads import each
from linnet.core.types import Array, Arrays, Json
from linnet.core.unlabelled.cooccurrence import rows_of_neighbours
from linnet.core.unlabelled.directions import directions, project
from linnet.errors import UsageError
from linnet.features.fields import VECTOR, Fields, Floats, Ints
from linnet.features.rows import SparseRows
from linnet.features.spec import FeatureSpec
from linnet.features.text import TextFeatures

if TYPE_CHECKING:
    from linnet.features.table import Table

F32 = npt.NDArray[np.float32]

_WORDS = "words:1 punct bm25 min=2 top=30000"
"""The words that have a place: those of several texts, at most so many."""
_IN_ORDER = "words:1 punct sequence"
_CONTEXTS = 5000
"""The number of words, the most frequent ones, whose nearness tells words apart."""
_WINDOW = 10
"""How many words away a word is near, on either side."""
_MOST = 2048
"""The largest number of directions."""
_LEVELS = 127
"""The numbers of a word are rounded to so many levels on either side of 0, so that each takes a byte."""


@dataclass(frozen=True)
class Spread:
    """What each word of a text adds to a score through its vector, in the order of `words`, and what the text adds before any
    word does: - v.m / ||x W - m||."""

    words: Ints
    values: Floats
    weights: Floats
    start: float


class Projected(ABC):
    """The features of `vectors` or of `topics`, as a part of a specification (`Part` in kinds.py)."""

    kind: ClassVar[str]

    def __init__(self, name: str, weight: float) -> None:
        if not (name.isdecimal() and 1 <= int(name) <= _MOST):
            raise UsageError(
                f"expected {self.kind}:N with a number of directions from 1 to {_MOST}, found '{self.kind}:{name}'."
            )
        self.name, self.weight = f"{self.kind}:{name}", weight
        self._wanted = int(name)
        self.text = TextFeatures(_WORDS)
        """The words that have a place among the others."""
        self._use(np.zeros((0, _padded(1)), np.uint8), np.zeros(0, np.float32), 0, None)

    def _use(self, levels: npt.NDArray[np.uint8], units: F32, n: int, mean: F32 | None) -> None:
        """Take a table: row w is units[w] (levels[w] - 127)."""
        self._levels, self._units, self._n = levels, units, n
        self.table = (levels - np.float32(_LEVELS)) * units[:, None]
        self._mean = np.zeros(levels.shape[1], np.float32) if mean is None else mean
        self.names: Sequence[str] = [f"{self.kind}#{i}" for i in range(n)]

    def fields(self, number: int) -> Fields:
        return np.full(self._n, VECTOR, np.int32)

    def learn(self, table: Table) -> None:
        """Learn where words lie from the texts of a table."""
        rows = self.text.fit_transform(table)
        found = self._directions(table, rows)
        largest = np.abs(found).max(axis=1, initial=0)
        units = np.where(largest > 0, largest / np.float32(_LEVELS), 1).astype(np.float32)
        levels = _nothing(len(found), found.shape[1])
        levels[:, : found.shape[1]] = np.rint(found / units[:, None]) + _LEVELS
        self._use(levels, units, found.shape[1], None)
        if self._is_centred:
            self._mean = project(*rows, self.table).mean(axis=0, dtype=np.float64).astype(np.float32)

    _is_centred: ClassVar[bool]

    @abstractmethod
    def _directions(self, table: Table, rows: SparseRows) -> F32:
        """A row for each word, given the texts and the rows of their words."""

    def features(self, table: Table) -> tuple[Ints, Floats]:
        z = self._unscaled(self.text.transform(table))
        z *= (self.weight / self._lengths(z))[:, None]
        features = np.broadcast_to(np.arange(self._n), (len(z), self._n))
        return features, z[:, : self._n].astype(np.float64)

    def _unscaled(self, rows: SparseRows) -> F32:
        found: F32 = project(*rows, self.table)
        found -= self._mean
        return found

    @staticmethod
    def _lengths(z: F32) -> F32:
        """||z|| of each row, 1 where it is 0."""
        length = np.sqrt(np.einsum("ij,ij->i", z, z, dtype=np.float64)).astype(np.float32)
        return np.where(length > 0, length, np.float32(1))

    def spread(self, table: Table, v: Floats) -> Spread:
        """What each word of the only text of a table adds to a score, given the weights v of the features."""
        rows = self.text.transform(table)
        scale = self.weight / float(self._lengths(self._unscaled(rows))[0])
        words = rows.indices.astype(np.int64)
        of_words = self.table[words, : self._n].astype(np.float64) @ v
        return Spread(
            words, scale * rows.values.astype(np.float64), of_words, -scale * float(self._mean[: self._n] @ v)
        )

    def said(self, feature: int, x: float) -> str:
        return f"{self.names[feature]}={x:.3g}"

    def learned(self) -> dict[str, Json]:
        return {"text": self.text.header()}

    def arrays(self) -> dict[str, Array]:
        own: dict[str, Array] = {
            "levels": self._levels[:, : self._n].copy(),
            "units": self._units,
            "mean": self._mean[: self._n],
        }
        return own | {f"text.{name}": array for name, array in self.text.arrays().items()}

    _learned_schema: ClassVar[Schema] = Record({"text": TextFeatures.header_schema})

    def restore(self, learned: Json, arrays: Arrays) -> None:
        self._learned_schema.check(learned, f"what {self.name} has learned")
        if learned["text"]["spec"] != _WORDS:
            raise ValueError(f"the words of {self.name} are {learned['text']['spec']!r}, expected {_WORDS!r}")
        prefix = "text."
        inner = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
        self.text = TextFeatures.from_arrays(learned["text"], inner)
        own = {name: array for name, array in arrays.items() if not name.startswith(prefix)}
        n = own["levels"].shape[1] if "levels" in own and own["levels"].ndim == 2 else 0
        n_words = self.text.n_features
        check_arrays(
            own,
            {
                "levels": Numbers(np.uint8, (n_words, n)),
                "units": Numbers(np.float32, (n_words,)),
                "mean": Numbers(np.float32, (n,)),
            },
        )
        if not 1 <= n <= self._wanted:
            raise ValueError(f"{self.name} has {n} directions")
        levels = _nothing(n_words, n)
        levels[:, :n] = own["levels"]
        mean = np.zeros(_padded(n), np.float32)
        mean[:n] = own["mean"]
        self._use(levels, np.array(own["units"]), n, mean)

    def take(self, names: Sequence[str]) -> None:
        raise UsageError(f"the weights of {self.name} cannot be typed: its features have no meaning of their own.")


class Vectors(Projected):
    kind = "vectors"
    _is_centred = True

    def _directions(self, table: Table, rows: SparseRows) -> F32:
        n = self.text.n_features
        contexts = min(_CONTEXTS, n)
        starts, words, _ = self.text.in_order(FeatureSpec.parse(_IN_ORDER), table)
        near = rows_of_neighbours(starts, words, n, contexts, _WINDOW)
        found: F32 = project(*near, _wide(directions(*near, contexts, self._wanted, run=each)))
        return found[:, : min(self._wanted, contexts)]


class Topics(Projected):
    kind = "topics"
    _is_centred = False

    def _directions(self, table: Table, rows: SparseRows) -> F32:
        found: F32 = directions(*rows, self.text.n_features, self._wanted, run=each)
        return found


def _padded(n: int) -> int:
    """The number of columns that a table of n columns has in memory: a multiple of 8, for the compiled loops."""
    return -(-n // 8) * 8


def _nothing(n_words: int, n: int) -> npt.NDArray[np.uint8]:
    """The levels of a table of 0."""
    return np.full((n_words, _padded(n)), _LEVELS, np.uint8)


def _wide(table: F32) -> F32:
    """The table with columns of 0 behind its own, up to a multiple of 8."""
    found = np.zeros((len(table), _padded(table.shape[1])), np.float32)
    found[:, : table.shape[1]] = table
    return found
