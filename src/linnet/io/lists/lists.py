"""Lists of candidates: what there is to choose from, list by list, and what each choice would cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Candidate:
    text: str
    numbers: Mapping[str, float] = field(default_factory=dict)
    """What is said of it in numbers: the scores of the system that made it."""
    features: Mapping[str, float] = field(default_factory=dict)
    """Features from elsewhere, by name."""
    cost: float | None = None
    """What it costs to choose it: the less, the better. Only differences within a list count."""


@dataclass(frozen=True)
class CandidateList:
    """The candidates of one example, at least one; x is the text that they are made of, "" where it is not known."""

    candidates: Sequence[Candidate]
    x: str = ""
    id: str = ""
    reference: str = ""


@dataclass(frozen=True)
class Lists:
    lists: Sequence[CandidateList]
    source: str
    first: int = 0
    """How many lists of the same files came before these."""

    def __len__(self) -> int:
        return len(self.lists)

    @property
    def at(self) -> Offsets:
        """Where the candidates of each list begin among all of them."""
        return np.cumsum([0, *(len(one.candidates) for one in self.lists)], dtype=np.int64)

    @property
    def candidates(self) -> list[Candidate]:
        return [candidate for one in self.lists for candidate in one.candidates]

    @property
    def costs(self) -> Floats:
        """nan where there is none."""
        found = (candidate.cost for candidate in self.candidates)
        return np.array([np.nan if cost is None else cost for cost in found], np.float64)

    def part(self, rows: Iterable[int]) -> Lists:
        return Lists([self.lists[i] for i in rows], self.source)

    def of_lists(self, values: Sequence[float] | Floats) -> list[Floats]:
        """A number for each candidate, list by list."""
        values = np.asarray(values)
        return [values[a:b] for a, b in pairwise(self.at.tolist())]
