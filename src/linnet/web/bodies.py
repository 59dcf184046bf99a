"""Reading the body of a request: no longer than allowed, no slower than allowed, and JSON that is what it should be."""

from __future__ import annotations

import asyncio
import json
import json.scanner
import re
import time
import weakref
from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect, Request

from linnet.core.types import Json
from linnet.web.limits import Limits
from linnet.web.plain import written
from linnet.web.problems import RefusedError

_LENGTH = re.compile("[0-9]{1,18}")
_SHORT = 1 << 16
"""The number of bytes up to which a body is parsed at once: the longest take some 15 ms."""


class _Steps(json.JSONDecoder):
    """Python's parser of JSON, which gives way to other threads. It takes strings by C's, as the usual one does."""

    def __init__(self) -> None:
        super().__init__()
        self.scan_once = json.scanner.py_make_scanner(self)  # type: ignore[attr-defined]


_AT_ONCE, _STEPS = json.JSONDecoder(), _Steps()


async def pieces_of(request: Request, most: int, limits: Limits) -> AsyncIterator[bytes]:
    """The body of a request piece by piece, at most so many bytes. Raise RefusedError where it is longer, where the next
    piece does not come in time, or where the whole comes slower than the least rate."""
    declared = request.headers.get("content-length", "0")
    if _LENGTH.fullmatch(declared) is None or int(declared) > most:
        raise too_long(most)
    seen = 0
    pieces = request.stream()
    begun = time.monotonic()
    while True:
        late = begun + limits.seconds + seen / limits.least_rate - time.monotonic()
        try:
            async with asyncio.timeout(min(limits.seconds, late)):
                piece = await anext(pieces, None)
        except TimeoutError:
            if seen and late < limits.seconds:
                raise RefusedError(
                    408, f"the body came slower than {limits.least_rate:,.0f} bytes a second. Send less at a time."
                ) from None
            raise _too_slow(limits) from None
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


def _too_slow(limits: Limits) -> RefusedError:
    return RefusedError(408, f"the body did not come within {limits.seconds:g} seconds. Send it again.")


class Body(dict[str, Json]):
    """A JSON object that a request brought."""

    size = 0
    """The number of its bytes."""


class Bodies:
    """Reads bodies of JSON. Long ones are parsed beside other work, and share an account of memory until they are answered."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._held = 0
        """The number of bytes of long bodies that are in memory."""

    async def json_of(self, request: Request) -> Body:
        """The body of a request as a JSON object. Raise RefusedError where it is something else."""
        kind = request.headers.get("content-type", "")
        if kind.partition(";")[0].strip().lower() != "application/json":
            raise RefusedError(415, "expected a body of JSON. Send the header Content-Type: application/json with it.")
        found, body = Body(), bytearray()
        try:
            # The time is for the whole body: a client that sends a byte a second would be in time with each piece.
            async with asyncio.timeout(self.limits.seconds):
                async for piece in pieces_of(request, self.limits.body, self.limits):
                    body += piece
                    if len(body) > _SHORT:
                        self._hold(len(piece), found)
        except TimeoutError:
            raise _too_slow(self.limits) from None
        found.size = len(body)
        if len(body) <= _SHORT:
            found.update(parsed(bytes(body)))
        else:
            found.update(await asyncio.to_thread(parsed_aside, bytes(body), self.limits.lists))
        return found

    def _hold(self, size: int, found: Body) -> None:
        """Take so many bytes from the account for as long as there is `found`."""
        self._held += size
        weakref.finalize(found, self._give_back, size).atexit = False
        if self._held > max(self.limits.bodies, self.limits.body):
            raise RefusedError(503, "too many long bodies come at once. Send it again in a moment.")

    def _give_back(self, size: int) -> None:
        self._held -= size


def parsed_aside(body: bytes, lists: int) -> dict[str, Json]:
    """A long body, parsed in steps between which other threads go on, which C's parser would keep waiting."""
    if body.count(b"[") + body.count(b"{") > lists:
        raise RefusedError(413, f"the body has more than {lists:,} lists and objects. Send less at a time.")
    return parsed(body, _STEPS)


def parsed(body: bytes, decoder: json.JSONDecoder = _AT_ONCE) -> dict[str, Json]:
    """A JSON object in UTF-8. Raise RefusedError where bytes are something else.

    >>> parsed(b'{"text": "a fine film"}')
    {'text': 'a fine film'}
    """
    try:
        value = decoder.decode(body.decode())
        if b"\\u" in body:  # Only what is written so can be half a character, which no answer could repeat.
            for piece in written(value):
                piece.encode()
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
