"""How right a model will be on new data, told from examples that were held out while it was learned."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from linnet.core.products import times
from linnet.core.types import Integers, Json, Reals


@dataclass(frozen=True)
class Expected:
    """The share of held-out labels that were right, beside that of an answer which is always the same."""

    n: int
    """The number of held-out examples."""
    accuracy: float
    error: float
    """The standard error of the accuracy: of three such estimates, two are no further than this from the truth. One right and
    one wrong example are added before it is computed, so that few examples which are all right do not make it 0."""
    macro_f1: float
    """The mean F1 of all labels that were held out, each counting the same, however rare it is."""
    label: str
    """The most frequent label."""
    always: float
    """The accuracy of always answering the most frequent label."""
    cost_name: str = ""
    """The name of the mean cost, such as "mean absolute error", where errors differ in cost; else ""."""
    cost: float = 0.0
    always_cost: float = 0.0
    """The mean cost of the one answer that costs least if it is always given."""

    def as_dict(self) -> dict[str, Json]:
        return asdict(self)


def expected(
    y: Integers,
    y_hat: Integers,
    labels: tuple[str, ...],
    costs: Reals | None = None,
    cost_name: str = "",
) -> Expected:
    """Compare held-out labels, as numbers, with the answers to them.

    >>> found = expected(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]), ("ham", "spam"))
    >>> found.accuracy, round(found.error, 3), found.label, found.always, round(found.macro_f1, 3)
    (0.75, 0.192, 'ham', 0.75, 0.733)
    """
    n, k = len(y), len(labels)
    accuracy = float(np.mean(y == y_hat))
    smoothed = (n * accuracy + 1) / (n + 2)
    count, answered = np.bincount(y, minlength=k), np.bincount(y_hat, minlength=k)
    both = np.bincount(y[y == y_hat], minlength=k)
    there = count > 0
    most = int(count.argmax())
    of_costs = {}
    if costs is not None:
        constant = times(count, np.asarray(costs, np.float64)) / n
        of_costs = {"cost": float(np.mean(costs[y, y_hat])), "always_cost": float(constant.min())}
    return Expected(
        n=n,
        accuracy=accuracy,
        error=(smoothed * (1 - smoothed) / (n + 2)) ** 0.5,
        macro_f1=float(np.mean(2 * both[there] / (count + answered)[there])),
        label=labels[most],
        always=float(count[most] / n),
        cost_name=cost_name if of_costs else "",
        **of_costs,
    )


@dataclass(frozen=True)
class ExpectedSets:
    """How right sets of labels were that were held out."""

    n: int
    """The number of held-out examples."""
    micro_f1: float
    """The F1 over all single labels of all examples."""
    whole: float
    """The share of sets that were right as a whole."""

    def as_dict(self) -> dict[str, Json]:
        return asdict(self)


def expected_sets(has: npt.NDArray[np.bool_], answered: npt.NDArray[np.bool_]) -> ExpectedSets:
    """Compare held-out sets with the answers to them: tables with a row for each example and a column for each label.

    >>> found = expected_sets(np.array([[True, False], [True, True]]), np.array([[True, False], [True, False]]))
    >>> round(found.micro_f1, 3), found.whole
    (0.8, 0.5)
    """
    both, total = int((has & answered).sum()), int(has.sum() + answered.sum())
    return ExpectedSets(len(has), 2 * both / max(total, 1), float(np.mean((has == answered).all(axis=1))))
