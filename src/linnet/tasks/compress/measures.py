"""Measures for compressions, against those of a reference: token F1, compression rate, accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from linnet.core.types import Json
from linnet.evaluate.sentences import per_sentence
from linnet.report.shown import Shown

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, repr=False)
class CompressionReport(Shown):
    """How right compressions are."""

    drawn_by: ClassVar[str] = "linnet.tasks.compress.terminal:compression_report"

    n_sentences: int
    n_tokens: int
    token_f1: float
    """The F1 of kept tokens, compared by place, over all sentences."""
    precision: float
    recall: float
    rate: float
    """The share of the tokens that is kept."""
    gold_rate: float
    accuracy: float
    """The share of tokens that are rightly kept or rightly dropped."""
    sentence_accuracy: float
    mean_f1: float
    """The mean over sentences of the F1 of kept tokens; it is 1 for a sentence in which neither keeps a token."""

    def as_dict(self) -> dict[str, Json]:
        return dict(vars(self))


def evaluate_compression(gold: Flags, kept: Flags, starts: npt.NDArray[np.int64]) -> CompressionReport:
    """Compare the flags of tokens that were kept with the gold flags; sentence i has the tokens starts[i]:starts[i + 1]."""
    right, n = gold == kept, len(gold)
    sizes = np.array([[per_sentence(part, starts) for part in (gold & kept, gold, kept, right)]])[0]
    both, of_gold, of_kept, agreed = sizes
    total = float(gold.sum() + kept.sum())
    f1 = np.where(of_gold + of_kept > 0, 2 * both / np.maximum(of_gold + of_kept, 1), 1.0)
    whole = agreed == np.diff(starts)
    return CompressionReport(
        n_sentences=len(starts) - 1,
        n_tokens=n,
        token_f1=2 * float(both.sum()) / total if total else 0.0,
        precision=float(both.sum() / max(of_kept.sum(), 1)),
        recall=float(both.sum() / max(of_gold.sum(), 1)),
        rate=float(kept.mean()) if n else 0.0,
        gold_rate=float(gold.mean()) if n else 0.0,
        accuracy=float(right.mean()) if n else 0.0,
        sentence_accuracy=float(whole.mean()) if len(whole) else 0.0,
        mean_f1=float(f1.mean()) if len(whole) else 0.0,
    )
