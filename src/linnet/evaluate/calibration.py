"""Whether probabilities mean what they say, and scores made into probabilities.

Of the predictions with a probability of about q, a share of q should be right: a reliability diagram shows both in bins
of q, and

    ECE    sum over bins of (size / n) |right - q|            (expected calibration error; Guo et al. 2017)
    Brier  mean of sum_k (p_k - 1[y = k])^2                    (Brier 1950)

The sigmoid fit is p(y | x) = softmax(a theta + b) with one a >= 0 and a b for each label, by maximum likelihood on
held-out scores. For two labels it is Platt's (1999); for more, temperature scaling with biases (Alexandari, Kundaje and
Shrikumar 2020). As in Platt's fit, the targets are not 1 but (n + 1) / (n + 2). Here n is the number of all examples:
with that of each label, which Platt takes, the fit would be too unsure where there are many labels. It only stretches
and shifts the scores, so that a linear model is still linear.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linnet.core.products import solved, times
from linnet.core.types import Integers, Json, Reals
from linnet.evaluate.losses import log_softmax
from linnet.evaluate.sureness import Sureness

Floats = npt.NDArray[np.float64]
Numbers = Reals

N_BINS = 10
_GRID = (-20.0, -4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0, 6.0, 8.0)
"""The values of b that are tried for a Sureness; with -20 it is a softmax to eight digits."""
_ENOUGH_SCORES = 40_000
"""The number of scores from which on no more of them are looked at to tell how sure they are, if they are of enough
examples."""
_ENOUGH_EXAMPLES = 200
"""The number of examples that are enough for that. With 1,000 labels, their log likelihood is within 0.005 nats of the
best, and that of 40 examples within 0.07."""
FEW = 30
"""The number of predictions below which the share of right ones in a bin tells little: its standard error may be above 9
points."""
_MOST_STEPS = 50
"""The largest number of steps of Newton's method, and of halvings of one step."""
_ENOUGH = 1e-10
"""Nats that a step of Newton's method must gain to go on."""


class Reliability(NamedTuple):
    """A reliability diagram, with a number for each bin that is not empty."""

    confidence: tuple[float, ...]
    """The mean probability of the predictions in the bin, q."""
    right: tuple[float, ...]
    """The share of them that are right."""
    size: tuple[int, ...]
    """The number of them."""

    @property
    def ece(self) -> float:
        """The expected calibration error."""
        size = np.array(self.size)
        return float(times(np.abs(np.subtract(self.right, self.confidence)), size) / max(size.sum(), 1))

    def as_dict(self) -> dict[str, Json]:
        return {name: list(values) for name, values in self._asdict().items()}


def reliability(confidence: Numbers, right: npt.ArrayLike, bins: int = N_BINS) -> Reliability:
    """The reliability of predictions, in bins of equal width over their probabilities.

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


def brier(p: Numbers, y: Integers) -> float:
    """The Brier score. A label that is not among the columns is -1."""
    p = np.asarray(p, np.float64)
    of_gold = np.where(y >= 0, p[np.arange(len(y)), y], 0.0)
    return float(np.mean((p**2).sum(axis=1) - 2 * of_gold + 1))


class Sigmoid(NamedTuple):
    """A sigmoid fit, p(y | x) = softmax(a theta + b)."""

    a: float
    b: Floats

    def __call__(self, theta: Numbers) -> Floats:
        p: Floats = np.exp(log_softmax(self.a * np.asarray(theta, np.float64) + self.b))
        return p


def fit_sigmoid(scores: Numbers, y: Integers) -> Sigmoid:
    """The a and b that make held-out scores most likely, by Newton's method. Labels of -1 are passed over."""
    known = y >= 0
    theta: Floats = np.asarray(scores, np.float64)[known]
    y = y[known]
    n, k = theta.shape
    theta = theta - theta.max(axis=1, keepdims=True)
    scale = max(float(-theta.mean()), 1e-12)
    theta = theta / scale
    target = np.full((n, k), 1 / (n + 2) / max(k - 1, 1))
    target[np.arange(n), y] = (n + 1) / (n + 2)

    ab = np.r_[1.0, np.zeros(k)]
    value, p = _likelihood(ab, theta, target)
    for _ in range(_MOST_STEPS):
        r = p - target
        gradient = np.r_[(r * theta).sum(), r.sum(axis=0)] / n
        direction = solved(_hessian(p, theta) + 1e-9 * np.eye(k + 1), gradient)
        for step in 0.5 ** np.arange(_MOST_STEPS):
            new = ab - step * direction
            new[0] = max(new[0], 0.0)
            new_value, new_p = _likelihood(new, theta, target)
            if new_value <= value:
                break
        gained = value - new_value
        ab, value, p = (new, new_value, new_p) if gained >= 0 else (ab, value, p)
        if gained < _ENOUGH:
            break
    return Sigmoid(float(ab[0] / scale), ab[1:] - ab[1:].mean())


