"""How right outputs of a structure of one's own are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OwnReport:
    n: int
    accuracy: float
    """The share of outputs that are right as a whole."""
    f1: float
    """Of the parts of block 0: where each place has one outcome, the share of places that are right."""
    mean_cost: float

    def __str__(self) -> str:
        return f"{self.n} examples: accuracy {self.accuracy:.3f}, F1 of parts {self.f1:.3f}, mean cost {self.mean_cost:.3f}"
