"""The explanation of why one candidate is before another."""

from __future__ import annotations

from dataclasses import dataclass

from linnet.explain.differences import Part


@dataclass(frozen=True)
class CandidateExplanation:
    """Why `candidate` is before `against`: the contributions sum to the difference of their scores."""

    x: str
    candidate: int
    against: int
    text: str
    against_text: str
    score: float
    contributions: tuple[Part, ...]
