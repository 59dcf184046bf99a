"""Constituent trees, as a scikit-learn estimator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Self

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from linnet.errors import DataError
from linnet.evaluate.brackets import evaluate_brackets
from linnet.io.mrg import sentences_of
from linnet.learners import learner as preset
from linnet.model import of_parts, parts_of
from linnet.sklearn.examples import seed_of
from linnet.tasks.brackets import TAG, BracketsModel, BracketsTask
from linnet.tasks.contract import Plan
from linnet.tasks.learned import learned


class ConstituentParser(BaseEstimator):
    """y_hat = argmax over trees of w.f(x, y), with w by any learner of linnet that can.

    X is a list of sentences, each a list of words, y a list of trees in brackets: strings, or what str() makes such strings of
    (nltk.Tree). Trees come out as strings; score is F1 as evalb counts it.

    tags: "own" learns a tagger from the trees; with "given" a token is a tuple of a word and its tag.
    features: what to look at, as in "i.tag|j.tag k.lower"; branch: "left" or "right", from where trees are made binary; learner:
    a name from `linnet list learners`; options: what it takes. All have good defaults.

    Fitted: `labels_`.

    >>> trees = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (DT a) (NN cat)) (VP (VBZ sleeps)))"]
    >>> parser = ConstituentParser().fit([["the", "dog", "barks"], ["a", "cat", "sleeps"]], trees)
    >>> parser.predict([["the", "cat", "barks"]])
    ['( (S (NP (DT the) (NN cat)) (VP (VBZ barks))))']
    """

    labels_: list[str]

    def __init__(
        self,
        learner: str | None = None,
        *,
        features: str | None = None,
        tags: str = "own",
        branch: str = "left",
        options: Mapping[str, Any] | None = None,
        epochs: int | None = None,
        random_state: Any = 0,
    ) -> None:
        self.learner = learner
        self.features = features
        self.tags = tags
        self.branch = branch
        self.options = options
        self.epochs = epochs
        self.random_state = random_state

    def fit(self, X: Sequence[Sequence[Any]], y: Sequence[Any]) -> Self:
        task = BracketsTask(self.tags, self.branch)
        gold = task.of_sentences(self._gold(X, y))
        plan = task.plan(self.features, gold)
        own = self.learner is None
        options = {**(plan.options if own else {}), **(self.options or {})}
        plan = Plan(plan.features, plan.learner if own else preset(str(self.learner)).name, options)
        self._model = learned(task, gold, plan, epochs=self.epochs, seed=seed_of(self.random_state))
        self.labels_ = list(self._model.labels[1:])
        return self

    def predict(self, X: Sequence[Sequence[Any]]) -> list[str]:
        check_is_fitted(self, "labels_")
        found: list[str] = self._model.predict(X)
        return found

    def score(self, X: Sequence[Sequence[Any]], y: Sequence[Any]) -> float:
        """F1 of brackets. Which words do not count is told by the tags in y."""
        gold = self._gold(X, y)
        found = sentences_of(self.predict(X))
        return evaluate_brackets(
            gold.tags.to_pylist(), found.tags.to_pylist(), gold.columns[TAG].to_pylist(), gold.starts
        ).f1

    def _gold(self, X: Sequence[Sequence[Any]], y: Sequence[Any]) -> Any:
        gold = sentences_of([str(tree) for tree in y])
        if len(X) != len(gold):
            raise DataError(f"expected as many sentences as trees with words, found {len(X)} and {len(gold)}.")
        words = gold.columns["w"].to_pylist()
        for i, (sentence, (a, b)) in enumerate(zip(X, pairwise(gold.starts.tolist()), strict=True)):
            if len(sentence) != b - a:
                raise DataError(
                    f"sentence {i} has {len(sentence)} words, but its tree {b - a}: {' '.join(words[a:b])!r}."
                )
        return gold

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        return state | ({"_model": parts_of(self._model)} if "_model" in state else {})

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "_model" in state:
            state = state | {"_model": of_parts(BracketsModel, *state["_model"])}
        super().__setstate__(state)
