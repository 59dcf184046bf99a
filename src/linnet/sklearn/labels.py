"""Every learner of linnet is a scikit-learn classifier here, over a matrix or over a column of text."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    check_non_negative,
    validate_data,
)

from linnet.core.blocks import Block
from linnet.errors import DataError, UsageError
from linnet.features import FeatureSpec, SparseRows, TextFeatures, as_text
from linnet.fitting.contract import Plan
from linnet.fitting.registry import TASKS
from linnet.fitting.session import TEACHER
from linnet.learners import LEARNERS, Epoch, Examples, learner
from linnet.learners.preset import Weights
from linnet.model.support import no_support
from linnet.sklearn.columns import KINDS, Columns, Plain
from linnet.sklearn.examples import (
    Classes,
    Part,
    check_class_weight,
    check_labels,
    check_parameters,
    example_weights,
    hold_out,
    is_text,
    joined,
    numbered,
    seed_of,
    texts_of,
)
from linnet.sklearn.gives_model import GivesModel
from linnet.sklearn.learned import Learned
from linnet.sklearn.matrix_model import NO_MODEL
from linnet.sklearn.provenance import provenance
from linnet.sklearn.vectorizer import TextVectorizer
from linnet.tasks.labels.model import LabelsModel
from linnet.tasks.texts.gold import Texts
from linnet.tasks.texts.label_types import spelled, typed

_USUAL = "averaged-mira"
"""The learner over a matrix, and of examples that come in parts, where none is named."""


def _has_probabilities(classifier: LinearClassifier) -> bool:
    name = classifier._learner_now
    if learner(name).probabilistic:
        return True
    with_them = " or ".join(repr(name) for name, preset in LEARNERS.items() if preset.probabilistic)
    raise AttributeError(f"the scores of learner {name!r} are not probabilities. Use {with_them}.")


def _learns_in_parts(classifier: LinearClassifier) -> bool:
    if classifier.learner is not None and learner(classifier.learner).needs_all:
        raise AttributeError(f"learner {classifier.learner!r} needs all examples at once. Use fit.")
    return True


class LinearClassifier(GivesModel, ClassifierMixin, BaseEstimator):
    """y_hat = argmax_y w.f(x, y), with w by any learner of linnet.

    learner: a name from `linnet list learners`; options: what it takes, such as {"C": 0.1}. None: over text the learner of
        `linnet.train`, over a matrix averaged MIRA, which also learns in parts.
    features: what to look at if X is text: "words:1-2 tfidf". None: what `linnet.train` looks at in such texts. A matrix has
        its columns for features.
        With naive Bayes and the option event "gaussian" or "categorical", the columns of a dense X are numbers, or the codes of
        categories; it then has three features for each number, or one for each category.
    epochs: passes over the data, None for what suits the learner. Fewer, when the weights move by less than `tol` of
        their length in a pass, or when `patience` passes brought nothing on `dev`.
    dev: a share of the examples to hold out, or a pair (X, y).
    class_weight: None, "balanced", or a dict; a weight multiplies the step that an example causes (with MIRA, the
        longest that it may cause).
    random_state: the order of the examples, and which are held out.

    `fit` starts from nothing. `partial_fit` goes on, in the order of the examples: new classes may come up at any time
    and, with `features`, new words. Fitted: `classes_`, `coef_`, `intercept_`, `n_iter_`, `history_`, of a learner in
    the dual also `support_` and `dual_coef_`; over text `vectorizer_` and `model_`, which predicts the same classes: `save`
    writes it to a file, and `explain` says why by it.

    >>> texts, labels = ["good film", "fine film", "bad film", "poor film"], ["+", "+", "-", "-"]
    >>> LinearClassifier().fit(texts, labels).predict(["a good film"]).tolist()
    ['+']
    >>> model = LinearClassifier("averaged-mira", features="words:1").fit(texts, labels)
    >>> model.partial_fit(["so so"], ["0"]).classes_.tolist()
    ['+', '-', '0']
    """

    classes_: Classes
    n_iter_: int
    history_: list[Epoch]
    """These are the epochs of `fit`, each with its loss and its mistakes; [] after `partial_fit`, which has no epochs."""
    vectorizer_: TextVectorizer
    _learned: Learned
    _columns: Columns
    _plan: Plan
    """This holds the features and the learner that were named, or chosen where none were."""
    _about: dict[str, Any]
    """This holds the report and the provenance of the model."""
    _support: tuple[npt.NDArray[np.int64], Weights]
    """This has the numbers and the alphas of the support vectors, for a learner in the dual."""
    _given: LabelsModel | None = None
    """This is the model that `model_` has given out since the last example was learned; None where there is none."""

    def __init__(
        self,
        learner: str | None = None,
        epochs: int | None = None,
        features: str | FeatureSpec | None = None,
        options: Mapping[str, Any] | None = None,
        dev: Any = None,
        patience: int = 3,
        tol: float = 1e-3,
        class_weight: Any = None,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        self.learner = learner
        self.epochs = epochs
        self.features = features
        self.options = options
        self.dev = dev
        self.patience = patience
        self.tol = tol
        self.class_weight = class_weight
        self.shuffle = shuffle
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from nothing. Ctrl-C is passed on, and what was learned until then is kept."""
        self._start_over(X)
        X, y = self._check(X, y, reset=True)
        classes = np.unique(y)
        if len(classes) < 2 and not (self.learner is not None and learner(self.learner).generative):
            raise DataError(f"every example is of one class, {classes.tolist()[0]!r}; learning needs at least two.")
        check_class_weight(self.class_weight, classes)
        y = numbered(y, classes)
        whole = Part(X, y, example_weights(self.class_weight, classes, y, sample_weight)).with_weight()
        seed = seed_of(self.random_state)
        training, held_out = self._hold_out(whole, classes, seed)
        examples = Examples.labelled(self._fit_rows(training.X), training.y, training.weight)
        learned = self._begin(classes, examples)
        fit = learned.learning.run(
            examples,
            epochs=self.epochs,
            seed=seed,
            dev=None if held_out is None else Examples.labelled(self._make_rows(held_out.X), held_out.y),
            patience=self.patience,
            tol=self.tol,
            shuffle=bool(self.shuffle),
        )
        learned.keep(fit.weights, pinned=held_out is not None or fit.runs > 1 or learned.learning.preset.needs_all)
        self._learned, self.classes_ = learned, classes
        self.history_, self.n_iter_ = fit.history, len(fit.history)
        if training is whole and learned.learning.preset.supported(learned.learning.options):
            self._support = learned.learning.support_vectors(examples)
        self._about = {"report": fit.report(), "provenance": provenance(len(examples), seed)}
        if fit.interrupted:
            raise KeyboardInterrupt(fit.stopped)
        return self

    @available_if(_learns_in_parts)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from some more examples, in their order. `classes` may name classes that are still to come.

        After a `fit` with `dev` it goes on from the last epoch, whichever was the best. Where no learner was named and that of
        `fit` needs all examples at once, it goes on from the weights, by MIRA.
        """
        if isinstance(self.class_weight, str):
            raise UsageError("class_weight='balanced' needs all the data at once. Give partial_fit a dict, or use fit.")
        first = not hasattr(self, "_learned")
        if first:
            self._start_over(X, in_parts=True)
        X, y = self._check(X, y, reset=first)
        classes = joined(np.unique(y) if first else self.classes_, classes, y)
        y = numbered(y, classes)
        part = Part(X, y, example_weights(self.class_weight, classes, y, sample_weight)).with_weight()
        if not first and learner(self._plan.learner).needs_all:
            self._plan = Plan(self._plan.features, TEACHER)
            self._learned = self._learned.taught_by(TEACHER)
        if not first and len(classes) > len(self.classes_):
            self._learned = self._learned.wider(numbered(self.classes_, classes), len(classes))
            self.classes_ = classes
        self._part_from_given()
        self.__dict__.pop("_support", None)
        examples = Examples.labelled(self._partial_fit_rows(part.X), part.y, part.weight)
        if first:
            self._learned, self.classes_ = self._begin(classes, examples), classes
        self.history_, self.n_iter_ = [], 1
        self._learned.partial(examples, self._known.n_features, self._known.fields)
        n = self._learned.learning.online.t
        stopped = f"{n:,} examples, one after the other"
        self._about = {"report": {"epochs": [], "stopped": stopped, "best": 0}, "provenance": provenance(n)}
        return self

    def decision_function(self, X: Any) -> npt.NDArray[np.float32]:
        """Give w.f(x, y), a column for each class; for two classes, that of the second less that of the first."""
        theta = self._score_classes(X)
        return _less(theta[:, 1], theta[:, 0]) if len(self.classes_) == 2 else theta

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Give the best class of each example."""
        check_is_fitted(self)
        if self._reads_text:
            y_hat, _ = self._make_model().outputs(texts_of(X, self.vectorizer_.features_.spec))
        else:
            y_hat, _ = self._learned.predictor().argmax(self._make_blocks(X))
        labels: npt.NDArray[Any] = self.classes_[y_hat]
        return labels

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Give p(y | x) = exp w.f(x, y) / Z(x), a column for each class."""
        p: npt.NDArray[np.float64] = np.exp(self.predict_log_proba(X))
        return p

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Give log p(y | x)."""
        log_p: npt.NDArray[np.float64] = log_softmax(self._score_classes(X).astype(np.float64), axis=1)
        return log_p

    @property
    def model_(self) -> LabelsModel:
        """This is the model of texts, as `linnet.load` gives it. It stays as it is when the classifier learns more."""
        check_is_fitted(self)
        if not self._reads_text:
            raise AttributeError(NO_MODEL)
        self._given = self._make_model()
        return self._given

    def explain(self, x: Any, label: Any = None, against: Any = None) -> Any:
        """Say what each feature of a text adds to its class against the next best, or to those that are named."""
        return self.model_.explain(x, label, against)

    @property
    def coef_(self) -> Weights:
        """There is a row for each class; for two classes one, that of the second less that of the first."""
        W = self._W[1:]
        return (_less(W[:, 1:2], W[:, :1]) if W.shape[1] == 2 else W).T

    @property
    def intercept_(self) -> Weights:
        W = self._W[0]
        return _less(W[1:], W[:1]) if len(W) == 2 else W

    @property
    def support_(self) -> npt.NDArray[np.int64]:
        """These are the numbers of the support vectors among the examples of `fit`, from 0, of a learner in the dual."""
        return self._alpha[0]

    @property
    def dual_coef_(self) -> Weights:
        """These are the alphas of the support vectors: a row for each class; for two classes one, that of the second less that
        of the first, so that `coef_` is dual_coef_ @ X[support_] (but for nb-svm, which weighs features)."""
        alpha = self._alpha[1]
        return (_less(alpha[:, 1:2], alpha[:, :1]) if alpha.shape[1] == 2 else alpha).T

    @property
    def _alpha(self) -> tuple[npt.NDArray[np.int64], Weights]:
        check_is_fitted(self)
        if not hasattr(self, "_support"):
            raise AttributeError(
                f"{no_support(self._learner_now)} It must have learned by one fit, without a share held out by dev."
            )
        return self._support

    @property
    def _W(self) -> Weights:
        """These are the weights without their padding, not to be written to."""
        check_is_fitted(self)
        W = self._learned.W[:, : len(self.classes_)]
        W.flags.writeable = False
        return W

    def _make_model(self) -> LabelsModel:
        """Make the model of texts, with the words and the weights of this classifier."""
        if self._given is not None:
            return self._given
        return LabelsModel(
            features=self.vectorizer_.features_,
            labels=tuple(map(spelled, self.classes_.tolist())),
            details=typed(self.classes_.tolist()),
            weights=tuple(self._learned.weights),
            learner=self._learned.learning.preset.name,
            options=dict(self._learned.learning.options),
            **self._about,
        )

    def _part_from_given(self) -> None:
        """Go on with a copy of the vocabulary, if a model was given out: that model shares it, and must not change."""
        if self._given is not None:
            self.vectorizer_, self._given = deepcopy(self.vectorizer_), None

    def _score_classes(self, X: Any) -> npt.NDArray[np.float32]:
        check_is_fitted(self)
        theta: npt.NDArray[np.float32] = self._learned.predictor().scores(self._make_blocks(X))[0]
        return theta

    def _make_blocks(self, X: Any) -> tuple[Block]:
        if not self._reads_text:
            X = self._columns.matrix(self._validate(X, reset=False))
        return (Block(*self._make_rows(X)),)

    def _start_over(self, X: Any, *, in_parts: bool = False) -> None:
        """Check the parameters, forget an earlier fit, and choose what was left open."""
        check_parameters(
            _USUAL if self.learner is None else self.learner, self.options, self.epochs, self.patience, self.tol
        )
        for name in (
            "_learned",
            "_plan",
            "_columns",
            "_given",
            "_support",
            "classes_",
            "n_iter_",
            "history_",
            "vectorizer_",
            "n_features_in_",
            "feature_names_in_",
        ):
            self.__dict__.pop(name, None)
        if self.features is None and not is_text(X):
            self._plan = Plan("", self.learner or _USUAL, self.options or {})
            self._columns = self._kind()
            return
        self._plan = self._choose(X, in_parts=in_parts)
        self.vectorizer_ = TextVectorizer(self._plan.features if self.features is None else self.features)

    def _choose(self, X: Any, *, in_parts: bool) -> Plan:
        """Choose the features and the learner of texts as `linnet.train` does, as far as they were not named."""
        if self.features is not None and self.learner is not None:
            return Plan(str(self.features), self.learner, self.options or {})
        spec = None if self.features is None else str(self.features)
        text = as_text(X if spec is None else [])
        texts = Texts(text, np.zeros(len(text), np.int32), np.arange(len(text) + 1), (), "Python")
        usual = TASKS.named(LabelsModel.task).plan(spec, texts)
        if self.learner is not None or (in_parts and learner(usual.learner).needs_all):
            return Plan(usual.features, self.learner or _USUAL, self.options or {})
        return replace(usual, options={**usual.options, **(self.options or {})})

    @property
    def _learner_now(self) -> str:
        """This is the learner that was chosen, or that is named; before there are examples, the usual one that learns in
        parts."""
        return self._plan.learner if hasattr(self, "_plan") else self.learner or _USUAL

    @property
    def _kind(self) -> type[Columns]:
        """This says what the columns of X are."""
        return KINDS.get((self.options or {}).get("event", ""), Plain)

    @property
    def _reads_text(self) -> bool:
        return hasattr(self, "vectorizer_")

    @property
    def _counts(self) -> bool:
        """This says whether the learner counts, so that values cannot be negative."""
        name = self._learner_now
        preset = LEARNERS.find(name) if isinstance(name, str) else None
        return preset is not None and preset.one_pass and preset.linear and self._kind is Plain

    def _check(self, X: Any, y: Any, *, reset: bool) -> tuple[Any, npt.NDArray[Any]]:
        """Make X Arrow text or a CSR matrix, and y an array of labels; ValueError where they cannot be."""
        if self._reads_text:
            X, y = texts_of(X, self.vectorizer_.spec), validate_data(self, y=y, reset=False)
            check_consistent_length(X, y)
            if len(y) == 0:
                raise DataError("there are no texts to learn from.")
        else:
            X, y = self._validate(X, y, reset=reset)
            if self._counts:
                check_non_negative(X, f"{type(self).__name__}({self._learner_now!r})")
            X = self._columns.matrix(X)
        check_labels(y)
        return X, y

    def _validate(self, X: Any, y: Any = "no_validation", *, reset: bool) -> Any:
        return validate_data(self, X, y, accept_sparse=self._columns.sparse, reset=reset)

    def _hold_out(self, whole: Part, classes: Classes, seed: int) -> tuple[Part, Part | None]:
        if self.dev is None:
            return whole, None
        if isinstance(self.dev, numbers.Real):
            rows, held = hold_out(len(whole.y), float(self.dev), seed)
            return whole.take(rows), whole.take(held)
        if not (isinstance(self.dev, tuple | list) and len(self.dev) == 2):
            raise UsageError(f"expected dev to be a share or a pair (X, y), found {self.dev!r:.60}.")
        X, y = self._check(*self.dev, reset=False)
        return whole, Part(X, numbered(y, classes), None)

    def _fit_rows(self, X: Any) -> SparseRows:
        return self.vectorizer_.fit_rows(X) if self._reads_text else self._columns.learn(X)

    def _partial_fit_rows(self, X: Any) -> SparseRows:
        return self.vectorizer_.partial_fit_rows(X) if self._reads_text else self._columns.learn(X)

    def _make_rows(self, X: Any) -> SparseRows:
        return self.vectorizer_.rows(X) if self._reads_text else self._columns.rows(X)

    @property
    def _known(self) -> TextFeatures | Columns:
        """This has the features, and knows which belong together."""
        return self.vectorizer_.features_ if self._reads_text else self._columns

    def _begin(self, classes: Classes, examples: Examples) -> Learned:
        known, sizes = self._known, (len(classes), self._known.n_features)
        plan, length2 = self._plan, examples.length2()
        how = known.fields, known.sequences
        return Learned(plan.learner, plan.options, *sizes, length2, *how, numbers=known.numbers)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_learned")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.features is None and self._kind is Plain
        tags.input_tags.string = self.features is not None
        tags.input_tags.two_d_array = self.features is None
        tags.input_tags.positive_only = self._counts
        # As for scikit-learn's MultinomialNB, what the checks give it are not counts.
        tags.classifier_tags.poor_score = self._counts
        return tags


def _less(a: Weights, b: Weights) -> Weights:
    """Take b from a. Where they are equal that is 0, also where both are minus infinity."""
    return np.subtract(a, b, out=np.zeros_like(a), where=a != b)
