"""Explaining a reranker on one sentence: why the output that it chose is better than another of the k best.

The other output is the best one of the first model, or, if that was chosen, the next best by the reranker. The contributions
sum to the difference of the scores that the reranker gives them (differences.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from linnet.explain.differences import Part
from linnet.report.shown import Shown


@dataclass(frozen=True)
class Change:
    """A token whose tag, head or relation is another one in the other output."""

    token: int
    word: str
    chosen: str
    against: str


@dataclass(frozen=True, repr=False)
class SecondLook(Shown):
    """Why the reranker chose output number `candidate` and not number `against` of `candidates`, counted from 0 by the
    scores of the first model."""

    drawn_by: ClassVar[str] = "linnet.tasks.second_look.terminal:second_look"

    candidate: int
    against: int
    candidates: int
    changes: tuple[Change, ...]
    score: float
    contributions: tuple[Part, ...]
