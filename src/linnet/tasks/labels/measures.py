"""Measures for labels: accuracy, precision, recall, F1, confusion, losses, calibration, and the worst errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json, Reals
from linnet.errors import DataError
from linnet.evaluate.calibration import Reliability, brier, reliability
from linnet.evaluate.label_score import LabelScore
from linnet.evaluate.losses import expected_losses, mean_losses
from linnet.evaluate.mistakes import most_wrong
from linnet.features import TextLike
from linnet.report.shown import Shown

_LEAST_PROBABILITY = 1e-15
"""The least probability that counts in the log loss, which would be infinite for 0."""
MOST_WRONG = 10
"""The number of worst errors that are reported."""

Scores = Reals


@dataclass(frozen=True)
class Wrong:
    """A text whose predicted label is wrong."""

    row: int
    """The row number of the text, from 1."""
    text: str
    gold: str
    predicted: str
    score: float
    """The score of the predicted label less that of the gold label."""


@dataclass(frozen=True, repr=False)
class LabelsReport(Shown):
    """How right predicted labels are."""

    drawn_by: ClassVar[str] = "linnet.tasks.labels.terminal:labels_report"

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
    """The mean cost of the predictions, if errors differ in cost."""
    reliability: Reliability | None = None
    losses: dict[str, float] | None = None
    """The mean of each loss over the examples whose label the model knows."""
    expected_losses: dict[str, float] | None = None
    """The mean of each loss that the model itself expects, by its probabilities."""
    most_wrong: tuple[Wrong, ...] = ()
    """The worst errors: texts whose gold label scores farthest below the predicted one, the worst first."""

    def as_dict(self) -> dict[str, Json]:
        """The JSON object of `linnet evaluate --json`."""
        out: dict[str, Json] = {
            "n": self.n,
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "micro_f1": self.micro_f1,
        }
        out |= _known(log_loss=self.log_loss, brier=self.brier, ece=self.ece, mean_cost=self.mean_cost)
        out["per_label"] = {label: vars(score) for label, score in self.per_label.items()}
        out["confusion"] = self.confusion.tolist()
        out |= _known(losses=self.losses, expected_losses=self.expected_losses)
        if self.reliability is not None:
            out["reliability"] = self.reliability.as_dict()
        if self.losses is not None:
            out["most_wrong"] = [vars(wrong) for wrong in self.most_wrong]
        return out


def _known(**measures: Any) -> dict[str, Any]:
    """The measures that there are."""
    return {name: value for name, value in measures.items() if value is not None}


def evaluate_labels(
    gold: Sequence[str],
    predicted: Sequence[str],
    labels: Sequence[str] = (),
    probabilities: Scores | None = None,
    scores: Scores | None = None,
    texts: TextLike = (),
) -> LabelsReport:
    """Compare predictions with gold labels. A gold label that the model does not know counts as an error, but has no loss.

    `probabilities` and `scores` have a column for each of `labels`. With scores, the report has losses and the worst errors
    among `texts`.
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
    scores_of = {}
    for k, name in enumerate(names):
        precision = right[k] / guessed[k] if guessed[k] else 0.0
        recall = right[k] / support[k] if support[k] else 0.0
        both = guessed[k] + support[k]
        scores_of[name] = LabelScore(
            float(precision), float(recall), float(2 * right[k] / both if both else 0), int(support[k])
        )
    accuracy = float(right.sum() / len(y))
    seen = [score.f1 for name, score in scores_of.items() if support[at[name]] or guessed[at[name]]]
    belief = {} if probabilities is None else _belief(gold, labels, probabilities)
    losses = {} if scores is None else _losses(gold, predicted, labels, probabilities, scores, texts)
    more = {"log_loss": None} | belief | losses
    return LabelsReport(
        n=len(y),
        accuracy=accuracy,
        macro_f1=float(np.mean(seen)),
        micro_f1=accuracy,
        per_label=scores_of,
        confusion=confusion,
        **more,
    )


def _belief(gold: Sequence[str], labels: Sequence[str], p: Scores) -> dict[str, Json]:
    """The log loss, the Brier score and the calibration. A gold label that is not known has the probability 0."""
    y = _numbers(gold, labels)
    p_gold = np.where(y >= 0, p[np.arange(len(y)), y], 0.0)
    sure = reliability(p.max(axis=1), p.argmax(axis=1) == y)
    log_loss = float(np.mean(np.abs(np.log(np.maximum(p_gold, _LEAST_PROBABILITY)))))
    return {"log_loss": log_loss, "brier": brier(p, y), "ece": sure.ece, "reliability": sure}


def _losses(
    gold: Sequence[str],
    predicted: Sequence[str],
    labels: Sequence[str],
    p: Scores | None,
    theta: Scores,
    texts: TextLike,
) -> dict[str, Json]:
    y, y_hat = _numbers(gold, labels), _numbers(predicted, labels)
    known = np.flatnonzero(y >= 0)
    if len(known) == 0:
        return {}
    ahead = theta[known, y_hat[known]].astype(np.float64) - theta[known, y[known]]
    worst = most_wrong(y[known], y_hat[known], -ahead, MOST_WRONG)
    wrong = [
        Wrong(i + 1, str(texts[i]) if len(texts) else "", gold[i], predicted[i], float(score))
        for i, score in zip(known[worst].tolist(), ahead[worst], strict=True)
    ]
    return {
        "losses": mean_losses(theta[known], y[known]),
        "expected_losses": None if p is None else expected_losses(theta, p),
        "most_wrong": tuple(wrong),
    }


def _numbers(names: Sequence[str], labels: Sequence[str]) -> npt.NDArray[np.int64]:
    """The number of each name among the labels; -1 for other names."""
    at = {name: k for k, name in enumerate(labels)}
    return np.array([at.get(name, -1) for name in names])
