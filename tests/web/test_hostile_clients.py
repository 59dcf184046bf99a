"""Clients that mean no good, over real connections: what they send is bounded, and they hold no place that others need."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from contextlib import ExitStack, suppress

import pytest
from running_server import Client, serving
from starlette.requests import Request

from linnet.web.access import Access
from linnet.web.bodies import Bodies
from linnet.web.limits import Limits
from linnet.web.problems import RefusedError

PATH = "/api/v1/models/reviews"
POST = f"POST {PATH}/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
GOOD = b'{"text": "a good film"}'
GET = "GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = f"{POST}Transfer-Encoding: chunked\r\n\r\n".encode()


def _connected(client: Client) -> socket.socket:
    return socket.create_connection(("127.0.0.1", client.port), 60)


def _sent(raw: socket.socket, data: bytes) -> bool:
    """Whether all of it could be sent."""
    try:
        raw.sendall(data)
    except OSError:
        return False
    return True


def _heard(raw: socket.socket) -> bytes:
    """All that the server sends until it closes the connection."""
    found = b""
    with suppress(OSError):
        while piece := raw.recv(65536):
            found += piece
    return found


def _answer(client: Client, request: bytes) -> tuple[int, str]:
    """The status of the answer to a request, and the sentence of its error."""
    with _connected(client) as raw:
        _sent(raw, request)
        head, _, body = _heard(raw).partition(b"\r\n\r\n")
    if b"content-security-policy" not in head:
        raise AssertionError(f"an answer without the headers of safety: {head!r}")
    return int(head.split()[1]), json.loads(body).get("error", "")


def test_a_head_that_is_too_long_is_refused(client):
    assert _answer(client, f"{GET}Connection: close\r\nX-Long: {'a' * 55_000}\r\n\r\n".encode())[0] == 200
    for head in (f"{GET}X: {'a' * 70_000}\r\n\r\n", f"GET /{'a' * 70_000} HTTP/1.1\r\n", GET + "X: y\r\n" * 20_000):
        status, said = _answer(client, head.encode())
        assert status == 431
        assert said.startswith(("the head is longer than 65,536 bytes", "the head has more than 100 lines"))


def test_a_target_that_is_too_long_is_refused(client):
    """A query of many parts takes long to take apart."""
    assert (
        _answer(client, GET.replace("health", f"health?{'a&' * 3900}").encode() + b"Connection: close\r\n\r\n")[0]
        == 200
    )
    for target in ("/" + "a" * 9000, "/?" + "a&" * 9000):
        assert _answer(client, GET.replace("/api/v1/health", target).encode() + b"\r\n")[0] == 414


def test_a_head_without_an_end_takes_no_memory(client):
    """64 MB of lines come in pieces; the server stops to read them at the first."""
    with _connected(client) as raw:
        _sent(raw, GET.encode())
        n = 0
        while n < 1000 and _sent(raw, b"X" * 65_536):
            n += 1
        assert n < 200, "what was sent lies in the buffers of the system at most"


def test_a_head_of_too_many_lines_is_refused(client):
    assert _answer(client, (GET + "X: y\r\n" * 99 + "Connection: close\r\n\r\n").encode())[0] == 431
    assert _answer(client, (GET + "X: y\r\n" * 98 + "Connection: close\r\n\r\n").encode())[0] == 200


def test_what_surrounds_a_body_is_bounded(client):
    """Sizes of chunks may have extensions, and trailers may follow the last chunk: neither is any use here."""
    body = b"%x\r\n%s\r\n0\r\n" % (len(GOOD), GOOD)
    with _connected(client) as raw:
        _sent(raw, CHUNKED + body + b"Origin: http://evil.example\r\nContent-Type: text/plain\r\n\r\n")
        assert raw.recv(1000).startswith(b"HTTP/1.1 200"), "trailers are no headers"
    for beginning, piece in ((body, b"X: " + b"a" * 1000 + b"\r\n"), (b"1;" + b"a" * 1000, b"a" * 1000)):
        with _connected(client) as raw:
            _sent(raw, CHUNKED + beginning)
            n = 0
            while n < 20_000 and _sent(raw, piece):
                n += 1
            assert n < 10_000


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\n\r\n", 400),
        (f"{GET}Origin: http://localhost\r\nOrigin: http://evil.example\r\n\r\n", 400),
        (f"{POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{{}}", 400),
        (f"{POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (f"{POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n", 400),
        (f"{POST}Transfer-Encoding: gzip\r\n\r\n{{}}", 400),
        (f"{POST}Content-Length : 2\r\n\r\n{{}}", 400),
        (f"{POST}Content-Length: 2\r\n Content-Length: 3\r\n\r\n{{}}", 400),
        (f"{POST}Content-Length: +2\r\n\r\n{{}}", 400),
        ("GET /api/v1/health HTTP/1.1\r\n\r\n", 421),
        ("GET http://evil.example/api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("GET http://localhost/api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("GET /api/v1/health HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
        ("GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
        ("\x16\x03\x01\x02\x00\x01\x00\x01", 400),
    ],
)
def test_heads_that_could_be_read_in_two_ways_are_refused(client, head, status):
    found, said = _answer(client, head.encode())
    assert found == status
    assert said.endswith(".")


def test_the_token_leads_to_this_server_alone(reviews):
    access = Access.on("0.0.0.0")
    with serving(reviews, access=access) as client:
        for path in ("//evil.example/", "///evil.example/", "/%2fevil.example/"):
            welcome = client.get(f"{path}?token={access.token}")
            assert (welcome.status, welcome.headers["location"]) == (303, "/evil.example/")


def test_only_so_many_requests_wait_on_a_connection(client):
    with _connected(client) as raw:
        _sent(raw, f"{GET}\r\n".encode() * 15 + f"{GET}Connection: close\r\n\r\n".encode())
        assert _heard(raw).count(b"HTTP/1.1 200") == 16
    with _connected(client) as raw:
        _sent(raw, f"{GET}\r\n".encode() * 1000)
        assert _heard(raw).count(b"HTTP/1.1") < 100


def test_an_upload_that_drips_is_ended(reviews):
    with serving(reviews, limits=Limits(seconds=0.4, least_rate=1000)) as client, _connected(client) as raw:
        begun = time.monotonic()
        _sent(raw, f"POST {PATH}/upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n".encode())
        while time.monotonic() - begun < 4 and _sent(raw, b"a"):
            time.sleep(0.1)
        assert time.monotonic() - begun < 3
        assert b"the body came slower than 1,000 bytes a second" in _heard(raw)


def test_the_slowest_upload_gives_way(reviews):
    with serving(reviews, limits=Limits(uploads=3)) as client, ExitStack() as stack:
        to = f"POST {PATH}/upload?ending=.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        head = f"{to}Content-Length: 9000\r\n\r\n"
        slow = [stack.enter_context(_connected(client)) for _ in range(3)]
        for raw in slow:
            _sent(raw, head.encode() + b"a")
        time.sleep(0.3)
        for _ in range(5):
            assert client.ask("POST", f"{PATH}/upload?ending=.txt", b"a good film\n" * 10).status == 200
        heard = []
        for raw in slow:
            raw.settimeout(0.3)
            with suppress(TimeoutError):
                heard.append(raw.recv(12))
        assert heard == [b"HTTP/1.1 503"], "one of them gave way"


def test_an_upload_that_is_too_long_is_refused(reviews):
    with serving(reviews, limits=Limits(upload=1000)) as client:
        assert client.ask("POST", f"{PATH}/upload?ending=.txt", b"a good film\n" * 10).status == 200
        assert client.ask("POST", f"{PATH}/upload?ending=.txt", b"a good film\n" * 100).status == 413


@pytest.mark.parametrize("held", ["", GET, f"{GET}\r\n", f"{POST}Content-Length: 100\r\n\r\n{{"])
def test_who_keeps_the_server_waiting_gives_way(reviews, held):
    """All places are held: by connections that are silent, in the midst of a head or of a body, or between two requests."""
    with serving(reviews, limits=Limits(connections=8)) as client, ExitStack() as stack:
        for _ in range(8):
            raw = stack.enter_context(_connected(client))
            _sent(raw, held.encode())
            if held.endswith("\r\n\r\n"):
                assert raw.recv(1000)
        time.sleep(0.1)
        assert [client.post(f"{PATH}/predict", {"text": "good"}).status for _ in range(30)] == [200] * 30


def test_who_sends_enough_keeps_its_place(reviews):
    """An upload that comes at a good rate goes on while others that drip are closed for new connections."""
    with serving(reviews, limits=Limits(connections=8, least_rate=1000)) as client, ExitStack() as stack:
        to = f"POST {PATH}/upload?ending=.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        head = f"{to}Content-Length: 60000\r\n\r\n"
        good = stack.enter_context(_connected(client))
        piece = b"a good film" * 454 + b"\nok no"
        _sent(good, head.encode() + piece)
        time.sleep(0.1)
        for _ in range(7):
            _sent(stack.enter_context(_connected(client)), head.encode() + b"a")
        for _ in range(11):
            assert _sent(good, piece)
            assert client.get("/api/v1/health").status == 200
            time.sleep(0.02)
        assert _heard(good).startswith(b"HTTP/1.1 200")


def test_an_answer_that_nobody_reads_is_given_up(reviews):
    body = json.dumps({"texts": ["a"] * 900_000}).encode()
    request = f"{POST}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    with serving(reviews, limits=Limits(seconds=1, least_rate=1e7)) as client:
        with _connected(client) as raw:
            _sent(raw, request)
            assert len(_heard(raw)) > 5_000_000
        with _connected(client) as raw:
            _sent(raw, request)
            raw.recv(1000, socket.MSG_PEEK)  # The answer has begun.
            time.sleep(3)
            assert len(_heard(raw)) < 5_000_000


@pytest.mark.parametrize("drip", [b"\r\n", b"a"])
def test_nobody_stays_by_dripping_behind_an_answer(reviews, drip):
    """Behind an answer come line ends, or a body that nobody asked for."""
    with serving(reviews, access=Access.on("0.0.0.0"), limits=Limits(seconds=0.4)) as client, _connected(client) as raw:
        length = 10**9 if drip == b"a" else 0
        _sent(raw, f"{POST}Content-Length: {length}\r\n\r\n".encode())
        assert raw.recv(1000).startswith(b"HTTP/1.1 401")
        begun = time.monotonic()
        while time.monotonic() - begun < 5 and _sent(raw, drip):
            time.sleep(0.05)
        assert time.monotonic() - begun < 3


def test_bodies_that_come_at_once_take_only_so_much_memory(reviews):
    limits = Limits(body=1 << 20, bodies=3 << 20)
    with serving(reviews, limits=limits) as client:
        with ExitStack() as stack:
            for _ in range(3):
                raw = stack.enter_context(_connected(client))
                _sent(raw, f"{POST}Content-Length: {1 << 20}\r\n\r\n".encode() + b" " * 1_000_000)
            time.sleep(0.3)
            body = b" " * 500_000 + GOOD
            found = _answer(client, f"{POST}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
            assert found == (503, "too many long bodies come at once. Send it again in a moment.")
            assert client.post(f"{PATH}/predict", GOOD).status == 200, "short ones come through"
        for _ in range(50):
            if client.post(f"{PATH}/predict", body).status == 200:
                break
            time.sleep(0.1)
        assert client.post(f"{PATH}/predict", body).status == 200, "what is given up is given back"


def test_a_long_body_counts_until_it_is_answered():
    async def read() -> None:
        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": b'{"text": "' + b"a" * 100_000 + b'"}', "more_body": False}

        headers = [(b"content-type", b"application/json")]
        bodies = Bodies(Limits(bodies=150_000, body=150_000))

        def asked() -> Request:
            return Request(
                {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers}, receive
            )

        found = await bodies.json_of(asked())
        assert (found.size, len(found["text"])) == (100_012, 100_000)
        with pytest.raises(RefusedError, match="too many long bodies"):
            await bodies.json_of(asked())
        del found
        assert (await bodies.json_of(asked())).size == 100_012

    asyncio.run(read())


def test_a_body_of_too_many_lists_is_refused(reviews):
    with serving(reviews, limits=Limits(lists=50_000)) as client:
        found = client.post(f"{PATH}/predict", b'{"examples": [' + b"[]," * 60_000 + b"[]]}")
        assert (found.status, found.json["error"].partition(".")[0]) == (
            413,
            "the body has more than 50,000 lists and objects",
        )
        rows = b'{"examples": [' + b'{"text": "bad"},' * 20_000 + b"{}]}"
        assert client.post(f"{PATH}/predict", rows).json["predictions"][:-1] == ["neg"] * 20_000


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"[" * 50_000, "nested too deeply"),
        (b'{"text": ' + b"9" * 90_000 + b"}", "a number of more than 4,300 digits"),
        (b'{"text": "\\ud800' + b"a" * 70_000 + b'"}', "half a character"),
        (b'{"text": "' + b"a" * 70_000, "not JSON: Unterminated string"),
        (b'{"text": "' + b"a" * 70_000 + b"\xff", "not UTF-8: byte 70010 is 0xff"),
        (b'{"text": "' + b"\\ud83d\\ude00" * 10_000 + b'", "x": 1}', "there is no 'x'"),
        (b'{"texts": [' + b"1," * 50_000 + b"1]}", "expected a list of strings"),
    ],
)
def test_long_bodies_get_the_same_sentences(client, body, said):
    found = client.post(f"{PATH}/predict", body)
    assert 400 <= found.status < 500
    assert said in found.json["error"]
