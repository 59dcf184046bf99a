"""Measures for labels of a tree: accuracy at each level, and the tree-induced error (Dekel, Keshet and Singer 2004), which is
the mean number of edges between the right label and the predicted one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from linnet.core.types import Json
from linnet.errors import DataError
from linnet.evaluate.label_score import LabelScore
from linnet.report.shown import Shown
from linnet.tasks.labels.measures import evaluate_labels

Path = tuple[str, ...]


@dataclass(frozen=True, repr=False)
class HierarchyReport(Shown):
    """How right predicted labels of a tree are."""

    drawn_by: ClassVar[str] = "linnet.tasks.hierarchy.terminal:hierarchy_report"

    n: int
    accuracy: float
    tree_loss: float
    per_level: list[float]
    """For levels 1, 2, ... the share of examples whose nodes down to this level are right, among examples that go so deep."""
    per_label: dict[str, LabelScore]
    unknown: dict[str, int] = field(default_factory=dict)
    """The gold labels that the model does not know, and how many examples have them."""

    def as_dict(self) -> dict[str, Json]:
        """The JSON object of `linnet evaluate --json`."""
        out = {**vars(self), "per_label": {label: vars(score) for label, score in self.per_label.items()}}
        return {name: value for name, value in out.items() if name != "unknown" or value}


def evaluate_hierarchy(
    gold: Sequence[Path], predicted: Sequence[Path], name: Callable[[Path], str] = "/".join
) -> HierarchyReport:
    """Compare gold and predicted paths from the root down. A prediction may end above a leaf. `name` gives the label of a
    path."""
    if len(gold) != len(predicted):
        raise DataError(f"expected as many predictions as gold labels, found {len(predicted)} and {len(gold)}.")
    if not gold:
        raise DataError("there is nothing to evaluate: no examples.")
    shared = np.array([_shared(y, y_hat) for y, y_hat in zip(gold, predicted, strict=True)])
    depth, found = (np.array([len(path) for path in paths]) for paths in (gold, predicted))
    labels = evaluate_labels(list(map(name, gold)), list(map(name, predicted)))
    levels = range(1, int(depth.max()) + 1)
    return HierarchyReport(
        n=len(gold),
        accuracy=labels.accuracy,
        tree_loss=float(np.mean(depth + found - 2 * shared)),
        per_level=[float(np.mean(shared[depth >= level] >= level)) for level in levels],
        per_label=labels.per_label,
    )


def _shared(a: Path, b: Path) -> int:
    """The number of nodes, from the root down, that two paths have in common."""
    return next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
