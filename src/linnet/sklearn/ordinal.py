"""This estimator rates examples in the manner of scikit-learn."""

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
    """Each example has a rating. The classes are in the order of numbers or of strings, unless `order` says another one.

    Each threshold between two of them has a score of its own, and numbers are as far apart as they are.
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
            raise DataError(f"the rating {missing[0]!r} is not in order={list(self.order)}.")
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
