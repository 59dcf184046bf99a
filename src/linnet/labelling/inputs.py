"""What is labelled: texts, sentences, pairs of sentences or lists of candidates, each as a row with a number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from linnet.core.types import I64, Data, Json, Token
from linnet.features.columns import as_text
from linnet.features.table import Table
from linnet.io.lists.lists import CandidateList, Lists
from linnet.io.pairs.pairs import Pairs
from linnet.io.sentences.sentences import Sentences
from linnet.tasks.sentences.gold import as_sentences

_BETWEEN = "\x1f"
"""The character between the parts of a key, so that one token `a b` has another key than the two tokens `a` and `b`."""


class Inputs(ABC):
    """The examples of a pool without their outputs."""

    @property
    @abstractmethod
    def source(self) -> str:
        """Where they come from, for messages."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def text(self, row: int) -> str:
        """An example as a line that people can read."""

    @abstractmethod
    def shown(self, row: int) -> Json:
        """An example as the page draws it."""

    @abstractmethod
    def key(self, row: int) -> str:
        """A string that tells this example from others. The fingerprint of the pool is made of these."""

    @abstractmethod
    def example(self, row: int) -> Data:
        """An example as `linnet.train` and sessions take it."""

    @abstractmethod
    def part(self, rows: I64) -> Data:
        """Some examples as a model takes them."""

    @abstractmethod
    def sizes(self) -> I64:
        """How large each example is: the time that it takes to find its output is about proportional to that."""


@dataclass(frozen=True, eq=False)
class TextInputs(Inputs):
    """Texts, perhaps with other columns."""

    table: Table

    @classmethod
    def of(cls, texts: Sequence[str]) -> TextInputs:
        """Texts alone."""
        return cls(Table(as_text(texts)))

    @property
    def source(self) -> str:
        return self.table.source or "texts"

    def __len__(self) -> int:
        return len(self.table)

    def text(self, row: int) -> str:
        found: str = self.table.text[row].as_py()
        return found

    def shown(self, row: int) -> str:
        return self.text(row)

    def key(self, row: int) -> str:
        return self.text(row)

    def example(self, row: int) -> str:
        return self.text(row)

    def part(self, rows: I64) -> list[str]:
        return [self.text(row) for row in rows.tolist()]

    def sizes(self) -> I64:
        return np.ones(len(self), np.int64)


@dataclass(frozen=True, eq=False)
class SentenceInputs(Inputs):
    """Sentences of tokens, whose columns are features."""

    sentences: Sentences

    @classmethod
    def of(cls, sentences: Sequence[Sequence[Token]], columns: Sequence[str] = ("w",)) -> SentenceInputs:
        """Sentences as lists of words, or of tuples with a value for each of these columns."""
        return cls(as_sentences(sentences, columns))

    @property
    def source(self) -> str:
        return self.sentences.source

    def __len__(self) -> int:
        return len(self.sentences)

    def column(self, row: int, name: str = "w") -> list[str]:
        """The values of a column in one sentence."""
        a, b = self.sentences.starts[row : row + 2].tolist()
        found: list[str] = self.sentences.columns[name].slice(a, b - a).to_pylist()
        return found

    def text(self, row: int) -> str:
        return " ".join(self.column(row))

    def shown(self, row: int) -> list[str]:
        return self.column(row)

    def key(self, row: int) -> str:
        return _BETWEEN.join(chain.from_iterable(self.column(row, name) for name in self.sentences.columns))

    def example(self, row: int) -> Data:
        columns = [self.column(row, name) for name in self.sentences.columns]
        return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))

    def part(self, rows: I64) -> Sentences:
        return self.sentences.part(rows)[0]

    def sizes(self) -> I64:
        sizes: I64 = np.diff(self.sentences.starts)
        return sizes


@dataclass(frozen=True, eq=False)
class PairInputs(Inputs):
    """Sentences with their translations."""

    pairs: Pairs
    paths: tuple[str, ...] = ()
    """The files that they were read from, if any."""

    @property
    def source(self) -> str:
        return self.pairs.name

    def __len__(self) -> int:
        return len(self.pairs)

    def example(self, row: int) -> tuple[list[str], list[str]]:
        found: tuple[list[str], list[str]] = self.pairs.part(np.array([row])).words()[0]
        return found

    def text(self, row: int) -> str:
        return " ||| ".join(" ".join(side) for side in self.example(row))

    def shown(self, row: int) -> list[list[str]]:
        return list(self.example(row))

    def key(self, row: int) -> str:
        return f"{_BETWEEN}\n".join(_BETWEEN.join(side) for side in self.example(row))

    def part(self, rows: I64) -> Pairs:
        return self.pairs.part(rows)

    def sizes(self) -> I64:
        sizes: I64 = np.diff(self.pairs.source.starts) * np.diff(self.pairs.target.starts)
        return sizes


@dataclass(frozen=True, eq=False)
class ListInputs(Inputs):
    """Lists of candidates."""

    lists: Lists

    @property
    def source(self) -> str:
        return self.lists.source

    def __len__(self) -> int:
        return len(self.lists)

    def one(self, row: int) -> CandidateList:
        return self.lists.lists[row]

    def text(self, row: int) -> str:
        return self.one(row).x or self.one(row).candidates[0].text

    def shown(self, row: int) -> Json:
        one = self.one(row)
        return {"source": one.x, "candidates": [candidate.text for candidate in one.candidates]}

    def key(self, row: int) -> str:
        one = self.one(row)
        return _BETWEEN.join([one.x, *(candidate.text for candidate in one.candidates)])

    def example(self, row: int) -> dict[str, Json]:
        one = self.one(row)
        candidates = [{"text": c.text, **c.numbers, "features": dict(c.features)} for c in one.candidates]
        return {"source": one.x, "reference": one.reference, "candidates": candidates}

    def part(self, rows: I64) -> Lists:
        return self.lists.part(rows.tolist())

    def sizes(self) -> I64:
        sizes: I64 = np.diff(self.lists.at)
        return sizes
