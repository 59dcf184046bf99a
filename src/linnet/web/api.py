"""The JSON API: what can be asked of a model, and how it is taught."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from linnet.core.types import Json
from linnet.model.base import Model
from linnet.tasks.texts.model import TextModel
from linnet.web.bodies import Bodies, Body
from linnet.web.limits import Limits
from linnet.web.looking import (
    StrongestFeatures,
    answered_in_time,
    explained_in_time,
    features_at,
    look,
    removal,
    style_of,
    why_not,
)
from linnet.web.metrics import Metrics
from linnet.web.openapi import openapi
from linnet.web.problems import RefusedError
from linnet.web.questions import (
    Asked,
    answer,
    answer_in_steps,
    check_names,
    examples,
    flag,
    lesson,
    number_of_examples,
    string,
    strings,
    wanted,
    whole_number,
)
from linnet.web.shelf import Served, Shelf
from linnet.web.teaching import Lessons, NewLabel
from linnet.web.uploads import Uploads
from linnet.web.work import Turns, Workers

_AT_ONCE = {"predict": 2_000_000, "answers": 2_000_000, "look": 100_000}
"""The questions that are answered at once, up to so many characters times the labels of the model: that takes 3 ms at most. All
others are worked on in threads."""
_LONGEST = 2_000
"""The number of characters up to which that holds."""
_MOST_ROWS = 1000

Question = Callable[[Served, Asked], Json]


class Api:
    """The questions that the server answers, over the models of a shelf."""

    def __init__(self, shelf: Shelf, lessons: Lessons, limits: Limits, metrics: Metrics, workers: Workers) -> None:
        self.shelf = shelf
        self.lessons = lessons
        self.limits = limits
        self.workers = workers
        self.bodies = Bodies(limits)
        self.reloading = Turns(limits)
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
            request, served, "predict", asked, lambda model, data: {"predictions": list(model.predict(data))}
        )

    async def answers(self, request: Request) -> Response:
        """The answers of examples with their probabilities or with the next best, as `linnet predict` writes them."""
        served, asked = await self._asked(request, "text", "texts", "examples", "proba", "top")
        top, proba = whole_number(asked, "top", 1, 1000), flag(asked, "proba")
        if (top or 0) * asked.size > self.limits.best:
            most = max(1, self.limits.best // asked.size)
            raise RefusedError(422, f'expected at most {most:,} as "top" for a question of {asked.size:,} bytes.')
        return await self._of_examples(
            request,
            served,
            "answers",
            asked,
            lambda model, data: answered_in_time(model, data, proba, top),
        )

    async def explain(self, request: Request) -> Response:
        """Why a text has its output: what each feature adds."""
        served, asked = await self._asked(request, "text", "top")
        model, text, top = served.model, string(asked, "text"), _top(asked)
        return await self._timed(
            request, served, "explain", asked, lambda: explained_in_time(model, text, top).as_dict()
        )

    async def look(self, request: Request) -> Response:
        """The answer to a text with its reasons, as HTML, and the best labels."""
        served, asked = await self._asked(request, "text", "top")
        text = string(asked, "text")
        return await self._timed(request, served, "look", asked, partial(look, served.model, text, _top(asked)))

    async def decisions(self, request: Request) -> Response:
        """The decisions that the outputs of a text are made of."""
        served, asked = await self._asked(request, "text")
        text = string(asked, "text")
        return await self._timed(request, served, "decisions", asked, partial(_decisions, served.model, text))

    async def why(self, request: Request) -> Response:
        """Why one output and not another, each given by decisions."""
        served, asked = await self._asked(request, "text", "example", "this", "that", "top")
        model, one, that, top = served.model, lesson(asked, "this"), wanted(asked, "that"), _top(asked)
        return await self._timed(
            request, served, "why", asked, lambda: why_not(model, one.decided(model).reasons(one.wanted, that), top)
        )

    async def words(self, request: Request) -> Response:
        """The features of a text that cover one of its characters."""
        served, asked = await self._asked(request, "text", "at")
        text, at = string(asked, "text"), whole_number(asked, "at", 0, 2**31) or 0
        return await self._timed(request, served, "words", asked, partial(features_at, served.model, text, at))

    async def removal(self, request: Request) -> Response:
        """The smallest set of words whose removal changes the answer."""
        served, asked = await self._asked(request, "text")
        text = string(asked, "text")
        return await self._timed(request, served, "removal", asked, partial(removal, served.model, text))

    async def teach(self, request: Request) -> Response:
        """Learn a correction."""
        served, asked = await self._asked(request, "text", "example", "wanted", "label", "watched")
        watched = strings(asked, "watched") if "watched" in asked else []
        given = lesson(asked, "wanted")
        if "label" in asked:
            given = NewLabel(given.text, given.number, given.wanted, string(asked, "label"))
        return answer(await self.lessons.teach(request, served, given, watched))

    async def undo(self, request: Request) -> Response:
        """Take back the correction that came last."""
        served, asked = await self._asked(request, "watched")
        return answer(await self.lessons.undo(request, served, strings(asked, "watched") if "watched" in asked else []))

    async def save(self, request: Request) -> Response:
        """Write what was taught as a new model."""
        served, asked = await self._asked(request, "name")
        return answer(await self.lessons.save(request, served, string(asked, "name")))

    async def reload(self, request: Request) -> Response:
        """Read the file of a model again. No request waits for it."""
        served, _ = await self._asked(request)
        async with self.reloading.taken():
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
        found = partial(self.strongest.search, served.model, label, part, by_name, _MOST_ROWS)
        return await self._timed(request, served, "features", {}, found)

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

    async def _asked(self, request: Request, *names: str) -> tuple[Served, Body]:
        """The model that a request names, and its body, which has these names and no others."""
        served = self.shelf[request.path_params["model"]]
        body = await self.bodies.json_of(request)
        check_names(body, *names)
        return served, body

    async def _of_examples(
        self, request: Request, served: Served, question: str, asked: Asked, answer_of: Callable[[Model, Any], Json]
    ) -> Response:
        """The answer to a question about examples."""
        model, n = served.model, number_of_examples(asked)
        return await self._timed(request, served, question, asked, lambda: answer_of(model, examples(model, asked)), n)

    async def _timed(
        self, request: Request, served: Served, question: str, asked: Asked, answer_of: Callable[[], Json], n: int = 1
    ) -> Response:
        """The answer to a question about n examples, found at once if that is quick. How long it took is counted."""
        begun = time.perf_counter()
        if _is_quick(served.model, question, asked):
            response = answer(answer_of())
        else:
            response = await self.workers.do(request, lambda: answer_in_steps(answer_of()))
        took = time.perf_counter() - begun
        self.metrics.took(served.name, question, n, took)
        response.headers["server-timing"] = f"model;dur={1000 * took:.2f}"
        return response


def _is_quick(model: Model, question: str, asked: Asked) -> bool:
    """Whether a question is one about a text that is answered in a few milliseconds, whatever stands in the text: then the time
    grows with its length and with the number of labels, and with nothing else."""
    text = asked.get("text")
    if question not in _AT_ONCE or not isinstance(text, str) or (question != "look" and "top" in asked):
        return False
    short = len(text) <= _LONGEST and len(text) * len(model.labels) <= _AT_ONCE[question]
    return short and isinstance(model, TextModel) and model.is_linear


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
