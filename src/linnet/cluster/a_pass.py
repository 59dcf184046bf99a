"""One pass over all shards after the other. `Learning` asks for it in pieces, and is told how far all workers are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from linnet.cluster.cutting import shards_of
from linnet.cluster.place import Held, Place, Task
from linnet.learners.examples import Examples


class Pass:
    """A pass over the shards of the examples of one learner."""

    def __init__(self, place: Place, n_shards: int) -> None:
        self._place = place
        self._most = n_shards
        self._held: Held | None = None
        self._sizes: list[int] = []
        self.begin()

    def begin(self) -> None:
        """Begin a new pass, and forget the one that was not ended."""
        self._results: Iterator[Any] | None = None
        self._asked = self._ended = self._k = 0

    @property
    def n_shards(self) -> int:
        return len(self._sizes)

    def results(self, examples: Examples, n: int, task: Task, common: Callable[[], object]) -> Iterator[Any]:
        """Wait until n more examples of the pass are done, and yield the results of the shards that have ended, in order.
        `common` gives what all shards begin this pass with."""
        if self._held is None:
            shards = shards_of(examples, self._most)
            self._sizes = [len(shard) for shard in shards]
            self._held = self._place.hold(shards)
        if self._results is None:
            self._results = self._held.each(task, common())
        self._asked += n
        while self._ended < self._asked:
            result = next(self._results)
            self._ended += self._sizes[self._k]
            self._k += 1
            yield result
