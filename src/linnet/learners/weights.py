"""What is done with the weights of a linear model as a whole, however they are kept.

Each block is one array W, a row for the bias and for each feature; or, where most of W is zero, three: indptr, outcomes, values
(core/ragged.pyx), of which row 0, the bias, has all outcomes. A list of weights has the arrays of all blocks one after the other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from linnet.core.batch import dot
from linnet.core.ragged import add, by_block
from linnet.learners.preset import Weights


def bias(weights: Sequence[Weights], g: int, n_outcomes: int) -> Weights:
    """Row 0 of block g, to be read or changed in place."""
    *_, last = by_block(weights)[g]
    return last[0, :n_outcomes] if last.ndim == 2 else last[:n_outcomes]


def fade(weights: Sequence[Weights], factor: float) -> None:
    """Multiply the weights of all features by so much, in place; the bias stays."""
    for block in by_block(weights):
        features = block[0][1:] if len(block) == 1 else block[2][int(block[0][1]) :]
        features *= np.float32(factor)


def total(ours: Sequence[Weights], theirs: Sequence[Weights]) -> list[Weights]:
    """The sum of two models of as many features."""
    return [
        array
        for a, b in zip(by_block(ours), by_block(theirs), strict=True)
        for array in ((a[0] + b[0],) if len(a) == 1 else add(a, b))
    ]


def divided(weights: Sequence[Weights], by: float) -> list[Weights]:
    return [array / np.float32(by) if array.dtype == np.float32 else array for array in weights]


def norm(weights: Sequence[Weights]) -> float:
    """||w||"""
    numbers: Any = (array.ravel() for array in weights if array.dtype == np.float32)
    return math.sqrt(sum(dot(array, array) for array in numbers))
