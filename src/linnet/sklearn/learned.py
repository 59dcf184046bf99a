"""A classifier keeps what it has learned, to go on learning from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.core.predictor import Predictor
from linnet.features import Fields
from linnet.features.sizes import Sizes
from linnet.fitting.fitting import Problem
from linnet.learners import Examples
from linnet.learners.preset import Weights
from linnet.learners.widening import Arrays, state_of, widened
from linnet.structures.labels import Labels


class Learned:
    """This is a Learning over labels, and its weights. The weights are made when they are asked for, so that a stream
    of small batches does not pay for all of them at each batch.

    numbers: whether rows are points. A learner looks at it once, when it begins, and its options then have what
    follows.
    """

    def __init__(
        self,
        learner_name: str,
        options: Mapping[str, Any],
        n_labels: int,
        n_features: int,
        length2: float,
        fields: Fields | None = None,
        sequences: bool = False,
        *,
        numbers: bool = False,
    ) -> None:
        self._n_features, self._length2, self._fields, self._sequences = n_features, length2, fields, sequences
        problem = Problem(Labels(n_labels), Sizes((n_features,), (fields,), sequences, numbers), length2)
        self.learning = problem.learning(learner_name, options)
        self._weights: list[Weights] | None = None
        self._pinned = False

    @property
    def n_labels(self) -> int:
        return int(self.learning.gen.outcomes[0])

    @property
    def weights(self) -> list[Weights]:
        """The scorer of the learner holds these."""
        if self._weights is None:
            self._weights = self.learning.weights()
        return self._weights

    @property
    def W(self) -> Weights:
        """Row 0 is the bias, rows 1.. the features; columns beyond the labels are padding."""
        if not self.learning.preset.linear:
            raise AttributeError(f"learner {self.learning.preset.name!r} has no weight for each feature.")
        if self.weights[0].ndim == 1:
            raise AttributeError(
                f"the weights of {self.n_labels:,} classes and {self._n_features:,} features are too many for one array."
            )
        return self.weights[0]

    def predictor(self) -> Predictor:
        """Make a new one for each use: it has room for one example at a time, and callers may be threads."""
        return Predictor(self.learning.gen, self.learning.scorer(self.weights))

    def keep(self, weights: list[Weights], *, pinned: bool) -> None:
        """Keep the weights of a run. pinned: whether they may differ from those that the learner would give after it
        was pickled, as those of an earlier epoch do, so that a pickle has to hold them, too."""
        self._weights, self._pinned = weights, pinned

    def partial(self, examples: Examples, n_features: int, fields: Fields | None) -> None:
        """Go over more examples once, which may have more features."""
        self._weights, self._pinned, self._n_features, self._fields = None, False, n_features, fields
        self.learning.fields = (fields,)
        self.learning.online.grow((n_features,))
        self.learning.partial(examples)

    def wider(self, where: npt.NDArray[np.int32], n_labels: int) -> Learned:
        """Make room for n_labels, of which label k so far is number where[k]."""
        arrays, numbers = self.learning.online.state()
        return _restored(*self._made_of(), n_labels, widened(arrays, [where], [n_labels]), numbers)

    def taught_by(self, learner_name: str) -> Learned:
        """Go on from the weights alone, by a learner of one example at a time."""
        _, _, n_features, length2, fields, sequences = self._made_of()
        taught = Learned(learner_name, {}, self.n_labels, n_features, length2, fields, sequences)
        taught.learning.begin_with(state_of(self.weights, taught.learning.gen.outcomes))
        return taught

    def _made_of(self) -> tuple[str, dict[str, Any], int, float, Fields | None, bool]:
        learner, options = self.learning.preset.name, dict(self.learning.options)
        return learner, options, self._n_features, self._length2, self._fields, self._sequences

    def __reduce__(self) -> tuple[Any, ...]:
        pinned = self._weights if self._pinned else None
        return _restored, (*self._made_of(), self.n_labels, *self.learning.online.state(), pinned)


def _restored(
    learner_name: str,
    options: dict[str, Any],
    n_features: int,
    length2: float,
    fields: Fields | None,
    sequences: bool,
    n_labels: int,
    arrays: Arrays,
    numbers: Mapping[str, Any],
    pinned: list[Weights] | None = None,
) -> Learned:
    learned = Learned(learner_name, options, n_labels, n_features, length2, fields, sequences)
    learned.learning.online.restore(arrays, numbers)
    if pinned is not None:
        learned.keep(pinned, pinned=True)
    return learned
