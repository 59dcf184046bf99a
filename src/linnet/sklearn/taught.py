"""An estimator has a model, and a session in which it goes on learning."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from linnet.fitting.session import Session
from linnet.model.base import Model

_MOST_LESSONS = 32
"""A session keeps its lessons, so that they can be taken back, which an estimator never does. After so many lessons the
session is replaced by a copy, which has none."""


class Taught:
    """This model goes on learning when it is asked to: in the session that it came from, or in one that begins with it."""

    def __init__(self, source: Model | Session) -> None:
        self._source = source
        self._model = source if isinstance(source, Model) else None

    @property
    def labels(self) -> tuple[str, ...]:
        return self._source.labels

    @property
    def model(self) -> Any:
        """This is the model as it is now. Whoever holds it keeps it as it is, whatever is learned later."""
        if self._model is None:
            self._model = self._session.model()
        return self._model

    def learn(self, X: Sequence[Any], Y: Sequence[Any]) -> None:
        """Learn from some more examples, in their order. What fails leaves no trace."""
        session = self._session
        session.learn(X, Y)
        self._source = session if session.n_lessons < _MOST_LESSONS else copy(session)
        self._model = None

    @property
    def _session(self) -> Session:
        return self._source if isinstance(self._source, Session) else self._source.session()

    def __reduce__(self) -> tuple[Any, ...]:
        return Taught, (self._source,)
