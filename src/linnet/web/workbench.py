"""The workbench: models in the browser, to see, to question and to teach; and the JSON API beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from linnet.web.access import Access
from linnet.web.api import Api
from linnet.web.limits import Limits
from linnet.web.metrics import Metrics
from linnet.web.pages import workbench_page
from linnet.web.shelf import Shelf
from linnet.web.shell import shell
from linnet.web.teaching import Lessons


def workbench(paths: Sequence[str], access: Access, limits: Limits) -> ASGIApp:
    """The application of `linnet serve` over the models of some files."""
    shelf, metrics = Shelf(paths), Metrics()

    async def first(request: Request) -> Response:
        return HTMLResponse(workbench_page())

    api = Api(shelf, Lessons(shelf, Path.cwd()), limits, metrics)
    return shell([*api.routes(), Route("/", first)], access, limits, metrics, shelf.watched)
