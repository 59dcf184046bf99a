"""This estimator gives each token a tag, in the manner of scikit-learn, and takes what sklearn-crfsuite's CRF takes.

from linnet.sklearn import SequenceTagger as CRF
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from linnet.errors import DataError, UsageError
from linnet.features.attributes import AttributeFeatures, Function
from linnet.features.sizes import Sizes
from linnet.fitting.contract import Known
from linnet.fitting.fitting import Problem, prepare
from linnet.fitting.session import Session
from linnet.io.sentences.sentences import Sentences
from linnet.learners import Epoch, Examples, Fit, Learning, learner
from linnet.learners.preset import Weights
from linnet.sklearn.attribute_tagger import NO_MODEL, AttributeTagger, examples_of, starts_of
from linnet.sklearn.crfsuite import Arguments, check_all_possible
from linnet.sklearn.examples import seed_of
from linnet.sklearn.gives_model import GivesModel
from linnet.sklearn.listed import listed
from linnet.sklearn.parts import check_parts, needs_state
from linnet.sklearn.provenance import epochs_of, model_of
from linnet.sklearn.taught import Taught
from linnet.structures.chain import Chain
from linnet.tasks import named
from linnet.tasks.sentences.gold import as_sentences, check_lengths, column_names
from linnet.tasks.tag.gold import Tagged, sentences_with_tags
from linnet.training.train import train

_ITERATIONS = 100
"""The most passes of L-BFGS where the user names no number."""
Pair = tuple[list[Any], list[Any]]
"""A pair has sentences and their tags."""


def _learns_in_parts(tagger: SequenceTagger) -> bool:
    if not isinstance(tagger.features, str):
        raise AttributeError(
            "attributes need all sentences at once. Use fit, or words and templates: features='w[-1..1]'."
        )
    if tagger.rerank is not None:
        raise AttributeError("a second model, by rerank=, needs all sentences at once. Use fit, or leave it out.")
    return check_parts(*tagger._choose(None))


class SequenceTagger(GivesModel, BaseEstimator):
    """y_hat = argmax over sequences of tags of w.f(x, y), with w by any learner of linnet.

    X is a list of sentences, y a list of lists of tags. Without `features` a token is a dict of attributes, such as
    {"w": "dog", "cap": False, "len": 3}, or a list of them. With `features` it is a word or a tuple of the word and other
    columns (col2, col3, ...), and `features` says what to look at: "w[-1..1] suffix:1-3 col2" (`linnet list token-features`).
    If it is a function, a token is what you like: function(sentence, i) gives the dict or list of token i.

    learner: a name from `linnet list learners`; options: what it takes, such as {"eta": 0.1}. By default what `algorithm` says:

        algorithm "lbfgs"            crf by L-BFGS: c1 ||w||_1 + c2 ||w||^2 is added to the loss of all sentences (c1 0, c2 1)
                  "l2sgd"            crf, online, with c2
                  "ap"               averaged-perceptron
                  "pa"               averaged-mira, or mira with averaging=False; c is C (pa_type 1), pa_type 0 is without C
                  None               crf, online
        max_iterations               passes over the data, at most; 100 for "lbfgs"
        min_freq                     attributes in fewer tokens are left out
        all_possible_states, all_possible_transitions   always so; only True is accepted

    epochs, shuffle: passes over the data, in linnet's words, and whether each takes the sentences in another order.

    The other arguments of sklearn-crfsuite, which steer CRFsuite's own optimisers and files, are not there.

    rerank: among how many of the best sequences a second model chooses, by features of whole sequences; with templates only.
    It is all as `linnet train --rerank` has it: tags of spans are learned as BIOES, and come out as they went in. Without it
    tags are learned as they are, and any may follow any other.

    Fitted: `classes_`, `state_features_`, `transition_features_`, `intercept_`, `attributes_`, `n_iter_`, `history_`; with
    templates also `model_`, which `save` writes to a file and by which `explain` says why. With templates `partial_fit` goes on
    learning.

    >>> tagger = SequenceTagger(features="w")
    >>> tagger.fit([["the", "dog"], ["a", "dog"]], [["D", "N"], ["D", "N"]]).predict([["the", "cat"]])
    [['D', 'N']]
    """

    classes_: list[str]
    n_iter_: int
    history_: list[Epoch]
    """These are the epochs of `fit`, each with its loss and its mistakes; [] after `partial_fit`, which has no epochs."""
    _taught: Taught | None = None
    _attributes: AttributeTagger | None = None
    _width: int
    """This is the number of values of a token, where it is a tuple of columns."""

    def __init__(
        self,
        algorithm: str | None = None,
        min_freq: float | None = None,
        all_possible_states: bool | None = None,
        all_possible_transitions: bool | None = None,
        c1: float | None = None,
        c2: float | None = None,
        max_iterations: int | None = None,
        pa_type: int | None = None,
        c: float | None = None,
        averaging: bool | None = None,
        verbose: bool = False,
        *,
        learner: str | None = None,
        epochs: int | None = None,
        features: str | Function | None = None,
        rerank: int | None = None,
        options: Mapping[str, Any] | None = None,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        self.algorithm = algorithm
        self.min_freq = min_freq
        self.all_possible_states = all_possible_states
        self.all_possible_transitions = all_possible_transitions
        self.c1 = c1
        self.c2 = c2
        self.max_iterations = max_iterations
        self.pa_type = pa_type
        self.c = c
        self.averaging = averaging
        self.verbose = verbose
        self.learner = learner
        self.epochs = epochs
        self.features = features
        self.rerank = rerank
        self.options = options
        self.shuffle = shuffle
        self.random_state = random_state

    def fit(self, X: Any, y: Any, X_dev: Any = None, y_dev: Any = None) -> Self:
        """Learn from nothing. With a dev part, learning stops when it no longer helps there, and the best weights are
        kept."""
        gold, dev = _check(X, y), None if X_dev is None else _check(X_dev, y_dev)
        classes = _classes_of(gold[1])
        how = self._choose(len(gold[0]))
        for name in ("_taught", "_attributes"):
            self.__dict__.pop(name, None)
        if self.rerank is not None:
            return self._fit_reranked(*how, gold, dev)
        fit = (self._fit_templates if isinstance(self.features, str) else self._fit_attributes)(
            *how, gold, dev, classes
        )
        self.classes_, self.history_, self.n_iter_ = classes, fit.history, len(fit.history)
        if fit.interrupted:
            raise KeyboardInterrupt(fit.stopped)
        return self

    @available_if(_learns_in_parts)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any) -> Self:
        """Learn from some more sentences, in their order; after a `fit`, from its weights on. New tags come after those
        that there are; the first call needs two of them."""
        X, y = _check(X, y)
        lesson = list(map(list, X)), [list(map(str, tags)) for tags in y]
        if self._taught is None:
            self.classes_, taught = _classes_of(y), self._begin(*lesson)
        else:
            self._read_sentences(X)
            taught = self._taught
            taught.learn(*lesson)
        known = {str(tag): tag for tags in (self.classes_, *y) for tag in tags}
        self._taught, self.classes_ = taught, [known[name] for name in taught.labels]
        self.history_, self.n_iter_ = [], 1
        return self

    def _begin(self, X: list[Any], y: list[Any]) -> Taught:
        """Begin to learn with these sentences."""
        assert isinstance(self.features, str)
        name, options = self._choose(None)
        self._width = _width_of(X)
        gold = self._number_tags((X, y), _classes_of(y))
        known = Known(gold.labels, gold.details, grows=True)
        how: dict[str, Any] = {"features": self.features, "learner": name, "options": options}
        return Taught(Session.begin("tag", X, y, known=known, **how))

    def _fit_templates(
        self, name: str, options: dict[str, Any], gold: Pair, dev: Pair | None, classes: list[str]
    ) -> Fit:
        if self.min_freq is not None:
            raise UsageError("min_freq is for attributes; with templates it has no meaning. Leave it out.")
        self._width = _width_of(gold[0])
        fitting = prepare(named("tag"), str(self.features), self._number_tags(gold, classes))
        held = None if dev is None else fitting.further(self._number_tags(_check(*dev), classes))
        learning, keeps = fitting.problem.learning(name, options), needs_state(name, options)
        seed = seed_of(self.random_state)
        fit = self._run(learning, fitting.examples, held, seed, take=not keeps)
        self._taught = Taught(model_of(fitting, learning, fit, seed, keeps=keeps))
        return fit

    def _fit_attributes(
        self, name: str, options: dict[str, Any], gold: Pair, dev: Pair | None, classes: list[str]
    ) -> Fit:
        assert not isinstance(self.features, str)
        features = AttributeFeatures(self.min_freq, self.features)
        X, codes = gold[0], _codes(gold[1], classes)
        examples = examples_of(features.fit_transform(X, codes, classes), starts_of(X), codes)
        held = None
        if dev is not None:
            X_dev, y_dev = _check(*dev)
            held = examples_of(features.transform(X_dev), starts_of(X_dev), _codes(y_dev, classes))
        problem = Problem(Chain(len(classes)), Sizes((features.n_features, 0)), examples.length2())
        learning = problem.learning(name, options)
        fit = self._run(learning, examples, held, seed_of(self.random_state), take=True)
        self._attributes = AttributeTagger(features, fit.weights, name, dict(learning.options), len(classes))
        return fit

    def _fit_reranked(self, name: str, options: dict[str, Any], gold: Pair, dev: Pair | None) -> Self:
        if not isinstance(self.features, str) or self.min_freq is not None:
            raise UsageError(
                'rerank looks at words: give it words and templates, features="w[-1..1]", without min_freq.'
            )
        model: Any = train(
            sentences_with_tags(*gold),
            task="tag",
            learner=name,
            features=self.features,
            options=options,
            epochs=self._limit_epochs(options),
            seed=seed_of(self.random_state),
            shuffle=bool(self.shuffle),
            dev=None if dev is None else sentences_with_tags(*dev),
            rerank=self.rerank,
        )
        self._taught, self._width = Taught(model), _width_of(gold[0])
        self.classes_, self.history_ = list(model.labels), epochs_of(model)
        self.n_iter_ = len(self.history_)
        if self.verbose:
            sys.stderr.writelines(map(_line, self.history_))
        if model.reranker is None:
            raise KeyboardInterrupt(model.report["stopped"])
        return self

    def _run(self, learning: Learning, examples: Examples, dev: Examples | None, seed: int, *, take: bool) -> Fit:
        epochs, report = self._limit_epochs(learning.options), _report if self.verbose else None
        passes: dict[str, Any] = {"epochs": epochs, "seed": seed, "shuffle": bool(self.shuffle)}
        return learning.run(examples, **passes, dev=dev, take=take, after_epoch=report)

    def _limit_epochs(self, options: Mapping[str, Any]) -> int | None:
        if self.epochs is not None and self.max_iterations is not None:
            raise UsageError("max_iterations is in CRFsuite's words, epochs in linnet's. Leave one of them out.")
        asked = self.max_iterations if self.epochs is None else self.epochs
        return _ITERATIONS if asked is None and options.get("by") == "lbfgs" else asked

    @property
    def model_(self) -> Any:
        """This is the model of words, as `linnet.load` gives it. It stays as it is when the tagger learns more."""
        check_is_fitted(self)
        if self._taught is None:
            raise AttributeError(NO_MODEL)
        return self._taught.model

    def explain(self, x: Any) -> Any:
        """Say why each token of a sentence has its tag, and not the next best one."""
        return self.model_.explain_sentences(self._read_sentences([x]))[0]

    def predict(self, X: Any) -> list[list[str]]:
        """Give the tags of each sentence."""
        X = listed(X, "sentences")
        check_is_fitted(self)
        if self._attributes is None:
            as_given = dict(zip(self._learned.labels, self.classes_, strict=True))
            found = self.model_.predict(self._read_sentences(X))
            return [[as_given.get(tag, tag) for tag in tags] for tags in found]
        tags = np.array(self.classes_, np.object_)[self._attributes.numbers(X)].tolist()
        return [tags[a:b] for a, b in pairwise(starts_of(X))]

    def predict_single(self, xseq: Sequence[Any]) -> list[str]:
        """Give the tags of one sentence."""
        return self.predict([xseq])[0]

    def predict_marginals(self, X: Any) -> list[list[dict[str, float]]]:
        """Give for each token of each sentence the probability of each tag."""
        name = self._learned.learner
        if not learner(name).probabilistic:
            raise UsageError(f"the scores of learner {name!r} are not probabilities. Use learner='crf'.")
        X = listed(X, "sentences")
        p = [row for rows in self._find_probabilities(X) for row in rows.tolist()]
        rows = [dict(zip(self.classes_, row, strict=True)) for row in p]
        return [rows[a:b] for a, b in pairwise(starts_of(X))]

    def _find_probabilities(self, X: list[Any]) -> list[npt.NDArray[np.float32]]:
        """Make tables with a row for each token, which together have all tokens in their order."""
        if self._attributes is not None:
            return [self._attributes.marginals(X)]
        found: list[npt.NDArray[np.float32]] = self.model_.predict_proba(self._read_sentences(X))
        return found

    def predict_marginals_single(self, xseq: Sequence[Any]) -> list[dict[str, float]]:
        """Give for each token of one sentence the probability of each tag."""
        return self.predict_marginals([xseq])[0]

    def score(self, X: Any, y: Any) -> float:
        """Give the share of tokens whose tag is right."""
        X, y = _check(X, y)
        pairs = [
            (a, b) for found, gold in zip(self.predict(X), y, strict=True) for a, b in zip(found, gold, strict=True)
        ]
        return float(np.mean([a == b for a, b in pairs]))

    @property
    def attributes_(self) -> list[str]:
        """These are the names of the features."""
        features = self._learned.features
        return [features.name(j) for j in range(features.n_features)]

    @property
    def state_features_(self) -> dict[tuple[str, str], float]:
        """These are the weights of each feature and tag that are not 0."""
        check_is_fitted(self)
        W = self._W[0][1:, : len(self.classes_)]
        names = self.attributes_
        return {
            (names[j], self.classes_[k]): float(W[j, k])
            for j, k in zip(*(at.tolist() for at in np.nonzero(W)), strict=True)
        }

    @property
    def transition_features_(self) -> dict[tuple[str, str], float]:
        """These are the weights of each tag before each tag."""
        check_is_fitted(self)
        L = len(self.classes_)
        W = self._W[1][0, : L * L].reshape(L, L)
        return {(a, b): float(W[i, k]) for i, a in enumerate(self.classes_) for k, b in enumerate(self.classes_)}

    @property
    def intercept_(self) -> dict[str, float]:
        """These are the weights of each tag at every token: of a feature of 1 that sklearn-crfsuite does not have."""
        check_is_fitted(self)
        return dict(zip(self.classes_, self._W[0][0].tolist(), strict=False))

    def _choose(self, n: int | None) -> tuple[str, dict[str, Any]]:
        """Choose the learner and its options for n sentences; AttributeError where it must know how many, and n is None."""
        check_all_possible(
            {
                "all_possible_states": self.all_possible_states,
                "all_possible_transitions": self.all_possible_transitions,
            }
        )
        arguments = Arguments(self.algorithm, self.c1, self.c2, self.c, self.pa_type, self.averaging)
        if self.learner is None:
            name, options = arguments.choose(n)
            return name, {**(self.options or {}), **options}
        if arguments.given:
            raise UsageError(
                f"{min(arguments.given)} is in CRFsuite's words, learner in linnet's. Leave one of them out."
            )
        return self.learner, dict(self.options or {})

    @property
    def _learned(self) -> Any:
        """This is the model of words, or what was learned of attributes."""
        check_is_fitted(self)
        return self.model_ if self._attributes is None else self._attributes

    @property
    def _W(self) -> Sequence[Weights]:
        learner(self._learned.learner).check_linear()
        weights: Sequence[Weights] = self._learned.weights
        return weights

    def _number_tags(self, pair: Pair, classes: list[str]) -> Tagged:
        """Give sentences the numbers of their tags, of which any may follow any other."""
        X, y = pair
        return Tagged(self._read_sentences(X), _codes(y, classes), tuple(map(str, classes)), legal=False)

    def _read_sentences(self, X: list[Any]) -> Sentences:
        """Read sentences of words, or of tuples with the word and other columns, each as wide as those learned from."""
        for token in (token for sentence in X for token in sentence):
            if not isinstance(token, str | tuple | list) or _width(token) != self._width:
                raise DataError(f"expected {self._width} strings for each token, found {token!r:.60}.")
        return as_sentences(X, column_names(self._width))

    def __sklearn_is_fitted__(self) -> bool:
        return self._taught is not None or self._attributes is not None


def _check(X: Any, y: Any) -> Pair:
    """Give sentences and their tags; DataError where the tags do not fit the tokens."""
    X, y = listed(X, "sentences"), listed(y, "lists of tags")
    check_lengths(X, y, "tags")
    if not any(map(len, X)):
        raise DataError("expected sentences to learn from, found no token.")
    return X, y


def _classes_of(y: list[Any]) -> list[str]:
    classes = sorted({tag for tags in y for tag in tags})
    if len(classes) < 2:
        raise DataError(f"expected at least two different tags, found {len(classes)}.")
    return classes


def _width_of(X: Sequence[Sequence[Any]]) -> int:
    """Tell the number of values of each token by the first one."""
    return _width(next(token for sentence in X for token in sentence))


def _width(token: Any) -> int:
    return 1 if isinstance(token, str) else len(token)


def _codes(y: Sequence[Sequence[Any]], classes: Sequence[Any]) -> npt.NDArray[np.int32]:
    """Give the number of each tag among the classes; -1 for one that is not there."""
    number = {tag: k for k, tag in enumerate(classes)}
    return np.array([number.get(tag, -1) for tags in y for tag in tags], np.int32)


def _report(fit: Fit) -> None:
    sys.stderr.write(_line(fit.history[-1]))


def _line(epoch: Epoch) -> str:
    held_out = "" if epoch.dev is None else f", held out {100 * epoch.dev:.2f}%"
    return f"epoch {epoch.epoch}: loss {epoch.loss:.4f}{held_out}, {epoch.seconds:.1f} s\n"
