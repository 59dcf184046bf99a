"""Threads for work that runs without the interpreter's lock. What is made never depends on their number: the results are joined
in the order of the work.

`limited` says how many threads there may be; otherwise there are as many as cores. Work that runs on a thread of `each` has
that thread alone, so that threads do not start threads.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain, islice
from typing import TypeVar

from linnet.errors import UsageError

T = TypeVar("T")
R = TypeVar("R")

_most: ContextVar[int | None] = ContextVar("threads", default=None)
_failed: ContextVar[dict[int, BaseException]] = ContextVar("failed")


def available() -> int:
    """The number of threads that may work at once."""
    most = _most.get()
    return cores() if most is None else most


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


@contextmanager
def limited(most: int | None) -> Iterator[None]:
    """Let at most so many threads work at once meanwhile; None changes nothing."""
    if most is None:
        yield
        return
    if most < 1:
        raise UsageError(f"expected at least one thread, found {most}.")
    before = _most.set(most)
    try:
        yield
    finally:
        _most.reset(before)


def each(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """What `work` makes of each item, in the order of the items; the items are taken by as many threads as there may be, of
    which the calling one is the first. Raise the error of the first item that has one; what was not begun is left out."""
    n = min(available(), len(items))
    if n <= 1:
        return list(map(work, items))
    todo = iter(enumerate(items))
    done: dict[int, R] = {}
    failed: dict[int, BaseException] = {}
    lock = threading.Lock()

    def take() -> tuple[int, T] | None:
        with lock:
            return None if failed else next(todo, None)

    def run() -> None:
        before = _failed.set(failed)
        with limited(1):
            while (taken := take()) is not None:
                at, item = taken
                try:
                    done[at] = work(item)
                except BaseException as error:
                    failed[at] = error
        _failed.reset(before)

    others = [threading.Thread(target=run, daemon=True) for _ in range(n - 1)]
    for other in others:
        other.start()
    run()
    for other in others:
        other.join()
    if failed:
        raise next(failed[at] for at in sorted(failed) if not isinstance(failed[at], StoppedError))
    return [done[at] for at in range(len(items))]


def few_at_once(work: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """Yield what `each` gives. As many items as there are threads are worked on at a time, so that few results wait."""
    n = available()
    for first in range(0, len(items), n):
        yield from each(work, items[first : first + n])


def ahead(work: Callable[[T], R], items: Iterable[T], most: int | None = None) -> Iterator[R]:
    """Yield what `work` makes of each item, in the order of the items. Items are taken while threads work on those before
    them, and at most one more than there are threads is waiting. Where taking an item fails, the results before it come first,
    as without threads.

    most: the largest number of threads; None for as many as there may be.
    """
    n, taken = available() if most is None else most, iter(items)
    first = list(islice(taken, 1 if n == 1 else 2))
    if len(first) < 2:
        yield from map(work, chain(first, taken))
        return
    from concurrent.futures import Future, ThreadPoolExecutor

    rest, error = chain(first, taken), None
    waiting: deque[Future[R]] = deque()
    pool = ThreadPoolExecutor(n, initializer=_most.set, initargs=(1,))
    try:
        more = True
        while more or waiting:
            while more and len(waiting) <= n:
                try:
                    waiting.append(pool.submit(work, next(rest)))
                except StopIteration:
                    more = False
                except Exception as found:
                    more, error = False, found
            if waiting:
                yield waiting.popleft().result()
        if error is not None:
            raise error
    finally:
        pool.shutdown(cancel_futures=True)


class StoppedError(Exception):
    """Raised in work on threads whose result nobody will see, because other work has failed."""


def check_wanted() -> None:
    """Raise StoppedError where this work is a part of `each`, and another part has failed, such as by Ctrl-C. Work that takes
    long asks now and then."""
    if _failed.get({}):
        raise StoppedError
