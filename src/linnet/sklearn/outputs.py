"""The structures with one place as scikit-learn estimators: sets of labels, rankings of them, labels of a tree, ratings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, validate_data

from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.errors import DataError, UsageError
from linnet.evaluate.ordinal import scale
from linnet.features import FeatureSpec, Fields, SparseRows
from linnet.learners import Examples, Learning, learner
from linnet.learners.preset import Weights
from linnet.sklearn.examples import check_labels, check_parameters, is_text, numbered, seed_of
from linnet.sklearn.matrix import as_csr, to_rows, without_duplicates
from linnet.sklearn.vectorizer import TextVectorizer
from linnet.structures.hierarchy import Hierarchy
from linnet.structures.label_tree import LabelTree, Path
from linnet.structures.ordinal import Ordinal
from linnet.structures.ranking import Ranking
from linnet.tasks.hierarchy import HierarchyModel
from linnet.tasks.labelset import LabelsetModel, RankingModel, as_outputs, structure_of
from linnet.tasks.ordinal import OrdinalModel
from linnet.tasks.text import TextModel, no_features

Ints = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


def _has_probabilities(estimator: _Outputs) -> bool:
    if learner(estimator.learner).probabilistic:
        return True
    raise AttributeError(f"the scores of learner {estimator.learner!r} are not probabilities. Use 'logistic'.")


class _Outputs(BaseEstimator, ABC):
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
        n_features = (self._n_features, *(0 for _ in examples.blocks[1:]))
        fields = (self._fields, *(None for _ in examples.blocks[1:]))
        preset, options = learner(self.learner), self.options or {}
        learning = Learning(preset, options, self._gen(), n_features, examples.length2(), fields)
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
    def _n_features(self) -> int:
        return self.vectorizer_.features_.n_features if hasattr(self, "vectorizer_") else int(self.n_features_in_)

    @property
    def _fields(self) -> Fields | None:
        return self.vectorizer_.features_.fields if hasattr(self, "vectorizer_") else None

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_weights")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.features is None
        tags.input_tags.string = self.features is not None
        tags.input_tags.two_d_array = self.features is None
        tags.target_tags.required = True
        return tags


class LabelsetClassifier(ClassifierMixin, _Outputs):
    """Any number of labels for each example. y: an indicator matrix (dense or sparse), or a list of lists of labels; `predict`
    answers in the same form, and `classes_` are the labels. costs: "hamming", each label is to be right, or "subset", the set.

    >>> model = LabelsetClassifier("nb-svm", features="words:1")
    >>> texts = ["wheat and corn", "corn", "gold", "gold and wheat"]
    >>> model.fit(texts, [["corn", "wheat"], ["corn"], ["gold"], ["gold", "wheat"]]).predict(["gold", "wheat and corn"])
    [['gold'], ['corn', 'wheat']]
    """

    _model: type[TextModel] = LabelsetModel
    _form: str

    def __init__(
        self,
        learner: str = "averaged-mira",
        epochs: int | None = None,
        features: str | FeatureSpec | None = None,
        options: Mapping[str, Any] | None = None,
        tol: float = 1e-3,
        shuffle: bool = True,
        random_state: Any = 0,
        costs: str = "hamming",
    ) -> None:
        super().__init__(learner, epochs, features, options, tol, shuffle, random_state)
        self.costs = costs

    def _checked_y(self, y: Any) -> Any:
        """Sets of numbers, whatever y is."""
        if sparse.issparse(y) or (isinstance(y, np.ndarray) and y.ndim == 2):
            table = check_array(y, accept_sparse="csr", dtype=None, input_name="y")
            self._form = "sparse" if sparse.issparse(table) else "dense"
            table = sparse.csr_array(table)
            if not np.isin(table.data, (0, 1)).all():
                raise DataError("expected an indicator matrix of 0 and 1, found other values.")
            table.eliminate_zeros()
            table.sort_indices()
            self.classes_ = np.arange(table.shape[1])
            return [table.indices[a:b].tolist() for a, b in pairwise(table.indptr.tolist())]
        if any(isinstance(one, str) or not isinstance(one, list | tuple | set | frozenset | np.ndarray) for one in y):
            raise DataError("expected an indicator matrix, or a list of labels for each example.")
        self._form = "lists"
        self.classes_ = np.array(sorted({label for one in y for label in one}))
        number = {label: k for k, label in enumerate(self.classes_.tolist())}
        return [sorted({number[label] for label in one}) for one in y]

    def _encoded(self, y: Any) -> tuple[Ints, Offsets]:
        if not len(self.classes_):
            raise DataError("no example has a label; learning needs at least one.")
        return as_outputs(y)

    def _gen(self) -> Any:
        return structure_of(self.costs, len(self.classes_))

    def _decoded(self, y_hat: Ints, at: Offsets) -> Any:
        sets = [y_hat[a + 1 : b] for a, b in pairwise(at.tolist())]
        if self._form == "lists":
            return [self.classes_[one].tolist() for one in sets]
        indices = np.concatenate([*sets, np.zeros(0, np.int32)])
        indptr = np.cumsum([0, *map(len, sets)])
        table = sparse.csr_array((np.ones(len(indices), np.int64), indices, indptr), (len(sets), len(self.classes_)))
        return table if self._form == "sparse" else table.toarray()

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of sets that are right, as scikit-learn has it."""
        if self._form != "lists":
            return float(super().score(X, y, sample_weight))
        right = [set(one) == set(other) for one, other in zip(y, self.predict(X), strict=True)]
        return float(np.average(right, weights=sample_weight))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        return tags


