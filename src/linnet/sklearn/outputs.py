"""The base classes of scikit-learn estimators whose outputs are made of labels: a set, a ranking, a label of a tree, a rating.

Subclasses fill in hooks, which are listed in `Outputs`. Labels are what the user has in y, such as strings or numbers;
`classes_` are all labels in the order of their numbers; their names are the strings that the model of linnet has for them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from linnet.errors import DataError, UsageError
from linnet.features import FeatureSpec
from linnet.features.sizes import Sizes
from linnet.fitting.contract import Known, Task
from linnet.fitting.fitting import Problem, prepare
from linnet.fitting.session import Session
from linnet.learners import Epoch, Examples, Fit, Learning, learner
from linnet.sklearn.examples import (
    Classes,
    check_labels,
    check_parameters,
    is_text,
    joined,
    numbered,
    rows_of,
    seed_of,
    texts_of,
)
from linnet.sklearn.gives_model import GivesModel
from linnet.sklearn.matrix import as_csr, to_rows, without_duplicates
from linnet.sklearn.matrix_model import NO_MODEL, MatrixModel
from linnet.sklearn.parts import check_parts, needs_state
from linnet.sklearn.provenance import model_of
from linnet.sklearn.taught import Taught
from linnet.tasks import configured, named
from linnet.tasks.texts.gold import Texts
from linnet.tasks.texts.label_types import spelled
from linnet.tasks.texts.model import TextModel
from linnet.tasks.texts.tables import as_table

Ints = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

Numbers = tuple[Ints, Offsets]
"""Outputs as integers, those of all examples one after the other, and where each begins: example i has y[at[i]:at[i + 1]]."""


def _has_probabilities(estimator: Outputs) -> bool:
    if learner(estimator.learner).probabilistic:
        return True
    raise AttributeError(f"the scores of learner {estimator.learner!r} are not probabilities. Use 'logistic'.")


def _learns_in_parts(estimator: Outputs) -> bool:
    if estimator.features is None:
        raise AttributeError(
            f"over a matrix {type(estimator).__name__} needs all examples at once. Use fit, or texts and features=."
        )
    return check_parts(estimator.learner, estimator.options or {})


class Outputs(GivesModel, BaseEstimator, ABC):
    """An estimator whose outputs are made of labels. `classes_` are the labels in the order of the columns of
    `decision_function`.

    learner, options: a name of `linnet list learners`, and options of this learner by name.
    features: what to look at in texts, such as "words:1-2". X is then texts; it is a matrix where this is None.
    epochs, shuffle: the number of passes over the examples (None: as many as the learner usually makes), and whether each
        pass takes them in another order.
    tol: learning stops when a pass moves the weights by less than this share of their length.
    random_state: the seed of that order.

    Fitted, it has `classes_`, `n_iter_` and `history_`: the epochs, each with its loss and its mistakes.
    Fitted over texts, an estimator also has `model_`, whose labels are the classes as strings; `save` writes it to a file, and
    `explain` says why by it. Over texts `partial_fit` goes on learning.

    A subclass names the class of its models in `_kind`, and fills in hooks. They are called in this order:

        fit                      _check_parameters, _read, _order, _check_classes, _encode, _describe
        the first partial_fit    _read, _foresee, _check_parameters, _order, _check_classes, _describe, _name_outputs
        any other partial_fit    _read, _name_outputs
        predict                  _decode

    `classes_` is set to what `_order` returns; the hooks after it may use `classes_`.
    """

    classes_: Classes
    n_iter_: int
    history_: list[Epoch]
    """The epochs of `fit`, each with its loss and its mistakes; [] after `partial_fit`, which has no epochs."""
    _kind: type[TextModel]
    """The class of the models, which knows the structure, its blocks and how to decide; its `task` names the task."""
    _taught: Taught | None = None
    """What was learned from texts; None before, and over a matrix."""
    _matrix: MatrixModel | None = None
    """What was learned from a matrix; None before, and over texts."""

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
        self._check_parameters()
        for name in ("_taught", "_matrix", "classes_", "n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
        fit = self._fit_matrix(X, y) if self.features is None else self._fit_texts(X, y)
        self.history_, self.n_iter_ = fit.history, len(fit.history)
        if fit.interrupted:
            raise KeyboardInterrupt(fit.stopped)
        return self

    @available_if(_learns_in_parts)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn from some more texts, in their order; after a `fit`, from its weights on. New labels come after those that
        there are. The first call needs two of them, in y or in `classes`, which names labels that are still to come."""
        X, (labels, outputs) = rows_of(texts_of(X, self._spec)), self._read(y)
        check_consistent_length(X, outputs)
        if self._taught is None:
            self._begin(X, outputs, joined(self._foresee(labels), classes))
        else:
            known = joined(self.classes_, labels, classes)
            self._taught.learn(X, self._name_outputs(outputs))
            self.classes_ = self._reorder(known)
        self.history_, self.n_iter_ = [], 1
        return self

    def predict(self, X: Any) -> Any:
        """Give the best output of each example, in the form that `fit` was given; by probabilities, what costs least."""
        return self._decode(*self._learned.outputs(self._read_inputs(X)))

    def decision_function(self, X: Any) -> Floats:
        """Give the score of each label: a column for each of `classes_`."""
        theta: Floats = self._learned.scores(self._read_inputs(X))
        return theta

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Give the probability of each label: a column for each of `classes_`."""
        p: Floats = self._learned.predict_proba(self._read_inputs(X))
        return p

    @property
    def model_(self) -> Any:
        """This is the model of texts, as `linnet.load` gives it. It stays as it is when the estimator learns more."""
        check_is_fitted(self)
        if self._taught is None:
            raise AttributeError(NO_MODEL)
        return self._taught.model

    def explain(self, x: Any, label: Any = None, against: Any = None) -> Any:
        """Say what each feature of a text adds to its best label against the next best, or to those that are named."""
        names = (None if name is None else self._name(name) for name in (label, against))
        return self.model_.explain(x, *names)

    @abstractmethod
    def _read(self, y: Any) -> tuple[Classes, Any]:
        """Check the y of the user. Return its labels, each once and sorted, and its outputs in a form that `_encode` and
        `_name_outputs` take, with one entry for each example."""

    @abstractmethod
    def _encode(self, outputs: Any) -> Numbers:
        """Turn outputs that `_read` returned into numbers, as the structure has them: a label is its number in `classes_`."""

    @abstractmethod
    def _decode(self, y_hat: Ints, at: Offsets) -> Any:
        """Turn predicted numbers, laid out as `Numbers`, into outputs of the form that `fit` was given."""

    @abstractmethod
    def _name_outputs(self, outputs: Any) -> list[Any]:
        """Turn outputs that `_read` returned into those that a session of the model learns from: labels become their names."""

    @abstractmethod
    def _describe(self) -> dict[str, Any]:
        """The `details` of the model: what it has to know of `classes_` beside their names, as plain values for JSON."""

    @property
    def _settings(self) -> dict[str, Any]:
        """The settings of the task by name, as users of the command line give them by --set."""
        return {}

    def _check_parameters(self) -> None:
        """Raise UsageError where the parameters of the estimator are wrong, before anything is learned."""
        check_parameters(self.learner, self.options, self.epochs, 1, self.tol)

    def _order(self, labels: Classes) -> Classes:
        """Put sorted labels in the order of the numbers that the structure gives them; it may add labels. The result becomes
        `classes_`."""
        return labels

    def _foresee(self, labels: Classes) -> Classes:
        """Add the labels that later calls of `partial_fit` may bring to those of the first call."""
        return labels

    def _check_classes(self) -> None:
        """Raise DataError where there are too few classes to learn."""

    def _name(self, label: Any) -> str:
        """The name that a label has in the model."""
        return spelled(label)

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(map(self._name, self.classes_.tolist()))

    @property
    def _spec(self) -> FeatureSpec:
        return FeatureSpec.parse(str(self.features))

    @property
    def _learned(self) -> Any:
        """What was learned: a model of texts, or a `MatrixModel`, which answers as one over a matrix."""
        check_is_fitted(self)
        return self._matrix if self._taught is None else self._taught.model

    @property
    def _task(self) -> Task:
        return configured(named(self._kind.task), self._settings)[0]

    def _read_inputs(self, X: Any) -> Any:
        check_is_fitted(self)
        if self._matrix is None:
            return texts_of(X, self._learned.features.spec)
        return to_rows(as_csr(validate_data(self, X, accept_sparse="csr", reset=False)))

    def _set_classes_and_encode(self, y: Any, X: Any) -> Numbers:
        """Set `classes_` to those of the y of a `fit`, and turn y into numbers."""
        labels, outputs = self._read(y)
        check_consistent_length(X, outputs)
        if len(outputs) == 0:
            raise DataError("there are no examples to learn from.")
        self.classes_ = self._order(labels)
        self._check_classes()
        return self._encode(outputs)

    def _fit_texts(self, X: Any, y: Any) -> Fit:
        spec = self._spec
        table = as_table(texts_of(X, spec))
        numbers, at = self._set_classes_and_encode(y, table)
        gold = Texts(table.text, numbers, at, self._names, "texts and labels", table.columns, self._describe())
        fitting = prepare(self._task, str(spec), gold)
        learning = fitting.problem.learning(self.learner, self.options or {})
        keeps = needs_state(self.learner, self.options or {})
        seed = seed_of(self.random_state)
        fit = self._run(learning, fitting.examples, seed, take=not keeps)
        self._taught = Taught(model_of(fitting, learning, fit, seed, keeps=keeps))
        return fit

    def _fit_matrix(self, X: Any, y: Any) -> Fit:
        if is_text(X):
            raise UsageError("X is text. Say what to look at in it: features='words:1-2', for instance.")
        X = validate_data(self, X, accept_sparse="csr")
        if y is None:
            raise ValueError(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None.")
        numbers, at = self._set_classes_and_encode(y, X)
        rows, details = to_rows(without_duplicates(as_csr(X))), self._describe()
        gen = self._kind.structure(None, self._names, details)
        examples = Examples(self._kind.blocks(gen, rows), numbers, at)
        sizes = Sizes((int(X.shape[1]), *(0 for _ in gen.outcomes[1:])), numbers=True)
        learning = Problem(gen, sizes, examples.length2()).learning(self.learner, self.options or {})
        fit = self._run(learning, examples, seed_of(self.random_state), take=True)
        self._matrix = MatrixModel(
            self._kind, self._names, details, fit.weights, learning.preset.name, dict(learning.options)
        )
        return fit

    def _run(self, learning: Learning, examples: Examples, seed: int, *, take: bool) -> Fit:
        passes: dict[str, Any] = {"epochs": self.epochs, "seed": seed, "tol": self.tol, "shuffle": bool(self.shuffle)}
        return learning.run(examples, **passes, take=take)

    def _begin(self, X: list[Any], outputs: Any, labels: Classes) -> None:
        """Learn from the texts of the first `partial_fit`."""
        self._check_parameters()
        self.classes_ = self._order(labels)
        self._check_classes()
        known = Known(self._names, self._describe(), grows=True)
        plan: dict[str, Any] = {"features": str(self.features), "learner": self.learner, "options": self.options}
        self._taught = Taught(Session.begin(self._task, X, self._name_outputs(outputs), known=known, **plan))

    def _reorder(self, labels: Classes) -> Classes:
        """Put labels in the order that the model has after learning; a label that the model does not have is left out."""
        assert self._taught is not None
        by_name = {self._name(label): label for label in labels.tolist()}
        return np.array([by_name[name] for name in self._taught.labels])

    def __sklearn_is_fitted__(self) -> bool:
        return self._taught is not None or self._matrix is not None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.features is None
        tags.input_tags.string = self.features is not None
        tags.input_tags.two_d_array = self.features is None
        tags.target_tags.required = True
        return tags


class OneLabelOutputs(ClassifierMixin, Outputs):
    """An estimator that gives each example one label. An output is one number: that of the label in `classes_`."""

    def _read(self, y: Any) -> tuple[Classes, Any]:
        y = validate_data(self, y=y, reset=False)
        check_labels(y)
        return np.unique(y), y

    def _check_classes(self) -> None:
        if len(self.classes_) < 2:
            raise DataError(
                f"every example is of one class, {self.classes_.tolist()[0]!r}; learning needs at least two."
            )

    def _encode(self, outputs: Any) -> Numbers:
        order = np.argsort(self.classes_)
        y = order[numbered(outputs, self.classes_[order])].astype(np.int32)
        return y, np.arange(len(y) + 1, dtype=np.int64)

    def _name_outputs(self, outputs: Any) -> list[Any]:
        return list(map(self._name, outputs.tolist()))

    def _decode(self, y_hat: Ints, at: Offsets) -> Any:
        return self.classes_[y_hat]

    def decision_function(self, X: Any) -> Floats:
        """Give the score of each label, a column for each of `classes_`; for two, that of the second less that of the first."""
        theta = super().decision_function(X)
        return theta[:, 1] - theta[:, 0] if theta.shape[1] == 2 else theta
