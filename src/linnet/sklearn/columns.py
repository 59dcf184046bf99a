"""A dense matrix whose columns are numbers, or codes of categories from 0 on, as the features that naive Bayes needs."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from linnet.errors import DataError
from linnet.features import Fields, SparseRows
from linnet.features.fields import NUMBER, number_features, rows_of

Dense = npt.NDArray[Any]

# Times its spread: a column that is as far from 0 is moved there, for float32 has seven digits. Others stay, as many rows may
# have just 0, which is exact.
_FAR = 10
_LARGEST = 1e18


class ColumnFeatures(Protocol):
    fields: Fields

    def learn(self, X: Dense) -> None:
        """What these columns hold, beside what others did before."""

    def rows(self, X: Dense) -> SparseRows: ...


class Numbers:
    """The normal distribution is the same wherever the numbers are counted from, so the first ones that come say where."""

    def __init__(self) -> None:
        self.fields: Fields = np.zeros(0, np.int32)

    def learn(self, X: Dense) -> None:
        if not len(self.fields):
            self.fields = np.full(3 * X.shape[1], NUMBER, np.int32)
            mean = X.mean(axis=0)
            self._origin = np.where(np.abs(mean) > _FAR * X.std(axis=0), mean, 0)

    def rows(self, X: Dense) -> SparseRows:
        x = X.astype(np.float64) - self._origin
        if x.size and np.abs(x).max() > _LARGEST:
            raise DataError(f"X contains values too large to be squared in float32: at most {_LARGEST:g}.")
        parts = map(number_features, x.T)
        return rows_of([(np.where(j < 0, -1, j + 3 * c), values) for c, (j, values) in enumerate(parts)])


class Categories:
    """One feature for each code of each column, up to its greatest one; a code that is greater has none."""

    def __init__(self) -> None:
        self.fields: Fields = np.zeros(0, np.int32)
        self._features: list[npt.NDArray[np.int64]] = []

    def learn(self, X: Dense) -> None:
        self._features = self._features or [np.zeros(0, np.int64)] * X.shape[1]
        for c, greatest in enumerate(self._codes(X).max(axis=0, initial=-1)):
            new = np.full(max(int(greatest) + 1 - len(self._features[c]), 0), c + 1, np.int32)
            self._features[c] = np.append(self._features[c], np.arange(len(new)) + len(self.fields))
            self.fields = np.append(self.fields, new)

    def rows(self, X: Dense) -> SparseRows:
        codes = self._codes(X)
        features = np.full(codes.shape, -1, np.int64)
        for c, known in enumerate(self._features):
            there = codes[:, c] < len(known)
            features[there, c] = known[codes[there, c]]
        return rows_of([(features, np.ones(features.shape))])

    @staticmethod
    def _codes(X: Dense) -> npt.NDArray[np.int64]:
        codes = X.astype(np.int64)
        if (codes != X).any() or (codes < 0).any():
            wrong = X[(codes != X) | (codes < 0)][0]
            raise DataError(
                f"expected whole numbers from 0 on as categories, found {wrong:g}. Use OrdinalEncoder first."
            )
        return codes


KINDS: dict[str, type[Numbers] | type[Categories]] = {"gaussian": Numbers, "categorical": Categories}
"""By the event of naive Bayes."""
