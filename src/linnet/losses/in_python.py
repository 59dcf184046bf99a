"""The four losses of the lectures in plain Python: slow, and short enough to change.

Each says what the compiled loss of the same name says, to the last bits, which the tests compare. Take one as a pattern for
your own (docs/watch.md): what counts are the lines of `evaluate`. `of_margin` is the same loss for a yes-or-no question whose
margin is s, by which rankings and sets of labels are learned.
"""

from __future__ import annotations

from math import exp

import numpy as np

from linnet.core.types import F64, Array
from linnet.losses.interface import Margins, Scores

STEEPEST, STEEPEST_MARGIN = 10.0, 60.0
"""The log loss, and the negative margin, from which on the exponential loss goes on as its tangent, so that it does not
overflow."""


class Perceptron(Margins):
    """By how much the best output beats the right one (Eisenstein eq. 4 and 5); a tie is a mistake."""

    called = "perceptron"
    is_mistake = True

    def evaluate(self, x: Scores) -> tuple[float, Array]:
        y_hat = x.argmax(ties=True)
        loss = max(0.0, x.score(y_hat) - x.score(x.y))
        r = x.mu(y_hat) - x.mu(x.y)
        return loss, r

    def of_margin(self, s: F64) -> tuple[Array, Array]:
        return np.maximum(0, -s), -1.0 * (s <= 0)


class Hinge(Margins):
    """By how much the right output misses a margin as wide as the cost (Eisenstein eq. 7): the loss of MIRA and of Pegasos."""

    called = "hinge"

    def evaluate(self, x: Scores) -> tuple[float, Array]:
        x = x.with_cost(1)
        y_hat = x.argmax()
        loss = x.score(y_hat) - x.score(x.y)
        r = x.mu(y_hat) - x.mu(x.y)
        return loss, r

    def of_margin(self, s: F64) -> tuple[Array, Array]:
        return np.maximum(0, 1 - s), -1.0 * (s < 1)


class Log(Margins):
    """-log p(y | x), with p(y | x) = exp(theta.mu(y)) / Z (Choi, "Cross Entropy Loss")."""

    called = "log"
    needs_marginals = True

    def evaluate(self, x: Scores) -> tuple[float, Array]:
        log_Z, expected = x.marginals()
        loss = log_Z - x.score(x.y)
        r = expected - x.mu(x.y)
        return loss, r

    def of_margin(self, s: F64) -> tuple[Array, Array]:
        return np.logaddexp(0, -s), -np.exp(-np.logaddexp(0, s))


class Exponential(Margins):
    """1 / p(y | x) - 1, by which boosting learns (Altun, Johnson and Hofmann 2003)."""

    called = "exponential"
    needs_marginals = True
    mean_of_questions = True

    def evaluate(self, x: Scores) -> tuple[float, Array]:
        log_Z, expected = x.marginals()
        log_loss = max(log_Z - x.score(x.y), 0.0)
        slope = exp(min(log_loss, STEEPEST))
        loss = slope * (1 + max(log_loss - STEEPEST, 0)) - 1
        r = slope * (expected - x.mu(x.y))
        return loss, r

    def of_margin(self, s: F64) -> tuple[Array, Array]:
        slope = np.exp(np.minimum(-s, STEEPEST_MARGIN))
        return slope * (1 + np.maximum(-s - STEEPEST_MARGIN, 0)), -slope
