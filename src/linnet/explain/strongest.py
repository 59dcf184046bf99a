"""A whole model: the features that speak most strongly for each label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from linnet.learners.weights import Matrix


@runtime_checkable
class Named(Protocol):
    """Features that have names."""

    def name(self, feature: int) -> str: ...


class Strong(NamedTuple):
    """A feature, and its weight for a label less the mean of its weights over all labels."""

    feature: str
    weight: float


def strongest(features: Named, weights: Matrix, labels: Sequence[str], top: int = 10) -> dict[str, list[Strong]]:
    """The top features of each label, by their weight less the mean over all labels."""
    from linnet.learners.weights import Compressed

    best: dict[str, list[Strong]] = {}
    found = weights.by_outcome() if isinstance(weights, Compressed) else _by_label(weights[1:, : len(labels)])
    for label, (j, w) in zip(labels, found, strict=True):
        chosen = np.argpartition(-w, min(top, len(w) - 1))[:top] if len(w) else np.zeros(0, np.int64)
        least = w[chosen].min(initial=np.inf)
        equal = np.flatnonzero((w >= least) & (w > 0))  # with those that are as strong as the last
        named = [Strong(features.name(int(j[i])), float(w[i])) for i in equal]
        best[label] = sorted(named, key=lambda one: (-one.weight, one.feature))[:top]
    return best


def _by_label(W: npt.NDArray[np.float32]) -> Iterator[tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]]:
    """For each label all features, and their weights less their mean over all labels."""
    centre = W.mean(axis=1)
    for w in W.T:
        yield np.arange(len(W)), w - centre
