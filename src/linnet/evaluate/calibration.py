"""Whether probabilities mean what they say, and scores made into probabilities.

Of the predictions with a probability of about q, a share of q should be right: a reliability diagram shows both in bins
of q, and

    ECE    sum over bins of (size / n) |right - q|            (expected calibration error; Guo et al. 2017)
    Brier  mean of sum_k (p_k - 1[y = k])^2                    (Brier 1950)

The sigmoid fit is p(y | x) = softmax(a theta + b) with one a >= 0 and a b for each label, by maximum likelihood on
held-out scores. For two labels it is Platt's (1999); for more, temperature scaling with biases (Alexandari, Kundaje and
Shrikumar 2020). As Platt's, its targets are not 1 but (n + 1) / (n + 2), with the number of all examples in the place of
that of each label, which for many labels would make it too unsure. It only stretches and shifts the scores: a linear
model stays one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import log_softmax

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.floating[Any]]

N_BINS = 10


@dataclass(frozen=True)
class Reliability:
    """A number for each bin that is not empty."""

    confidence: tuple[float, ...]
    right: tuple[float, ...]
    size: tuple[int, ...]

    @property
    def ece(self) -> float:
        size = np.array(self.size)
        return float(np.abs(np.subtract(self.right, self.confidence)) @ size / max(size.sum(), 1))

    def as_dict(self) -> dict[str, Any]:
        return {name: list(values) for name, values in vars(self).items()}


def reliability(confidence: Numbers, right: npt.ArrayLike, bins: int = N_BINS) -> Reliability:
    """Bins of equal width over the probabilities of what was predicted.

    >>> found = reliability(np.array([0.95, 0.97, 0.6]), [True, False, True])
    >>> found.right, found.size, round(found.ece, 3)
    ((1.0, 0.5), (1, 2), 0.44)
    """
    confidence, right = np.asarray(confidence, np.float64), np.asarray(right, np.float64)
    at = np.minimum((confidence * bins).astype(np.int64), bins - 1)
    size = np.bincount(at, minlength=bins)
    full = size > 0
    sums = (np.bincount(at, weights, minlength=bins)[full] / size[full] for weights in (confidence, right))
    means = [tuple(part.tolist()) for part in sums]
    return Reliability(means[0], means[1], tuple(size[full].tolist()))


def brier(p: Numbers, y: npt.NDArray[np.integer[Any]]) -> float:
    """A label that is not among the columns is -1."""
    p = np.asarray(p, np.float64)
    of_gold = np.where(y >= 0, p[np.arange(len(y)), y], 0.0)
    return float(np.mean((p**2).sum(axis=1) - 2 * of_gold + 1))


@dataclass(frozen=True)
class Sigmoid:
    """p(y | x) = softmax(a theta + b)"""

    a: float
    b: Floats

    def __call__(self, theta: Numbers) -> Floats:
        p: Floats = np.exp(log_softmax(self.a * np.asarray(theta, np.float64) + self.b, axis=1))
        return p


def fit_sigmoid(theta: Numbers, y: npt.NDArray[np.integer[Any]]) -> Sigmoid:
    """The a and b that make held-out scores most likely. Labels of -1 are passed over."""
    known = y >= 0
    theta, y = np.asarray(theta, np.float64)[known], np.asarray(y)[known]
    n, k = theta.shape
    theta = theta - theta.max(axis=1, keepdims=True)
    scale = max(float(-theta.mean()), 1e-12)
    theta = theta / scale
    target = np.full((n, k), 1 / (n + 2) / max(k - 1, 1))
    target[np.arange(n), y] = (n + 1) / (n + 2)

    def objective(ab: Floats) -> tuple[float, Floats]:
        logp = log_softmax(ab[0] * theta + ab[1:], axis=1)
        r = np.exp(logp) - target
        return float(-(target * logp).sum() / n), np.concatenate([[(r * theta).sum()], r.sum(axis=0)]) / n

    bounds = [(0, None)] + [(None, None)] * k
    found = minimize(objective, np.r_[1.0, np.zeros(k)], jac=True, bounds=bounds, method="L-BFGS-B", tol=1e-10).x
    return Sigmoid(float(found[0] / scale), found[1:] - found[1:].mean())
