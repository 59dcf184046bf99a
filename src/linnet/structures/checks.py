"""Checks of a structure that a user wrote in Python: its answers are compared with an enumeration of all outputs, for random
scores.

argmax       is the best of GEN(x), and `augmented` the best with its cost
best_k       are the k best, the best first, none of them twice
marginals    are sum over y of p(y) mu(y), and log Z = log sum over y of exp <theta, mu(y)>
cost         is 0 for the right output, and more for every other
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from linnet.core.types import Data, Output
from linnet.errors import UsageError
from linnet.structures.interface import Part, Structure, Table

_TOL = 1e-6
_MOST_OUTPUTS = 100_000
"""The most outputs of one x that are enumerated."""

Parts = tuple[Part, ...]


def check_structure(
    structure: Structure | type[Structure],
    X: Sequence[Data],
    *,
    outputs: Callable[[tuple[int, ...]], Iterable[Output]] | None = None,
    n: int = 20,
    seed: int = 0,
) -> None:
    """Compare a structure with the enumeration of its outputs, for each of X, which should be small, with n random theta.

    `outputs` lists all outputs of an x with the given number of places in each block, where the structure does not. A
    UsageError says in one sentence what is wrong.

    >>> class Flip(Structure):
    ...     outcomes = (2,)
    ...     def features(self, x):
    ...         return [[[w] for w in x]]
    ...     def mu(self, y):
    ...         return [(0, t, k) for t, k in enumerate(y)]
    ...     def argmax(self, theta):
    ...         return tuple(theta[0].argmin(axis=1).tolist())
    >>> check_structure(Flip, [["a"]], outputs=lambda places: [(0,), (1,)], n=1)
    Traceback (most recent call last):
        ...
    linnet.errors.UsageError: Flip with places (1,): argmax gives (1,), which scores -0.132, but (0,) scores 0.126.
    """
    checked = structure() if isinstance(structure, type) else structure
    if checked.missing:
        raise UsageError(checked.missing)
    if outputs is None and not checked.listed:
        raise UsageError(
            f"{type(checked).__name__} does not list its outputs. Write outputs(places), or give check_structure a function."
        )
    rng = np.random.default_rng(seed)
    for places in sorted({tuple(map(len, checked.features(x))) for x in X}):
        _Check(checked, places, list((outputs or checked.outputs)(places))).run(rng, n)


class _Check:
    """The checks of one structure, for an x with this many places in each block."""

    def __init__(self, structure: Structure, places: tuple[int, ...], outputs: list[Output]) -> None:
        self.structure, self.places, self.outputs = structure, places, outputs
        if len(places) != len(structure.outcomes):
            self.wrong(f"features have {len(places)} blocks, outcomes {len(structure.outcomes)}")
        if not 0 < len(outputs) <= _MOST_OUTPUTS:
            self.wrong(f"expected 1 to {_MOST_OUTPUTS:,} outputs to compare with, found {len(outputs):,}")
        self.parts = [self.parts_of(y) for y in outputs]
        self.number = {parts: i for i, parts in enumerate(self.parts)}
        self.costs: dict[int, Table] = {}
        """For each gold output, by its number, the costs of all outputs against it."""

    def wrong(self, what: str) -> None:
        raise UsageError(f"{type(self.structure).__name__} with places {self.places}: {what}.")

    def parts_of(self, y: Output) -> Parts:
        parts = tuple(sorted(tuple(map(int, part)) for part in self.structure.mu(y)))
        for part in parts:
            if len(part) != 3 or not 0 <= part[0] < len(self.places):
                self.wrong(f"mu({y!r}) has {part}, expected (block, place, outcome)")
            if not (0 <= part[1] < self.places[part[0]] and 0 <= part[2] < self.structure.outcomes[part[0]]):
                self.wrong(f"mu({y!r}) has {part}, which is outside of the table of block {part[0]}")
        return parts  # type: ignore[return-value]

    def run(self, rng: np.random.Generator, n: int) -> None:
        self.check_parts()
        for _ in range(n):
            theta = [rng.normal(size=shape) for shape in zip(self.places, self.structure.outcomes, strict=True)]
            scores = np.array([sum(theta[g][place, k] for g, place, k in parts) for parts in self.parts])
            gold = int(rng.integers(len(self.outputs)))
            self.check_cost(gold)
            self.check_best("argmax", self.structure.argmax(_copy(theta)), scores)
            augmented = self.structure.augmented(_copy(theta), self.outputs[gold], 1.0)
            self.check_best(f"augmented for y={self.outputs[gold]!r}", augmented, scores + self.costs[gold])
            if self.structure.has_k_best:
                self.check_k(theta, scores)
            if self.structure.has_marginals:
                self.check_marginals(theta, scores)

    def check_parts(self) -> None:
        seen: dict[Parts, Output] = {}
        for y, parts in zip(self.outputs, self.parts, strict=True):
            if parts in seen:
                self.wrong(
                    f"outputs {seen[parts]!r} and {y!r} have the same parts, so that none can be told from the other"
                )
            seen[parts] = y
            first = [(place, k) for g, place, k in parts if g == 0]
            if not self.structure.own_cost and len(set(first)) < len(first):
                self.wrong(
                    f"mu({y!r}) has a part of block 0 twice, which the usual cost is not for; write cost and augmented"
                )
            if self.structure.one_outcome and [place for place, _ in first] != list(range(self.places[0])):
                self.wrong(f"one_outcome is True, but mu({y!r}) has not one outcome at each place of block 0")

    def check_cost(self, gold: int) -> None:
        if gold in self.costs:
            return
        y = self.outputs[gold]
        self.costs[gold] = np.array([self.structure.cost(y, y_hat) for y_hat in self.outputs], np.float64)
        if self.costs[gold][gold] != 0:
            self.wrong(f"cost({y!r}, {y!r}) is {self.costs[gold][gold]:g}, expected 0 for the right output")
        for i, cost in enumerate(self.costs[gold].tolist()):
            if i != gold and not cost > 0:
                self.wrong(f"cost({y!r}, {self.outputs[i]!r}) is {cost:g}, expected more than 0 for another output")

    def check_best(self, name: str, y_hat: Output, scores: Table) -> None:
        found, best = self.known(name, y_hat), int(scores.argmax())
        if scores[found] < scores[best] - _TOL:
            self.wrong(
                f"{name} gives {y_hat!r}, which scores {scores[found]:.3g}, but {self.outputs[best]!r} scores "
                f"{scores[best]:.3g}"
            )

    def known(self, name: str, y_hat: Output) -> int:
        parts = self.parts_of(y_hat)
        if parts not in self.number:
            self.wrong(f"{name} gives {y_hat!r}, which is not among the {len(self.outputs)} outputs")
        return self.number[parts]

    def check_k(self, theta: list[Table], scores: Table) -> None:
        best = np.sort(scores)[::-1]
        for k in sorted({1, 2, len(scores)}):
            found = [self.known("best_k", y) for y in self.structure.best_k(_copy(theta), k)]
            if len(found) != min(k, len(scores)) or len(set(found)) < len(found):
                self.wrong(
                    f"best_k gives {len(set(found))} different outputs for k={k}, expected {min(k, len(scores))}"
                )
            if not np.allclose(scores[found], best[: len(found)], rtol=_TOL, atol=_TOL):
                self.wrong(
                    f"best_k gives outputs that score {_few(scores[found])}, but the best score {_few(best[: len(found)])}"
                )

    def check_marginals(self, theta: list[Table], scores: Table) -> None:
        logz, mu = self.structure.marginals(_copy(theta))
        right = scores.max() + math.log(np.exp(scores - scores.max()).sum())
        if not math.isclose(logz, right, rel_tol=_TOL, abs_tol=_TOL):
            self.wrong(f"marginals gives log Z = {logz:.6g}, expected {right:.6g}")
        mean = [np.zeros_like(table) for table in theta]
        for p, parts in zip(np.exp(scores - right), self.parts, strict=True):
            for g, place, k in parts:
                mean[g][place, k] += p
        for g, (found, wanted) in enumerate(zip(mu, mean, strict=True)):
            if np.shape(found) != wanted.shape:
                self.wrong(f"marginals of block {g} have shape {np.shape(found)}, expected {wanted.shape}")
            at = np.argwhere(~np.isclose(found, wanted, rtol=_TOL, atol=_TOL)).tolist()
            if at:
                place, k = at[0]
                self.wrong(
                    f"the marginal of place {place}, outcome {k} of block {g} is {found[place][k]:.6g}, expected "
                    f"{wanted[place, k]:.6g}"
                )


def _copy(theta: list[Table]) -> list[Table]:
    return [table.copy() for table in theta]


def _few(numbers: Table) -> str:
    return ", ".join(f"{number:.3g}" for number in numbers[:3].tolist()) + (", ..." if len(numbers) > 3 else "")
