"""Fields say which features belong together, by one number for each feature.

    WORD      the feature stands by itself, as words and n-grams do
    1, 2, ... it is a value of that column, and a row has at most one of the values of a column
    NUMBER    it is one of three that follow each other: whether a number is missing, the number x, and x^2
    VECTOR    it is one of the numbers of a vector, which mean nothing by themselves, and may be negative

Most learners do not use them. Naive Bayes has to know among which features one is chosen, and nb-svm which ones are
numbers of a vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from linnet.features.rows import SparseRows

WORD, NUMBER, VECTOR = 0, -1, -2
Fields: TypeAlias = npt.NDArray[np.int32]
Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]


FARTHEST = 1e18
"""The largest x whose square, and sums of such squares, are surely numbers in float32."""


def number_features(x: Floats) -> tuple[Ints, Floats]:
    """For each number the features that its row has, and their values. Of its three features these are the second, x,
    and the third, x^2; for a missing number (nan) only the first, with -1 for no feature beside it.

    >>> number_features(np.array([3.0, np.nan]))[0].tolist()
    [[1, 2], [0, -1]]
    """
    missing = np.isnan(x)
    features = np.where(missing[:, None], [0, -1], [1, 2])
    return features, np.where(missing[:, None], [1.0, 0.0], np.stack([x, x * x], axis=1))


def rows_of(parts: Sequence[tuple[Ints, Floats]]) -> SparseRows:
    """The rows that have the features of all parts. A part is two tables with a row for each row, of features and of
    their values; -1 stands for no feature."""
    features = np.concatenate([part[0] for part in parts], axis=1)
    values = np.concatenate([part[1] for part in parts], axis=1)
    there = features >= 0
    indptr = np.zeros(len(features) + 1, np.int64)
    np.cumsum(there.sum(axis=1), out=indptr[1:])
    return SparseRows(indptr, features[there].astype(np.uint32), values[there].astype(np.float32))
