"""The order of examples in an epoch: a shuffle of blocks of neighbours, and of the examples of some blocks together.

A learner reads examples that stand together in the data soon after each other, so that what it reads from a file, and what it
keeps for each example, is read a window at a time. Blocks are small, so that a window has examples from everywhere, even where
data are sorted by their labels. Up to one window of examples is shuffled as a whole. The order is the same wherever the
examples are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from linnet.core.types import I64

BLOCK = 1 << 10
"""The number of examples of a block."""
WINDOW = 1 << 16
"""The number of examples that are shuffled together."""


@dataclass
class Order:
    """The numbers of n examples in some order, of which any stretch can be asked for."""

    n: int
    random: Callable[[int], np.random.Generator] | None = None
    """The generator of window k, from 0; that of the order of blocks has the number -1. None: the order of the data."""
    _last: tuple[int, I64] = field(default=(-1, np.zeros(0, np.int64)), init=False)
    """The number of the window that was asked for last, and its examples."""

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, stretch: slice) -> I64:
        """The examples from the place `start` to the place before `stop`."""
        begin, end, _ = stretch.indices(self.n)
        if self.random is None:
            return np.arange(begin, end)
        windows = range(begin // WINDOW, -(-end // WINDOW))
        found = [self._window(k)[max(begin - k * WINDOW, 0) : end - k * WINDOW] for k in windows]
        return found[0] if len(found) == 1 else np.concatenate([np.zeros(0, np.int64), *found])

    @cached_property
    def _blocks(self) -> I64:
        """The blocks in their order. The last one, which may be shorter, stays the last, so that windows are full."""
        assert self.random is not None
        n = self.n // BLOCK
        return np.append(self.random(-1).permutation(n), n)

    def _window(self, k: int) -> I64:
        assert self.random is not None
        if self._last[0] != k:
            if self.n <= WINDOW:
                examples = np.arange(self.n)
            else:
                each = WINDOW // BLOCK
                starts = self._blocks[k * each : (k + 1) * each] * BLOCK
                examples = (starts[:, None] + np.arange(BLOCK)).ravel()
                examples = examples[examples < self.n]
            self._last = k, self.random(k).permutation(examples)
        return self._last[1]
