"""Measures for several labels per example, as sets and as rankings of all labels.

Sets: precision, recall and F1 of single labels (micro over all of them, macro as the mean of labels), the share of sets that
are right as a whole, and the share of single decisions that are wrong (Hamming).

Rankings (Schapire and Singer 2000; Crammer and Singer 2003), over the examples that have a label:

    one-error            how often the first label is wrong
    coverage             how far down from the first label the last right one is
    average precision    the mean, over right labels, of the share of right ones among those ranked at least as high
    ranking loss         the share of pairs of a right and a wrong label that are in the wrong order
    errors, any error    how many pairs are in the wrong order, and how often any is
    precision, recall    both among the first k labels

    Among labels with the same score, the wrong ones come first: a tie is no success.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json, Reals
from linnet.errors import DataError
from linnet.evaluate.label_score import LabelScore
from linnet.report.shown import Shown

Ints = npt.NDArray[np.int64]
FIRST = (1, 3, 5)
"""The numbers k of first labels for which precision and recall are reported."""


@dataclass(frozen=True, repr=False)
class Ranking(Shown):
    """How well all labels were ranked: means over the examples that have a label."""

    drawn_by: ClassVar[str] = "linnet.tasks.labelset.terminal:ranking_report"

    n: int
    one_error: float
    coverage: float
    average_precision: float
    ranking_loss: float
    errors: float
    any_error: float
    precision_at: dict[int, float]
    recall_at: dict[int, float]

    def as_dict(self) -> dict[str, Json]:
        """The JSON object of `linnet evaluate --json` for rankings."""
        return dict(vars(self))


@dataclass(frozen=True, repr=False)
class LabelsetReport(Shown):
    """How right sets of labels are."""

    drawn_by: ClassVar[str] = "linnet.tasks.labelset.terminal:labelset_report"

    n: int
    micro_f1: float
    macro_f1: float
    micro_precision: float
    micro_recall: float
    subset_accuracy: float
    hamming_loss: float
    ranking: Ranking | None
    """How well labels were ranked; None where no example has a label."""
    per_label: dict[str, LabelScore]
    unknown: dict[str, int] = field(default_factory=dict)
    """The gold labels that the model does not know, and how many examples have them."""

    def as_dict(self) -> dict[str, Json]:
        """The JSON object of `linnet evaluate --json`."""
        out = {name: value for name, value in vars(self).items() if name not in ("ranking", "per_label", "unknown")}
        out |= {"unknown": dict(self.unknown)} if self.unknown else {}
        if self.ranking is not None:
            out |= {name: value for name, value in vars(self.ranking).items() if name != "n"}
        return out | {"per_label": {label: vars(score) for label, score in self.per_label.items()}}


@dataclass
class LabelsetCounts:
    """Counts from which the report is made. Batches are added one by one, so that no table of all scores is needed."""

    labels: Sequence[str]
    n: int = 0
    whole: int = 0
    """The number of sets that are right as a whole."""
    right: dict[str, int] = field(default_factory=dict)
    gold: dict[str, int] = field(default_factory=dict)
    guessed: dict[str, int] = field(default_factory=dict)
    ranked: list[dict[str, float]] = field(default_factory=list)

    def add(
        self,
        gold: Sequence[Sequence[str]],
        predicted: Sequence[Sequence[str]],
        scores: Reals,
    ) -> None:
        """Add a batch: the right labels, the predicted ones, and scores with a column for each of `labels`."""
        if not len(gold) == len(predicted) == len(scores):
            raise DataError(f"expected as many predictions as examples, found {len(predicted)} and {len(gold)}.")
        for y, y_hat in zip(map(set, gold), map(set, predicted), strict=True):
            self.n += 1
            self.whole += y == y_hat
            for count, names in ((self.gold, y), (self.guessed, y_hat), (self.right, y & y_hat)):
                for name in names:
                    count[name] = count.get(name, 0) + 1
        number = {name: k for k, name in enumerate(self.labels)}
        relevant = np.zeros(scores.shape, np.bool_)
        for i, right in enumerate(gold):
            relevant[i, [number[name] for name in right if name in number]] = True
        has_label = relevant.any(axis=1)
        if has_label.any():
            self.ranked.append(_sums(relevant[has_label], scores[has_label]))

    def report(self) -> LabelsetReport:
        """The report on all batches."""
        if not self.n:
            raise DataError("there is nothing to evaluate: no examples.")
        names = sorted({*self.labels, *self.gold})
        scores = {name: self._score(name) for name in names}
        right, gold, guessed = (sum(count.values()) for count in (self.right, self.gold, self.guessed))
        seen = [score.f1 for name, score in scores.items() if self.gold.get(name) or self.guessed.get(name)]
        return LabelsetReport(
            n=self.n,
            micro_f1=_share(2 * right, gold + guessed),
            macro_f1=float(np.mean(seen)) if seen else 0.0,
            micro_precision=_share(right, guessed),
            micro_recall=_share(right, gold),
            subset_accuracy=self.whole / self.n,
            hamming_loss=(gold + guessed - 2 * right) / (self.n * len(names)),
            ranking=self._ranking(),
            per_label=scores,
            unknown={name: n for name, n in self.gold.items() if name not in set(self.labels)},
        )

    def _score(self, name: str) -> LabelScore:
        right, gold, guessed = (count.get(name, 0) for count in (self.right, self.gold, self.guessed))
        return LabelScore(_share(right, guessed), _share(right, gold), _share(2 * right, gold + guessed), gold)

    def _ranking(self) -> Ranking | None:
        if not self.ranked:
            return None
        total = {name: sum(part[name] for part in self.ranked) for name in self.ranked[0]}
        n = int(total.pop("n"))
        mean = {name: value / n for name, value in total.items()}
        at = {what: {k: mean.pop(f"{what}{k}") for k in FIRST} for what in ("precision", "recall")}
        return Ranking(n=n, **mean, precision_at=at["precision"], recall_at=at["recall"])


def _sums(relevant: npt.NDArray[np.bool_], scores: Reals) -> dict[str, float]:
    """Each measure of rankings, summed over the examples that have a label."""
    n, n_labels = relevant.shape
    order = np.lexsort((relevant, -scores), axis=1)
    right = np.take_along_axis(relevant, order, axis=1)
    place = np.arange(1, n_labels + 1)
    found = np.cumsum(right, axis=1)
    n_right = found[:, -1]
    wrong_pairs = np.sum(np.where(right, place - found, 0), axis=1)
    pairs = np.maximum(n_right * (n_labels - n_right), 1)
    sums = {
        "n": float(n),
        "one_error": float(np.sum(~right[:, 0])),
        "coverage": float(np.sum(n_labels - 1 - np.argmax(right[:, ::-1], axis=1))),
        "average_precision": float(np.sum(np.sum(np.where(right, found / place, 0), axis=1) / n_right)),
        "ranking_loss": float(np.sum(wrong_pairs / pairs)),
        "errors": float(np.sum(wrong_pairs)),
        "any_error": float(np.sum(wrong_pairs > 0)),
    }
    for k in FIRST:
        among = found[:, min(k, n_labels) - 1]
        sums |= {f"precision{k}": float(np.sum(among / k)), f"recall{k}": float(np.sum(among / n_right))}
    return sums


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
