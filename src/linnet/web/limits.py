"""How much one client may ask of the server."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

from linnet import limits

_MOST_CLIENTS = 10_000
"""The number of clients whose rates are remembered."""


@dataclass(frozen=True)
class Limits:
    """The limits of the server. What goes beyond one of them is refused, or the connection is closed."""

    body: int = limits.BODY.most
    """The largest body of a request, in bytes."""
    bodies: int = limits.BODIES.most
    """The most bytes of long bodies that are in memory at once."""
    lists: int = limits.LISTS.most
    """The most lists and objects in a body."""
    upload: int = limits.UPLOAD.most
    """The largest file that may be uploaded, in bytes."""
    uploads: int = limits.UPLOADS.most
    """The most files that come at once."""
    head: int = limits.HEAD.most
    """The longest head of a request, in bytes, and the most bytes around a body beside as many as it has itself."""
    target: int = limits.TARGET.most
    """The longest path with its query, in bytes."""
    headers: int = limits.HEADERS.most
    """The most lines of a head."""
    pipelined: int = limits.PIPELINED.most
    """The most requests on a connection that wait for the answer to one before them."""
    seconds: float = limits.WAIT.most / 1000
    """The longest time in which a client must send its head, its body or, of an upload, the next part of it."""
    least_rate: float = limits.LEAST_RATE.most
    """The least bytes a second of an upload, and of the reading of an answer, after the first `seconds`."""
    rate: float = 20_000.0
    """The number of requests a second that one address may send on average."""
    rate_of_others: ClassVar[float] = 200.0
    """The rate that is usual where others than this machine may ask."""
    connections: int = limits.CONNECTIONS.most
    """The number of connections that are open at once."""
    work: float = limits.WORK.most / 1000
    """The longest time that one question may be worked on, in seconds."""
    best: int = limits.BEST_OF_A_QUESTION.most
    """The most best outputs that one question may ask for, times its bytes."""
    turns: int = limits.TURNS.most
    """The most requests that wait for their turn where one thing is done at a time."""
    questions: int = limits.QUESTIONS.most
    """The most questions that wait for a thread; half of them may be from one address."""


class Rates:
    """Limits the requests of each address by a token bucket: an address may send `burst` requests at once, and `rate` a
    second on average."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.burst = 2 * rate
        self._left: dict[str, tuple[float, float]] = {}
        """The number of requests that are left to each address, and when it asked last, the longest ago first."""

    def allows(self, address: str) -> bool:
        """Whether this address may send one more request now; if so, it is counted."""
        now = time.monotonic()
        left, seen = self._left.pop(address, (self.burst, now))
        left = min(self.burst, left + self.rate * (now - seen))
        allowed = left >= 1
        self._left[address] = left - 1 if allowed else left, now
        if len(self._left) > _MOST_CLIENTS:
            del self._left[next(iter(self._left))]  # the one that has not asked for longest
        return allowed
