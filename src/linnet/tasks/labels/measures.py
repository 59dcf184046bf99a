"""Measures for labels: accuracy, precision, recall, F1, confusion, losses, calibration, and the worst errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json, Reals
from linnet.errors import DataError
from linnet.evaluate.calibration import Reliability, brier, reliability
from linnet.evaluate.label_score import LabelScore
from linnet.evaluate.losses import LEAST_PROBABILITY, OF_SCORES, expected_losses, mean_losses
from linnet.evaluate.mistakes import most_wrong
from linnet.evaluate.unknown_labels import unknown_labels
from linnet.features import TextLike
from linnet.report.shown import Shown

MOST_WRONG = 10
"""The number of worst errors that are reported."""
_OF_A_PAIR = 20
_MOST_ERRORS = 600
"""The largest number of errors of each pair of labels that are kept, and of all of them; each pair has one at least."""

Scores = Reals
Numbers = npt.NDArray[np.int64]


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
    confidence: float | None = None
    """The probability of the predicted label, if the model has probabilities."""


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
    """The mean of each loss over the examples whose label the model knows. Losses are computed from the logarithms of
    probabilities; where there are none they are computed from scores, and the log loss is left out."""
    expected_losses: dict[str, float] | None = None
    """The mean of each loss that the model itself expects, by its probabilities."""
    errors: tuple[Wrong, ...] = ()
    """The worst errors of all, and some of each pair of labels: texts whose gold label scores farthest below the predicted one,
    the worst first."""
    unknown: dict[str, int] = field(default_factory=dict)
    """The gold labels that the model does not know, and how many examples have them."""

    @property
    def most_wrong(self) -> tuple[Wrong, ...]:
        """The worst errors of all."""
        return self.errors[:MOST_WRONG]

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
        if self.unknown:
            out["unknown"] = dict(self.unknown)
        if self.losses is not None:
            out["most_wrong"] = [vars(wrong) for wrong in self.most_wrong]
        return out


def _known(**measures: Any) -> dict[str, Any]:
    """The measures that are not None."""
    return {name: value for name, value in measures.items() if value is not None}


def evaluate_labels(
    gold: Sequence[str],
    predicted: Sequence[str],
    labels: Sequence[str] = (),
    probabilities: Scores | None = None,
    scores: Scores | None = None,
    texts: TextLike = (),
    rows: Numbers | None = None,
) -> LabelsReport:
    """Compare predictions with gold labels. A gold label that the model does not know counts as an error, but has no loss.

    `probabilities` and `scores` have a column for each of `labels`. With scores, the report has losses and the worst errors
    among `texts`. `rows`: the number of each text in the data, from 0, where rows of the data were left out.
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
    y, y_hat = _numbers(gold, labels), _numbers(predicted, labels)
    belief = {"log_loss": None} if probabilities is None else _belief(y, y_hat, probabilities)
    wrong = {} if scores is None else _errors(y, y_hat, probabilities, scores, gold, predicted, texts, rows)
    return LabelsReport(
        n=len(gold),
        accuracy=accuracy,
        macro_f1=float(np.mean(seen)),
        micro_f1=accuracy,
        per_label=scores_of,
        confusion=confusion,
        unknown=unknown_labels(gold, labels),
        **belief,
        **wrong,
    )


def _belief(y: Numbers, y_hat: Numbers, p: Scores) -> dict[str, Json]:
    """The log loss, the Brier score and the calibration. A gold label that is not known has the probability 0, but no log
    loss."""
    rows, known = np.arange(len(y)), np.flatnonzero(y >= 0)
    sure = reliability(p[rows, y_hat], y_hat == y)
    log_loss = float(np.mean(np.abs(np.log(np.maximum(p[known, y[known]], LEAST_PROBABILITY))))) if len(known) else None
    return {"log_loss": log_loss, "brier": brier(p, y), "ece": sure.ece, "reliability": sure}


def _errors(
    y: Numbers,
    y_hat: Numbers,
    p: Scores | None,
    theta: Scores,
    gold: Sequence[str],
    predicted: Sequence[str],
    texts: TextLike,
    rows: Numbers | None,
) -> dict[str, Json]:
    """The losses, and the texts whose gold label scores farthest below the predicted one."""
    known = np.flatnonzero(y >= 0)
    if len(known) == 0:
        return {}
    ahead = theta[known, y_hat[known]].astype(np.float64) - theta[known, y[known]]
    worst = _worst(y[known], y_hat[known], ahead)
    row = np.arange(len(y)) if rows is None else rows
    wrong = [
        Wrong(
            row=int(row[i]) + 1,
            text=str(texts[i]) if len(texts) else "",
            gold=gold[i],
            predicted=predicted[i],
            score=float(score),
            confidence=None if p is None else float(p[i, y_hat[i]]),
        )
        for i, score in zip(known[worst].tolist(), ahead[worst], strict=True)
    ]
    # The predicted label need not be the most probable one, where errors differ in cost.
    share = {"0-1": float(np.mean(y_hat[known] != y[known]))}
    if p is None:
        by_scores = mean_losses(theta[known], y[known])
        losses = share | {name: by_scores[name] for name in OF_SCORES}
        return {"losses": losses, "errors": tuple(wrong)}
    log_p = np.log(np.maximum(p, LEAST_PROBABILITY))
    return {
        "losses": mean_losses(log_p[known], y[known]) | share,
        "expected_losses": expected_losses(log_p, p) | {"0-1": float(np.mean(1 - p[np.arange(len(y)), y_hat]))},
        "errors": tuple(wrong),
    }


def _worst(y: Numbers, y_hat: Numbers, ahead: Scores) -> Numbers:
    """The wrong predictions that are furthest ahead, and some of each pair of labels: those that are furthest ahead in it."""
    wrong = most_wrong(y, y_hat, -ahead, len(y))
    _, pair = np.unique(np.stack([y[wrong], y_hat[wrong]]), axis=1, return_inverse=True)
    together = np.argsort(pair, kind="stable")  # The errors of each pair stand together, the worst of them first.
    first = np.searchsorted(pair[together], pair[together])
    place = np.empty(len(wrong), np.int64)
    place[together] = np.arange(len(wrong)) - first
    most = max(1, min(_OF_A_PAIR, _MOST_ERRORS // max(len(np.unique(pair)), 1)))
    found: Numbers = wrong[(place < most) | (np.arange(len(wrong)) < MOST_WRONG)]
    return found


def _numbers(names: Sequence[str], labels: Sequence[str]) -> Numbers:
    """The number of each name among the labels; -1 for other names."""
    at = {name: k for k, name in enumerate(labels)}
    return np.array([at.get(name, -1) for name in names])
