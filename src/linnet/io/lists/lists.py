"""Lists of candidates: the choices of each example, and what each would cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from linnet.core.types import Array, Reals

Floats = npt.NDArray[np.float64]
Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Candidate:
    text: str
    numbers: Mapping[str, float] = field(default_factory=dict)
    """Numbers of the candidate by name: the scores of the system that made it."""
    features: Mapping[str, float] = field(default_factory=dict)
    """Features that the user has computed, by name."""
    cost: float | None = None
    """The cost of choosing it; less is better. Only differences within a list count."""


@dataclass(frozen=True)
class CandidateList:
    """The candidates of one example, at least one. x is the input that they are outputs for, such as the source of a
    translation; "" where it is not known."""

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
        """The number of the first candidate of each list, among all candidates, and at the end the number of all
        candidates."""
        return np.cumsum([0, *(len(one.candidates) for one in self.lists)], dtype=np.int64)

    @property
    def candidates(self) -> list[Candidate]:
        return [candidate for one in self.lists for candidate in one.candidates]

    @property
    def costs(self) -> Floats:
        """The cost of each candidate, nan where there is none."""
        found = (candidate.cost for candidate in self.candidates)
        return np.array([np.nan if cost is None else cost for cost in found], np.float64)

    def part(self, rows: Iterable[int]) -> Lists:
        return Lists([self.lists[i] for i in rows], self.source)

    def split(self, values: Sequence[float] | Reals) -> list[Array]:
        """Split one number for each candidate into an array for each list."""
        numbers = np.asarray(values)
        return [numbers[a:b] for a, b in pairwise(self.at.tolist())]
