"""The JSON API: what can be asked of a model, and how it is taught."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from linnet.core.types import Json
from linnet.model.base import Model
from linnet.tasks import named
from linnet.web.bodies import json_of
from linnet.web.limits import Limits
from linnet.web.looking import StrongestFeatures, features_at, look, removal, style_of, why_not
from linnet.web.metrics import Metrics
from linnet.web.openapi import openapi
from linnet.web.questions import (
    Asked,
    answer,
    check_names,
    examples,
    flag,
    lesson,
    string,
    strings,
    wanted,
    whole_number,
)
from linnet.web.shelf import Served, Shelf
from linnet.web.teaching import Lessons, NewLabel
from linnet.web.uploads import Uploads

_AT_ONCE = 20_000
"""The number of characters up to which a question is answered at once. Longer ones are answered beside others, in a thread."""
_MOST_ROWS = 1000

Question = Callable[[Served, Asked], Json]


class Api:
    """The questions that the server answers, over the models of a shelf."""

    def __init__(self, shelf: Shelf, lessons: Lessons, limits: Limits, metrics: Metrics) -> None:
        self.shelf = shelf
        self.lessons = lessons
        self.limits = limits
        self.metrics = metrics
        self.strongest = StrongestFeatures()
        self.uploads = Uploads(limits)

    def routes(self) -> list[BaseRoute]:
        """The routes of the API. What is asked most often is looked for first."""

        def asked(name: str, answer_of: Callable[[Request], Any], method: str = "POST") -> Route:
            return Route(f"/api/v1/models/{{model}}/{name}", answer_of, methods=[method])

        return [
            asked("predict", self.predict),
            asked("look", self.look),
            asked("answers", self.answers),
            asked("explain", self.explain),
            asked("decisions", self.decisions),
            asked("why", self.why),
            asked("words", self.words),
            asked("removal", self.removal),
            asked("teach", self.teach),
            asked("undo", self.undo),
            asked("save", self.save),
            asked("reload", self.reload),
            asked("upload", self.upload),
            asked("features", self.features, "GET"),
            asked("style.css", self.style, "GET"),
            Route("/api/v1/models/{model}", self.model),
            Route("/api/v1/models", self.models),
            Route("/api/v1/openapi.json", self.description),
        ]

    async def predict(self, request: Request) -> Response:
        """The outputs of examples, as Python's `model.predict` has them."""
        served, asked = await self._asked(request, "text", "texts", "examples")
        return await self._of_examples(
            served, "predict", asked, lambda model, data: {"predictions": list(model.predict(data))}
        )

    async def answers(self, request: Request) -> Response:
        """The answers of examples with their probabilities or with the next best, as `linnet predict` writes them."""
        served, asked = await self._asked(request, "text", "texts", "examples", "proba", "top")
        top, proba = whole_number(asked, "top", 1, 1000), flag(asked, "proba")
        return await self._of_examples(
            served,
            "answers",
            asked,
            lambda model, data: {"answers": model.answers(data, proba=proba, top=top).to_pylist()},
        )

    async def explain(self, request: Request) -> Response:
        """Why a text has its output: what each feature adds."""
        served, asked = await self._asked(request, "text", "top")
        model, text, top = served.model, string(asked, "text"), _top(asked)
        commands = named(model.task).commands
        return await self._timed(served, "explain", text, lambda: commands.explain(model, None, text, top).as_dict())

    async def look(self, request: Request) -> Response:
        """The answer to a text with its reasons, as HTML, and the best labels."""
        served, asked = await self._asked(request, "text", "top")
        text = string(asked, "text")
        return await self._timed(served, "look", text, partial(look, served.model, text, _top(asked)))

    async def decisions(self, request: Request) -> Response:
        """The decisions that the outputs of a text are made of."""
        served, asked = await self._asked(request, "text")
        text = string(asked, "text")
        return await self._timed(served, "decisions", text, partial(_decisions, served.model, text))

    async def why(self, request: Request) -> Response:
        """Why one output and not another, each given by decisions."""
        served, asked = await self._asked(request, "text", "example", "this", "that", "top")
        model, one, that, top = served.model, lesson(asked, "this"), wanted(asked, "that"), _top(asked)
        return await self._timed(
            served, "why", one.text, lambda: why_not(model, one.decided(model).reasons(one.wanted, that), top)
        )

    async def words(self, request: Request) -> Response:
        """The features of a text that cover one of its characters."""
        served, asked = await self._asked(request, "text", "at")
        text, at = string(asked, "text"), whole_number(asked, "at", 0, 2**31) or 0
        return await self._timed(served, "words", text, partial(features_at, served.model, text, at))

    async def removal(self, request: Request) -> Response:
        """The smallest set of words whose removal changes the answer."""
        served, asked = await self._asked(request, "text")
        text = string(asked, "text")
        return answer(await asyncio.to_thread(removal, served.model, text))

    async def teach(self, request: Request) -> Response:
        """Learn a correction."""
        served, asked = await self._asked(request, "text", "example", "wanted", "label", "watched")
        watched = strings(asked, "watched") if "watched" in asked else []
        given = lesson(asked, "wanted")
        if "label" in asked:
            given = NewLabel(given.text, given.number, given.wanted, string(asked, "label"))
        return answer(await self.lessons.teach(served, given, watched))

    async def undo(self, request: Request) -> Response:
        """Take back the correction that came last."""
        served, asked = await self._asked(request, "watched")
        return answer(await self.lessons.undo(served, strings(asked, "watched") if "watched" in asked else []))

    async def save(self, request: Request) -> Response:
        """Write what was taught as a new model."""
        served, asked = await self._asked(request, "name")
        return answer(await self.lessons.save(served, string(asked, "name")))

    async def reload(self, request: Request) -> Response:
        """Read the file of a model again. No request waits for it."""
        served, _ = await self._asked(request)
        await served.reload()
        return answer(self._facts(served))

    async def upload(self, request: Request) -> Response:
        """The answers to all examples of a file."""
        served = self.shelf[request.path_params["model"]]
        return await self.uploads.answer(request, served)

    async def features(self, request: Request) -> Response:
        """The strongest features of the model, to search in."""
        served, query = self.shelf[request.path_params["model"]], request.query_params
        label, part, by_name = query.get("label", ""), query.get("search", ""), query.get("sort") == "name"
        return answer(await asyncio.to_thread(self.strongest.search, served.model, label, part, by_name, _MOST_ROWS))

    async def style(self, request: Request) -> Response:
        """The style sheet of the explanations of a model."""
        return Response(style_of(self.shelf[request.path_params["model"]].model), media_type="text/css")

    async def model(self, request: Request) -> Response:
        """What is known of a model."""
        return answer(self._facts(self.shelf[request.path_params["model"]]))

    async def models(self, request: Request) -> Response:
        """What is known of each model."""
        return answer({"models": [self._facts(served) for served in self.shelf.values()]})

    async def description(self, request: Request) -> Response:
        """The description of this API."""
        return answer(openapi())

    def _facts(self, served: Served) -> dict[str, Json]:
        """What a client should know of a model."""
        model = served.model
        return {
            "name": served.name,
            "task": model.task,
            "learner": model.learner,
            "features": str(model.features.spec),
            "n_features": int(model.features.n_features),
            "labels": list(model.labels),
            "probabilities": bool(model.has_probabilities),
            "replaced": served.replaced,
            "lessons": self.lessons.n_lessons(served),
        }

    async def _asked(self, request: Request, *names: str) -> tuple[Served, Asked]:
        """The model that a request names, and its body, which has these names and no others."""
        served = self.shelf[request.path_params["model"]]
        body = await json_of(request, self.limits)
        check_names(body, *names)
        return served, body

    async def _of_examples(
        self, served: Served, question: str, asked: Asked, answer_of: Callable[[Model, Any], Json]
    ) -> Response:
        """The answer to a question about examples."""
        model = served.model
        data, n, size = examples(model, asked)
        return await self._found(served, question, n, size, partial(answer_of, model, data))

    async def _timed(self, served: Served, question: str, text: str, answer_of: Callable[[], Json]) -> Response:
        """The answer to a question about one text."""
        return await self._found(served, question, 1, len(text), answer_of)

    async def _found(self, served: Served, question: str, n: int, size: int, answer_of: Callable[[], Json]) -> Response:
        """The answer to a question, found at once if it is short. How long that took is counted."""
        begun = time.perf_counter()
        found = answer_of() if size <= _AT_ONCE else await asyncio.to_thread(answer_of)
        response = answer(found)
        took = time.perf_counter() - begun
        self.metrics.took(served.name, question, n, took)
        response.headers["server-timing"] = f"model;dur={1000 * took:.2f}"
        return response


def _top(asked: Asked) -> int:
    return whole_number(asked, "top", 1, 10_000) or 10


def _decisions(model: Model, text: str) -> Json:
    """The decisions of each example of a text. Choices that several decisions share are written once."""
    every, choices = [], dict[tuple[str, ...], int]()
    for one in model.decisions(model.typed([text])) if text.strip() else ():
        rows = [
            {"about": d.about, "value": d.value, "choices": choices.setdefault(d.choices, len(choices))}
            for d in one.decisions()
        ]
        every.append({"decisions": rows})
    return {"examples": every, "choices": [list(some) for some in choices]}
