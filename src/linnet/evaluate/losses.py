"""One model under several losses, averaged over the gold outputs and expected under the model's own probabilities.

With the margin m(y) = theta_y - max of the others:

    0-1      1 if m(y) <= 0                                     hinge  max(0, 1 - m(y))
    ranking  the number of y' != y with theta_y' >= theta_y     log    -ln softmax(theta)_y
                                                                exp    sum over y' != y of exp(theta_y' - theta_y)

exp is no less than ranking, and that no less than 0-1: exp of a difference is at least 1 where y' is ahead (Smith, "Boosting
and Exp Loss").

The mean over examples (x, y) is what was observed; the mean over x of sum_y p(y | x) loss(y) is what the model believes
that it will be. Where the second is much lower than the first, the model is too sure of itself.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from linnet.core.types import Integers, Reals

Floats = Reals
LOSSES = ("0-1", "hinge", "log", "ranking", "exp")
EXPECTED = ("0-1", "hinge", "log", "ranking")
"""The losses that are worth expecting: that of `exp` is always the number of labels less 1, if scores are the logarithms of the
probabilities."""
OF_SCORES = ("hinge", "ranking", "exp")
"""The losses of scores that are no logarithms of probabilities."""
LEAST_PROBABILITY = 1e-15
"""The least probability that counts in losses, some of which would be infinite for 0."""
_MOST = 700.0
"""The largest log loss of which exp is taken, so that it stays finite."""


def log_softmax(theta: Floats) -> npt.NDArray[np.float64]:
    """ln softmax of each row. (scipy has it too, but takes 0.3 s to import.)

    >>> np.exp(log_softmax(np.array([[0.0, np.log(3)]]))).round(6).tolist()
    [[0.25, 0.75]]
    """
    shifted = np.asarray(theta, np.float64) - np.max(theta, axis=1, keepdims=True)
    logp: npt.NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return logp


def loss_tables(theta: Floats) -> dict[str, Floats]:
    """For each loss a table like theta: what each label would cost if it were the right one."""
    theta = np.asarray(theta, np.float64)
    n, k = theta.shape
    # Of one label alone, the others are none, and score -inf.
    first_two = np.sort(np.column_stack([np.full(n, -np.inf), theta]), axis=1)[:, -2:]
    best = np.argmax(theta, axis=1)
    others = np.repeat(first_two[:, 1:], k, axis=1)
    others[np.arange(n), best] = first_two[:, 0]
    m = theta - others
    log = np.abs(log_softmax(theta))  # ln p is at most 0, and -0.0 would be shown with its sign
    return {
        "0-1": np.where(np.arange(k) == best[:, None], 0.0, 1.0),
        "hinge": np.maximum(0, 1 - m),
        "log": log,
        "ranking": _ahead(theta),
        "exp": np.expm1(np.minimum(log, _MOST)),
    }


def _ahead(theta: Floats) -> Floats:
    """For each label the number of others with as high a score or a higher one."""
    order = np.argsort(theta, axis=1)
    up = np.take_along_axis(theta, order, axis=1)
    begins = np.diff(up, axis=1, prepend=-np.inf) > 0
    lower = np.maximum.accumulate(np.where(begins, np.arange(theta.shape[1]), 0), axis=1)
    ahead = np.empty(theta.shape)
    np.put_along_axis(ahead, order, theta.shape[1] - 1.0 - lower, axis=1)
    return ahead


def mean_losses(theta: Floats, y: Integers) -> dict[str, float]:
    """The mean of each loss over examples with the labels y.

    >>> mean_losses(np.array([[0.0, 2.0]]), np.array([0]))["hinge"]
    3.0
    """
    return {name: float(table[np.arange(len(y)), y].mean()) for name, table in loss_tables(theta).items()}


def expected_losses(theta: Floats, p: Floats) -> dict[str, float]:
    """The mean of each loss of EXPECTED, where y is drawn from p(y | x)."""
    tables = loss_tables(theta)
    return {name: float(np.where(p > 0, p * tables[name], 0).sum(axis=1).mean()) for name in EXPECTED}
