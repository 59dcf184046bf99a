"""A scikit-learn estimator for ratings: labels that have an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from linnet.errors import DataError
from linnet.features import FeatureSpec
from linnet.sklearn.outputs import OneLabelOutputs
from linnet.tasks.ordinal.model import OWN, OrdinalModel
from linnet.tasks.ordinal.scale import rating
from linnet.tasks.texts.label_types import spelled, typed
from linnet.tasks.texts.model import TextModel


class OrdinalClassifier(OneLabelOutputs):
    """Each example has one of several ratings, which have an order. The cost of a mistake is the distance between two ratings:
    the difference of their numbers, or, where ratings are not numbers, the number of steps from one to the other.

    order: all ratings, from one end to the other; by default the ratings in y in the order of numbers or of strings.

    Each threshold between two neighbouring ratings has weights of its own. The other parameters are those of `Outputs`, and the
    private methods are its hooks: it says who calls them, and when.
    """

    _kind: type[TextModel] = OrdinalModel

    def __init__(
        self,
        learner: str = "averaged-mira",
        order: Sequence[Any] | None = None,
        epochs: int | None = None,
        features: str | FeatureSpec | None = None,
        options: Mapping[str, Any] | None = None,
        tol: float = 1e-3,
        shuffle: bool = True,
        random_state: Any = 0,
    ) -> None:
        super().__init__(learner, epochs, features, options, tol, shuffle, random_state)
        self.order = order

    def _order(self, labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if self.order is None:
            return labels
        missing = [label for label in labels.tolist() if label not in list(self.order)]
        if missing:
            raise DataError(f"the rating {missing[0]!r} is not in order={list(self.order)}. Add it where it belongs.")
        return np.array(list(self.order))

    def _name(self, label: Any) -> str:
        return rating(spelled(label))

    def _describe(self) -> dict[str, Any]:
        return {"score": OWN, **typed(self.classes_.tolist())}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # The classes of scikit-learn's checks do not lie in a line.
        tags.classifier_tags.poor_score = True
        return tags
