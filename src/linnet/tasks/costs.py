"""What it costs to take one label for another: read from a file, and the decision that costs least.

    y_hat = argmin over y' of sum over y of p(y | x) cost(y, y')

>>> C = matrix({("spam", "ham"): 1, ("ham", "spam"): 10}, ("ham", "spam"))
>>> cheapest(np.array([[0.3, 0.7]]), C).tolist()
[0]
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.errors import DataError, UsageError, meant

Costs = Mapping[tuple[str, str], float]
Floats = npt.NDArray[np.float32]


def read_costs(path: str) -> dict[tuple[str, str], float]:
    """The costs of a file: on each line a label, the one it is taken for, and what that costs, tabs or commas between."""
    costs: dict[tuple[str, str], float] = {}
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    except UnicodeDecodeError as error:
        raise DataError(f"the file is not UTF-8 (byte {error.start}). Write it again as UTF-8.", path) from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split("\t" if "\t" in line else ",")]
        cost = _number(fields[2]) if len(fields) == 3 else None
        if cost is None:
            raise DataError(
                "expected a label, the one that it is taken for and a cost of 0 or more, with tabs or commas between them, "
                f"found {line!r:.60}.",
                path,
                number,
            )
        if costs.setdefault((fields[0], fields[1]), cost) != cost:
            raise DataError(f"{fields[0]!r} taken for {fields[1]!r} has another cost on a line before.", path, number)
    if not costs:
        raise DataError(
            "the file is empty. Expected a label, the one that it is taken for and a cost on each line.", path
        )
    return costs


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < np.inf else None


def matrix(costs: Costs | str | os.PathLike[str], labels: Sequence[str]) -> Floats:
    """A row for each label, a column for each that it is taken for: 1 where nothing is said, 0 where they are the same."""
    pairs = read_costs(os.fspath(costs)) if isinstance(costs, str | os.PathLike) else costs
    number = {label: k for k, label in enumerate(labels)}
    C = np.ones((len(labels), len(labels)), np.float32)
    np.fill_diagonal(C, 0)
    for (y, y_hat), cost in pairs.items():
        for name in (y, y_hat):
            if name not in number:
                raise UsageError(f"a cost for the label {name!r}, which is not in the data.{meant(name, labels)}")
        if y == y_hat and cost:
            raise UsageError(f"a cost for {y!r} taken for itself. What is right costs nothing.")
        if not 0 <= cost < np.inf:
            raise UsageError(f"expected a cost of 0 or more for {y!r} taken for {y_hat!r}, found {cost}.")
        C[number[y], number[y_hat]] = cost
    return C


def mean_cost(gold: Sequence[str], predicted: Sequence[str], C: Floats, labels: Sequence[str]) -> float:
    """Of predictions; a label that was never seen costs 1."""
    number = {label: k for k, label in enumerate(labels)}
    pairs = zip(gold, predicted, strict=True)
    return float(np.mean([C[number[y], number[y_hat]] if y in number else 1 for y, y_hat in pairs]))


def cheapest(p: npt.NDArray[np.floating[Any]], C: Floats) -> npt.NDArray[np.int64]:
    """The number of the label of least expected cost, for each row of probabilities."""
    y_hat: npt.NDArray[np.int64] = np.argmin(p @ C, axis=1)
    return y_hat
