"""What the estimators of a whole task share: `linnet.train` learns them, and their model is what `linnet train` writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from linnet.sklearn.examples import seed_of
from linnet.training.data_to_model import train


class TaskEstimator(BaseEstimator):
    """Subclasses name their task, and which of their parameters it takes by --set."""

    _task: str
    _settings: tuple[str, ...]
    model_: Any

    def __init__(
        self,
        learner: str | None,
        features: str | None,
        max_iter: int | None,
        options: Mapping[str, Any] | None,
        random_state: Any,
    ) -> None:
        self.learner = learner
        self.features = features
        self.max_iter = max_iter
        self.options = options
        self.random_state = random_state

    def _learn(self, gold: Any, **more: Any) -> Self:
        settings = {name: getattr(self, name) for name in self._settings}
        self.model_ = train(
            gold,
            task=self._task,
            learner=self.learner,
            features=self.features,
            options={**settings, **(self.options or {})},
            epochs=self.max_iter,
            seed=seed_of(self.random_state),
            **more,
        )
        return self

    def save(self, path: Any) -> None:
        """As a model file that `linnet predict` and `linnet.load` read."""
        check_is_fitted(self, "model_")
        self.model_.save(path)
