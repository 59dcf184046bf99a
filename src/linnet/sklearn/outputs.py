"""What estimators of structures with one place share: sets of labels, rankings of them, labels of a tree, ratings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.errors import DataError, UsageError
from linnet.features import FeatureSpec, SparseRows
from linnet.fitting.problem import Problem
from linnet.learners import Examples, learner
from linnet.learners.preset import Weights
from linnet.sklearn.columns import Plain
from linnet.sklearn.examples import check_labels, check_parameters, is_text, numbered, seed_of
from linnet.sklearn.matrix import as_csr, to_rows, without_duplicates
from linnet.sklearn.vectorizer import TextVectorizer
from linnet.tasks.texts.model import TextModel, no_features

Ints = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


def _has_probabilities(estimator: Outputs) -> bool:
    if learner(estimator.learner).probabilistic:
        return True
    raise AttributeError(f"the scores of learner {estimator.learner!r} are not probabilities. Use 'logistic'.")


class Outputs(BaseEstimator, ABC):
    """What they share. `classes_` are the labels in the order of the columns of `decision_function`."""

    classes_: npt.NDArray[Any]
    n_iter_: int
    vectorizer_: TextVectorizer
    _weights: list[Weights]
    _model: type[TextModel]

    def __init__(
        self,
        learner: str = "averaged-mira",
        epochs: int | None = None,
        features: str | FeatureSpec | None = None,
        options: Mapping[str, Any] | None = None,
        tol: float = 1e-3,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        self.learner = learner
        self.epochs = epochs
        self.features = features
        self.options = options
        self.tol = tol
        self.shuffle = shuffle
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from nothing. Ctrl-C is passed on, and what was learned until then is kept."""
        check_parameters(self.learner, self.options, self.epochs, 1, self.tol)
        for name in ("_weights", "vectorizer_", "n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
        rows, y = self._fit_rows(X, y)
        if len(rows) == 0:
            raise DataError("there are no examples to learn from.")
        numbers, at = self._encoded(y)
        examples = Examples(self._blocks(rows), numbers, at)
        problem = Problem.from_examples(self._model, self._features, self._gen(), examples)
        learning = problem.learning(self.learner, self.options or {})
        fit = learning.run(
            examples,
            epochs=self.epochs,
            seed=seed_of(self.random_state),
            tol=self.tol,
            shuffle=bool(self.shuffle),
            take=True,
        )
        self._weights, self.n_iter_ = fit.weights, len(fit.history)
        if fit.interrupted:
            raise KeyboardInterrupt(fit.stopped)
        return self

    def predict(self, X: Any) -> Any:
        """The best output of each example, in the form that `fit` was given; by probabilities, what costs least."""
        probable = learner(self.learner).probabilistic
        return self._decoded(*self._model.decided(self._predictor(), self._some(X), probable))

    def decision_function(self, X: Any) -> Floats:
        """The score of each label: a column for each of `classes_`."""
        predictor = self._predictor()
        tables = zip(predictor.scores(self._some(X)), self._model.indicators(predictor.gen), strict=True)
        theta: Floats = sum(table if M is None else table @ M for table, M in tables)
        return theta

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """A column for each of `classes_`."""
        predictor = self._predictor()
        return self._model.probabilities(predictor.gen, predictor.marginals(self._some(X)))

    @abstractmethod
    def _gen(self) -> Any:
        """The structure over `classes_`."""

    @abstractmethod
    def _encoded(self, y: Any) -> tuple[Ints, Offsets]:
        """The outputs as numbers; sets `classes_`."""

    @abstractmethod
    def _decoded(self, y_hat: Ints, at: Offsets) -> Any:
        """Numbers as outputs, in the form that `fit` was given."""

    def _checked_y(self, y: Any) -> Any:
        return y

    def _predictor(self) -> Predictor:
        check_is_fitted(self)
        preset = learner(self.learner)
        return Predictor(self._gen(), preset.scorer(self._weights, preset.checked(self.options or {})))

    def _blocks(self, rows: SparseRows) -> tuple[Block, ...]:
        others = len(self._gen().outcomes) - 1
        return Block(*rows), *(Block(*no_features(len(rows))) for _ in range(others))

    def _some(self, X: Any) -> tuple[Block, ...]:
        if hasattr(self, "vectorizer_"):
            return self._blocks(self.vectorizer_.rows(X))
        return self._blocks(to_rows(as_csr(validate_data(self, X, accept_sparse="csr", reset=False))))

    def _fit_rows(self, X: Any, y: Any) -> tuple[SparseRows, Any]:
        if self.features is not None:
            self.vectorizer_ = TextVectorizer(self.features)
            y = self._checked_y(y)
            check_consistent_length(X, y)
            return self.vectorizer_.fit_rows(X), y
        if is_text(X):
            raise UsageError("X is text. Say what to look at in it: features='words:1-2', for instance.")
        X = validate_data(self, X, accept_sparse="csr")
        if y is None:
            raise ValueError(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None.")
        y = self._checked_y(y)
        check_consistent_length(X, y)
        return to_rows(without_duplicates(as_csr(X))), y

    @property
    def _features(self) -> Any:
        """The features of texts, or the columns of a matrix."""
        return self.vectorizer_.features_ if self.features is not None else Plain(int(self.n_features_in_))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_weights")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.features is None
        tags.input_tags.string = self.features is not None
        tags.input_tags.two_d_array = self.features is None
        tags.target_tags.required = True
        return tags


class OneLabelOutputs(ClassifierMixin, Outputs):
    def _checked_y(self, y: Any) -> Any:
        y = validate_data(self, y=y, reset=False)
        check_labels(y)
        return y

    def _encoded(self, y: Any) -> tuple[Ints, Offsets]:
        self.classes_ = self._ordered(np.unique(y))
        if len(self.classes_) < 2:
            raise DataError(
                f"every example is of one class, {self.classes_.tolist()[0]!r}; learning needs at least two."
            )
        order = np.argsort(self.classes_)
        return order[numbered(y, self.classes_[order])].astype(np.int32), np.arange(len(y) + 1, dtype=np.int64)

    def _ordered(self, labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return labels

    def _decoded(self, y_hat: Ints, at: Offsets) -> Any:
        return self.classes_[y_hat]

    def decision_function(self, X: Any) -> Floats:
        """The score of each label, a column for each of `classes_`; of two, that of the second less that of the first."""
        theta = super().decision_function(X)
        return theta[:, 1] - theta[:, 0] if theta.shape[1] == 2 else theta
