"""Of what is learned one model after the other: which of them it is now, and how long those of its kind will take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from linnet.learners import Progress

Watcher = Callable[[Progress], None]
_now: ContextVar[Steps | None] = ContextVar("steps", default=None)


@dataclass
class Steps:
    """Models of one kind, which may be learned for one of another kind."""

    name: str
    n: int
    outer: Steps | None
    began: float
    at: int = 0
    """The one that is learned now, from 1."""
    since: float = 0.0
    """When that one was begun."""

    def next(self) -> None:
        self.at, self.since = self.at + 1, time.perf_counter()

    @property
    def label(self) -> str:
        own = f"{self.name} {self.at} of {self.n}" if self.n > 1 else self.name
        return own if self.outer is None else f"{self.outer.label}, {own}"

    def left(self, of_this: float) -> float:
        """Seconds for all that are left, each taking as long as those so far; of_this: for the one that is learned now."""
        now = time.perf_counter()
        return of_this + (self.n - self.at) * (now - self.began + of_this) / self.at

    def left_by_those_before(self) -> float:
        """The same where it is not known how long the one that is learned now will take."""
        if self.at < 2:
            return math.nan
        each = (self.since - self.began) / (self.at - 1)
        return max(each - (time.perf_counter() - self.since), 0.0) + (self.n - self.at) * each


@contextmanager
def steps(name: str, n: int = 1) -> Iterator[None]:
    """All that is learned meanwhile is one of n of this name."""
    token = _now.set(Steps(name, n, _now.get(), time.perf_counter()))
    try:
        yield
    finally:
        _now.reset(token)


def telling(watcher: Watcher | None) -> Watcher | None:
    """What tells a watcher of the progress of the next model, and which one of how many it is."""
    own = _now.get()
    if own is not None:
        own.next()
    if watcher is None or own is None:
        return watcher
    tell, several = watcher, own
    while several.n == 1 and several.outer is not None:
        several = several.outer

    def told(progress: Progress) -> None:
        here = replace(progress, step=own.label)
        if several.n > 1:
            left = several.left(progress.left) if several is own else several.left_by_those_before()
            spent = time.perf_counter() - several.began
            share = (several.at - 1) / several.n if math.isnan(left) else spent / (spent + left)
            here = replace(here, steps=several.n, share=share, left=left)
        tell(here)

    return told
