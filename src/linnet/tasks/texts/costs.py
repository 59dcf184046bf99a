"""Costs of errors: what it costs to predict one label instead of another, and the label of least expected cost.

    y_hat = argmin over y' of sum over y of p(y | x) cost(y, y')

>>> C = matrix({("spam", "ham"): 1, ("ham", "spam"): 10}, ("ham", "spam"))
>>> cheapest(np.array([[0.3, 0.7]]), C).tolist()
[0]
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from linnet.core.products import times
from linnet.core.types import Label, Reals
from linnet.errors import DataError, UsageError, meant
from linnet.io.bytes.records import records
from linnet.tasks.texts.label_types import spelled

MOST = 1e6
"""The largest cost."""
Costs = Mapping[tuple[Label, Label], float]
Floats = npt.NDArray[np.float32]


def read_costs(path: str | os.PathLike[str]) -> dict[tuple[str, str], float]:
    """Read costs from a file, which has gold,predicted,cost on each line."""
    costs: dict[tuple[str, str], float] = {}
    for number, (y, y_hat, text) in records(path, 3, "a label, the one that it is taken for and the cost of it"):
        cost = _number(text)
        if cost is None:
            raise DataError(f"expected a cost of 0 or more, found {text!r:.60}.", path, number)
        if costs.setdefault((y, y_hat), cost) != cost:
            raise DataError(
                f"{y!r} taken for {y_hat!r} costs {cost:g} here, but {costs[y, y_hat]:g} on an earlier line. Leave one out.",
                path,
                number,
            )
    return costs


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < np.inf else None


def matrix(costs: Costs | str | os.PathLike[str], labels: Sequence[str]) -> Floats:
    """The costs as a matrix with a row for each gold label and a column for each predicted one. Errors that are not listed cost
    1, and right predictions 0."""
    pairs = (
        read_costs(costs)
        if isinstance(costs, str | os.PathLike)
        else {(spelled(y), spelled(y_hat)): cost for (y, y_hat), cost in costs.items()}
    )
    number = {label: k for k, label in enumerate(labels)}
    C = np.ones((len(labels), len(labels)), np.float32)
    np.fill_diagonal(C, 0)
    for (y, y_hat), cost in pairs.items():
        for name in (y, y_hat):
            if name not in number:
                raise UsageError(
                    f"there is a cost for the label {name!r}, which is not in the data.{meant(name, labels)}"
                )
        if y == y_hat and cost:
            raise UsageError(
                f"there is a cost for {y!r} taken for itself, but a right prediction costs nothing. Leave it out."
            )
        if not 0 <= cost < np.inf:
            raise UsageError(f"expected a cost of 0 or more for {y!r} taken for {y_hat!r}, found {cost}.")
        if cost > MOST:
            raise UsageError(f"expected a cost of at most {MOST:,.0f} for {y!r} taken for {y_hat!r}, found {cost:g}.")
        C[number[y], number[y_hat]] = cost
    return C


def costs_of(y: npt.NDArray[np.int32], y_hat: npt.NDArray[np.int32], C: Floats) -> npt.NDArray[np.float64]:
    """The cost of each prediction. A gold label that was never seen, -1, costs as much as the worst error."""
    return np.where(y < 0, C.max(), C[y, y_hat]).astype(np.float64)


def mean_cost(gold: Sequence[str], predicted: Sequence[str], C: Floats, labels: Sequence[str]) -> float:
    """The mean cost of predicted labels."""
    number = {label: k for k, label in enumerate(labels)}
    y, y_hat = (np.array([number.get(label, -1) for label in some], np.int32) for some in (gold, predicted))
    return float(costs_of(y, y_hat, C).mean())


def cheapest(p: Reals, C: Floats) -> npt.NDArray[np.int32]:
    """The number of the label of least expected cost, for each row of probabilities."""
    y_hat: npt.NDArray[np.int32] = np.argmin(times(np.asarray(p), C), axis=1).astype(np.int32)
    return y_hat
