"""The explanation of why one candidate is before another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linnet.explain.differences import Part
from linnet.report.shown import Shown


@dataclass(frozen=True, repr=False)
class CandidateExplanation(Shown):
    """Why `candidate` is before `against`: the contributions sum to the difference of their scores."""

    drawn_by: ClassVar[str] = "linnet.tasks.rerank.terminal:candidate_explanation"
    paged_by: ClassVar[str] = "linnet.tasks.rerank.page:candidates_page"

    x: str
    candidate: int
    against: int
    text: str
    against_text: str
    score: float
    contributions: tuple[Part, ...]
