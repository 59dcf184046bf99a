"""The base of learners that go over all examples before each step: run() adds up examples, end() takes the step."""

from __future__ import annotations

from typing import Protocol

from linnet.learners.preset import Weights


class Done(Protocol):
    """The result of all passes so far, in one object, since Ctrl-C may come at any moment."""

    @property
    def t(self) -> int: ...

    @property
    def total(self) -> float: ...

    @property
    def updates(self) -> int: ...

    @property
    def change(self) -> float:
        """||w - w'||, where w' are the weights before the last pass."""

    @property
    def size(self) -> float:
        """The length of the weights, ||w||."""


class Passes:
    """A Core that learns in whole passes, in the place of `Online` (core/loops/online.pyx). `Learning` calls begin(), run() and
    end() of a subclass, as `Core` says; end() assigns `_done` at once, so that a pass that does not end leaves no trace."""

    shuffled = False
    support: int | None = None
    mistakes: int | None = None
    seed = 0
    bias = True
    _done: Done

    @property
    def t(self) -> int:
        """The number of examples seen in passes that came to their end."""
        return self._done.t

    @property
    def total(self) -> float:
        """The sum of the losses in the last pass."""
        return self._done.total

    @property
    def updates(self) -> int:
        return self._done.updates

    def average(self) -> list[Weights]:
        raise ValueError("this learner does not average")

    def sample(self) -> list[Weights]:
        """An empty sample: each pass measures by itself how far the weights moved."""
        return []

    def moved(self, since: list[Weights]) -> tuple[float, float]:
        return self._done.change, self._done.size

    def grow(self, n_features: tuple[int, ...]) -> None:
        """Do nothing: these learners see all examples from the start, so that no new features come up."""
