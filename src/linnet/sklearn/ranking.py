"""A scikit-learn estimator that ranks all labels for each example."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from linnet.sklearn.labelset import LabelsetClassifier
from linnet.sklearn.outputs import Ints, Offsets, Outputs
from linnet.tasks.ranking.model import RankingModel
from linnet.tasks.texts.model import TextModel


class LabelRanker(LabelsetClassifier):
    """Each example has all labels in an order, the most relevant first. It is learned from sets: y is, as that of
    `LabelsetClassifier`, the relevant labels of each example. `predict` gives a row of all labels for each example.

    The parameters are those of `Outputs`, and the private methods are its hooks: it says who calls them, and when."""

    _kind: type[TextModel] = RankingModel
    __init__ = Outputs.__init__  # a ranking has no costs= to choose

    @property
    def _settings(self) -> dict[str, Any]:
        return {}

    def _decode(self, y_hat: Ints, at: Offsets) -> Any:
        # The output of an example is the number of its labels, followed by the labels.
        return self.classes_[y_hat.reshape(len(at) - 1, -1)[:, 1:]]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Give the share of examples whose first label is relevant: 1 - one-error."""
        first = self.predict(X)[:, 0]
        table = sparse.csr_array(y) if self._form != "lists" else None
        relevant = [
            label in one if table is None else bool(table[i, label])
            for i, (label, one) in enumerate(zip(first, y, strict=True))
        ]
        return float(np.average(relevant, weights=sample_weight))
