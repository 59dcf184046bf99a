"""Measures for ratings: how often they are right, how far off they are, and Spearman's rank correlation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.products import length, times
from linnet.core.types import Json
from linnet.errors import DataError
from linnet.evaluate.unknown_labels import unknown_labels
from linnet.report.shown import Shown
from linnet.tasks.ordinal.scale import number_of, scale

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class OrdinalReport(Shown):
    """How right predicted ratings are."""

    drawn_by: ClassVar[str] = "linnet.tasks.ordinal.terminal:ordinal_report"

    n: int
    accuracy: float
    mean_absolute_error: float
    root_mean_squared_error: float
    spearman: float | None
    """Spearman's rank correlation; None where all ratings or all predictions are the same."""
    confusion: list[list[int]]
    """The number of examples with each pair of ratings: a row for each right rating, a column for each predicted one."""
    ratings: list[str]
    unknown: dict[str, int] = field(default_factory=dict)
    """The gold labels that the model does not know, and how many examples have them."""

    def as_dict(self) -> dict[str, Json]:
        """The JSON object of `linnet evaluate --json`."""
        return {name: value for name, value in vars(self).items() if name != "unknown" or value}


def evaluate_ordinal(gold: Sequence[str], predicted: Sequence[str], ratings: Sequence[str]) -> OrdinalReport:
    """Compare right and predicted ratings. `ratings` lists those that the model knows, in order.

    The distance between two ratings is the difference of their numbers, or of their places in the order if they are not
    numbers; then all right ratings must be known.
    """
    if len(gold) != len(predicted):
        raise DataError(f"expected as many predictions as ratings, found {len(predicted)} and {len(gold)}.")
    if not len(gold):
        raise DataError("there is nothing to evaluate: no examples.")
    names = _together(gold, ratings)
    value = scale(names)
    number = {name: k for k, name in enumerate(names)}
    y, y_hat = (np.array([number[name] for name in some], np.int64) for some in (gold, predicted))
    table = np.zeros((len(names), len(names)), np.int64)
    np.add.at(table, (y, y_hat), 1)
    off = value[y_hat] - value[y]
    return OrdinalReport(
        n=len(y),
        accuracy=float(np.mean(off == 0)),
        mean_absolute_error=float(np.mean(np.abs(off))),
        root_mean_squared_error=float(np.sqrt(np.mean(off**2))),
        spearman=_spearman(y, y_hat),
        confusion=table.tolist(),
        ratings=names,
        unknown=unknown_labels(gold, ratings),
    )


def _together(gold: Sequence[str], ratings: Sequence[str]) -> list[str]:
    """The ratings that the model knows together with those of the data, in order."""
    others = sorted(set(gold) - set(ratings))
    if not others:
        return list(ratings)
    at = scale(ratings)
    are_numbers = at.tolist() == [number_of(name) for name in ratings]
    stray = next((name for name in others if not are_numbers or number_of(name) is None), None)
    if stray is not None:
        raise DataError(f"the rating {stray!r} of the data is not known to the model, which has: {', '.join(ratings)}.")
    return sorted([*ratings, *others], key=float, reverse=bool(at[-1] < at[0]))


def _spearman(a: Ints, b: Ints) -> float | None:
    """Spearman's correlation of ranks; equal values get the mean of their ranks. None where all values are the same."""
    x, y = _ranks(a), _ranks(b)
    x, y = x - x.mean(), y - y.mean()
    size = length(x) * length(y)
    return float(times(x, y)) / size if size > 0 else None


def _ranks(values: Ints) -> npt.NDArray[np.float64]:
    _, kind, count = np.unique(values, return_inverse=True, return_counts=True)
    means: npt.NDArray[np.float64] = np.cumsum(count) - (count - 1) / 2
    return means[kind]
