"""This estimator finds dependency trees in the manner of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from linnet.errors import UsageError
from linnet.io.sentences.sentences import Sentences
from linnet.sklearn.listed import listed
from linnet.sklearn.task_estimator import TaskEstimator
from linnet.tasks.parse.gold import COLUMNS, sentences_with_trees
from linnet.tasks.parse.measures import evaluate_trees
from linnet.tasks.sentences.gold import as_sentences

Arcs = list[tuple[int, str]]


class DependencyParser(TaskEstimator):
    """y_hat = argmax over trees of w.f(x, y), with w by any learner of linnet.

    X is a list of sentences, each a list of tokens: tuples of a value for each of `columns`, or words alone for a fitted parser
    that has taggers of its own. y is a list of trees: for each token the number of its head, from 1 and 0 for the root, and its
    relation.

    learner, features, options: as `linnet train --task parse` takes them; tags, projective, order, prune: what that takes by
    --set; rerank: among how many of the best trees a second model chooses.

    Fitted: `model_`, which `save` writes to a file and by which `explain` says why; `relations_`, `history_`. `partial_fit`
    goes on learning, without `rerank`.

    >>> X = [[("We", "PRON"), ("like", "VERB"), ("tea", "NOUN")], [("You", "PRON"), ("drink", "VERB"), ("it", "PRON")]]
    >>> y = [[(2, "nsubj"), (0, "root"), (2, "obj")]] * 2
    >>> parser = DependencyParser(columns=("w", "upos"), tags="given", prune=0).fit(X, y)
    >>> parser.predict([[("You", "PRON"), ("like", "VERB"), ("tea", "NOUN")]])
    [[(2, 'nsubj'), (0, 'root'), (2, 'obj')]]
    """

    _task = "parse"
    _settings = ("tags", "projective", "order", "prune")

    def __init__(
        self,
        learner: str | None = None,
        *,
        features: str | None = None,
        columns: Sequence[str] = ("w", "upos", "xpos"),
        tags: str = "own",
        projective: str = "auto",
        order: int = 2,
        prune: float = 0.001,
        rerank: int | None = None,
        epochs: int | None = None,
        options: Mapping[str, Any] | None = None,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        super().__init__(learner, features, epochs, options, shuffle, random_state)
        self.columns = columns
        self.tags = tags
        self.projective = projective
        self.order = order
        self.prune = prune
        self.rerank = rerank

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from nothing."""
        return self._learn(
            sentences_with_trees(listed(X, "sentences"), listed(y, "trees"), tuple(self.columns)), rerank=self.rerank
        )

    @property
    def relations_(self) -> list[str]:
        """These are the relations between a token and its head."""
        return list(self.model_.labels)

    def predict(self, X: Any) -> list[Arcs]:
        """Find the tree of each sentence. Where tags are the parser's own, tokens may be words."""
        trees = self.model_.predict(self._read_sentences(X))
        return [[(arc.head, arc.relation) for arc in tree] for tree in trees]

    def explain(self, x: Any) -> Any:
        """Say why each token of a sentence has its head."""
        return self.model_.explain_sentences(self._read_sentences([x]))[0]

    def score(self, X: Any, y: Any) -> float:
        """Give the LAS: the share of tokens with the right head and relation."""
        gold, found = ([arc for tree in trees for arc in tree] for trees in (y, self.predict(X)))
        (heads, relations), (heads_hat, relations_hat) = (zip(*arcs, strict=True) for arcs in (gold, found))
        starts = np.cumsum([0, *(len(tree) for tree in y)])
        return evaluate_trees(heads, relations, heads_hat, relations_hat, starts).las

    def _read_sentences(self, X: Any) -> Sentences:
        X = listed(X, "sentences")
        words = next((isinstance(token, str) for sentence in X for token in sentence), False)
        return as_sentences(X, ("w",) if words else tuple(self.columns))

    def _make_lesson(self, X: Any, y: Any) -> tuple[list[Any], list[Any]]:
        """Put the columns of tokens in the order in which a session takes them."""
        columns = list(self.columns)
        other = next((name for name in columns if name not in COLUMNS), None)
        if other is not None:
            raise UsageError(f"partial_fit takes the columns {', '.join(COLUMNS)}, found {other!r}. Use fit.")
        order = [columns.index(name) for name in COLUMNS if name in columns]
        return [[_put_in_order(token, order) for token in sentence] for sentence in X], list(y)

    def _check_parts(self) -> bool:
        if self.rerank is not None:
            raise AttributeError("a second model, by rerank=, needs all examples at once. Use fit, or leave it out.")
        return super()._check_parts()


def _put_in_order(token: Any, order: Sequence[int]) -> Any:
    """Put the values of a token in this order. A word alone stays as it is."""
    return token if isinstance(token, str) else tuple(token[k] for k in order)
