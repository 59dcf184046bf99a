"""Passes over all shards, one after the other. `Learning` asks for a pass in pieces of some examples, and each piece
waits until the workers together have done so many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from linnet.cluster.cutting import Shard, shards_of
from linnet.cluster.place import Begin, Held, Place, Task
from linnet.core.types import I64
from linnet.learners.examples import Examples


class Pass:
    """A pass over the shards of the examples of one learner."""

    def __init__(self, place: Place, n_shards: int, cut: Callable[[Examples, int], list[Shard]] = shards_of) -> None:
        """`cut` makes so many shards of the examples, once."""
        self._place = place
        self._most = n_shards
        self._cut = cut
        self._held: Held | None = None
        self.shards: list[tuple[I64, ...]] = []
        """For each shard and each block, the rows of all weights that the shard has (`Shard.rows`)."""
        self._sizes: list[int] = []
        self.begin()

    def begin(self) -> None:
        """Begin a new pass, and forget the one that was not ended."""
        self._results: Iterator[Any] | None = None
        # The number of examples that were asked for in this pass, that of examples whose shard has ended, and the next
        # shard.
        self._asked = self._ended = self._k = 0

    def results(
        self, examples: Examples, n: int, task: Task, begins: Callable[[int], Begin]
    ) -> Iterator[tuple[tuple[I64, ...], Any]]:
        """Wait until n more examples of the pass are done, and yield the rows and the results of the shards that have ended, in
        order. `begins` gives what a shard begins this pass with."""
        if self._held is None:
            shards = self._cut(examples, self._most)
            self._sizes = [len(shard.examples) for shard in shards]
            self.shards = [shard.rows for shard in shards]
            self._held = self._place.hold([shard.examples for shard in shards])
        if self._results is None:
            self._results = self._held.each(task, begins)
        self._asked += n
        while self._ended < self._asked:
            result = next(self._results)
            self._ended += self._sizes[self._k]
            self._k += 1
            yield self.shards[self._k - 1], result
