"""The estimators of a whole task learn by `linnet.train`, and their model is what `linnet train` writes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from linnet.fitting.contract import Task
from linnet.fitting.session import Session
from linnet.learners import Epoch
from linnet.sklearn.examples import seed_of
from linnet.sklearn.gives_model import GivesModel
from linnet.sklearn.parts import check_parts, needs_state
from linnet.sklearn.provenance import epochs_of
from linnet.sklearn.taught import Taught
from linnet.tasks import configured, named
from linnet.training.train import train


def _learns_in_parts(estimator: TaskEstimator) -> bool:
    return estimator._check_parts()


class TaskEstimator(GivesModel, BaseEstimator):
    """Such an estimator is one of a task. Subclasses name the task, and which of their parameters it takes by --set.

    epochs, shuffle: the number of passes over the examples (None: as many as the learner usually makes), and whether each pass
    takes them in another order. random_state: the seed of that order.
    """

    _task: str
    _settings: tuple[str, ...]
    _taught: Taught | None = None

    def __init__(
        self,
        learner: str | None,
        features: str | None,
        epochs: int | None,
        options: Mapping[str, Any] | None,
        shuffle: bool,
        random_state: Any,
    ) -> None:
        self.learner = learner
        self.features = features
        self.epochs = epochs
        self.options = options
        self.shuffle = shuffle
        self.random_state = random_state

    @property
    def model_(self) -> Any:
        """This is the model, as `linnet.train` and `linnet.load` give it. It stays as it is when the estimator learns more."""
        check_is_fitted(self)
        assert self._taught is not None
        return self._taught.model

    @property
    def history_(self) -> list[Epoch]:
        """These are the epochs of `fit`, each with its loss and its mistakes; [] after `partial_fit`, which has no epochs."""
        return epochs_of(self.model_)

    @available_if(_learns_in_parts)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any) -> Self:
        """Learn from some more examples, in their order; after a `fit`, from its weights on.

        What is learned of all data at once, such as taggers and translations, is learned of those of the first call."""
        lesson = self._make_lesson(X, y)
        if self._taught is None:
            task, options = self._configure()
            how: dict[str, Any] = {"features": self.features, "learner": self.learner, "options": options}
            self._taught = Taught(Session.begin(task, *lesson, **how))
        else:
            self._taught.learn(*lesson)
        return self

    def _make_lesson(self, X: Any, y: Any) -> tuple[list[Any], list[Any]]:
        """Make examples and their outputs what a session takes."""
        return list(X), list(y)

    def _learn(self, gold: Any, **more: Any) -> Self:
        _, options = self._configure()
        self._taught = Taught(
            train(
                gold,
                task=self._task,
                learner=self.learner,
                features=self.features,
                options=self._all_options,
                epochs=self.epochs,
                shuffle=bool(self.shuffle),
                seed=seed_of(self.random_state),
                keep_state=self.learner is not None and needs_state(self.learner, options),
                **more,
            )
        )
        return self

    def _configure(self) -> tuple[Task, dict[str, Any]]:
        """Give the task its settings, and part them from the options of the learner."""
        return configured(named(self._task), self._all_options)

    @property
    def _all_options(self) -> dict[str, Any]:
        return {**{name: getattr(self, name) for name in self._settings}, **(self.options or {})}

    def _check_parts(self) -> bool:
        """Say True, or raise AttributeError where `partial_fit` cannot be."""
        return self.learner is None or check_parts(self.learner, self._configure()[1])

    def __sklearn_is_fitted__(self) -> bool:
        return self._taught is not None
