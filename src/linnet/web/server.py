"""Running an application: on one port, with bounds on how long and how many clients may wait."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import Callable
from typing import cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from linnet.errors import UsageError
from linnet.web.access import Access, is_loopback
from linnet.web.limits import Limits


def run(app: ASGIApp, access: Access, limits: Limits, host: str, port: int, tell: Callable[[str], None]) -> None:
    """Serve until Ctrl-C or SIGTERM. tell: a function that is told the address when the server listens."""
    listening = listen(host, port)
    port = listening.getsockname()[1]
    gc.enable()  # Commands turn it off, but a server goes on for long.
    gc.freeze()  # What is loaded by now is used to the end, so the collector need not look at it.
    config = uvicorn.Config(
        app,
        http=bounded(limits),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
    )
    tell(address(host, port, access.token))
    uvicorn.Server(config).run(sockets=[listening])


def address(host: str, port: int, token: str) -> str:
    """What to type into a browser."""
    name = "localhost" if is_loopback(host) else socket.gethostname() if host in ("0.0.0.0", "::") else host
    shown = f"[{name}]" if ":" in name else name
    return f"http://{shown}:{port}/" + (f"?token={token}" if token else "")


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens. Raise UsageError where that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        why = (error.strerror or str(error)).lower()
        raise UsageError(
            f"cannot listen on {host}, port {port}: {why}. Name another one with --port or --host."
        ) from None
    sock.listen(1024)
    sock.setblocking(False)
    return sock


def bounded(limits: Limits) -> type[asyncio.Protocol]:
    """The protocol of HTTP with limits. A connection beyond the largest number is closed at once. One that has not sent
    the whole head of a request within `limits.seconds` is closed then."""

    class Bounded(HttpToolsProtocol):
        _due: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            stream = cast(asyncio.Transport, transport)
            if len(self.connections) >= limits.connections:
                stream.abort()
                return
            super().connection_made(stream)
            self._due = self.loop.call_later(limits.seconds, self._close_unless_asked)

        def on_message_begin(self) -> None:
            super().on_message_begin()
            if self._due is None:
                self._due = self.loop.call_later(limits.seconds, self._close_unless_asked)

        def on_headers_complete(self) -> None:
            self._no_longer_due()
            super().on_headers_complete()

        def connection_lost(self, exc: Exception | None) -> None:
            self._no_longer_due()
            if self in self.connections:  # One that was closed at once never became one of them.
                super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if self.transport is not None:  # It is None for a connection that was closed at once.
                super().data_received(data)

        def _no_longer_due(self) -> None:
            if self._due is not None:
                self._due.cancel()
                self._due = None

        def _close_unless_asked(self) -> None:
            self._due = None
            if not self.transport.is_closing():
                self.transport.close()

    return Bounded
