"""What was learned over a matrix has no features of texts, so it is no model that a file could keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linnet.core.predictor import Predictor
from linnet.features import SparseRows
from linnet.learners import learner
from linnet.learners.preset import Weights
from linnet.tasks.texts.gold import Floats, Ints, Offsets
from linnet.tasks.texts.model import TextModel

NO_MODEL = (
    "over a matrix there is no model of texts: a file could not say what the columns are. Pass texts, and say what to look at "
    "in them: features='words:1-2', for instance."
)


@dataclass(frozen=True)
class MatrixModel:
    """This has weights over the columns of a matrix. It answers about rows as a model of its kind answers about texts."""

    kind: type[TextModel]
    labels: tuple[str, ...]
    details: Mapping[str, Any]
    weights: Sequence[Weights]
    learner: str
    options: Mapping[str, Any]

    def outputs(self, rows: SparseRows) -> tuple[Ints, Offsets]:
        """Give the best output of each row, in numbers."""
        predictor = self._predictor()
        blocks = self.kind.blocks(predictor.gen, rows)
        return self.kind.decided(predictor, blocks, learner(self.learner).probabilistic)

    def scores(self, rows: SparseRows) -> Floats:
        """Give the score of each label: a column for each."""
        predictor = self._predictor()
        theta = predictor.scores(self.kind.blocks(predictor.gen, rows))
        return self.kind.scores_of_labels(predictor.gen, theta)

    def predict_proba(self, rows: SparseRows) -> Floats:
        """Give the probability of each label: a column for each."""
        predictor = self._predictor()
        return self.kind.probabilities(predictor.gen, predictor.marginals(self.kind.blocks(predictor.gen, rows)))

    def _predictor(self) -> Predictor:
        gen = self.kind.structure(None, self.labels, self.details)
        return Predictor(gen, learner(self.learner).scorer(self.weights, self.options))