def fit_sureness(scores: Numbers, y: Integers) -> Sureness:
    """The a >= 0 and b that make held-out labels most likely: for each b of a grid the best a, by Newton's method with the
    Fisher information. The likelihood is flat in b, so that a grid is as good as an optimum. The targets are smoothed as those
    of the sigmoid fit are.

    >>> found = fit_sureness(np.array([[-1.0, 1.0]] * 4), np.array([1, 1, 1, 0]))
    >>> found(np.array([[-1.0, 1.0]])).round(2).tolist()
    [[0.33000001311302185, 0.6700000166893005]]
    """
    apart = max(1, min(scores.size // _ENOUGH_SCORES, len(scores) // _ENOUGH_EXAMPLES))
    theta: Floats = np.ascontiguousarray(
        np.asarray(scores[::apart], np.float64).T
    )  # a row for each label, which adds up fast
    y = y[::apart]
    k, n = theta.shape
    target = np.full((k, n), 1 / (n + 2) / max(k - 1, 1))
    target[y, np.arange(n)] = (n + 1) / (n + 2)
    unit = max(float(np.abs(theta).mean()), 1e-12)
    theta = theta / unit
    a, found = 1.0, []
    for b in _GRID:
        value, a = _best_a(theta, target, a, b)
        found.append((value, a, b))
    _, a, b = min(found)
    return Sureness(a / unit, b)


def _best_a(theta: Floats, target: Floats, a: float, b: float) -> tuple[float, float]:
    """Minus the mean log likelihood of the targets with the best a for this b, and that a, looked for from the given one on.
    Tables have a row for each label."""
    value, p, no = _of_yes(a, b, theta, target)
    for _ in range(_MOST_STEPS):
        slope = no * theta  # of ln sigma(a theta + b) by a
        gradient = float(((p - target) * slope).sum())
        centred = slope - (p * slope).sum(axis=0)
        direction = gradient / (float((p * centred**2).sum()) + 1e-9 * theta.shape[1])
        for step in 0.5 ** np.arange(_MOST_STEPS):
            new = max(a - float(step) * direction, 0.0)
            new_value, new_p, new_no = _of_yes(new, b, theta, target)
            if new_value <= value:
                break
        gained = value - new_value
        if gained >= 0:
            a, value, p, no = new, new_value, new_p, new_no
        if gained < _ENOUGH:
            break
    return value, a


def _of_yes(a: float, b: float, theta: Floats, target: Floats) -> tuple[float, Floats, Floats]:
    """Minus the mean log likelihood of the targets, p(y | x), and 1 - sigma(a theta + b)."""
    z = a * theta + b
    shrunk = np.exp(-np.abs(z))  # at most 1, so that neither logarithm nor quotient overflows
    log_yes = np.minimum(z, 0) - np.log1p(shrunk)
    no = np.where(z > 0, shrunk, 1) / (1 + shrunk)
    shifted = log_yes - log_yes.max(axis=0)
    yes = np.exp(shifted)
    total = yes.sum(axis=0)
    value = float(-(target * (shifted - np.log(total))).sum() / theta.shape[1])
    return value, yes / total, no


def fit_scale(scores: Numbers, yes: npt.ArrayLike) -> float:
    """The a >= 0 that makes held-out answers to questions with yes or no most likely under sigma(a theta), by Newton's method.

    >>> round(fit_scale(np.array([2.0, 2.0, 2.0, 2.0]), [True, True, True, False]), 2)
    0.35
    """
    theta, right = np.asarray(scores, np.float64), np.asarray(yes, np.bool_)
    n = len(theta)
    target = np.where(right, (n + 1) / (n + 2), 1 / (n + 2))
    unit = max(float(np.abs(theta).mean()), 1e-12)
    theta = theta / unit
    a = 1.0
    for _ in range(_MOST_STEPS):
        p = np.exp(-np.logaddexp(0, -a * theta))
        step = float(((p - target) * theta).sum() / ((p * (1 - p) * theta**2).sum() + 1e-9 * n))
        a = max(a - step, a / 4)
        if abs(step) < 1e-6 * a:
            break
    return a / unit


def _likelihood(ab: Floats, theta: Floats, target: Floats) -> tuple[float, Floats]:
    """Minus the mean log likelihood of the targets, and p(y | x)."""
    logp = log_softmax(ab[0] * theta + ab[1:])
    return float(-(target * logp).sum() / len(theta)), np.exp(logp)


def _hessian(p: Floats, theta: Floats) -> Floats:
    """The second derivative of `_likelihood` in (a, b): the mean covariance, under p, of (theta_y, 1[y = 1], ..., 1[y =
    k])."""
    n, k = p.shape
    centred = theta - (p * theta).sum(axis=1, keepdims=True)
    H = np.empty((k + 1, k + 1))
    H[0, 0] = (p * centred**2).sum()
    H[0, 1:] = H[1:, 0] = (p * centred).sum(axis=0)
    H[1:, 1:] = np.diag(p.sum(axis=0)) - times(p.T, p)
    mean: Floats = H / n
    return mean
