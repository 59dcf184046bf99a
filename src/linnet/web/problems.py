"""Requests that are refused: each with a status and one sentence."""

from __future__ import annotations

import json

from starlette.responses import Response

from linnet.errors import LinnetError


class RefusedError(LinnetError):
    """A request that the server does not answer. `status` is that of HTTP."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def refusal(status: int, message: str, *, close: bool = False) -> Response:
    """The response to a request that is refused: {"error": the sentence}. close: whether to end the connection, because more of
    the request may come that nobody reads."""
    headers = {"connection": "close"} if close else None
    return Response(json.dumps({"error": message}, ensure_ascii=False), status, headers, "application/json")
