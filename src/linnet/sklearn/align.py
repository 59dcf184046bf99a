"""This estimator aligns words in the manner of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from linnet.io.pairs.pairs import Link
from linnet.sklearn.listed import listed
from linnet.sklearn.task_estimator import TaskEstimator
from linnet.tasks.align.gold import pairs_with_links


class WordAligner(TaskEstimator):
    """y_hat = argmax over alignments of w.f(x, y), with w by any learner of linnet.

    X is a list of pairs of sentences, each a list of tokens: the source and the target. y is a list of links for each pair,
    (i, j) the numbers of a source and of a target token, from 0; or two such lists, of sure and of possible ones.

    learner, features, options: as `linnet train --task align` takes them; parallel, search, miss: what that takes by --set.

    Fitted: `model_`, which `save` writes to a file and by which `explain` says why; `history_`. `partial_fit` goes on learning.

    >>> X = [(["a", "dog"], ["un", "chien"]), (["a", "red", "dog"], ["un", "chien", "rouge"])]
    >>> y = [[(0, 0), (1, 1)], [(0, 0), (1, 2), (2, 1)]]
    >>> WordAligner(features="model1 dist").fit(X, y).predict(X)
    [[(0, 0), (1, 1)], [(0, 0), (1, 2), (2, 1)]]
    """

    _task = "align"
    _settings = ("parallel", "search", "miss")

    def __init__(
        self,
        learner: str | None = None,
        *,
        features: str | None = None,
        parallel: str = "",
        search: str = "matching",
        miss: float = 3.0,
        epochs: int | None = None,
        options: Mapping[str, Any] | None = None,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        super().__init__(learner, features, epochs, options, shuffle, random_state)
        self.parallel = parallel
        self.search = search
        self.miss = miss

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from nothing."""
        return self._learn(pairs_with_links(listed(X, "pairs of sentences"), listed(y, "lists of links")))

    def predict(self, X: Any) -> list[list[Link]]:
        """Find the links of each pair."""
        found: list[list[Link]] = self.model_.predict(listed(X, "pairs of sentences"))
        return found

    def explain(self, x: Any) -> Any:
        """Say why each token of the target of a pair is linked as it is."""
        source, target = x
        return self.model_.explain(source, target)

    def score(self, X: Any, y: Any) -> float:
        """Give 1 - AER."""
        return 1 - float(
            self.model_.evaluate(pairs_with_links(listed(X, "pairs of sentences"), listed(y, "lists of links"))).aer
        )
