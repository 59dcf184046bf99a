"""Sets of labels as lists of numbers, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Protocol

import numpy as np

from linnet.tasks.texts.gold import Ints, Kept, Labels, Offsets


class Sets(Protocol):
    """Sets of numbers, which can be looked at one after the other, over and over."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Sequence[int]]: ...


@dataclass(frozen=True)
class Numbered:
    """Sets of labels as the numbers of these, -1 for a label that has none."""

    labels: Labels
    number: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.labels)

    def __iter__(self) -> Iterator[list[int]]:
        for one in self.labels:
            yield [self.number.get(name, -1) for name in one]


def as_outputs(sets: Sets, kept: Kept | None = None) -> tuple[Ints, Offsets]:
    """Write each set as its size followed by the numbers of its labels in order; return all, and where each set starts."""
    kept = kept or Kept(None)
    at = kept.filled(accumulate((1 + len(one) for one in sets), initial=0), len(sets) + 1, np.int64)
    y = (number for one in sets for number in (len(one), *sorted(one)))
    return kept.filled(y, int(at[-1]), np.int32), at


def sets_of(y: Ints, y_at: Offsets) -> list[Ints]:
    """The numbers of the labels of each set."""
    return [y[a + 1 : b] for a, b in pairwise(y_at.tolist())]
