"""Measures for outputs of user-defined structures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linnet.core.types import Json
from linnet.report.shown import Shown


@dataclass(frozen=True, repr=False)
class OwnReport(Shown):
    """How right outputs of a user-defined structure are."""

    drawn_by: ClassVar[str] = "linnet.report.terminal:figures"

    n: int
    accuracy: float
    """The share of outputs that are right as a whole."""
    f1: float
    """The F1 of the parts of block 0; where each place has one outcome, it is the share of places that are right."""
    mean_cost: float

    def as_dict(self) -> dict[str, Json]:
        """The numbers of the report by name."""
        return dict(vars(self))

    def in_brief(self) -> str:
        return f"{self.n} examples: accuracy {self.accuracy:.3f}, F1 of parts {self.f1:.3f}, mean cost {self.mean_cost:.3f}"
