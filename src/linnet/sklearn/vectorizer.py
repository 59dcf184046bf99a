"""Text becomes a sparse matrix here, in the manner of scikit-learn's CountVectorizer and TfidfVectorizer."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted

from linnet.errors import UsageError
from linnet.features import FeatureSpec, SparseRows, TextFeatures, TextLike
from linnet.sklearn.examples import texts_of
from linnet.sklearn.matrix import Matrix, to_csr


class TextVectorizer(TransformerMixin, BaseEstimator):
    """The features of text become a CSR matrix of float32. `linnet list features` shows the words of `features`.

    Texts are one column: a list of strings, or a NumPy, Arrow, pandas or Polars one; with `column:` or `number:` they are a
    table or data frame, with the text in a column of a usual name. The columns of the matrix are
    ordered by how many texts have the feature; within a row they are not sorted, which SciPy does not need.

    `partial_fit` adds columns for what is new in more texts, after those that there are; `min=`, `max=` and `top=`
    choose from the texts of `fit` only. `features_` is what was fitted.

    >>> vectorizer = TextVectorizer("words:1-2")
    >>> vectorizer.fit_transform(["a fine film", "a dull film"]).toarray()[1].tolist()
    [1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    >>> vectorizer.get_feature_names_out()[-2:].tolist()
    ['a dull', 'dull film']
    """

    features_: TextFeatures

    def __init__(self, features: str | FeatureSpec = "words:1-2") -> None:
        self.features = features

    def fit(self, X: TextLike, y: Any = None) -> Self:
        """Learn the vocabulary of these texts from nothing."""
        self.fit_rows(X)
        return self

    def fit_transform(self, X: TextLike, y: Any = None) -> Matrix:
        """Learn the vocabulary of these texts, and return their rows."""
        return self._output(self.fit_rows(X), X)

    def partial_fit(self, X: TextLike, y: Any = None) -> Self:
        """Let what is new in these texts join the vocabulary."""
        self.partial_fit_rows(X)
        return self

    def transform(self, X: TextLike) -> Matrix:
        """Give the rows of these texts; what is not in the vocabulary is passed over."""
        check_is_fitted(self)
        return self._output(self.rows(X), X)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Give the name of each column. `input_features` is there because scikit-learn passes it."""
        check_is_fitted(self)
        return np.array(self.features_.names(), object)

    def fit_rows(self, texts: TextLike) -> SparseRows:
        """Do what `fit_transform` does, for the core."""
        features = self._new_features()
        rows = features.fit_transform(texts_of(texts, features.spec))
        self.features_ = features
        return rows

    def partial_fit_rows(self, texts: TextLike) -> SparseRows:
        """Do what `partial_fit` does, and return the rows of these texts, for the core."""
        features = self.features_ if hasattr(self, "features_") else self._new_features()
        rows = features.partial_fit_transform(texts)
        self.features_ = features
        return rows

    def rows(self, texts: TextLike) -> SparseRows:
        """Do what `transform` does, for the core."""
        return self.features_.transform(texts_of(texts, self.features_.spec))

    @property
    def spec(self) -> FeatureSpec:
        if not isinstance(self.features, str | FeatureSpec):
            raise UsageError(f"expected features to be text such as 'words:1-2', found {self.features!r}.")
        return FeatureSpec.parse(self.features) if isinstance(self.features, str) else self.features

    def _new_features(self) -> TextFeatures:
        return TextFeatures(self.spec)

    def _output(self, rows: SparseRows, texts: TextLike) -> Matrix:
        """Make CSR, or what `set_output` asks for: for pandas, a data frame of sparse columns."""
        X = to_csr(rows, self.features_.n_features)
        if _get_output_config("transform", self)["dense"] != "pandas":
            return X
        import pandas as pd  # type: ignore[import-untyped]

        index = texts.index if isinstance(texts, pd.Series) else None
        return pd.DataFrame.sparse.from_spmatrix(X, index=index, columns=self.get_feature_names_out())

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        if "features_" in state:
            state["features_"] = (self.features_.header(), self.features_.arrays())
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "features_" in state:
            state = state | {"features_": TextFeatures.from_arrays(*state["features_"])}
        super().__setstate__(state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags
