"""This estimator puts candidates in order in the manner of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from linnet.sklearn.listed import listed
from linnet.sklearn.task_estimator import TaskEstimator
from linnet.tasks.rerank.gold import as_lists, lists_with_costs
from linnet.tasks.rerank.measures import pairs_of

Floats = npt.NDArray[np.float64]


class Reranker(TaskEstimator):
    """Each example has candidates, of which the best is found. X has a list of candidates for each: texts, or dicts with a
    `text`, numbers and `features` by name; or a dict with `source` and `candidates`. y has a cost for each candidate, the less
    the better.

    Fitted: `model_`, which `save` writes to a file and by which `explain` says why; `history_`. `partial_fit` goes on learning.

    >>> X = [["a dog", "dog a"], ["the cat", "cat the", "cat cat"]]
    >>> model = Reranker(features="words:2").fit(X, [[0, 1], [0, 1, 2]])
    >>> model.predict([["cat the", "the cat"]]).tolist()
    [1]
    """

    _task = "rerank"
    _settings = ("loss",)

    def __init__(
        self,
        learner: str | None = None,
        features: str | None = None,
        loss: str = "list",
        epochs: int | None = None,
        options: Mapping[str, Any] | None = None,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        super().__init__(learner, features, epochs, options, shuffle, random_state)
        self.loss = loss

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from nothing."""
        return self._learn(lists_with_costs(as_lists(listed(X, "lists of candidates")), listed(y, "lists of costs")))

    def predict(self, X: Any) -> npt.NDArray[np.int64]:
        """Give the number of the best candidate of each list."""
        return np.array([order[0] for order in self.rank(X)], np.int64)

    def rank(self, X: Any) -> list[list[int]]:
        """Give the numbers of the candidates of each list, the best first."""
        order: list[list[int]] = self.model_.order(as_lists(listed(X, "lists of candidates")))
        return order

    def decision_function(self, X: Any) -> list[Floats]:
        """Give the scores of the candidates of each list."""
        scores: list[Floats] = self.model_.scores(as_lists(X))
        return scores

    def explain(self, x: Any, candidate: int | None = None, against: int | None = None) -> Any:
        """Say why one candidate of a list, the best one, is before another, the second."""
        return self.model_.explain(as_lists([x]), candidate, against)

    def score(self, X: Any, y: Any) -> float:
        """Give the share of pairs that differ in cost and are in the right order."""
        right, pairs = pairs_of(list(y), self.decision_function(X)).sum(axis=0)
        return float(right / max(pairs, 1))
