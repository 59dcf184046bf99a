"""The columns of a matrix are features as they stand; for naive Bayes those of a dense one may be numbers or codes."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from linnet.errors import DataError
from linnet.features import Fields, SparseRows
from linnet.features.fields import FARTHEST, NUMBER, number_features, rows_of
from linnet.sklearn.matrix import Matrix, as_csr, to_rows, without_duplicates

Dense = npt.NDArray[Any]

# A column whose mean is more than so many times its standard deviation away from 0 is shifted to have the mean 0:
# float32 has seven digits, which the mean would take up. Other columns are left as they are, since many of their values
# may be 0, which is exact.
_FAR = 10


class Columns(Protocol):
    """This makes rows of features of the columns of a matrix."""

    sparse: str | bool
    """This says which sparse matrices the columns may be in, as scikit-learn has it."""
    sequences: bool
    """This says whether rows are in the order of a text, which rows of a matrix never are."""
    numbers: bool
    """This says whether rows are points, which those of a matrix are."""

    @property
    def fields(self) -> Fields | None: ...

    @property
    def n_features(self) -> int: ...

    def matrix(self, X: Any) -> Any:
        """Make what scikit-learn has checked into what `learn` and `rows` take."""

    def learn(self, X: Any) -> SparseRows:
        """Make the rows of columns to learn from; what is new in them joins what was seen before."""

    def rows(self, X: Any) -> SparseRows: ...


class Plain:
    """Each column is a feature."""

    sparse: str | bool = "csr"
    sequences: bool = False
    numbers: bool = True
    fields: Fields | None = None

    def __init__(self, n_features: int = 0) -> None:
        self.n_features = n_features

    def matrix(self, X: Any) -> Matrix:
        return as_csr(X)

    def learn(self, X: Matrix) -> SparseRows:
        self.n_features = int(X.shape[1])
        return to_rows(without_duplicates(X))

    def rows(self, X: Matrix) -> SparseRows:
        return to_rows(X)


class Numbers:
    """Each column is a number with a normal distribution. This does not depend on where numbers are counted from, so
    columns that are far from 0 are counted from their mean in the first examples."""

    sparse: str | bool = False
    sequences: bool = False
    numbers: bool = True

    def __init__(self) -> None:
        self.fields: Fields = np.zeros(0, np.int32)

    @property
    def n_features(self) -> int:
        return len(self.fields)

    def matrix(self, X: Dense) -> Dense:
        return X.astype(np.float64)

    def learn(self, X: Dense) -> SparseRows:
        if not len(self.fields):
            self.fields = np.full(3 * X.shape[1], NUMBER, np.int32)
            mean = X.mean(axis=0)
            self._origin = np.where(np.abs(mean) > _FAR * X.std(axis=0), mean, 0)
        return self.rows(X)

    def rows(self, X: Dense) -> SparseRows:
        x = X - self._origin
        if x.size and np.abs(x).max() > FARTHEST:
            raise DataError(f"X contains values too large to be squared in float32: at most {FARTHEST:g}.")
        parts = map(number_features, x.T)
        return rows_of([(np.where(j < 0, -1, j + 3 * c), values) for c, (j, values) in enumerate(parts)])


class Categories:
    """Each code of each column is a feature, up to the greatest one that was learned; a code that is greater is none."""

    sparse: str | bool = False
    sequences: bool = False
    numbers: bool = True

    def __init__(self) -> None:
        self.fields: Fields = np.zeros(0, np.int32)
        self._features: list[npt.NDArray[np.int64]] = []

    @property
    def n_features(self) -> int:
        return len(self.fields)

    def matrix(self, X: Dense) -> npt.NDArray[np.int64]:
        codes = X.astype(np.int64)
        wrong = (codes != X) | (codes < 0)
        if wrong.any():
            raise DataError(
                f"expected whole numbers from 0 on as categories, found {X[wrong][0]:g}. Use OrdinalEncoder first."
            )
        return codes

    def learn(self, X: npt.NDArray[np.int64]) -> SparseRows:
        self._features = self._features or [np.zeros(0, np.int64)] * X.shape[1]
        for c, greatest in enumerate(X.max(axis=0, initial=-1)):
            new = np.full(max(int(greatest) + 1 - len(self._features[c]), 0), c + 1, np.int32)
            self._features[c] = np.append(self._features[c], np.arange(len(new)) + len(self.fields))
            self.fields = np.append(self.fields, new)
        return self.rows(X)

    def rows(self, X: npt.NDArray[np.int64]) -> SparseRows:
        features = np.full(X.shape, -1, np.int64)
        for c, known in enumerate(self._features):
            there = X[:, c] < len(known)
            features[there, c] = known[X[there, c]]
        return rows_of([(features, np.ones(features.shape))])


KINDS: dict[str, type[Columns]] = {"gaussian": Numbers, "categorical": Categories}
"""The event of naive Bayes says which of these the columns are."""
