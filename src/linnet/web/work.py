"""Threads that work on questions which may take long, so that nobody waits for them who asks something else.

A few questions are worked on at a time. Those that wait are taken in turn from each address, and no address has all threads. A
question that has been worked on for longer than the limit is refused, and its thread is stopped: an error is raised in it
between two steps of Python, as by Ctrl-C. A compiled loop goes on to its end before that; each takes seconds at most.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import threading
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from queue import SimpleQueue
from typing import Any, ClassVar, TypeVar, cast

from starlette.requests import Request

from linnet.web.limits import Limits
from linnet.web.problems import RefusedError

T = TypeVar("T")
_THREADS = max(4, os.cpu_count() or 1)
_AGAIN = 0.5
"""The number of seconds after which a thread that goes on although it was stopped is stopped again."""


class _StoppedError(BaseException):
    """Raised in a thread whose question takes too long. It is no Exception, so that no code on its way takes it for one."""


class Workers:
    """The threads of a server, and the questions that wait for them. All but `_work` is called in the loop alone."""

    n_at_work: ClassVar[int] = 0
    """The number of questions that all servers of this process work on."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        """The questions that threads take. There are never more of them than threads, so none waits here."""
        self._n_threads = 0
        self._waiting: dict[str, deque[_Job]] = {}
        """The questions of each address; the address whose turn it is comes first."""
        self._at_work = Counter[str]()

    async def do(self, request: Request, work: Callable[[], T]) -> T:
        """What `work` returns, which is called in a thread. Raise RefusedError where it takes too long, or too many wait."""
        address = request.client.host if request.client is not None else ""
        most = self.limits.questions
        if 2 * len(self._waiting.get(address, ())) >= most or sum(map(len, self._waiting.values())) >= most:
            raise RefusedError(503, "too many questions wait for an answer. Ask again in a moment.")
        job = _Job(work, address, self.limits.work, self._ended)
        job.restart_clock()
        self._waiting.setdefault(address, deque()).append(job)
        self._begin()
        try:
            return cast(T, await job.answer)
        except asyncio.CancelledError:
            job.stop()
            raise
        finally:
            self._forget(job)

    def _forget(self, job: _Job) -> None:
        """Take out a question that waits no more, so that the next one of its address may wait."""
        jobs = self._waiting.get(job.address)
        if jobs is None or job not in jobs:
            return
        jobs.remove(job)
        if not jobs:
            del self._waiting[job.address]

    def _begin(self) -> None:
        """Give questions to threads that have none. The last thread is kept from an address that has all others."""
        while self._at_work.total() < _THREADS:
            address = next((one for one in self._waiting if self._at_work[one] < _THREADS - 1), None)
            if address is None:
                return
            jobs = self._waiting.pop(address)
            job = jobs.popleft()
            if jobs:
                self._waiting[address] = jobs  # behind all others
            if job.answer.done():  # It has waited for too long just now.
                continue
            self._at_work[address] += 1
            Workers.n_at_work += 1
            if self._n_threads < self._at_work.total():
                self._n_threads += 1
                threading.Thread(target=self._work, name="linnet: a question", daemon=True).start()
            job.restart_clock()
            self._jobs.put(job)

    def _ended(self, address: str) -> None:
        self._at_work[address] -= 1
        Workers.n_at_work -= 1
        if not self._at_work[address]:
            del self._at_work[address]
        self._begin()

    def _work(self) -> None:
        while True:
            self._jobs.get().run()


class Turns:
    """Turns at what is done for a few requests at a time. So many others wait at most, as each of them holds a connection."""

    def __init__(self, limits: Limits, at_once: int = 1) -> None:
        self._most = limits.turns
        self._free = asyncio.Semaphore(at_once)
        self._waiting = 0

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[None]:
        """Have a turn while the block runs. Raise RefusedError where too many wait for one."""
        if self._waiting >= self._most:
            raise RefusedError(503, "too many wait for their turn at this. Ask again in a moment.")
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._free.release()


class _Job:
    """A question, and its answer, which the loop waits for."""

    def __init__(self, work: Callable[[], Any], address: str, seconds: float, ended: Callable[[str], None]) -> None:
        self.work = work
        self.address = address
        self.seconds = seconds
        self.ended = ended
        self.loop = asyncio.get_running_loop()
        self.answer = self.loop.create_future()
        self._due: asyncio.TimerHandle | None = None
        self._lock = threading.Lock()
        self._thread: int | None = None
        """The thread that is at work on the question now."""

    def restart_clock(self) -> None:
        """Begin to count the time: first that of waiting for a thread, and then that of work."""
        self._stop_clock()
        self._due = self.loop.call_later(self.seconds, self.stop)

    def _stop_clock(self) -> None:
        if self._due is not None:
            self._due.cancel()

    def stop(self) -> None:
        """Refuse the question, and stop the thread that is at work on it."""
        self._stop_clock()
        long = f"the answer would take longer than {self.seconds:g} seconds. Ask with a shorter text, or for less."
        busy = f"no thread had time for the question within {self.seconds:g} seconds. Ask again in a moment."
        with self._lock:
            if self._thread is not None:
                _raise_in(self._thread, _StoppedError)
                self._due = self.loop.call_later(_AGAIN, self.stop)
            if not self.answer.done():
                self.answer.set_exception(RefusedError(503, busy if self._thread is None else long))

    def run(self) -> None:
        """Find the answer, in a thread."""
        found = error = None
        try:
            with self._lock:
                self._thread = threading.get_ident()
            if not self.answer.done():
                found = self.work()
        except BaseException as raised:
            error = raised
        while True:
            # An error that `stop` has sent may still come, at any call. Here it is caught, or taken back.
            try:
                with self._lock:
                    self._thread = None
                    _raise_in(threading.get_ident(), None)
                break
            except _StoppedError:
                pass
        with suppress(RuntimeError):  # The server has ended, and nobody waits.
            self.loop.call_soon_threadsafe(self._finish, found, error)

    def _finish(self, found: Any, error: BaseException | None) -> None:
        self._stop_clock()
        if not self.answer.done():
            if error is None:
                self.answer.set_result(found)
            else:
                self.answer.set_exception(RuntimeError(error) if isinstance(error, StopIteration) else error)
        self.ended(self.address)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an error in a thread when it next takes a step of Python; None takes back one that was not raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error) if error else None)
