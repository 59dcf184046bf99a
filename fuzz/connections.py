"""Fuzzing of a real server: raw bytes over sockets to `linnet serve`, while another client asks every 50 ms if it is there.

    python fuzz/connections.py [--seconds 60] [--inputs N] [--kind smuggling]
    python fuzz/connections.py --again smuggling 1234        one input once more, and what came back

An input is what one client sends over one connection. Nothing may end the server, and no answer may have the status 500, or
lack the headers of safety. In the end the slowest answer of /health is told, and how many took longer than 100 ms.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from json_changes import any_value, change_tree  # noqa: E402
from mutation import mutated  # noqa: E402

PORT = 0
"""The port of the server, which is a free one."""
MODELS = ("labels logistic", "tag crf", "parse own tags", "labelset", "brackets")
EVERY, SLOWEST = 0.05, 0.1
SILENCE = 0.03
"""The seconds of silence after which no further answer is waited for, where the input may be unfinished."""
PATIENCE = 90.0
"""The seconds within which every finished question must be answered."""
UNDER_WAY = 8
"""The number of long questions whose answers nobody has read yet."""
STATUS = re.compile(rb"HTTP/1\.1 ([0-9]{3}) ")
WORDS = "the dog barks well and a cat sleeps good bad film day one two in of".split()
LINES = (
    "Host: evil.example", "Host: localhost", "Host:", "Origin: http://evil.example", "Origin: http://localhost:8737",
    "Content-Length: 5", "Content-Length: -1", "Content-Length: 99999999999999999999", "Content-Length: 0x5",
    "Content-Length: 5, 5", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: identity",
    "Transfer-Encoding:\tchunked", "Transfer-Encoding : chunked", "Expect: 100-continue", "Upgrade: websocket",
    "Connection: upgrade", "Connection: close", "Connection: ,", "Connection: keep-alive, upgrade", "Upgrade: h2c",
    "HTTP2-Settings: AAMA", "Content-Type: text/plain", " folded", "NoColon", ": empty", "Cookie: linnet_token=\\",
    "Authorization: Bearer x", "Sec-Fetch-Site: cross-site", "X: " + "a" * 70_000, "Ünicode: ü", "A\0: b", "B: c\0d",
    "Range: bytes=0-", "Accept-Encoding: gzip;q=x", "Content-Encoding: gzip", "Trailer: Host", "TE: trailers", "\rX: y",
    "X: y\rZ: w",
)  # fmt: skip
TARGETS = (
    "/", "//evil.example/", "/api/v1/health", "/api/v1/models", "/metrics", "/static/..%2f..%2fapi.py", "/%00", "/%", "*",
    "http://evil.example/", "localhost:80", "", "/" + "a" * 70_000, "/?" + "a=b&" * 9000, "/api/v1/models/%ff", "/é",
    "/\\evil.example", "/a b", "/api/v1/models/labels%20logistic/features?label=%ff&search=%00",
    "/api/v1/models/labels%20logistic/style.css",
)  # fmt: skip
METHODS = "GET GET POST POST HEAD PUT DELETE OPTIONS CONNECT TRACE PATCH PRI get X G\0T".split(" ")
VERSIONS = (
    "HTTP/1.1",
    "HTTP/1.1",
    "HTTP/1.1",
    "HTTP/1.0",
    "HTTP/2.0",
    "HTTP/0.9",
    "HTTP/1.2",
    "HTTP/11",
    "http/1.1",
    "",
)
ENDS = ("\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r", "\n\r")
FRAMES = (
    b"0",
    b"5",
    b"-1",
    b"fffffffffffffffff",
    b"5;a=b",
    b"5 ",
    b" 5",
    b"0x5",
    b"",
    b"5\n",
    b"G",
    b"5;" + b"a" * 70_000,
)
QUESTIONS = ("predict", "answers", "explain", "look", "decisions", "why", "words", "removal", "teach", "undo", "reload")


def texts(random: Random) -> str:
    """A text for a question: usually a few words, sometimes as many as anybody may send."""
    n = random.choice([0, 1, 5, 20, 20, 60, 120, 400, 2000, 20_000])
    joint = random.choice([" ", " ", " ", "\n", "", " ||| "])
    return joint.join(random.choice(WORDS) + random.choice(["", "", str(k)]) for k in range(n))


def request(
    method: str, target: str, lines: list[str], body: bytes = b"", version: str = "HTTP/1.1", end: str = "\r\n"
) -> bytes:
    head = end.join([f"{method} {target} {version}".rstrip(), *lines, "", ""])
    return head.encode("utf-8", "surrogateescape") + body


def good(random: Random, body: bytes | None = None, last: bool = True) -> bytes:
    """A request that is right in form."""
    close = ["Connection: close"] if last else []
    if body is None and random.random() < 0.5:
        return request("GET", random.choice(TARGETS[2:5]), ["Host: localhost", *close])
    body = json.dumps({"text": texts(random)[:200]}).encode() if body is None else body
    lines = ["Host: localhost", "Content-Type: application/json", f"Content-Length: {len(body)}", *close]
    return request("POST", "/api/v1/models/labels%20logistic/predict", lines, body)


def heads(random: Random) -> list[bytes]:
    lines = ["Host: localhost", *random.choices(LINES, k=random.choice([0, 1, 2, 3]))]
    random.shuffle(lines)
    if random.random() < 0.1:
        lines += ["X: y"] * random.choice([90, 101, 5000])
    method, target = random.choice(METHODS), random.choice(TARGETS)
    found = request(method, target, lines, b"", random.choice(VERSIONS), random.choice(ENDS))
    return [mutated(found, random, [good(random)])[: 1 << 17] if random.random() < 0.3 else found]


def smuggling(random: Random) -> list[bytes]:
    hidden = good(random)
    lines = [
        "Host: localhost",
        "Content-Type: application/json",
        *random.choices(LINES[5:20], k=random.choice([1, 2, 2, 3])),
    ]
    pieces = b"".join(
        random.choice(FRAMES)
        + random.choice([b"\r\n", b"\r\n", b"\n", b""])
        + random.choice([b"{}", b"hello", hidden, b""])
        + b"\r\n"
        for _ in range(random.randrange(4))
    )
    end = random.choice([b"0\r\n\r\n", b"0\r\nHost: evil.example\r\n\r\n", b"0\r\nX: " + b"a" * 70_000, b""])
    return [request("POST", "/api/v1/models/labels%20logistic/predict", lines, pieces + end + hidden)]


def bodies(random: Random) -> list[bytes]:
    long = random.choice([10, 1000, 100_000, 1_000_000])
    some = min(long, 9999)
    body = random.choice([
        b"[" * long, b'{"text":' * some, b'{"text": ' + b"9" * long + b"}", b'{"text": 1e' + b"9" * some + b"}",
        b'{"texts": [' + b'"a",' * long + b'"a"]}', b'{"examples": [' + b"[]," * long + b"[]]}",
        b'{"text": "' + b"\\ud800" * some + b'"}', b'{"text": "' + b"\xff" * some + b'"}', b"\x00" * long, b"", b"null",
        b'{"text": NaN, "top": -Infinity}', b'{"a": 1, "a": 2}', b'{"text": "' + b"a" * long + b'"}',
        b'{"text": "' + "é".encode() * long, b"{" + b",".join(b'"%d":1' % k for k in range(some)) + b"}",
    ])  # fmt: skip
    found = good(random, body)
    if random.random() < 0.3:
        other = random.choice([0, 1, len(body) + 9, 10**18])
        found = found.replace(b"Content-Length: %d" % len(body), b"Content-Length: %d" % other)
    return [found]


def pipelines(random: Random) -> list[bytes]:
    some = [good(random, last=False) for _ in range(random.choice([1, 2, 5, 15, 40, 400]))]
    if random.random() < 0.5:
        some.insert(random.randrange(len(some)), random.choice([heads, smuggling, bodies])(random)[0][:5000])
    return [b"".join(some) + good(random)]


def questions(random: Random) -> list[bytes]:
    name = random.choice(QUESTIONS)
    asked: dict[str, object] = {} if name in ("undo", "reload") else {"text": texts(random)}
    for field in ("top", "at", "proba", "this", "that", "wanted", "label", "watched", "example"):
        if random.random() < 0.15:
            some = [
                1,
                10,
                1000,
                10_000,
                10**30,
                -1,
                True,
                [[0, 1]],
                [[10**9, 1]],
                ["a"] * 100,
                "x",
                None,
                any_value(random),
            ]
            asked[field] = random.choice(some)
    asked |= {"top": 1000} if name == "answers" and random.random() < 0.3 else {}
    asked |= {"wanted": [[0, 0]]} if name == "teach" else {}
    if random.random() < 0.2:
        change_tree(asked, random)
    body = json.dumps(asked).encode()
    lines = ["Host: localhost", "Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close"]
    return [request("POST", f"/api/v1/models/{random.choice(MODELS).replace(' ', '%20')}/{name}", lines, body)]


def uploads(random: Random) -> list[bytes]:
    ending = random.choice([".csv", ".jsonl", ".txt", ".parquet", ".xlsx", ".csv.gz", ".conll", "", "%00", "../x"])
    body = random.choice(
        [b"text\na\n", b'{"text": "a"}\n' * 99, b"\xff\x00", b"", b"PAR1" * 9, b"PK\3\4" * 9, texts(random).encode()]
    )
    body = mutated(body, random) if random.random() < 0.5 else body
    lines = ["Host: localhost", f"Content-Length: {len(body) + random.choice([0, 0, 0, 9])}", "Connection: close"]
    return [request("POST", f"/api/v1/models/labels%20logistic/upload?ending={ending}", lines, body)]


def slow(random: Random) -> list[bytes]:
    whole = random.choice([heads, smuggling, bodies, pipelines, uploads])(random)[0][:3000]
    cuts = sorted(random.randrange(len(whole) + 1) for _ in range(random.randrange(1, 6)))
    return [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)][: random.randrange(1, 8)]


KINDS: dict[str, Callable[[Random], list[bytes]]] = {
    one.__name__: one for one in (heads, smuggling, bodies, pipelines, questions, uploads, slow)
}


def made(kind: str, number: int) -> list[bytes]:
    """The pieces of an input, which are sent one after the other."""
    return KINDS[kind](Random(f"{kind} {number}"))


class Client:
    """Sends inputs, and looks at what comes back."""

    def __init__(self) -> None:
        self.statuses = Counter[int]()
        self._unread: deque[tuple[str, int, socket.socket]] = deque()

    def send(self, kind: str, number: int) -> None:
        raw = socket.create_connection(("127.0.0.1", PORT), 10)
        with suppress(OSError):  # The server may close it before all is sent.
            for piece in made(kind, number):
                raw.sendall(piece)
                if kind == "slow":
                    time.sleep(0.005)
        if kind != "questions":
            self.look(kind, number, read(raw, SILENCE))
            return
        self._unread.append((kind, number, raw))
        if len(self._unread) > UNDER_WAY:
            self._read_first()

    def finish(self) -> None:
        while self._unread:
            self._read_first()

    def _read_first(self) -> None:
        kind, number, raw = self._unread.popleft()
        found = read(raw, PATIENCE)
        self.look(kind, number, found)
        if not STATUS.match(found):
            raise AssertionError(f"{kind} {number}: a question had no answer")

    def look(self, kind: str, number: int, found: bytes) -> None:
        """Raise AssertionError for an answer that no request should have."""
        heads = [head for head in re.split(rb"(?=HTTP/1\.1 [0-9]{3} )", found) if STATUS.match(head)]
        for head in heads:
            status = int(head[9:12])
            self.statuses[status] += 1
            if (
                status == 500
                or b"no room for this" in head
                or (status != 100 and b"content-security-policy" not in head[:2000])
            ):
                raise AssertionError(f"{kind} {number}: {head[:600]!r}")


def read(raw: socket.socket, patience: float) -> bytes:
    """What the server sends until it closes the connection or is silent for so long."""
    raw.settimeout(patience)
    found = b""
    with raw, suppress(OSError):
        while piece := raw.recv(1 << 20):
            found += piece
    return found


def probe(pipe: Connection) -> None:
    """Ask every 50 ms whether the server is there, until the pipe says that all is done; send the times of all answers."""
    times = []
    while not pipe.poll(EVERY):
        begun = time.monotonic()
        with suppress(OSError), socket.create_connection(("127.0.0.1", PORT), 30) as raw:
            raw.sendall(request("GET", "/api/v1/health", ["Host: localhost", "Connection: close"]))
            if read(raw, 30).startswith(b"HTTP/1.1 200"):
                times.append(time.monotonic() - begun)
                continue
        times.append(float("inf"))
    pipe.send(times)


@contextmanager
def probing() -> Iterator[list[float]]:
    """While the block runs, ask whether the server is there; the times are in the list afterwards."""
    times: list[float] = []
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=probe, args=(theirs,), daemon=True)
    process.start()
    try:
        yield times
    finally:
        ours.send(None)
        times += ours.recv()
        process.join(10)


@contextmanager
def serving() -> Iterator[subprocess.Popen[bytes]]:
    """A server of small models in a process of its own, with nothing in its way but what it has itself."""
    from models import save_seeds

    global PORT
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        PORT = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save_seeds(folder, list(MODELS))
        run = "from linnet.cli.main import main; main()"
        paths = [f"{kind}.linnet" for kind in MODELS]
        command = [sys.executable, "-c", run, "serve", *paths, "--port", str(PORT), "--rate", "1000000"]
        server = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(600):
                with suppress(OSError), socket.create_connection(("127.0.0.1", PORT), 10):
                    break
                time.sleep(0.1)
            yield server
        finally:
            server.terminate()
            server.wait(60)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long inputs are sent")
    parser.add_argument("--inputs", type=int, default=10**9, help="how many inputs are sent at most")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input of each kind")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only inputs of this kind")
    parser.add_argument("--again", nargs=2, metavar=("KIND", "NUMBER"), help="one input once more")
    said = parser.parse_args()
    with serving() as server:
        if said.again is not None:
            return again(said.again[0], int(said.again[1]))
        return campaign(server, said.kind or list(KINDS), said.seconds, said.inputs, said.first)


def again(kind: str, number: int) -> int:
    raw = socket.create_connection(("127.0.0.1", PORT), 10)
    for piece in made(kind, number):
        print(">", piece[:2000])
        with suppress(OSError):
            raw.sendall(piece)
    print("<", read(raw, 30)[:2000])
    return 0


def campaign(server: subprocess.Popen[bytes], kinds: list[str], seconds: float, inputs: int, first: int) -> int:
    client, counts, faults = Client(), Counter[str](), list[str]()
    until = time.monotonic() + seconds
    with probing() as times:
        for number in range(inputs):
            if time.monotonic() > until or server.poll() is not None:
                break
            kind = kinds[number % len(kinds)]
            counts[kind] += 1
            try:
                client.send(kind, first + number // len(kinds))
            except (AssertionError, OSError) as fault:
                faults.append(
                    f"{fault}; again: python {Path(__file__).name} --again {kind} {first + number // len(kinds)}"
                )
        with suppress(OSError):
            try:
                client.finish()
            except AssertionError as fault:
                faults.append(str(fault))
    if server.poll() is not None:
        faults.append(f"the server has ended with {server.returncode}")
    ordered = sorted(times)
    late = sum(one > SLOWEST for one in times)
    print(f"{counts.total():,} inputs: " + ", ".join(f"{kind} {n:,}" for kind, n in counts.items()))
    print("answers: " + ", ".join(f"{status} {n:,}" for status, n in sorted(client.statuses.items())))
    print(
        f"health: asked {len(times):,} times, median {1000 * ordered[len(ordered) // 2]:.1f} ms, 99% within "
        f"{1000 * ordered[int(0.99 * len(ordered))]:.0f} ms, slowest {1000 * ordered[-1]:.0f} ms, {late} later than "
        f"{1000 * SLOWEST:.0f} ms"
    )
    memory = Path(f"/proc/{server.pid}/status")
    if memory.exists():
        print("memory of the server at its highest:" + memory.read_text().partition("VmHWM:")[2].partition("\n")[0])
    print("\n".join(faults[:20]) or "no faults")
    return min(1, len(faults))


if __name__ == "__main__":
    sys.exit(main())
