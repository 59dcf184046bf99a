"""This estimator finds constituent trees in the manner of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from linnet.io.sentences.mrg import sentences_of
from linnet.sklearn.listed import listed
from linnet.sklearn.task_estimator import TaskEstimator
from linnet.tasks.brackets.gold import TAG, sentences_with_brackets
from linnet.tasks.brackets.measures import evaluate_brackets


class ConstituentParser(TaskEstimator):
    """y_hat = argmax over trees of w.f(x, y), with w by any learner of linnet.

    X is a list of sentences, each a list of words, y a list of trees in brackets: strings, or what str() makes such strings of
    (nltk.Tree). Trees come out as strings.

    learner, features, options: as `linnet train --task brackets` takes them; tags, branch: what that takes by --set. With
    tags="given" a token is a tuple of a word and its tag.

    Fitted: `model_`, which `save` writes to a file and by which `explain` says why; `labels_`, `history_`. `partial_fit` goes
    on learning.

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
        epochs: int | None = None,
        options: Mapping[str, Any] | None = None,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        super().__init__(learner, features, epochs, options, shuffle, random_state)
        self.tags = tags
        self.branch = branch

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from nothing."""
        return self._learn(sentences_with_brackets(listed(X, "sentences"), listed(y, "trees")))

    @property
    def labels_(self) -> list[str]:
        """These are the labels of constituents."""
        return list(self.model_.labels[1:])

    def predict(self, X: Any) -> list[str]:
        """Find the tree of each sentence."""
        found: list[str] = self.model_.predict(listed(X, "sentences"))
        return found

    def score(self, X: Any, y: Any) -> float:
        """Give the F1 of brackets as evalb counts them; which words are punctuation is told by the tags in y."""
        gold, found = sentences_with_brackets(listed(X, "sentences"), listed(y, "trees")), sentences_of(self.predict(X))
        assert gold.tags is not None
        assert found.tags is not None
        tags = gold.columns[TAG].to_pylist()
        return evaluate_brackets(gold.tags.to_pylist(), found.tags.to_pylist(), tags, gold.starts).f1

    def _make_lesson(self, X: Any, y: Any) -> tuple[list[Any], list[Any]]:
        return list(map(list, X)), list(y)
