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
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

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
    n = available() if most is None else most
    if n == 1:
        yield from map(work, items)
        return
    taken, error, more = iter(items), None, True
    crew: Crew[R] = Crew(n)
    waiting: deque[Task[R]] = deque()
    try:
        while more or waiting:
            while more and len(waiting) <= n:
                try:
                    waiting.append(crew.begin(partial(work, next(taken))))
                except StopIteration:
                    more = False
                except Exception as found:
                    more, error = False, found
            if waiting:
                yield waiting.popleft().result()
        if error is not None:
            raise error
    finally:
        crew.end()


class Task(Generic[R]):
    """A piece of work that a thread does, and what comes of it."""

    def __init__(self, work: Callable[[], R]) -> None:
        self._work = work
        self._ended = threading.Event()
        self._found: list[R] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        """Do the work, and keep its result or its error."""
        try:
            self._found.append(self._work())
        except BaseException as error:
            self._error = error
        self._ended.set()

    def result(self) -> R:
        """Wait for the end of the work, and return its result or raise its error."""
        self._ended.wait()
        if self._error is not None:
            raise self._error
        return self._found[0]


class Crew(Generic[R]):
    """At most n threads that do tasks, in the order in which these are begun. A thread is started when a task is begun,
    until there are n, so that a single task starts only one. Work on a thread starts no other threads. This is not
    Python's own pool of threads because to import that takes longer than many tasks do."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._tasks: SimpleQueue[Task[R] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []

    def begin(self, work: Callable[[], R]) -> Task[R]:
        """Let a thread do this work as soon as one is free."""
        task = Task(work)
        self._tasks.put(task)
        if len(self._threads) < self._n:
            self._threads.append(threading.Thread(target=self._run, daemon=True))
            self._threads[-1].start()
        return task

    def end(self) -> None:
        """Wait for the tasks that threads are at, and leave out all others."""
        while not self._tasks.empty():
            with suppress(Empty):
                self._tasks.get_nowait()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        _most.set(1)
        while (task := self._tasks.get()) is not None:
            task.run()
            del task  # so that its result is not held while this thread waits for the next one


class StoppedError(Exception):
    """Raised in work on threads whose result nobody will see, because other work has failed."""


def check_wanted() -> None:
    """Raise StoppedError where this work is a part of `each`, and another part has failed, such as by Ctrl-C. Work that takes
    long asks now and then."""
    if _failed.get({}):
        raise StoppedError
