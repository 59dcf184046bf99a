"""How well lists of candidates were put in order.

    pairwise accuracy   of the pairs in a list that differ in cost, the share in the right order; of equal scores a half
    Kendall's tau       (right - wrong) / sqrt(pairs that differ in cost x those that differ in score): tau-b, mean over lists
    mean cost           of the candidate that was chosen; beside it that of the first, the cheapest (oracle) and any (random)
    best                lists in which what was chosen costs as little as the cheapest

Of candidates with the same score the mean of their costs counts, so that nothing depends on the order in which they came.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json, Reals

Numbers: TypeAlias = Sequence[float] | Reals
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CandidatesReport:
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
    """Costs and scores of the candidates of each list."""
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
    """For each list how many pairs are in the right order, and how many differ in cost.

    >>> pairs_of([[0, 1, 1]], [[2.0, 2.0, 1.0]]).tolist()
    [[1.5, 2.0]]
    """
    found = np.zeros((len(costs), 2))
    for i, (c, s) in enumerate(zip(costs, scores, strict=True)):
        better, ahead = _signs(c), -_signs(s)
        found[i] = np.sum(np.where(better > 0, (1 + ahead) / 2, 0)), np.sum(better > 0)
    return found


def tau_b(costs: Numbers, scores: Numbers) -> float:
    """Kendall's tau-b between scores and what is saved; 0 where all costs or all scores are equal."""
    better, ahead = _signs(costs), -_signs(scores)
    n = float(np.sum(better != 0) * np.sum(ahead != 0))
    return float(np.sum(better * ahead)) / n**0.5 if n else 0.0


def _signs(values: Numbers) -> Floats:
    """1 where column b is more than row a."""
    x = np.asarray(values, np.float64)
    signs: Floats = np.sign(x[None, :] - x[:, None])
    return signs


def _chosen(costs: Floats, scores: Floats) -> tuple[float, float]:
    """The cost of the best candidates, and whether it is the least there is."""
    best = costs[scores == scores.max()]
    return float(best.mean()), float(np.mean(best == costs.min()))
