"""Which features belong together: one number for each feature.

    WORD      it stands by itself, as words and n-grams do
    1, 2, ... it is a value of that column: of the values of one column a row has at most one
    NUMBER    it is one of three that follow each other: whether a number is missing, the number x, and x^2
    VECTOR    it is one of the numbers of a vector, which mean nothing by themselves, and may be negative

Most learners need not know. Naive Bayes must: it has to know among which features one is chosen. nb-svm asks it about words.
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


def number_features(x: Floats) -> tuple[Ints, Floats]:
    """For each number two of its three features, with their values; for a missing number (nan) the first. -1 stands for no
    feature.

    >>> number_features(np.array([3.0, np.nan]))[0].tolist()
    [[1, 2], [0, -1]]
    """
    missing = np.isnan(x)
    features = np.where(missing[:, None], [0, -1], [1, 2])
    return features, np.where(missing[:, None], [1.0, 0.0], np.stack([x, x * x], axis=1))


def rows_of(parts: Sequence[tuple[Ints, Floats]]) -> SparseRows:
    """The rows that have these features beside each other, with their values; -1 stands for no feature."""
    features = np.concatenate([part[0] for part in parts], axis=1)
    values = np.concatenate([part[1] for part in parts], axis=1)
    there = features >= 0
    indptr = np.zeros(len(features) + 1, np.int64)
    np.cumsum(there.sum(axis=1), out=indptr[1:])
    return SparseRows(indptr, features[there].astype(np.uint32), values[there].astype(np.float32))
