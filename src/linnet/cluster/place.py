"""Where the tasks of a pass are done. A place holds the shards, and gives the results in the order of the shards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

from linnet.core.threads import few_at_once
from linnet.core.types import Arrays
from linnet.learners.examples import Examples


class Begin(Protocol):
    """What a shard begins a pass with, as a frozen dataclass: arrays by name, which change little from pass to pass,
    and other fields that the task needs."""

    @property
    def arrays(self) -> Arrays: ...


Task: TypeAlias = Callable[[Any, Examples], Any]
"""A pure function of what a shard begins a pass with, and of its examples."""


class Held(Protocol):
    """Shards that are where their tasks are done."""

    def each(self, task: Task, begins: Callable[[int], Begin]) -> Iterator[Any]:
        """Do a task for each shard k with begins(k), what it begins with, and yield the results in the order of the shards."""


class Place(Protocol):
    """A place with workers."""

    def hold(self, shards: Sequence[Examples]) -> Held:
        """Bring shards to the workers."""


class Here:
    """This process, which does as many tasks at once as there may be threads."""

    def hold(self, shards: Sequence[Examples]) -> Held:
        return _HeldHere(shards)


class _HeldHere:
    def __init__(self, shards: Sequence[Examples]) -> None:
        self.shards = shards

    def each(self, task: Task, begins: Callable[[int], Begin]) -> Iterator[Any]:
        return few_at_once(lambda one: task(begins(one[0]), one[1]), list(enumerate(self.shards)))
