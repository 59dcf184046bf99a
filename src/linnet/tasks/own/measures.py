"""Measures for outputs of user-defined structures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OwnReport:
    """How right outputs of a user-defined structure are."""

    n: int
    accuracy: float
    """The share of outputs that are right as a whole."""
    f1: float
    """The F1 of the parts of block 0; where each place has one outcome, it is the share of places that are right."""
    mean_cost: float

    def __str__(self) -> str:
        return f"{self.n} examples: accuracy {self.accuracy:.3f}, F1 of parts {self.f1:.3f}, mean cost {self.mean_cost:.3f}"
