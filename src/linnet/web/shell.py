"""The shell of every application in the browser: its own routes, static files and counts, all of them guarded
(`guard.py`)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from linnet.errors import LinnetError
from linnet.web.access import Access
from linnet.web.guard import Guard
from linnet.web.limits import Limits
from linnet.web.metrics import Metrics
from linnet.web.problems import RefusedError, refusal
from linnet.web.static_files import StaticFiles

_LOG = logging.getLogger("linnet.web")

Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def shell(
    routes: Sequence[BaseRoute], access: Access, limits: Limits, metrics: Metrics, lifespan: Lifespan | None = None
) -> ASGIApp:
    """An application with these routes, and with /static, /metrics and /health. lifespan: what begins and ends with it."""

    async def health(request: Request) -> Response:
        return Response('{"status": "ok"}', media_type="application/json")

    async def counts(request: Request) -> Response:
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4")

    static = StaticFiles()
    own = [
        Route("/static/{name}", static.answer),
        Route("/favicon.ico", static.icon),
        Route("/api/v1/health", health),
        Route("/api/v1/metrics", counts),
        Route("/metrics", counts),
    ]
    handlers: dict[type[Exception] | int, Callable[[Request, Exception], Awaitable[Response]]] = {
        LinnetError: _refused,
        MemoryError: _too_large,
        OSError: _no_room,
        404: _unknown,
        405: _wrong_method,
        500: _failed,
    }
    app = Starlette(routes=[*routes, *own], exception_handlers=handlers, lifespan=lifespan)
    return Guard(app, access, limits, metrics)


async def _refused(request: Request, error: Exception) -> Response:
    """The response to a request that linnet refuses: its data, its names, or its form are at fault."""
    if isinstance(error, RefusedError):
        return refusal(error.status, str(error), close=error.status in (408, 413))
    return refusal(422, str(error))


async def _too_large(request: Request, error: Exception) -> Response:
    return refusal(413, "the answer needs more memory than there is. Send less at a time.")


async def _no_room(request: Request, error: Exception) -> Response:
    """The response where the system gives no file, or no room in one: the disk is full, or too many files are open."""
    _LOG.error("the system refused what a request needs", exc_info=error)
    return refusal(503, "the server has no room for this now. Its log has more. Ask again later.", close=True)


async def _unknown(request: Request, error: Exception) -> Response:
    return refusal(404, "there is no such page. The pages and questions that there are stand in /api/v1/openapi.json.")


async def _wrong_method(request: Request, error: Exception) -> Response:
    return refusal(405, f"the method {request.method} is not allowed here.")


async def _failed(request: Request, error: Exception) -> Response:
    _LOG.error("an error that linnet did not expect", exc_info=error)
    return refusal(500, "linnet failed in a way that it did not expect. Its log has more.")
