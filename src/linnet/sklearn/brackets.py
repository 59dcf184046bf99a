"""Constituent trees, as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from sklearn.utils.validation import check_is_fitted

from linnet.io.sentences.mrg import sentences_of
from linnet.model.base import model_from_parts, parts_of_model
from linnet.sklearn.task_estimator import TaskEstimator
from linnet.tasks.brackets.gold import TAG, sentences_with_brackets
from linnet.tasks.brackets.measures import evaluate_brackets
from linnet.tasks.brackets.model import BracketsModel


class ConstituentParser(TaskEstimator):
    """y_hat = argmax over trees of w.f(x, y), with w by any learner of linnet.

    X is a list of sentences, each a list of words, y a list of trees in brackets: strings, or what str() makes such strings of
    (nltk.Tree). Trees come out as strings.

    learner, features, options: as of `linnet train --task brackets`; tags, branch: what that takes by --set. With tags="given"
    a token is a tuple of a word and its tag.

    Fitted: `model_`, which `save` writes to a file; `labels_`.

    >>> trees = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (DT a) (NN cat)) (VP (VBZ sleeps)))"]
    >>> parser = ConstituentParser().fit([["the", "dog", "barks"], ["a", "cat", "sleeps"]], trees)
    >>> parser.predict([["the", "cat", "barks"]])
    ['( (S (NP (DT the) (NN cat)) (VP (VBZ barks))))']
    """

    _task = "brackets"
    _settings = ("tags", "branch")

    def __init__(
        self,
        learner: str | None = None,
        *,
        features: str | None = None,
        tags: str = "own",
        branch: str = "left",
        max_iter: int | None = None,
        options: Mapping[str, Any] | None = None,
        random_state: Any = 0,
    ) -> None:
        super().__init__(learner, features, max_iter, options, random_state)
        self.tags = tags
        self.branch = branch

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from nothing."""
        self._learn(sentences_with_brackets(X, y))
        self.labels_ = list(self.model_.labels[1:])
        return self

    def predict(self, X: Any) -> list[str]:
        """The tree of each sentence."""
        check_is_fitted(self, "model_")
        found: list[str] = self.model_.predict(list(X))
        return found

    def score(self, X: Any, y: Any) -> float:
        """F1 of brackets as evalb counts them; which words are punctuation is told by the tags in y."""
        gold, found = sentences_with_brackets(X, y), sentences_of(self.predict(X))
        assert gold.tags is not None
        assert found.tags is not None
        tags = gold.columns[TAG].to_pylist()
        return evaluate_brackets(gold.tags.to_pylist(), found.tags.to_pylist(), tags, gold.starts).f1

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        return state | ({"model_": parts_of_model(self.model_)} if "model_" in state else {})

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "model_" in state:
            state = state | {"model_": model_from_parts(BracketsModel, *state["model_"])}
        super().__setstate__(state)
