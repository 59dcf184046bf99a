"""The JSON API: what can be asked of a model."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from linnet.core.types import Json
from linnet.model.base import Model
from linnet.tasks import named
from linnet.web.bodies import json_of
from linnet.web.limits import Limits
from linnet.web.metrics import Metrics
from linnet.web.plain import as_json
from linnet.web.problems import RefusedError
from linnet.web.shelf import Served, Shelf

_AT_ONCE = 20_000
"""The number of characters up to which a question is answered at once. Longer ones are answered beside others, in a thread."""


class Api:
    """The questions that the server answers, over the models of a shelf."""

    def __init__(self, shelf: Shelf, limits: Limits, metrics: Metrics) -> None:
        self.shelf = shelf
        self.limits = limits
        self.metrics = metrics

    def routes(self) -> list[BaseRoute]:
        """The routes of the API. What is asked most often is looked for first."""
        return [
            Route("/api/v1/models/{model}/predict", self.predict, methods=["POST"]),
            Route("/api/v1/models/{model}/answers", self.answers, methods=["POST"]),
            Route("/api/v1/models/{model}/explain", self.explain, methods=["POST"]),
            Route("/api/v1/models/{model}/reload", self.reload, methods=["POST"]),
            Route("/api/v1/models/{model}", self.model),
            Route("/api/v1/models", self.models),
        ]

    async def predict(self, request: Request) -> Response:
        """The outputs of examples, as Python's `model.predict` has them."""
        served, asked = await self._asked(request, "text", "texts", "examples")
        return await self._answered(
            served, "predict", asked, lambda model, data: {"predictions": list(model.predict(data))}
        )

    async def answers(self, request: Request) -> Response:
        """The answers of examples with their probabilities or with the next best, as `linnet predict` writes them."""
        served, asked = await self._asked(request, "text", "texts", "examples", "proba", "top")
        top = whole_number(asked, "top", 1, 1000)
        proba = flag(asked, "proba")
        return await self._answered(
            served,
            "answers",
            asked,
            lambda model, data: {"answers": model.answers(data, proba=proba, top=top).to_pylist()},
        )

    async def explain(self, request: Request) -> Response:
        """Why a text has its output: what each feature adds."""
        served, asked = await self._asked(request, "text", "top")
        text, top = string(asked, "text"), whole_number(asked, "top", 1, 10_000) or 10
        model = served.model
        return await self._timed(
            served.name,
            "explain",
            1,
            len(text),
            lambda: named(model.task).commands.explain(model, None, text, top).as_dict(),
        )

    async def model(self, request: Request) -> Response:
        """What is known of a model."""
        return answer(facts(self.shelf[request.path_params["model"]]))

    async def models(self, request: Request) -> Response:
        """What is known of each model."""
        return answer({"models": [facts(served) for served in self.shelf.values()]})

    async def reload(self, request: Request) -> Response:
        """Read the file of a model again. No request waits for it."""
        served, _ = await self._asked(request)
        await served.reload()
        return answer(facts(served))

    async def _asked(self, request: Request, *names: str) -> tuple[Served, dict[str, Json]]:
        """The model that a request names, and its body, which has these names and no others."""
        served = self.shelf[request.path_params["model"]]
        body = await json_of(request, self.limits)
        for name in body:
            if name not in names:
                expected = f"Expected: {', '.join(names)}." if names else "Send {}."
                raise RefusedError(422, f"there is no {name!r:.60} in this question. {expected}")
        return served, body

    async def _answered(
        self, served: Served, question: str, asked: dict[str, Json], answer_of: Callable[[Model, Any], Json]
    ) -> Response:
        """The answer to a question about examples."""
        model = served.model
        data, size, long = examples(model, asked)
        return await self._timed(served.name, question, size, long, lambda: answer_of(model, data))

    async def _timed(self, name: str, question: str, size: int, long: int, answer_of: Callable[[], Json]) -> Response:
        """The answer to a question, found at once if it is short. How long that took is counted."""
        begun = time.perf_counter()
        found = answer_of() if long <= _AT_ONCE else await asyncio.to_thread(answer_of)
        response = answer(found)
        self.metrics.took(name, question, size, time.perf_counter() - begun)
        return response


def answer(found: Json) -> Response:
    """A response of JSON."""
    return Response(json.dumps(as_json(found), ensure_ascii=False), media_type="application/json")


def examples(model: Model, asked: dict[str, Json]) -> tuple[Any, int, int]:
    """The examples of a question as the model takes them, their number, and about how many characters they have."""
    given = [name for name in ("text", "texts", "examples") if name in asked]
    if len(given) != 1:
        raise RefusedError(
            422, f'expected one of "text", "texts" and "examples": found {" and ".join(given) or "none"}.'
        )
    if given == ["examples"]:
        some = asked["examples"]
        if not isinstance(some, list) or not all(isinstance(one, list | dict) for one in some):
            # A string could be taken for the name of a file.
            raise RefusedError(422, 'expected a list of lists or objects as "examples"; strings are "texts".')
        return some, len(some), len(str(some))
    texts = [string(asked, "text")] if given == ["text"] else strings(asked, "texts")
    return model.typed(texts), len(texts), sum(map(len, texts))


def facts(served: Served) -> dict[str, Json]:
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
    }


def string(asked: dict[str, Json], name: str) -> str:
    """The string of that name in a question."""
    value = asked.get(name)
    if not isinstance(value, str):
        raise RefusedError(422, f'expected a string as "{name}".')
    return value


def strings(asked: dict[str, Json], name: str) -> Sequence[str]:
    """The list of strings of that name in a question."""
    value = asked.get(name)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise RefusedError(422, f'expected a list of strings as "{name}".')
    return value


def whole_number(asked: dict[str, Json], name: str, least: int, most: int) -> int | None:
    """The whole number of that name in a question; None where it is not there."""
    value = asked.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise RefusedError(422, f'expected a whole number from {least} to {most} as "{name}".')
    return value


def flag(asked: dict[str, Json], name: str) -> bool:
    """The boolean of that name in a question; False where it is not there."""
    value = asked.get(name, False)
    if not isinstance(value, bool):
        raise RefusedError(422, f'expected true or false as "{name}".')
    return value
