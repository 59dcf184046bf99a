"""Who may ask, how much, and with which headers everything is answered."""

from __future__ import annotations

import asyncio
import socket
import time

import pytest
from running_server import served, serving
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from linnet.web import limits as limits_module
from linnet.web.access import Access
from linnet.web.bodies import pieces_of
from linnet.web.limits import Limits, Rates
from linnet.web.metrics import Metrics
from linnet.web.problems import RefusedError
from linnet.web.shell import shell


def test_every_response_keeps_the_page_to_itself(client):
    for path in ("/", "/static/web.css", "/api/v1/models", "/nowhere"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"


def test_no_page_has_a_script_or_a_style_in_it(client):
    page = client.get("/").body.decode()
    assert "<style" not in page
    assert "style=" not in page
    assert "<script>" not in page
    assert 'src="/static/' in page


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost:1", 200),
        ("[::1]:8642", 200),
        ("evil.example", 421),
        ("10.0.0.1", 421),
        ("", 421),
    ],
)
def test_only_names_of_this_machine_are_answered(client, host, status):
    assert client.get("/api/v1/health", Host=host).status == status


@pytest.mark.parametrize(
    ("origin", "status"),
    [("http://evil.example", 403), ("null", 403), ("https://localhost:1", 403), ("http://[x", 403), ("//[::", 403)],
)
def test_pages_of_others_are_refused(client, origin, status):
    assert client.post("/api/v1/models/reviews/predict", {"text": "a"}, Origin=origin).status == status
    assert client.post("/api/v1/models/reviews/predict", {"text": "a"}, Origin=client.address).status == 200
    crossed = {"Sec-Fetch-Site": "cross-site"}
    assert client.post("/api/v1/models/reviews/predict", {"text": "a"}, **crossed).status == 403


def test_others_need_the_token(reviews):
    access = Access.on("0.0.0.0", ["box.example"])
    assert len(access.token) >= 32
    with serving(reviews, access=access) as client:
        assert client.get("/api/v1/models").status == 401
        assert client.get("/api/v1/models", Authorization="Bearer wrong").status == 401
        assert client.get("/api/v1/models", Authorization=f"Bearer {access.token}").status == 200
        assert client.get("/", Host="box.example").status == 401
        assert client.get("/", Host="evil.example").status == 421
        welcome = client.get(f"/?token={access.token}")
        assert (welcome.status, welcome.headers["location"]) == (303, "/")
        cookie = welcome.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        own = cookie.partition(";")[0]
        for kept in (own, f"a,b=1; {own}", f"expires=now; {own}; other"):
            assert client.get("/", Cookie=kept).status == 200, "cookies of other servers of this machine do no harm"
        assert client.get("/", Cookie=f"other_{own}").status == 401
        assert client.get("/?token=wrong").status == 401


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b'{"text": "\xff"}', 400, "not UTF-8: byte 10 is 0xff"),
        (b'{"text": ', 400, "not JSON"),
        (b"[" * 100_000, 400, "nested too deeply"),
        (b'{"text": "\\ud800"}', 422, "half a character"),
        (b'{"\\udc00": 1}', 422, "half a character"),
        (b'{"text": ' + b"9" * 5000 + b"}", 400, "a number of more than 4,300 digits"),
        (b"[]", 400, "expected a JSON object, found a list"),
        (b'{"text": 3}', 422, 'expected a string as "text"'),
        (b'{"text": "a", "path": "/etc/passwd"}', 422, "there is no 'path'"),
        (b'{"examples": ["/etc/passwd"]}', 422, "expected a list of lists or objects"),
        (b'{"texts": ["a", null]}', 422, "expected a list of strings"),
        (b"{}", 422, "found none"),
    ],
)
def test_bad_bodies_get_a_sentence(client, body, status, said):
    found = client.post("/api/v1/models/reviews/predict", body)
    assert found.status == status
    assert said in found.json["error"]


@pytest.mark.parametrize(
    ("message", "status", "said"),
    [
        (None, 408, "the body did not come within 0.01 seconds. Send it again."),
        ({"type": "http.disconnect"}, 400, "the connection ended before the body did."),
        (
            {"type": "http.request", "body": b"a" * 11, "more_body": True},
            413,
            "the body is longer than 10 bytes. Send less at a time, or upload a file.",
        ),
    ],
)
def test_a_body_that_does_not_come_whole_or_is_too_long_is_refused(message, status, said):
    async def receive() -> dict[str, object]:
        if message is None:
            await asyncio.sleep(10)
        return message

    async def read() -> None:
        request = Request({"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": []}, receive)
        async for _ in pieces_of(request, 10, Limits(seconds=0.01)):
            pass

    with pytest.raises(RefusedError) as found:
        asyncio.run(read())
    assert (found.value.status, str(found.value)) == (status, said)


