"""Features that are the numbers of a vector, and mean nothing one by one. They are parts of a specification.

A part may have a table W with a row for each word (`Projected`). Its vector z is then computed from x, the row of the
words of the text with values of BM25, and scaled to the length c, the weight of the part:

    z = c (x W - m) / ||x W - m||,    m the mean of x W over all texts where it is centred, else 0

Where v are the weights of a linear model over z, every word w has the weight v.W_w, even one that no labelled text had.
`explained` gives what each word adds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from linnet.core.products import times
from linnet.core.schema import Numbers, Record, Schema, check_arrays
from linnet.core.types import F32, U32, Array, Arrays, Json
from linnet.core.unlabelled.directions import project
from linnet.errors import UsageError
from linnet.features.fields import VECTOR, Fields, Floats, Ints
from linnet.features.rows import SparseRows
from linnet.features.text import TextFeatures

if TYPE_CHECKING:
    from linnet.features.table import Table

_LEVELS = 127
"""The numbers of a word are rounded to so many levels on either side of 0, so that each takes a byte."""
_MOST_LIKE = 3
"""The largest number of words that are named as those which a word is like."""
_NEAR = 0.5
"""A word is like another only if their likeness is at least this share of that to the nearest word."""


class Like(NamedTuple):
    """A word that labelled texts have, and how near another word lies to it: the cosine of their vectors."""

    word: str
    likeness: float
    weight: float
    """The weight that the word itself has through its vector, v.W_w."""


@dataclass(frozen=True)
class Spread:
    """What the words of a text add to a score through their vectors: words[i] adds values[i] times weights[i]. And
    `rest`, what the text adds that belongs to no word."""

    words: Ints
    values: Floats
    weights: Floats
    rest: float


class VectorPart(ABC):
    """Features that are the numbers of a vector, as a part of a specification (`Part` in kinds.py)."""

    name: str
    weight: float
    called: str
    """What its features are called: `vectors=superb` is what a word adds."""
    names: Sequence[str]
    text: TextFeatures | None = None
    """The words that add something, each by its vector; None where the vector is of the text as a whole."""

    @property
    @abstractmethod
    def rest(self) -> str:
        """The name of what the text adds that belongs to no word."""

    @abstractmethod
    def explained(self, table: Table, x: Floats, v: Floats) -> Spread:
        """What the words of the only text of a table add to a score, given the features x of the text and their weights v."""

    def like(self, words: Ints, v: Floats) -> dict[int, list[Like]]:
        """For each of these words that no labelled text had, the words of labelled texts that it is most like. v: the
        weights of the features."""
        return {}

    def fields(self, number: int) -> Fields:
        return np.full(len(self.names), VECTOR, np.int32)

    def said(self, feature: int, x: float) -> str:
        return f"{self.names[feature]}={x:.3g}"

    def take(self, names: Sequence[str]) -> None:
        raise UsageError(f"the weights of {self.name} cannot be typed: its features have no meaning of their own.")


class Projected(VectorPart):
    """The words of a text, times a table with a row for each word."""

    text: TextFeatures
    _specs: ClassVar[tuple[str, ...]]
    """Specifications of features, any of which may find the words that have a row in the table. The first is used until
    texts were seen."""
    _most: int
    """The largest number of columns of the table."""
    _is_centred: ClassVar[bool]

    def __init__(self, name: str, called: str, weight: float) -> None:
        self.name, self.called, self.weight = name, called, weight
        self.text = TextFeatures(self._specs[0])
        nothing = np.zeros(0, np.uint32)
        self._use(_nothing(0, 1), np.zeros(0, np.float32), 0, None, nothing, np.zeros(0, np.uint8))

    def _use(
        self,
        levels: npt.NDArray[np.uint8],
        units: F32,
        n: int,
        mean: F32 | None,
        row_of: U32,
        labelled: npt.NDArray[np.uint8],
    ) -> None:
        """Use a table of n columns whose row r is units[r] (levels[r] - 127); further columns of the levels are
        padding. Word w has the row row_of[w], and labelled[w] is 1 if texts with labels had it."""
        self._levels, self._units, self._n = levels, units, n
        self._row_of, self._labelled = row_of, labelled
        self.table: F32 = (levels - np.float32(_LEVELS)) * units[:, None]
        self._mean = np.zeros(levels.shape[1], np.float32) if mean is None else mean
        self.names = [f"{self.called}#{i}" for i in range(n)]

    @property
    def rest(self) -> str:
        return f"{self.called}, before any word"

    def learn(self, table: Table) -> None:
        """Learn the table of words from texts, and the mean of their vectors if these are centred."""
        rows, found, row_of = self._placed(table)
        largest = np.abs(found).max(axis=1, initial=0)
        units = np.where(largest > 0, largest / np.float32(_LEVELS), 1).astype(np.float32)
        levels = _nothing(len(found), found.shape[1])
        levels[:, : found.shape[1]] = np.rint(found / units[:, None]) + _LEVELS
        labelled = np.zeros(self.text.n_features, np.uint8)
        labelled[rows.indices[: rows.indptr[table.n_with_labels]]] = 1
        self._use(levels, units, found.shape[1], None, row_of, labelled)
        if self._is_centred:
            self._mean = self._projected(rows).mean(axis=0, dtype=np.float64).astype(np.float32)

    @abstractmethod
    def _placed(self, table: Table) -> tuple[SparseRows, F32, U32]:
        """Find the words that have a row in the table, and make `text` the features that find them. Return the rows of
        the texts, the table, and for each word the number of its row in the table."""

    def features(self, table: Table) -> tuple[Ints, Floats]:
        z = self._unscaled(self.text.transform(table))
        z *= (self.weight / lengths(z))[:, None]
        features = np.broadcast_to(np.arange(self._n), (len(z), self._n))
        return features, z[:, : self._n].astype(np.float64)

    def _projected(self, rows: SparseRows) -> F32:
        found: F32 = project(rows.indptr, self._row_of[rows.indices], rows.values, self.table)
        return found

    def _unscaled(self, rows: SparseRows) -> F32:
        found = self._projected(rows)
        found -= self._mean
        return found

    def explained(self, table: Table, x: Floats, v: Floats) -> Spread:
        rows = self.text.transform(table)
        scale = self.weight / float(lengths(self._unscaled(rows))[0])
        words = rows.indices.astype(np.int64)
        values = scale * rows.values.astype(np.float64)
        return Spread(words, values, self._weights(words, v), -scale * float(times(self._mean[: self._n], v)))

    def _weights(self, words: Ints, v: Floats) -> Floats:
        """The weights of words, v.W_w."""
        found: Floats = times(self.table[self._row_of[words], : self._n].astype(np.float64), v)
        return found

    def like(self, words: Ints, v: Floats) -> dict[int, list[Like]]:
        words = words[self._labelled[words] == 0]
        near = np.flatnonzero(self._labelled)
        if not len(words) or not len(near):
            return {}
        there = self.table[self._row_of[near]]
        here = self.table[self._row_of[words]]
        cosines = times(here, there.T) / np.maximum(lengths(here)[:, None] * lengths(there), np.float32(1e-30))
        weights = self._weights(near, v)
        order = np.argsort(-cosines, axis=1, kind="stable")[:, :_MOST_LIKE]
        return {
            word: [
                Like(self.text.name(int(near[k])), float(cosines[i, k]), float(weights[k]))
                for k in order[i]
                if cosines[i, k] > max(_NEAR * cosines[i, order[i, 0]], 0)
            ]
            for i, word in enumerate(words.tolist())
        }

    def learned(self) -> dict[str, Json]:
        return {"text": self.text.header()}

    def arrays(self) -> dict[str, Array]:
        own: dict[str, Array] = {
            "levels": self._levels[:, : self._n].copy(),
            "units": self._units,
            "mean": self._mean[: self._n],
            "row_of": self._row_of,
            "labelled": self._labelled,
        }
        return own | {f"text.{name}": array for name, array in self.text.arrays().items()}

    _learned_schema: ClassVar[Schema] = Record({"text": TextFeatures.header_schema})

    def restore(self, learned: Json, arrays: Arrays) -> None:
        self._learned_schema.check(learned, f"what {self.name} has learned")
        if learned["text"]["spec"] not in self._specs:
            raise ValueError(f"the words of {self.name} are {learned['text']['spec']!r}, expected {self._specs[0]!r}")
        prefix = "text."
        inner = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
        self.text = TextFeatures.from_arrays(learned["text"], inner)
        own = {name: array for name, array in arrays.items() if not name.startswith(prefix)}
        n_rows, n = own["levels"].shape if "levels" in own and own["levels"].ndim == 2 else (0, 0)
        n_words = self.text.n_features
        check_arrays(
            own,
            {
                "levels": Numbers(np.uint8, (n_rows, n)),
                "units": Numbers(np.float32, (n_rows,)),
                "mean": Numbers(np.float32, (n,)),
                "row_of": Numbers(np.uint32, (n_words,), 0, n_rows - 1),
                "labelled": Numbers(np.uint8, (n_words,), 0, 1),
            },
        )
        if not 1 <= n <= self._most:
            raise ValueError(f"{self.name} has {n} directions")
        levels = _nothing(n_rows, n)
        levels[:, :n] = own["levels"]
        mean = np.zeros(_padded(n), np.float32)
        mean[:n] = own["mean"]
        self._use(levels, np.array(own["units"]), n, mean, np.array(own["row_of"]), np.array(own["labelled"]))


def lengths(z: F32) -> F32:
    """||z|| of each row, 1 where it is 0."""
    length = np.sqrt(np.einsum("ij,ij->i", z, z, dtype=np.float64)).astype(np.float32)
    return np.where(length > 0, length, np.float32(1))


def wide(table: F32) -> F32:
    """The table with columns of zeros after its own, up to a multiple of 8, as the compiled loops need it."""
    found = np.zeros((len(table), _padded(table.shape[1])), np.float32)
    found[:, : table.shape[1]] = table
    return found


def _padded(n: int) -> int:
    """The number of columns that a table of n columns has in memory: a multiple of 8, for the compiled loops."""
    return -(-n // 8) * 8


def _nothing(n_rows: int, n: int) -> npt.NDArray[np.uint8]:
    """The levels of a table of zeros, with columns of padding."""
    return np.full((n_rows, _padded(n)), _LEVELS, np.uint8)
