"""The pages of the course and the questions that they ask."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from linnet.core.types import Json
from linnet.web.bodies import Bodies
from linnet.web.course.losses import losses
from linnet.web.course.pages import PAGES
from linnet.web.course.plane import plane
from linnet.web.course.tags import tags
from linnet.web.course.texts import texts
from linnet.web.frame import frame
from linnet.web.limits import Limits
from linnet.web.problems import RefusedError
from linnet.web.questions import Asked, answer
from linnet.web.work import Turns, Workers

_QUESTIONS: dict[str, Callable[[Asked], Json]] = {"plane": plane, "texts": texts, "tags": tags}
_LARGEST = 1 << 16
"""The largest body of a question, in bytes."""


class Course:
    """The course: pages at /course, questions at /api/v1/course. At most two learners are at work at a time, whoever
    asks."""

    def __init__(self, limits: Limits, workers: Workers, links: Mapping[str, str]) -> None:
        """links: the addresses of the other pages of the server, keyed by what they are called."""
        self.bodies = Bodies(replace(limits, body=min(_LARGEST, limits.body)))
        self.workers = workers
        self.links = links
        self._turns = Turns(limits, at_once=2)

    def routes(self) -> list[BaseRoute]:
        pages = [Route(page.path, self._page_of(page.path)) for page in PAGES]
        return [
            *pages,
            Route("/api/v1/course/losses", self._losses),
            Route("/api/v1/course/{question}", self._asked, methods=["POST"]),
        ]

    def _page_of(self, path: str) -> Callable[[Request], Awaitable[Response]]:
        """The page at a path, which is the same for everyone."""
        (page,) = (page for page in PAGES if page.path == path)
        links = {**self.links, **{one.called: one.path for one in PAGES}}
        made = frame(f"{page.title} · linnet", page.body, scripts=page.scripts, links=links, here=page.called)

        async def shown(request: Request) -> Response:
            return HTMLResponse(made)

        return shown

    async def _losses(self, request: Request) -> Response:
        return answer(losses())

    async def _asked(self, request: Request) -> Response:
        """Train a learner on what a page sends, and answer with its trace."""
        question = _QUESTIONS.get(request.path_params["question"])
        if question is None:
            raise RefusedError(404, f"expected a question among {', '.join(_QUESTIONS)}.")
        body = await self.bodies.json_of(request)
        async with self._turns.taken():
            return answer(await self.workers.do(request, lambda: question(body)))