@pytest.mark.parametrize("length", ["²", "-1", "9" * 5000, "x"])
def test_a_length_that_is_no_number_is_refused(length):
    headers = [(b"content-length", length.encode("latin-1"))]

    async def read() -> None:
        request = Request({"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers})
        async for _ in pieces_of(request, 1000, Limits()):
            pass

    with pytest.raises(RefusedError, match="longer than 1,000 bytes") as found:
        asyncio.run(read())
    assert found.value.status == 413


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (MemoryError(), 413, "the answer needs more memory than there is. Send less at a time."),
        (OSError(28, "secret"), 503, "the server has no room for this now. Its log has more. Ask again later."),
        (KeyError("secret"), 500, "linnet failed in a way that it did not expect. Its log has more."),
    ],
)
def test_what_goes_wrong_in_the_server_is_a_sentence(caplog, error, status, said):
    async def failing(request: Request) -> Response:
        raise error

    limits = Limits()
    with served(shell([Route("/fails", failing)], Access.on("127.0.0.1"), limits, Metrics()), limits) as client:
        found = client.get("/fails")
    assert (found.status, found.json) == (status, {"error": said})
    assert ("secret" in caplog.text) == (status >= 500)


def test_json_must_be_called_json(client):
    found = client.ask("POST", "/api/v1/models/reviews/predict", b"text=a", {"Content-Type": "text/plain"})
    assert found.status == 415


def test_long_bodies_are_refused_before_they_come(reviews):
    with serving(reviews, limits=Limits(body=1000)) as client:
        assert client.post("/api/v1/models/reviews/predict", {"text": "a" * 2000}).status == 413
        with socket.create_connection(("127.0.0.1", client.port), 5) as raw:
            head = (
                "POST /api/v1/models/reviews/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            )
            raw.sendall(f"{head}Content-Length: 100000000\r\n\r\n".encode())
            assert raw.recv(100).startswith(b"HTTP/1.1 413")


def test_slow_clients_are_closed(reviews):
    with serving(reviews, limits=Limits(seconds=0.3)) as client:
        begun = time.monotonic()
        with socket.create_connection(("127.0.0.1", client.port), 5) as raw:
            assert raw.recv(10) == b""  # nothing was asked
        with socket.create_connection(("127.0.0.1", client.port), 5) as raw:
            raw.sendall(b"GET / HTTP/1.1\r\nHost: local")
            assert raw.recv(10) == b""
        with socket.create_connection(("127.0.0.1", client.port), 5) as raw:
            head = (
                "POST /api/v1/models/reviews/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            )
            raw.sendall(f'{head}Content-Length: 100\r\n\r\n{{"te'.encode())
            assert raw.recv(100).startswith(b"HTTP/1.1 408")
        assert time.monotonic() - begun < 5
        assert client.get("/api/v1/health").status == 200


def test_too_many_connections_are_closed(reviews):
    with serving(reviews, limits=Limits(connections=4)) as client:
        held = [socket.create_connection(("127.0.0.1", client.port), 5) for _ in range(20)]
        time.sleep(0.3)
        open_still = 0
        for raw in held:
            raw.settimeout(0.05)
            try:
                open_still += raw.recv(1) != b""
            except TimeoutError:
                open_still += 1
            except ConnectionResetError:
                pass
            raw.close()
        assert open_still == 4
        time.sleep(0.2)
        assert client.get("/api/v1/health").status == 200


def test_a_rate_is_kept(reviews):
    with serving(reviews, limits=Limits(rate=5)) as client:
        found = [client.get("/api/v1/health").status for _ in range(20)]
    assert found[:10] == [200] * 10
    assert 429 in found


def test_a_bucket_fills_again():
    rates = Rates(1000)
    while rates.allows("a"):
        pass
    assert rates.allows("b")
    time.sleep(0.02)
    assert rates.allows("a")


def test_the_longest_silent_clients_are_forgotten(monkeypatch):
    monkeypatch.setattr(limits_module, "_MOST_CLIENTS", 2)
    rates = Rates(0.5)  # One request each, and one more in two seconds.
    assert [rates.allows(address) for address in ("a", "b", "a", "c", "a", "b")] == [
        True,
        True,
        False,
        True,
        False,
        True,
    ]


def test_the_icon_is_there_and_a_file_that_is_not_gets_a_sentence(client):
    icon = client.get("/favicon.ico")
    assert (icon.status, icon.headers["content-type"]) == (200, "image/svg+xml")
    assert client.get("/favicon.ico", **{"If-None-Match": icon.headers["etag"]}).status == 304
    missing = client.get("/static/nothing.js")
    assert (missing.status, missing.json) == (404, {"error": "there is no such file."})


def test_unknown_pages_and_methods_get_a_sentence(client):
    assert client.get("/nowhere").json["error"].startswith("there is no such page")
    assert client.get("/static/..%2fshell.py").status == 404
    assert client.ask("DELETE", "/api/v1/models").status == 405
    assert "there is no model 'other'" in client.get("/api/v1/models/other").json["error"]
