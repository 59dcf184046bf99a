"""A tag for each token, as a scikit-learn estimator that takes what sklearn-crfsuite's CRF takes.

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
from sklearn.utils.validation import check_is_fitted

from linnet.core import arrow
from linnet.core.blocks import Block
from linnet.core.predictor import Predictor
from linnet.errors import DataError, UsageError
from linnet.features import SparseRows
from linnet.features.attributes import AttributeFeatures, Function
from linnet.features.tokens import TokenFeatures
from linnet.fitting.problem import Problem
from linnet.learners import Epoch, Examples, Fit, learner
from linnet.learners.preset import Weights
from linnet.model.base import model_from_parts, parts_of_model
from linnet.sklearn.examples import seed_of
from linnet.structures.chain import Chain
from linnet.tasks.tag.gold import column_names, sentences_with_tags
from linnet.tasks.tag.model import TagModel
from linnet.training.data_to_model import train

_ALGORITHMS = {"lbfgs": "crf", "l2sgd": "crf", "ap": "averaged-perceptron", "pa": "averaged-mira"}
_ARGUMENTS = {"lbfgs": {"c1", "c2"}, "l2sgd": {"c2"}, "ap": set(), "pa": {"c", "pa_type", "averaging"}}
_ITERATIONS = 100


class SequenceTagger(BaseEstimator):
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

    Of sklearn-crfsuite's other arguments, which steer CRFsuite's own optimisers and files, there are none.

    rerank: among how many of the best sequences a second model chooses, by features of whole sequences; with templates only.
    It is all as `linnet train --rerank` has it: tags of spans are learned as BIOES, and come out as they went in.

    Fitted: `classes_`, `state_features_`, `transition_features_`, `intercept_`, `attributes_`, `n_iter_`; with `rerank` also
    `model_`, whose `save` writes the file that `linnet predict` reads.

    >>> tagger = SequenceTagger(features="w")
    >>> tagger.fit([["the", "dog"], ["a", "dog"]], [["D", "N"], ["D", "N"]]).predict([["the", "cat"]])
    [['D', 'N']]
    """

    classes_: list[str]
    n_iter_: int
    model_: Any

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
        features: str | Function | None = None,
        rerank: int | None = None,
        options: Mapping[str, Any] | None = None,
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
        self.features = features
        self.rerank = rerank
        self.options = options
        self.random_state = random_state

    def fit(self, X: Any, y: Any, X_dev: Any = None, y_dev: Any = None) -> Self:
        """Learn from nothing. With a dev part, learning stops when it no longer helps there, and the best weights stay."""
        X, y = list(X), list(y)
        starts = _starts(X, y)
        classes = sorted({tag for tags in y for tag in tags})
        if len(classes) < 2:
            raise DataError(f"expected at least two different tags, found {len(classes)}.")
        name, options = self._chosen(len(X))
        self.model_ = None
        if self.rerank is not None:
            return self._fit_reranked(name, options, (X, y), None if X_dev is None else (X_dev, y_dev))
        if not isinstance(self.features, str):
            features: Any = AttributeFeatures(self.min_freq, self.features)
        elif self.min_freq is not None:
            raise UsageError("min_freq is for attributes; with templates it has no meaning. Leave it out.")
        else:
            features = _Templates(self.features, X)
        codes = _codes(y, classes)
        examples = _examples(features.fit_transform(X, codes, classes), starts, codes)
        problem = Problem(Chain(len(classes)), (features.n_features, 0), examples.length2())
        learning = problem.learning(name, options)
        dev = None
        if X_dev is not None:
            X_dev, y_dev = list(X_dev), list(y_dev)
            dev = _examples(features.transform(X_dev), _starts(X_dev, y_dev), _codes(y_dev, classes))
        fit = learning.run(
            examples,
            epochs=self._epochs(options),
            seed=seed_of(self.random_state),
            dev=dev,
            take=True,
            after_epoch=_report if self.verbose else None,
        )
        self._features, self._weights = features, fit.weights
        self._learner, self._options = name, learning.options
        self.classes_, self.n_iter_ = classes, len(fit.history)
        if fit.interrupted:
            raise KeyboardInterrupt(fit.stopped)
        return self

    def _fit_reranked(
        self, name: str, options: dict[str, Any], gold: tuple[Any, Any], dev: tuple[Any, Any] | None
    ) -> Self:
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
            epochs=self._epochs(options),
            seed=seed_of(self.random_state),
            dev=None if dev is None else sentences_with_tags(*dev),
            rerank=self.rerank,
        )
        self._keep(model)
        if self.verbose:
            sys.stderr.writelines(_line(Epoch(**epoch)) for epoch in model.report["epochs"])
        if model.reranker is None:
            raise KeyboardInterrupt(model.report["stopped"])
        return self

    def _keep(self, model: TagModel) -> None:
        self.model_ = model
        self._features, self._weights = model.features, list(model.weights)
        self._learner, self._options = model.learner, dict(model.options)
        self.classes_, self.n_iter_ = list(model.labels), len(model.report["epochs"])

    def _epochs(self, options: Mapping[str, Any]) -> int | None:
        return _ITERATIONS if self.max_iterations is None and options.get("by") == "lbfgs" else self.max_iterations

    def predict(self, X: Any) -> list[list[str]]:
        """The tags of each sentence."""
        X = list(X)
        check_is_fitted(self)
        if self.model_ is not None:
            return list(self.model_.predict(X))
        y_hat, _ = self._predictor().argmax(self._blocks(X))
        tags = np.array(self.classes_, np.object_)[y_hat].tolist()
        return [tags[a:b] for a, b in pairwise(_starts(X))]

    def predict_single(self, xseq: Sequence[Any]) -> list[str]:
        """The tags of one sentence."""
        return self.predict([xseq])[0]

    def predict_marginals(self, X: Any) -> list[list[dict[str, float]]]:
        """For each token of each sentence the probability of each tag."""
        check_is_fitted(self)
        if not learner(self._learner).probabilistic:
            raise UsageError(f"the scores of learner {self._learner!r} are not probabilities. Use learner='crf'.")
        X = list(X)
        if self.model_ is None:
            p = self._predictor().marginals(self._blocks(X))[0].tolist()
        else:
            p = [row for rows in self.model_.predict_proba(X) for row in rows.tolist()]
        rows = [dict(zip(self.classes_, row, strict=True)) for row in p]
        return [rows[a:b] for a, b in pairwise(_starts(X))]

    def predict_marginals_single(self, xseq: Sequence[Any]) -> list[dict[str, float]]:
        """For each token of one sentence the probability of each tag."""
        return self.predict_marginals([xseq])[0]

    def score(self, X: Any, y: Any) -> float:
        """The share of tokens whose tag is right."""
        X, y = list(X), list(y)
        _starts(X, y)
        pairs = [
            (a, b) for found, gold in zip(self.predict(X), y, strict=True) for a, b in zip(found, gold, strict=True)
        ]
        return float(np.mean([a == b for a, b in pairs]))

    @property
    def attributes_(self) -> list[str]:
        """The names of the features."""
        check_is_fitted(self)
        return [self._features.name(j) for j in range(self._features.n_features)]

    @property
    def state_features_(self) -> dict[tuple[str, str], float]:
        """The weight of each feature and tag, those of 0 left out."""
        check_is_fitted(self)
        W = self._W[0][1:, : len(self.classes_)]
        names = self.attributes_
        return {
            (names[j], self.classes_[k]): float(W[j, k])
            for j, k in zip(*(at.tolist() for at in np.nonzero(W)), strict=True)
        }

    @property
    def transition_features_(self) -> dict[tuple[str, str], float]:
        """The weight of each tag before each tag."""
        check_is_fitted(self)
        L = len(self.classes_)
        W = self._W[1][0, : L * L].reshape(L, L)
        return {(a, b): float(W[i, k]) for i, a in enumerate(self.classes_) for k, b in enumerate(self.classes_)}

    @property
    def intercept_(self) -> dict[str, float]:
        """The weight of each tag at every token: a feature of 1 that sklearn-crfsuite does not have."""
        check_is_fitted(self)
        return dict(zip(self.classes_, self._W[0][0].tolist(), strict=False))

    def _chosen(self, n: int) -> tuple[str, dict[str, Any]]:
        """The learner, and its options, for n sentences."""
        for name in ("all_possible_states", "all_possible_transitions"):
            if getattr(self, name) not in (None, True):
                raise UsageError(f"linnet has a weight for every pair: {name} is always so. Leave it out.")
        options = dict(self.options or {})
        given = {"algorithm", "c1", "c2", "c", "pa_type", "averaging"} & {
            k for k, v in vars(self).items() if v is not None
        }
        if self.learner is not None:
            if given:
                raise UsageError(f"{min(given)} is in CRFsuite's words, learner in linnet's. Leave one of them out.")
            return self.learner, options
        algorithm = self.algorithm or "lbfgs"
        if algorithm not in _ALGORITHMS:
            raise UsageError(f"there is no algorithm {algorithm!r} in linnet. There are: {', '.join(_ALGORITHMS)}.")
        for name in sorted(given - {"algorithm"} - _ARGUMENTS[algorithm]):
            raise UsageError(f"algorithm {algorithm!r} has no {name}. Leave it out.")
        if self.algorithm == "lbfgs" or self.c1:
            options |= {"by": "lbfgs", "l1": (self.c1 or 0.0) / n, "lam": 2 * (1.0 if self.c2 is None else self.c2) / n}
        elif self.c2 is not None:
            options["lam"] = 2 * self.c2 / n
        if algorithm != "pa":
            return _ALGORITHMS[algorithm], options
        if self.pa_type not in (None, 0, 1):
            raise UsageError(f"pa_type {self.pa_type} is not in linnet. Use 0 or 1.")
        options["C"] = np.inf if self.pa_type == 0 else 1.0 if self.c is None else self.c
        return "mira" if self.averaging is False else "averaged-mira", options

    @property
    def _W(self) -> list[Weights]:
        learner(self._learner).check_linear()
        return self._weights

    def _predictor(self) -> Predictor:
        check_is_fitted(self)
        scorer = learner(self._learner).scorer(self._weights, self._options)
        return Predictor(Chain(len(self.classes_)), scorer)

    def _blocks(self, X: list[Any]) -> tuple[Block, Block]:
        return _blocks(self._features.transform(X), _starts(X))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_weights")

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        if state.get("model_") is None:
            return state
        return state | {"model_": parts_of_model(self.model_), "_features": None, "_weights": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if state.get("model_") is not None:
            self._keep(model_from_parts(TagModel, *state["model_"]))


class _Templates:
    """Templates over words, or over tuples that begin with a word."""

    def __init__(self, spec: str, X: Sequence[Sequence[Any]]) -> None:
        first = next(token for sentence in X for token in sentence)
        width = 1 if isinstance(first, str) else len(first)
        self._width = width
        self._tokens = TokenFeatures(spec, column_names(width))

    @property
    def n_features(self) -> int:
        return self._tokens.n_features

    def name(self, feature: int) -> str:
        return self._tokens.name(feature)

    def fit_transform(self, X: Sequence[Sequence[Any]], y: Any, tags: Sequence[str]) -> SparseRows:
        return self._tokens.fit_transform(self._columns(X), _starts(X), y, tags)

    def transform(self, X: Sequence[Sequence[Any]]) -> SparseRows:
        return self._tokens.transform(self._columns(X), _starts(X))

    def _columns(self, X: Sequence[Sequence[Any]]) -> dict[str, Any]:
        tokens = [(token,) if isinstance(token, str) else token for sentence in X for token in sentence]
        for token in tokens:
            if not isinstance(token, tuple | list) or len(token) != self._width:
                raise DataError(f"expected {self._width} strings for each token, found {token!r:.60}.")
        return {name: arrow.texts(token[k] for token in tokens) for k, name in enumerate(column_names(self._width))}

    def __getstate__(self) -> dict[str, Any]:
        return {"width": self._width, "header": self._tokens.header(), "arrays": self._tokens.arrays()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._width = state["width"]
        self._tokens = TokenFeatures.from_arrays(state["header"], state["arrays"])


def _starts(X: Sequence[Any], y: Sequence[Any] | None = None) -> npt.NDArray[np.int64]:
    """Where each sentence starts; DataError where the tags do not fit the tokens."""
    if y is not None:
        if len(X) != len(y):
            raise DataError(f"expected as many sentences as lists of tags, found {len(X)} and {len(y)}.")
        for i, (sentence, tags) in enumerate(zip(X, y, strict=True)):
            if len(sentence) != len(tags):
                raise DataError(f"sentence {i} has {len(sentence)} tokens, but {len(tags)} tags.")
        if not any(map(len, X)):
            raise DataError("expected sentences to learn from, found no token.")
    return np.concatenate([np.zeros(1, np.int64), np.cumsum([len(sentence) for sentence in X], dtype=np.int64)])


def _codes(y: Sequence[Sequence[str]], classes: Sequence[str]) -> npt.NDArray[np.int32]:
    number = {tag: k for k, tag in enumerate(classes)}
    return np.array([number.get(tag, -1) for tags in y for tag in tags], np.int32)


def _blocks(rows: SparseRows, starts: npt.NDArray[np.int64]) -> tuple[Block, Block]:
    """Emissions, and transitions with the same weights at every token."""
    n = len(starts) - 1
    return Block(*rows, starts), Block(np.zeros(n + 1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.float32))


def _examples(rows: SparseRows, starts: npt.NDArray[np.int64], y: npt.NDArray[np.int32]) -> Examples:
    return Examples(_blocks(rows, starts), y, starts)


def _report(fit: Fit) -> None:
    sys.stderr.write(_line(fit.history[-1]))


def _line(epoch: Epoch) -> str:
    held_out = "" if epoch.dev is None else f", held out {100 * epoch.dev:.2f}%"
    return f"epoch {epoch.epoch}: loss {epoch.loss:.4f}{held_out}, {epoch.seconds:.1f} s\n"
