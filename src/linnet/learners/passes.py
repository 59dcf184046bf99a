"""What learners share that go over all examples before each step: run() adds up examples, end() takes the step."""

from __future__ import annotations

from typing import Protocol

from linnet.learners.preset import Weights


class Done(Protocol):
    """What came of all passes so far, in one object: Ctrl-C may come at any moment."""

    @property
    def t(self) -> int: ...

    @property
    def total(self) -> float: ...

    @property
    def updates(self) -> int: ...

    @property
    def change(self) -> float:
        """||w - w'||, w' being the weights before the last pass."""

    @property
    def size(self) -> float:
        """||w||"""


class Passes:
    """In the place of core.Online. A pass that does not end leaves no trace."""

    shuffled = False
    support = None
    mistakes = None
    seed = 0
    _done: Done

    @property
    def t(self) -> int:
        """Examples seen in passes that came to their end."""
        return self._done.t

    @property
    def total(self) -> float:
        """Of the loss in the last pass."""
        return self._done.total

    @property
    def updates(self) -> int:
        return self._done.updates

    def sample(self) -> list[Weights]:
        """Nothing: each pass says how far it went."""
        return []

    def moved(self, since: list[Weights]) -> tuple[float, float]:
        return self._done.change, self._done.size

    def grow(self, n_features: tuple[int, ...]) -> None:
        """There are no features but those of the examples that are learned from."""
