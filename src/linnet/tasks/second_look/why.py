"""One sentence of a model with a reranker: why the output that it chose is before another of the k best.

The other is the best output of the first model, or, where that is the one that was chosen, the next best by the reranker. The
contributions sum to the difference of the scores that the reranker gives them (differences.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from linnet.explain.differences import Part


@dataclass(frozen=True)
class Change:
    """A token that has something else in the other output."""

    token: int
    word: str
    chosen: str
    against: str


@dataclass(frozen=True)
class SecondLook:
    """Why output number `candidate` and not number `against` of so many, 0 being the best one of the first model."""

    candidate: int
    against: int
    candidates: int
    changes: tuple[Change, ...]
    score: float
    contributions: tuple[Part, ...]
