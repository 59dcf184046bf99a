"""Connections with limits: to the bytes of a head, to the time that a client may take, and to how many there are at once.

All of this comes before the token is looked at. A connection owes what the server waits for: the rest of a head or of a body,
or the next request. The longer the server waits, the larger is the debt, and bytes that come pay for it at the least rate.
Where all places are taken, the connection with the largest debt gives way to the new one. So those who only hold places lose
them first, wherever they come from, and those whose requests are being answered keep theirs.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import ClassVar, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from linnet.web.guard import SAFETY
from linnet.web.limits import Limits
from linnet.web.problems import refusal

_SLICE = 4096
"""The number of bytes of a head that are looked at before they are counted."""
_AT_A_TIME = 32
"""The number of connections in debt that are looked up at a time: to look at all of them for each new one would take long."""


def bounded(limits: Limits) -> type[asyncio.Protocol]:
    """The protocol of HTTP with these limits."""
    return type("Bounded", (Connection,), {"limits": limits, "indebted": []})


class _RefusedHeadError(Exception):
    """Raised in the middle of a head that is refused."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status = status


class Connection(HttpToolsProtocol):
    """A connection, which keeps to `limits`."""

    limits: ClassVar[Limits]
    indebted: ClassVar[list[Connection]]
    """Connections that may give way, the largest debt last."""
    _due: asyncio.TimerHandle | None = None
    """The end of the time for a head."""
    _unread: asyncio.TimerHandle | None = None
    """The end of the time for an answer that the client does not read."""
    _fault: _RefusedHeadError | None = None
    _has_place = False
    """Whether the connection was not closed at once."""
    _in_head = True
    _extra = 0
    """The number of bytes of this request that are none of its body, less as many as the body has."""
    _came = 0
    """The number of bytes that came since the server began to wait."""
    _since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        stream = cast(asyncio.Transport, transport)
        if len(self.connections) >= self.limits.connections and not self._one_gives_way():
            stream.abort()
            return
        super().connection_made(stream)
        self._has_place = True
        self._since = time.monotonic()
        self._is_due()

    def connection_lost(self, exc: Exception | None) -> None:
        self._no_longer_due()
        self.resume_writing()
        if self._has_place:
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._has_place:
            return
        if self._in_head:
            self._is_due()
        self._came += len(data)
        rest = memoryview(data)
        while rest and not self.transport.is_closing():
            piece = rest[:_SLICE] if self._in_head else rest
            rest = rest[len(piece) :]
            self._extra += len(piece)
            super().data_received(cast(bytes, piece))
            if self._extra > self.limits.head:
                self._fault = _RefusedHeadError(431, f"the head is longer than {self.limits.head:,} bytes. Send less.")
                self.send_400_response("")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._since, self._came = time.monotonic(), 0
        self._is_due()

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:
            return  # a trailer, which would otherwise come among the headers after these were checked
        if len(self.headers) >= self.limits.headers:
            self._refuse(431, f"the head has more than {self.limits.headers} lines. Send fewer.")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._no_longer_due()
        self._in_head = False
        if not self.url.startswith(b"/"):
            self._refuse(400, "expected a path that begins with / as the target of the request.")
        if len(self.url) > self.limits.target:
            self._refuse(414, f"the path is longer than {self.limits.target:,} bytes. Send less.")
        if self.parser.get_http_version() not in ("1.0", "1.1"):
            self._refuse(505, "expected HTTP/1.1.")
        if len(self.pipeline) >= self.limits.pipelined:
            self._refuse(429, f"more than {self.limits.pipelined} requests came before the first was answered.")
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._extra -= 2 * len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_head, self._extra = True, 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._since, self._came = time.monotonic(), 0
        if not self.pipeline and self.cycle.more_body:
            self.transport.close()  # Nobody would read the rest of the body, which may never end.
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        left = self.transport.get_write_buffer_size()
        self._unread = self.loop.call_later(self.limits.seconds + left / self.limits.least_rate, self.transport.abort)

    def resume_writing(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None
        if self._has_place:
            super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what was sent with a sentence, unless the client is being told something else already, and close."""
        status, said = 400, "this is no request of HTTP/1.1."
        if self._fault is not None:
            status, said = self._fault.status, str(self._fault)
        cycle = self.cycle
        if cycle is None or cycle.response_complete or not cycle.response_started:
            refused = refusal(status, said, close=True)
            head = b"".join(name + b": " + value + b"\r\n" for name, value in [*refused.raw_headers, *SAFETY])
            self.transport.write(STATUS_LINE[status] + head + b"\r\n" + bytes(refused.body))
        if cycle is not None:
            cycle.disconnected = True
            cycle.message_event.set()
        self.pipeline.clear()
        self.transport.close()

    def debt(self, now: float) -> float:
        """For how many seconds the client has kept the server waiting, less those that its bytes pay for; below 0 where the
        server does not wait for it."""
        cycle = self.cycle
        waits = self.transport.is_closing() or cycle is None or cycle.response_complete or cycle.more_body
        return now - self._since - self._came / self.limits.least_rate if waits else -1.0

    def _one_gives_way(self) -> bool:
        """Close the connection with the largest debt, among those of the address that has most of them. Whether there was
        one."""
        now = time.monotonic()
        if not self.indebted:
            self.indebted[:] = self._most_in_debt(now)
        while self.indebted:
            found = self.indebted.pop()
            if found in self.connections and found.debt(now) >= 0:
                self.connections.discard(found)
                found.transport.abort()
                return True
        return False

    def _most_in_debt(self, now: float) -> list[Connection]:
        every = cast(set[Connection], self.connections)
        places = Counter(one.client and one.client[0] for one in every)
        found = [(places[one.client and one.client[0]], debt, one) for one in every if (debt := one.debt(now)) >= 0]
        found.sort(key=lambda one: one[:2])
        return [one for *_, one in found[-_AT_A_TIME:]]

    def _refuse(self, status: int, said: str) -> None:
        self._fault = _RefusedHeadError(status, said)
        raise self._fault

    def _is_due(self) -> None:
        if self._due is None:
            self._due = self.loop.call_later(self.limits.seconds, self._close_unless_asked)

    def _no_longer_due(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _close_unless_asked(self) -> None:
        self._due = None
        if not self.transport.is_closing():
            self.transport.close()
