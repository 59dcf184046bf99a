"""Running an application: on one port, with bounds on how long and how many clients may wait."""

from __future__ import annotations

import gc
import socket
import sys
from collections.abc import Awaitable, Callable

import uvicorn
from starlette.types import ASGIApp

from linnet.errors import UsageError
from linnet.web.access import Access, is_loopback
from linnet.web.connections import bounded
from linnet.web.limits import Limits
from linnet.web.work import Workers

_TURN = 0.001
"""The number of seconds after which a thread of Python lets another one go on. Where several work on long questions, the loop,
which all others wait for, has its turn after as many of them as there are threads."""

_COLLECTED = 60
"""The number of seconds between two collections of garbage."""


def run(app: ASGIApp, access: Access, limits: Limits, host: str, port: int, tell: Callable[[str], None]) -> None:
    """Serve until Ctrl-C or SIGTERM. tell: a function that is told the address when the server listens."""
    listening = listen(host, port)
    port = listening.getsockname()[1]
    gc.enable()  # Commands turn it off, but a server goes on for long.
    # To look at all objects takes up to a second while a large answer is made, so it is done by `collecting`.
    gc.set_threshold(700, 10, 1 << 30)
    sys.setswitchinterval(_TURN)
    gc.freeze()  # What is loaded by now is used to the end, so the collector need not look at it.
    config = uvicorn.Config(
        app,
        http=bounded(limits),
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="error",  # A stranger could fill the log with warnings.
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
        callback_notify=collecting(),
        timeout_notify=_COLLECTED,
    )
    tell(address(host, port, access.token))
    uvicorn.Server(config).run(sockets=[listening])


def collecting() -> Callable[[], Awaitable[None]]:
    """A function that collects garbage if nobody is at work on a long question, or has been put off ten times."""
    put_off = 0

    async def collect() -> None:
        nonlocal put_off
        put_off = put_off + 1 if Workers.n_at_work and put_off < 10 else 0
        if not put_off:
            gc.collect()

    return collect


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
