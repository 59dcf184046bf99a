"""Answers of a teacher in the proportions of the labels that people gave.

A teacher that has seen a label once hardly ever gives it, and a student that learns from its answers would give it never.
So each label gets a number b_k that is added to its scores, such that the answers have the wanted shares. With

    p_ik = softmax_k((s_ik + b_k) / tau),    b_k += tau ln(share_k / mean_i p_ik)

over and over, the mean of p comes to the shares (Sinkhorn's iteration; Zhu, Ghahramani and Lafferty 2003 wanted the
same of class masses). tau is a tenth of how far the best label is ahead of the second on average, so that p is nearly 1
for an answer that is sure.

Half of b is added. All of it would be better where the labelled texts are a random sample, and much worse where they
are not: if a person has labelled as many texts of one label as of another, that says nothing about how frequent the
labels are. All of it is added for texts of another kind (other_kind.py), about which the teacher may lean to one label by far.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_SOFTNESS = 0.1
"""tau, as a share of how far the best label is ahead of the second on average."""
_ROUNDS = 50
"""The number of rounds of the iteration."""
STRENGTH = 0.5
"""The part of b that is added."""
STRENGTH_OF_OTHER_KIND = 1.0
"""The part of b that is added for texts of another kind than the labelled ones."""
_ADDED = 1
"""The number that is added to the count of each label, so that no share is 0."""


def shares(y: npt.NDArray[np.int32], n_labels: int) -> npt.NDArray[np.float64]:
    """The shares of labels to expect, given the labels of some examples."""
    counts = np.bincount(y[y >= 0], minlength=n_labels) + _ADDED
    found: npt.NDArray[np.float64] = counts / counts.sum()
    return found


def in_shares(scores: Floats, wanted: npt.NDArray[np.float64], strength: float = STRENGTH) -> npt.NDArray[np.int32]:
    """The label of each example, given the scores of all, in shares that are nearer to the wanted ones.

    >>> in_shares(np.array([[1, 0], [0.9, 0], [0.3, 0], [0.2, 0]], np.float32), np.array([0.25, 0.75])).tolist()
    [0, 0, 1, 1]
    """
    if len(scores) == 0 or scores.shape[1] < 2:
        return np.zeros(len(scores), np.int32)
    best = np.partition(scores, -2, axis=1)[:, -2:].astype(np.float64)
    tau = _SOFTNESS * float((best[:, 1] - best[:, 0]).mean())
    b = np.zeros(scores.shape[1])
    for _ in range(_ROUNDS if tau > 0 else 0):
        z = (scores + b) / tau
        z -= z.max(axis=1, keepdims=True)
        p = np.exp(z)
        p /= p.sum(axis=1, keepdims=True)
        b += tau * np.log(wanted / np.maximum(p.mean(axis=0), 1e-12))
    found: npt.NDArray[np.int32] = (scores + strength * b).argmax(axis=1).astype(np.int32)
    return found
