"""Measures for lists of candidates that were put in order.

pairwise accuracy   the share of pairs that are in the right order, among those that differ in cost; ties count half
Kendall's tau       (right - wrong) / sqrt(pairs that differ in cost x those that differ in score): tau-b, mean over lists
mean cost           of the chosen candidate; beside it, of the first one, the cheapest (oracle) and any (random)
best                the share of lists in which the chosen candidate costs as little as the cheapest

Candidates with the same score count with the mean of their costs, so that nothing depends on the order in which they came.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json, Reals
from linnet.report.shown import Shown

Numbers: TypeAlias = Sequence[float] | Reals
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class CandidatesReport(Shown):
    """How well candidates were put in order."""

    drawn_by: ClassVar[str] = "linnet.tasks.rerank.terminal:candidates_report"

    n: int
    candidates: int
    pairwise_accuracy: float
    tau: float
    best: float
    mean_cost: float
    first_cost: float
    random_cost: float
    oracle_cost: float

    def as_dict(self) -> dict[str, Json]:
        return asdict(self)


def evaluate_candidates(costs: Sequence[Numbers], scores: Sequence[Numbers]) -> CandidatesReport:
    """Compare the scores of the candidates of each list with their costs."""
    pairs = pairs_of(costs, scores)
    counted = pairs[:, 1] > 0
    taus = [tau_b(c, s) for c, s in zip(costs, scores, strict=True)]
    chosen = [_chosen(np.asarray(c), np.asarray(s)) for c, s in zip(costs, scores, strict=True)]
    return CandidatesReport(
        n=len(costs),
        candidates=sum(map(len, costs)),
        pairwise_accuracy=float(pairs[:, 0].sum() / max(pairs[:, 1].sum(), 1)),
        tau=float(np.mean(np.array(taus)[counted])) if counted.any() else 0.0,
        best=float(np.mean([share for _, share in chosen])),
        mean_cost=float(np.mean([cost for cost, _ in chosen])),
        first_cost=float(np.mean([c[0] for c in costs])),
        random_cost=float(np.mean([np.mean(c) for c in costs])),
        oracle_cost=float(np.mean([np.min(c) for c in costs])),
    )


def pairs_of(costs: Sequence[Numbers], scores: Sequence[Numbers]) -> Floats:
    """For each list, the number of pairs in the right order, and the number of pairs that differ in cost.

    >>> pairs_of([[0, 1, 1]], [[2.0, 2.0, 1.0]]).tolist()
    [[1.5, 2.0]]
    """
    found = np.zeros((len(costs), 2))
    for i, (c, s) in enumerate(zip(costs, scores, strict=True)):
        better, ahead = _signs(c), -_signs(s)
        found[i] = np.sum(np.where(better > 0, (1 + ahead) / 2, 0)), np.sum(better > 0)
    return found


def tau_b(costs: Numbers, scores: Numbers) -> float:
    """Kendall's tau-b between scores and negative costs; 0 where all costs or all scores are equal."""
    better, ahead = _signs(costs), -_signs(scores)
    n = float(np.sum(better != 0) * np.sum(ahead != 0))
    return float(np.sum(better * ahead)) / n**0.5 if n else 0.0


def _signs(values: Numbers) -> Floats:
    """A table of signs for all pairs of values: 1 where value b, in the column, is more than value a, in the row."""
    x = np.asarray(values, np.float64)
    signs: Floats = np.sign(x[None, :] - x[:, None])
    return signs


def _chosen(costs: Floats, scores: Floats) -> tuple[float, float]:
    """The mean cost of the candidates with the best score, and the share of them that cost the least."""
    best = costs[scores == scores.max()]
    return float(best.mean()), float(np.mean(best == costs.min()))
