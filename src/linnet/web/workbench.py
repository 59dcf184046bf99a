"""The workbench: models in the browser, to see, to question and to teach; the course, and the JSON API beside them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from linnet.web.access import Access
from linnet.web.apart import get_ready
from linnet.web.api import Api
from linnet.web.course.routes import Course
from linnet.web.limits import Limits
from linnet.web.metrics import Metrics
from linnet.web.pages import workbench_page
from linnet.web.shelf import Shelf
from linnet.web.shell import shell
from linnet.web.teaching import Lessons
from linnet.web.work import Workers


def workbench(paths: Sequence[str], access: Access, limits: Limits) -> ASGIApp:
    """The application of `linnet serve` over the models of some files; without any, it begins with the course."""
    shelf, metrics, workers = Shelf(paths), Metrics(), Workers(limits)
    course = Course(limits, workers, {"Workbench": "/"} if paths else {})

    async def first(request: Request) -> Response:
        return HTMLResponse(workbench_page()) if paths else RedirectResponse("/course", 303)

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        get_ready()
        async with shelf.watched(app):
            yield

    api = Api(shelf, Lessons(shelf, Path.cwd(), workers), limits, metrics, workers)
    return shell([*api.routes(), *course.routes(), Route("/", first)], access, limits, metrics, running)
