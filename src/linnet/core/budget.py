"""The time that explanations and the best outputs may take: what is not found by then is left out, and a sentence says so.

For each part of an output the best output without it must be found, so that the time grows with a power of the length. Whoever
answers strangers explains within a budget, and no task needs to know of it but in the loop over what it explains:

    with within(2) as budget:
        explained = model.explain(sentence)         # its loop is over `affordable(tokens, "tokens")`
    budget.left_out                                 # "explained 41 of 120 tokens in 2 seconds; ..."

The k best outputs of a structure that finds them one after the other (structures/parts.pyx) end with those found by then.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")


class Budget:
    """A time, which begins now, and what was explained within it."""

    def __init__(self, seconds: float | None = None) -> None:
        """seconds: None for as long as it takes."""
        self.seconds = seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self._did = self._what = ""
        self._done = self._all = 0

    @property
    def left(self) -> float:
        """The seconds that are left; infinity where there is no limit."""
        return math.inf if self._end is None else self._end - time.monotonic()

    def count(self, did: str, done: int, all: int, what: str) -> None:
        """Note that so much was done of all that there is: "found", 41, 1000, "best outputs"."""
        self._did, self._what = did, what
        self._done += done
        self._all += all

    def each(self, items: Sequence[T], what: str) -> Iterator[T]:
        """The items, one after the other, until the time is over."""
        self.count("explained", 0, len(items), what)
        for item in items:
            if self.left <= 0:
                return
            self._done += 1
            yield item

    @property
    def left_out(self) -> str:
        """A sentence on what was left out; "" where all was explained."""
        if self.seconds is None or self._done == self._all:
            return ""
        seconds = "1 second" if self.seconds == 1 else f"{self.seconds:g} seconds"
        return (
            f"{self._did} {self._done:,} of {self._all:,} {self._what} in {seconds}; give a shorter text for the rest"
        )


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def within(seconds: float | None) -> Iterator[Budget]:
    """Explain within so many seconds meanwhile; None for as long as it takes."""
    budget = Budget(seconds)
    before = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(before)


def current() -> Budget:
    """The budget that there is now, or one without a limit."""
    return _current.get() or Budget()


def affordable(items: Sequence[T], what: str) -> Iterator[T]:
    """What is to be explained, one after the other, until the time is over. what: their name, such as "tokens"."""
    return current().each(items, what)


def left_out() -> str:
    """A sentence on what was left out so far; "" where all was explained."""
    return current().left_out
