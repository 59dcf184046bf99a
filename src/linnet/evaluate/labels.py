"""One label per example: accuracy, precision, recall, F1, and the log loss where there are probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.errors import DataError

_LEAST_PROBABILITY = 1e-15


@dataclass(frozen=True)
class LabelScore:
    precision: float
    recall: float
    f1: float
    support: int


@dataclass(frozen=True)
class LabelsReport:
    n: int
    accuracy: float
    macro_f1: float
    micro_f1: float
    log_loss: float | None
    per_label: dict[str, LabelScore]

    def as_dict(self) -> dict[str, Any]:
        """The JSON object of `linnet evaluate --json`."""
        out: dict[str, Any] = {
            "n": self.n,
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "micro_f1": self.micro_f1,
        }
        if self.log_loss is not None:
            out["log_loss"] = self.log_loss
        out["per_label"] = {label: vars(score) for label, score in self.per_label.items()}
        return out


def evaluate_labels(
    gold: Sequence[str],
    predicted: Sequence[str],
    labels: Sequence[str] = (),
    probabilities: npt.NDArray[np.floating[Any]] | None = None,
) -> LabelsReport:
    """Compare predictions with gold labels. A gold label that the model does not know is an error like any other.

    `probabilities` has a column for each of `labels`.
    """
    if len(gold) != len(predicted):
        raise DataError(f"expected as many predictions as gold labels, found {len(predicted)} and {len(gold)}.")
    if not gold:
        raise DataError("there is nothing to evaluate: no examples.")
    names = sorted({*gold, *predicted, *labels})
    at = {name: k for k, name in enumerate(names)}
    y = np.array([at[label] for label in gold])
    y_hat = np.array([at[label] for label in predicted])
    n = len(names)
    support, guessed = np.bincount(y, minlength=n), np.bincount(y_hat, minlength=n)
    right = np.bincount(y[y == y_hat], minlength=n)
    scores = {}
    for k, name in enumerate(names):
        precision = right[k] / guessed[k] if guessed[k] else 0.0
        recall = right[k] / support[k] if support[k] else 0.0
        both = guessed[k] + support[k]
        scores[name] = LabelScore(
            float(precision), float(recall), float(2 * right[k] / both if both else 0), int(support[k])
        )
    accuracy = float(right.sum() / len(y))
    seen = [score.f1 for name, score in scores.items() if support[at[name]] or guessed[at[name]]]
    loss = None if probabilities is None else _log_loss(gold, labels, probabilities)
    return LabelsReport(len(y), accuracy, float(np.mean(seen)), accuracy, loss, scores)


def _log_loss(gold: Sequence[str], labels: Sequence[str], probabilities: npt.NDArray[np.floating[Any]]) -> float:
    at = {name: k for k, name in enumerate(labels)}
    p = [float(probabilities[i, at[label]]) if label in at else 0.0 for i, label in enumerate(gold)]
    return float(-np.mean(np.log(np.maximum(p, _LEAST_PROBABILITY))))
