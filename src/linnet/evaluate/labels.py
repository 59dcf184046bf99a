"""One label per example: accuracy, precision, recall, F1, confusion; and what probabilities are worth, if there are any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.errors import DataError
from linnet.evaluate.calibration import brier, reliability

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
    confusion: npt.NDArray[np.int64]
    """A row for each gold label, a column for each predicted one, in the order of `per_label`."""
    brier: float | None = None
    ece: float | None = None
    """The expected calibration error."""
    mean_cost: float | None = None
    """Of the predictions, where errors differ in cost."""

    def as_dict(self) -> dict[str, Any]:
        """The JSON object of `linnet evaluate --json`."""
        out: dict[str, Any] = {
            "n": self.n,
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "micro_f1": self.micro_f1,
        }
        out |= {
            name: value
            for name in ("log_loss", "brier", "ece", "mean_cost")
            if (value := getattr(self, name)) is not None
        }
        out["per_label"] = {label: vars(score) for label, score in self.per_label.items()}
        out["confusion"] = self.confusion.tolist()
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
    confusion = np.bincount(y * n + y_hat, minlength=n * n).reshape(n, n)
    right = np.diagonal(confusion)
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
    belief = (None, None, None) if probabilities is None else _belief(gold, labels, probabilities)
    return LabelsReport(len(y), accuracy, float(np.mean(seen)), accuracy, belief[0], scores, confusion, *belief[1:])


def _belief(
    gold: Sequence[str], labels: Sequence[str], probabilities: npt.NDArray[np.floating[Any]]
) -> tuple[float, float, float]:
    """The log loss, the Brier score and the ECE. What is not among the labels had a probability of 0."""
    at = {name: k for k, name in enumerate(labels)}
    y = np.array([at.get(label, -1) for label in gold])
    p = np.where(y >= 0, probabilities[np.arange(len(y)), y], 0.0)
    sure = reliability(probabilities.max(axis=1), probabilities.argmax(axis=1) == y)
    return float(-np.mean(np.log(np.maximum(p, _LEAST_PROBABILITY)))), brier(probabilities, y), sure.ece
