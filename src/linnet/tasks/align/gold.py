"""Pairs of sentences and the flags of their links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.io.pairs.pairs import Pairs, flags_of

Ints = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Aligned:
    """Pairs of sentences and the flags of their links: 1 sure, 2 possible."""

    pairs: Pairs
    y: Ints
    details: Mapping[str, Any]
    labels: tuple[str, ...] = ("link",)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def y_at(self) -> npt.NDArray[np.int64]:
        return self.pairs.places

    @property
    def source(self) -> str:
        return self.pairs.name

    def part(self, rows: npt.NDArray[np.int64]) -> Aligned:
        pairs = self.pairs.part(rows)
        return Aligned(pairs, flags_of(pairs), self.details)

    def texts(self) -> list[str]:
        return [f"{' '.join(source)} ||| {' '.join(target)}" for source, target in self.pairs.words()]

    def column(self, name: str) -> None:
        """Files of pairs have no other columns."""
