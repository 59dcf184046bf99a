"""Files that are uploaded, and their answers: both pass through a folder of their own, which does not outlive them."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from linnet.errors import LinnetError
from linnet.io.texts.writing import format_of
from linnet.limits import UPLOADS_AT_ONCE
from linnet.model.base import Model
from linnet.tasks import load, named
from linnet.tasks.answer_files import open_answers
from linnet.tasks.commands import Asked
from linnet.web.apart import apart, in_time
from linnet.web.bodies import pieces_of
from linnet.web.limits import Limits
from linnet.web.places import Places
from linnet.web.problems import RefusedError
from linnet.web.shelf import Served
from linnet.web.work import Turns

_ENDING = re.compile(r"(?:\.[a-z0-9]{1,10}){1,2}")
_PIECE = 1 << 18
_OF_TABLES = {"csv": "text/csv", "tsv": "text/tab-separated-values", "jsonl": "application/x-ndjson"}


class Uploads:
    """Answers files, a few at a time."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._places = Places(limits)
        self._coming = Turns(limits, at_once=2 * limits.uploads)
        """Files that come, those that wait for their answers, and answers that are fetched."""
        self._answered = asyncio.Semaphore(UPLOADS_AT_ONCE.most)

    async def answer(self, request: Request, served: Served) -> Response:
        """The answers to a file, in its own format. The ending of its name, which the query has as `ending`, says which that
        is."""
        ending = request.query_params.get("ending", ".txt").lower()
        if _ENDING.fullmatch(ending) is None:
            raise RefusedError(422, "expected the ending of the name of the file, such as .csv, as `ending`.")
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() == "multipart/form-data":
            raise RefusedError(
                422,
                "multipart forms are not taken: send the file itself as the body, as curl --data-binary @FILE does.",
            )
        async with AsyncExitStack() as kept:
            await kept.enter_async_context(self._coming.taken())
            folder = kept.enter_context(tempfile.TemporaryDirectory(prefix="linnet-upload-"))
            try:
                answers = await self._answer(request, served, Path(folder), ending)
            except LinnetError as error:
                status = error.status if isinstance(error, RefusedError) else 422
                raise RefusedError(status, str(error).replace(f"{folder}/", "")) from None
            return _Answers(answers, kept.pop_all())

    async def _answer(self, request: Request, served: Served, folder: Path, ending: str) -> Path:
        """The file of answers, which is alone in its folder."""
        given = folder / f"given{ending}"
        async with self._places.taken() as place:
            with given.open("wb") as file:
                async for piece in pieces_of(request, self._limits.upload, self._limits):
                    file.write(piece)
                    place.came += len(piece)
        answers = folder / f"answers{_ending_of_answers(served.model, ending)}"
        async with self._answered:
            model = await asyncio.to_thread(served.file_in, folder)
            await apart(folder, _disconnected(request), _answer, model, given, answers)
        given.unlink()
        if model.parent == folder:  # It was saved for this file.
            model.unlink()
        return answers


class _Answers(StreamingResponse):
    """A file of answers. What is kept for it, its folder and its turn, is given back when it was sent, or cannot be."""

    def __init__(self, path: Path, kept: AsyncExitStack) -> None:
        kind = _OF_TABLES.get(format_of(str(path)) or "", "text/plain; charset=utf-8")
        headers = {"content-disposition": f'attachment; filename="answers{path.suffix}"'}
        super().__init__(_pieces(path), headers=headers, media_type=kind)
        self._kept = kept

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._kept:
            await super().__call__(scope, receive, send)


async def _disconnected(request: Request) -> None:
    """Wait until the client has ended the connection, all of whose request was read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _ending_of_answers(model: Model, ending: str) -> str:
    """The ending of the file of answers: that of the table that was given, or that of text."""
    format = format_of(f"given{ending}")
    if named(model.task).commands.write is None:
        return f".{format}" if format in _OF_TABLES else ".csv"
    return ".jsonl" if format == "jsonl" else ".txt"


def _answer(path: Path, given: Path, answers: Path) -> None:
    """Write the answers of the model of a file to a file, batch by batch."""
    model = load(path)
    asked = Asked(output=str(answers), proba=named(model.task).commands.write is None and model.has_probabilities)
    with open_answers(model, named(model.task).commands.write, asked) as writer:
        for batch in in_time(model.batches(str(given))):
            writer.write(batch, model.answers(batch, proba=asked.proba))


async def _pieces(path: Path) -> AsyncIterator[bytes]:
    """A file piece by piece."""
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
