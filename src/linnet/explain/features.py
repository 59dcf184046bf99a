"""A whole model: the features that speak most strongly for each label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linnet.features import TextFeatures


class Strong(NamedTuple):
    feature: str
    weight: float


def strongest(
    features: TextFeatures, weights: npt.NDArray[np.float32], labels: Sequence[str], top: int = 10
) -> dict[str, list[Strong]]:
    """For each label its top features, by their weight less the mean over all labels."""
    W = weights[1:, : len(labels)]
    finite = np.where(np.isfinite(W), W, np.nan)
    centre = np.nanmean(finite, axis=1) if len(W) else np.zeros(0)
    best: dict[str, list[Strong]] = {}
    for k, label in enumerate(labels):
        w = np.nan_to_num(W[:, k] - centre, nan=-np.inf, neginf=-np.inf)
        chosen = np.argpartition(-w, min(top, len(w) - 1))[:top] if len(w) else np.zeros(0, np.int64)
        chosen = chosen[np.argsort(-w[chosen], kind="stable")]
        best[label] = [Strong(features.name(int(j)), float(w[j])) for j in chosen if w[j] > 0]
    return best
