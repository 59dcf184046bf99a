"""The most wrong predictions, and labels that are perhaps wrong themselves.

Confident learning (Northcutt, Jiang and Chuang 2021): with t_k the mean probability of label k over the held-out
examples that have it, a label y is suspected where another one, y_hat, is predicted with p(y_hat | x) >= t_y_hat.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from linnet.core.types import Integers, Reals

Ints = Integers
Floats = Reals
Bools = npt.NDArray[np.bool_]


def suspects(y: Ints, y_hat: Ints, p_gold: Floats, p_hat: Floats, n_labels: int) -> Bools:
    """A flag for each example, set where its label is suspected. `p_gold` and `p_hat` are the held-out probabilities of y
    and of y_hat.

    >>> p_gold, p_hat = np.array([0.9, 0.1, 0.8, 0.8]), np.array([0.9, 0.9, 0.8, 0.8])
    >>> suspects(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), p_gold, p_hat, 2).tolist()
    [False, True, False, False]
    """
    known = y >= 0
    size = np.bincount(y[known], minlength=n_labels)
    t = np.bincount(y[known], p_gold[known].astype(np.float64), minlength=n_labels) / np.maximum(size, 1)
    found: Bools = (y != y_hat) & (p_hat >= np.where(size > 0, t, np.inf)[y_hat])
    return found


def most_wrong(y: Ints, y_hat: Ints, p_gold: Floats, top: int = 10) -> npt.NDArray[np.int64]:
    """The wrong predictions whose right answer was thought least probable, the worst first."""
    wrong = np.flatnonzero(y != y_hat)
    return wrong[np.argsort(p_gold[wrong], kind="stable")][:top]
