"""Labelling in the browser: a page that is worked by keys, and the requests that it sends.

Each request that changes something names an event by an id of its own. A browser that hears no answer sends it again, and it is
kept once.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from linnet.core.types import Json
from linnet.labelling.events import ANSWER, NOTE, SKIP, UNDO, Answer, as_answer
from linnet.labelling.export import endings, writer
from linnet.labelling.labelling import Labelling, Shown
from linnet.labelling.review import agreement, doubts
from linnet.web.access import Access
from linnet.web.bodies import Bodies
from linnet.web.frame import frame
from linnet.web.labelling_page import body
from linnet.web.limits import Limits
from linnet.web.metrics import Metrics
from linnet.web.plain import as_json
from linnet.web.problems import RefusedError
from linnet.web.shell import shell
from linnet.web.work import Turns

_TYPES = {".csv": "text/csv", ".tsv": "text/tab-separated-values", ".jsonl": "application/x-ndjson"}
"""The media types of files that can be downloaded; those of others are texts or, for models and parquet, bytes."""
_BYTES = (".linnet", ".parquet")
_MOST_SHOWN = 200
"""The number of suspected mistakes and of differing answers that a review shows."""


def labelling_app(labelling: Labelling, access: Access, limits: Limits) -> ASGIApp:
    """The application of `linnet label`."""
    return shell(Pages(labelling, limits).routes(), access, limits, Metrics())


class Pages:
    """The page and its requests. One request works on the labelling at a time."""

    def __init__(self, labelling: Labelling, limits: Limits) -> None:
        self.labelling = labelling
        self.bodies = Bodies(limits)
        self.exports = [
            f"{'model' if ending == '.linnet' else 'answers'}{ending}" for ending in endings(labelling.kind)
        ]
        self._turns = Turns(limits)
        self._events: dict[str, Callable[[dict[str, Json]], int | None]] = {
            ANSWER: self._answer,
            SKIP: self._skip,
            NOTE: self._note,
            UNDO: self._undo,
        }

    def routes(self) -> list[Route]:
        return [
            Route("/", self.page),
            Route("/api/v1/label/ready", self.ready),
            Route("/api/v1/label/next", self.next, methods=["POST"]),
            Route("/api/v1/label/event", self.event, methods=["POST"]),
            Route("/api/v1/label/show", self.show, methods=["POST"]),
            Route("/api/v1/label/again", self.again, methods=["POST"]),
            Route("/api/v1/label/progress", self.progress),
            Route("/api/v1/label/review", self.review),
            Route("/api/v1/label/export/{name}", self.export),
        ]

    async def page(self, request: Request) -> Response:
        return HTMLResponse(frame("Labelling", body(self.exports), scripts=["label.js"]))

    async def ready(self, request: Request) -> Response:
        """How far the model has come while it learns from the answers that are there already. This waits for nothing."""
        learned, answers = self.labelling.learner.lessons
        return JSONResponse({"learned": learned, "answers": answers})

    async def next(self, request: Request) -> Response:
        """The text that comes next for an annotator."""
        body = await self.bodies.json_of(request)
        by, client = _text(body, "by"), _text(body, "client")
        return await self._in_turn(lambda: self._screen(self.labelling.next(by, client), by))

    async def show(self, request: Request) -> Response:
        """The text with a number, once more."""
        body = await self.bodies.json_of(request)
        by, client, row = _text(body, "by"), _text(body, "client"), _number(body, "row")
        return await self._in_turn(lambda: self._screen(self.labelling.show(row, by, client), by))

    async def again(self, request: Request) -> Response:
        """An answer with some of its parts as they are, and all others predicted anew to suit these."""
        asked = await self.bodies.json_of(request)
        row, answer, fixed = _number(asked, "row"), as_answer(asked.get("answer")), asked.get("fixed")
        if not isinstance(fixed, list) or not all(type(k) is int for k in fixed):
            raise RefusedError(422, "expected 'fixed' to be a list of numbers.")
        return await self._in_turn(lambda: {"answer": self.labelling.again(row, answer, fixed)})

    async def event(self, request: Request) -> Response:
        """Keep an event, and give the text that comes next. It is on disk when the response is sent."""
        body = await self.bodies.json_of(request)
        kind, by, client = _text(body, "event"), _text(body, "by"), _text(body, "client")
        if kind not in self._events:
            raise RefusedError(422, f"expected an event that is one of {', '.join(self._events)}, found {kind!r:.60}.")

        def kept() -> dict[str, Json]:
            row = self._events[kind](body)
            shown = self.labelling.next(by, client) if row is None else self.labelling.show(row, by, client)
            return self._screen(shown, by)

        return await self._in_turn(kept)

    def _answer(self, body: dict[str, Json]) -> None:
        self.labelling.answer(_number(body, "row"), as_answer(body.get("answer")), _text(body, "by"), _text(body, "id"))

    def _skip(self, body: dict[str, Json]) -> None:
        self.labelling.skip(_number(body, "row"), _text(body, "by"), _text(body, "id"))

    def _note(self, body: dict[str, Json]) -> int:
        """Keep a note; return the number of its text, which is shown once more."""
        row = _number(body, "row")
        self.labelling.note(row, _text(body, "note"), _text(body, "by"), _text(body, "id"))
        return row

    def _undo(self, body: dict[str, Json]) -> int | None:
        """Take back the last event; return the number of its text, which is shown once more."""
        return self.labelling.undo(_text(body, "by"), _text(body, "id"))

    async def progress(self, request: Request) -> Response:
        """The learning curve, and whether to go on."""
        return await self._in_turn(lambda: asdict(self.labelling.progress()))

    async def review(self, request: Request) -> Response:
        """Suspected mistakes, and how much annotators agree."""

        def found() -> dict[str, Json]:
            suspected: dict[str, Json] = {"doubts": [], "said": ""}
            try:
                suspected["doubts"] = [asdict(one) for one in doubts(self.labelling)[:_MOST_SHOWN]]
            except ValueError as error:
                suspected["said"] = str(error)
            agreed = asdict(agreement(self.labelling))
            differ = [
                {"row": row, "text": self.labelling.pool.text(row), "answers": self._said(answers)}
                for row, answers in agreed.pop("differ")[:_MOST_SHOWN]
            ]
            return {**suspected, "agreement": agreed, "differ": differ}

        return await self._in_turn(found)

    def _said(self, answers: dict[str, Answer]) -> dict[str, str]:
        """The answer of each annotator in words."""
        return {by: ", ".join(map(self.labelling.kind.said, answer)) for by, answer in answers.items()}

    async def export(self, request: Request) -> Response:
        """What was labelled so far, as a file."""
        name = request.path_params["name"]
        if name not in self.exports:
            raise RefusedError(404, f"expected one of {', '.join(self.exports)}.")

        with tempfile.TemporaryDirectory(prefix="linnet-label-") as folder:
            path = Path(folder) / name
            async with self._turns.taken():
                write = await asyncio.to_thread(writer, self.labelling, path)
            await asyncio.to_thread(write)  # A model takes a while, in which others answer.
            content = await asyncio.to_thread(path.read_bytes)
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        ending = Path(name).suffix
        usual = "application/octet-stream" if ending in _BYTES else "text/plain; charset=utf-8"
        return Response(content, headers=headers, media_type=_TYPES.get(ending, usual))

    async def _in_turn(self, work: Callable[[], dict[str, Json]]) -> Response:
        async with self._turns.taken():
            return JSONResponse(as_json(await asyncio.to_thread(work)))

    def _screen(self, shown: Shown | None, by: str) -> dict[str, Json]:
        """What the page shows: a text, the labels, and how far labelling has come."""
        labelling = self.labelling
        accuracy = labelling.accuracy()
        return {
            "shown": None if shown is None else asdict(shown),
            "kind": {
                "task": labelling.kind.name,
                "drawn": labelling.kind.drawn,
                "grows": labelling.kind.grows,
                "prefilled": labelling.kind.prefilled,
                **labelling.kind.facts(labelling.labels),
            },
            "texts": len(labelling.pool),
            "answered": len({*labelling.state.answered(), *labelling.pool.given}),
            "own": labelling.state.turns(by),
            "accuracy": asdict(accuracy),
            "undo": labelling.state.last(by) is not None,
        }


def _text(body: dict[str, Json], name: str) -> str:
    value = body.get(name, "")
    if not isinstance(value, str):
        raise RefusedError(422, f"expected {name!r} to be a string.")
    return value


def _number(body: dict[str, Json], name: str) -> int:
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise RefusedError(422, f"expected {name!r} to be a number.")
    return value
