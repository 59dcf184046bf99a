"""What stands in the body of a question: strings, numbers, examples and decisions, each of them checked."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response

from linnet.core.types import Json
from linnet.model.base import Model
from linnet.model.decisions import Wanted
from linnet.web.plain import as_json, written
from linnet.web.problems import RefusedError
from linnet.web.teaching import Lesson

Asked = dict[str, Json]


def answer(found: Json) -> Response:
    """A response of JSON."""
    return Response(json.dumps(as_json(found), ensure_ascii=False), media_type="application/json")


def answer_in_steps(found: Json) -> Response:
    """A response of JSON that may be long, made in steps between which other threads go on."""
    return Response("".join(written(as_json(found))), media_type="application/json")


def check_names(asked: Asked, *names: str) -> None:
    """Raise RefusedError where a question has other names than these."""
    for name in asked:
        if name not in names:
            expected = f"Expected: {', '.join(names)}." if names else "Send {}."
            raise RefusedError(422, f"there is no {name!r:.60} in this question. {expected}")


def string(asked: Asked, name: str) -> str:
    """The string of that name in a question."""
    value = asked.get(name)
    if not isinstance(value, str):
        raise RefusedError(422, f'expected a string as "{name}".')
    return value


def strings(asked: Asked, name: str) -> list[str]:
    """The list of strings of that name in a question."""
    value = asked.get(name)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise RefusedError(422, f'expected a list of strings as "{name}".')
    return value


def whole_number(asked: Asked, name: str, least: int, most: int) -> int | None:
    """The whole number of that name in a question; None where it is not there."""
    value = asked.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise RefusedError(422, f'expected a whole number from {least} to {most} as "{name}".')
    return value


def flag(asked: Asked, name: str) -> bool:
    """The boolean of that name in a question; False where it is not there."""
    value = asked.get(name, False)
    if not isinstance(value, bool):
        raise RefusedError(422, f'expected true or false as "{name}".')
    return value


def wanted(asked: Asked, name: str) -> Wanted:
    """The decisions of that name in a question, a list of pairs of numbers: [[decision, choice], ...]."""
    value = asked.get(name, [])
    pairs = isinstance(value, list) and all(
        isinstance(one, list) and len(one) == 2 and all(type(k) is int for k in one) for one in value
    )
    if not pairs:
        raise RefusedError(422, f'expected a list of [decision, choice], which are whole numbers, as "{name}".')
    return dict(value)


def number_of_examples(asked: Asked) -> int:
    """The number of texts or examples of a question."""
    given = next((asked[name] for name in ("texts", "examples") if name in asked), None)
    return len(given) if isinstance(given, list) else 1


def examples(model: Model, asked: Asked) -> Any:
    """The examples of a question as the model takes them."""
    given = [name for name in ("text", "texts", "examples") if name in asked]
    if len(given) != 1:
        raise RefusedError(
            422, f'expected one of "text", "texts" and "examples", found {" and ".join(given) or "none"}.'
        )
    if given == ["examples"]:
        some = asked["examples"]
        if not isinstance(some, list) or not all(isinstance(one, list | dict) for one in some):
            # A string could be taken for the name of a file.
            raise RefusedError(422, 'expected a list of lists or objects as "examples"; strings are "texts".')
        return some
    return model.typed([string(asked, "text")] if given == ["text"] else strings(asked, "texts"))


def lesson(asked: Asked, name: str) -> Lesson:
    """The text of a question, the number of its example, and the decisions of that name."""
    return Lesson(string(asked, "text"), whole_number(asked, "example", 0, 10_000) or 0, wanted(asked, name))
