"""What every request passes first: limits and access. Every response gets headers that keep other sites out of its
page."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from linnet.web.access import Access
from linnet.web.limits import Limits, Rates
from linnet.web.metrics import Metrics
from linnet.web.problems import refusal

_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""The headers of every response. With them, a page can load only files of this server and pictures that it has in
itself, and runs no script that is written in it."""
_ONCE = {
    b"host",
    b"origin",
    b"content-length",
    b"content-type",
    b"authorization",
    b"sec-fetch-site",
    b"transfer-encoding",
}
"""The headers that can be there once. Of two, what checks a request could look at the other one than what answers it."""
SAFETY = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
_COOKIE = "linnet_token"
_SAFE = ("GET", "HEAD")


class Guard:
    """An application that passes requests that are allowed on to another, and adds the headers of safety to every
    response."""

    def __init__(self, app: ASGIApp, access: Access, limits: Limits, metrics: Metrics) -> None:
        self.app = app
        self.access = access
        self.limits = limits
        self.metrics = metrics
        self._rates = Rates(limits.rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *SAFETY]
                self.metrics.answered(message["status"])
            await send(message)

        refused = self._refused(scope)
        await (self.app if refused is None else refused)(scope, receive, sent)

    def _refused(self, scope: Scope) -> Response | None:
        """The response to a request that goes no further, or None."""
        client = scope.get("client")
        if not self._rates.allows(client[0] if client else ""):
            return refusal(429, f"more than {self.limits.rate:g} requests a second. Wait a second.", close=True)
        once = [name for name, _ in scope["headers"] if name in _ONCE]
        if len({*once}) != len(once) or {b"content-length", b"transfer-encoding"} <= {*once}:
            return refusal(400, "the head has a line twice, or two lengths of the body. Send each once.", close=True)
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self.access.knows_host(host):
            return refusal(
                421, "the server is not known by this name. Ask for it by the address that it printed.", close=True
            )
        origin = headers.get("origin")
        if origin is not None and not self.access.is_own(origin, host):
            return refusal(
                403, "the request comes from a page of another origin, which may not ask this server.", close=True
            )
        if headers.get("sec-fetch-site") == "cross-site" and scope["method"] not in _SAFE:
            return refusal(
                403, "the request comes from a page of another site, which may not ask this server.", close=True
            )
        return None if not self.access.token else self._unless_known(scope, headers)

    def _unless_known(self, scope: Scope, headers: Headers) -> Response | None:
        """The response to a client that does not send the token; None where it does. A client that sends the token in
        the address is redirected, and gets it as a cookie."""
        query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        if scope["method"] == "GET" and "token" in query and self.access.admits(query["token"]):
            # Two slashes would begin the name of another host.
            welcome = RedirectResponse("/" + scope["path"].lstrip("/"), 303)
            welcome.set_cookie(_COOKIE, self.access.token, httponly=True, samesite="strict")
            return welcome
        bearer = headers.get("authorization", "").removeprefix("Bearer ").strip()
        if self.access.admits(bearer) or self.access.admits(_cookie(headers)):
            return None
        refused = refusal(
            401,
            "the token is missing or wrong. Open the address that the server printed, or send Authorization: Bearer TOKEN.",
        )
        MutableHeaders(raw=refused.raw_headers)["www-authenticate"] = "Bearer"
        return refused


def _cookie(headers: Headers) -> str:
    """The token that a browser kept as a cookie; "" where there is none. Cookies of other servers on this machine come along,
    whatever their names are."""
    named = (one.strip().partition("=") for one in headers.get("cookie", "").split(";"))
    return next((value for name, _, value in named if name == _COOKIE), "")
