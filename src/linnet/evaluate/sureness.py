"""Probabilities of labels from scores that are none, by two numbers that held-out examples have told (calibration.py)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from linnet.core.types import Reals
from linnet.evaluate.losses import log_softmax

Floats = npt.NDArray[np.float64]


class Sureness(NamedTuple):
    """How sure scores are: each label by itself has the probability sigma(a theta + b), and a text has one label, so

        p(y | x) = sigma(a theta_y + b) / sum over y' of sigma(a theta_y' + b)

    Unlike a sigmoid fit with a shift for each label, this leaves the best label the best: it changes no answer. As b falls it
    becomes softmax(a theta), which suits scores that are learned together; one against the rest has a larger b.
    """

    a: float
    b: float

    def __call__(self, theta: Reals) -> npt.NDArray[np.float32]:
        """The probabilities of labels, a row for each text, given their scores."""
        return np.exp(log_softmax(self._log_yes(np.asarray(theta, np.float64)))).astype(np.float32)

    def each(self, theta: Reals) -> npt.NDArray[np.float32]:
        """The probability of each label by itself, where a text may have any number of them."""
        return np.exp(self._log_yes(np.asarray(theta, np.float64))).astype(np.float32)

    def _log_yes(self, theta: Floats) -> Floats:
        """ln sigma(a theta + b)."""
        log_yes: Floats = -np.logaddexp(0, -(self.a * theta + self.b))
        return log_yes