class LabelRanker(LabelsetClassifier):
    """All labels for each example, the best first, learned from the sets of relevant ones. `predict` gives a row of labels for
    each example."""

    _model: type[TextModel] = RankingModel
    __init__ = _Outputs.__init__

    def _gen(self) -> Any:
        return Ranking(len(self.classes_))

    def _decoded(self, y_hat: Ints, at: Offsets) -> Any:
        return self.classes_[y_hat.reshape(len(at) - 1, -1)[:, 1:]]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of examples whose first label is relevant: 1 - one-error."""
        first = self.predict(X)[:, 0]
        table = sparse.csr_array(y) if self._form != "lists" else None
        relevant = [
            label in one if table is None else bool(table[i, label])
            for i, (label, one) in enumerate(zip(first, y, strict=True))
        ]
        return float(np.average(relevant, weights=sample_weight))


class _OneLabel(ClassifierMixin, _Outputs):
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


class HierarchyClassifier(_OneLabel):
    """One label out of a tree for each example; errors cost the edges between two labels. `separator` parts the names of labels
    into paths ("NUM:date"); or `tree` gives the path of each label. Labels without either hang at the root."""

    _model: type[TextModel] = HierarchyModel

    def __init__(
        self,
        learner: str = "averaged-mira",
        separator: str | None = None,
        tree: Mapping[Any, Sequence[str]] | None = None,
        epochs: int | None = None,
        features: str | FeatureSpec | None = None,
        options: Mapping[str, Any] | None = None,
        tol: float = 1e-3,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        super().__init__(learner, epochs, features, options, tol, shuffle, random_state)
        self.separator = separator
        self.tree = tree

    def _path(self, label: Any) -> Path:
        if self.tree is None:
            return tuple(str(label).split(self.separator)) if self.separator else (str(label),)
        if label not in self.tree:
            raise DataError(f"the label {label!r} is not in the tree.")
        return tuple(self.tree[label])

    def _tree(self, labels: Sequence[Any]) -> LabelTree:
        return LabelTree.of_paths({str(k): self._path(label) for k, label in enumerate(labels)})

    def _ordered(self, labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return labels[[int(k) for k in self._tree(labels.tolist()).labels]]

    def _gen(self) -> Any:
        return Hierarchy(self._tree(self.classes_.tolist()).parents)


class OrdinalClassifier(_OneLabel):
    """A rating for each example: classes that have an order, that of numbers or of strings; `order` says another.

    Each threshold between two of them has a score of its own, and numbers are as far apart as they are.
    """

    _model: type[TextModel] = OrdinalModel

    def __init__(
        self,
        learner: str = "averaged-mira",
        order: Sequence[Any] | None = None,
        epochs: int | None = None,
        features: str | FeatureSpec | None = None,
        options: Mapping[str, Any] | None = None,
        tol: float = 1e-3,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        super().__init__(learner, epochs, features, options, tol, shuffle, random_state)
        self.order = order

    def _ordered(self, labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if self.order is None:
            return labels
        missing = [label for label in labels.tolist() if label not in list(self.order)]
        if missing:
            raise DataError(f"the rating {missing[0]!r} is not in order={list(self.order)}.")
        return np.array(list(self.order))

    def _gen(self) -> Any:
        gaps = np.abs(np.diff(scale(list(map(str, self.classes_.tolist())))))
        return Ordinal(len(self.classes_), gaps, own=True)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # the classes of scikit-learn's checks do not lie in a line
        tags.classifier_tags.poor_score = True
        return tags
