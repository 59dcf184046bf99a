"""A support vector machine over tf-idf as a peer of `linnet label`: in random order, and asking for what it is least sure of.

The machine is LinearSVC of scikit-learn with its usual settings, over words and, where texts are short, pairs of words: on
texts of the training part of 20news, which are long, it is better without them. It asks for the texts whose best two labels
are nearest to each other, in two ways: by small-text (`pip install small-text`: PoolBasedActiveLearner,
BreakingTies, ConfidenceEnhancedLinearSVC), and by a plain loop over the margins of decision_function. The first texts are
drawn at random, and then LOT at a time are asked for: the machine learns anew after each lot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC

from linnet.core.types import I64

FIRST = 10
"""The number of texts that are drawn at random; more, where these do not have two labels."""
SHORT = 200
"""Texts are short when they have fewer characters than this on average."""
LOT = 5
"""The number of texts that are asked for at a time."""


class Machine:
    """The texts of the pool and of the test part as tf-idf, with their labels as numbers."""

    def __init__(self, texts: Sequence[str], test: Sequence[str], y: I64, gold: I64) -> None:
        longest = 2 if np.mean([len(text) for text in texts]) < SHORT else 1
        rows = TfidfVectorizer(ngram_range=(1, longest), sublinear_tf=True).fit_transform([*texts, *test]).tocsr()
        self.X, self.test, self.y, self.gold = rows[: len(texts)], rows[len(texts) :], y, gold

    def accuracy(self, which: I64) -> float:
        """How right the machine is after it has learned from these texts."""
        return self._right(LinearSVC().fit(self.X[which], self.y[which]))

    def _right(self, machine: Any) -> float:
        return float(np.mean(machine.predict(self.test) == self.gold))

    def curves(self, order: I64, most: int) -> dict[str, Iterator[tuple[int, float]]]:
        """For each way to ask, how many answers there are after each lot, and how right the machine is then. order: the texts
        in random order."""
        n = next(n for n in range(FIRST, len(order)) if len(set(self.y[order[:n]].tolist())) > 1)
        found = {"LinearSVC, margins": self._by_margin(order[:n], most)}
        return found | ({"small-text": self._by_small_text(order[:n], most)} if find_spec("small_text") else {})

    def _by_small_text(self, first: I64, most: int) -> Iterator[tuple[int, float]]:
        from small_text import (
            BreakingTies,
            ConfidenceEnhancedLinearSVC,
            PoolBasedActiveLearner,
            SklearnClassifierFactory,
            SklearnDataset,
        )

        n_labels = int(self.y.max()) + 1
        factory = SklearnClassifierFactory(ConfidenceEnhancedLinearSVC(), n_labels)
        # Labels that are not known yet are not looked at; all are known to be among these.
        learner = PoolBasedActiveLearner(
            factory, BreakingTies(), SklearnDataset(self.X, self.y, target_labels=np.arange(n_labels))
        )
        learner.initialize_data(first, self.y[first])
        n = len(first)
        while n < most:
            asked = learner.query(num_samples=LOT)
            learner.update(self.y[asked])
            n += len(asked)
            yield n, self._right(learner.classifier.model)

    def _by_margin(self, first: I64, most: int) -> Iterator[tuple[int, float]]:
        which = first
        machine = LinearSVC().fit(self.X[which], self.y[which])
        while len(which) < most:
            scores = machine.decision_function(self.X)
            best = np.partition(scores, -2, axis=1) if scores.ndim == 2 else None
            margin = np.abs(scores) if best is None else best[:, -1] - best[:, -2]
            margin[which] = np.inf
            which = np.concatenate([which, np.argsort(margin, kind="stable")[:LOT]])
            machine = LinearSVC().fit(self.X[which], self.y[which])
            yield len(which), self._right(machine)
