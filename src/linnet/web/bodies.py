"""Reading the body of a request: no longer than allowed, no slower than allowed, and JSON that is what it should be."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect, Request

from linnet.core.types import Json
from linnet.web.limits import Limits
from linnet.web.problems import RefusedError

_LENGTH = re.compile("[0-9]{1,18}")


async def pieces_of(request: Request, most: int, limits: Limits) -> AsyncIterator[bytes]:
    """The body of a request piece by piece, at most so many bytes. Raise RefusedError where it is longer, or where the next
    piece does not come in time."""
    declared = request.headers.get("content-length", "0")
    if _LENGTH.fullmatch(declared) is None or int(declared) > most:
        raise too_long(most)
    seen = 0
    pieces = request.stream()
    while True:
        try:
            async with asyncio.timeout(limits.seconds):
                piece = await anext(pieces, None)
        except TimeoutError:
            raise RefusedError(
                408, f"the body did not come within {limits.seconds:g} seconds. Send it again."
            ) from None
        except ClientDisconnect:
            raise RefusedError(400, "the connection ended before the body did.") from None
        if piece is None:
            return
        seen += len(piece)
        if seen > most:
            raise too_long(most)
        yield piece


def too_long(most: int) -> RefusedError:
    """The refusal of a body that is longer than `most` bytes."""
    return RefusedError(413, f"the body is longer than {most:,} bytes. Send less at a time, or upload a file.")


async def json_of(request: Request, limits: Limits) -> dict[str, Json]:
    """The body of a request as a JSON object. Raise RefusedError where it is something else."""
    kind = request.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "application/json":
        raise RefusedError(415, "expected a body of JSON. Send the header Content-Type: application/json with it.")
    try:
        # The time is for the whole body: a client that sends a byte a second would be in time with each piece.
        async with asyncio.timeout(limits.seconds):
            body = b"".join([piece async for piece in pieces_of(request, limits.body, limits)])
    except TimeoutError:
        raise RefusedError(408, f"the body did not come within {limits.seconds:g} seconds. Send it again.") from None
    return parsed(body)


def parsed(body: bytes) -> dict[str, Json]:
    """A JSON object in UTF-8. Raise RefusedError where bytes are something else.

    >>> parsed(b'{"text": "a fine film"}')
    {'text': 'a fine film'}
    """
    try:
        value = json.loads(body.decode())
        if b"\\u" in body:  # Only what is written so can be half a character, which no answer could repeat.
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise RefusedError(400, f"the body is not UTF-8: byte {error.start} is {body[error.start]:#04x}.") from None
    except UnicodeEncodeError:
        raise RefusedError(422, r"the body has half a character, such as \ud800 without its other half.") from None
    except json.JSONDecodeError as error:
        raise RefusedError(
            400, f"the body is not JSON: {error.msg}, in line {error.lineno}, column {error.colno}."
        ) from None
    except ValueError:
        raise RefusedError(400, "the body has a number of more than 4,300 digits.") from None
    except RecursionError:
        raise RefusedError(400, "the JSON is nested too deeply.") from None
    if not isinstance(value, dict):
        raise RefusedError(400, f'expected a JSON object, found {_kind(value)}. Send one such as {{"text": ...}}.')
    return value


def _kind(value: Json) -> str:
    return {list: "a list", str: "a string", bool: "a boolean", type(None): "null"}.get(type(value), "a number")
