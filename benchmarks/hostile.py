"""What a server of `linnet serve` takes from clients that mean no good: what they get, and its memory after each round.

    python benchmarks/hostile.py [--connections 10000]

Rounds: connections that are opened and never ask anything, and while they are open, questions of a client that means well;
heads that never end; bodies of 100 MB, announced and in pieces; bodies that are no UTF-8 and no JSON; names of other hosts.
Each round is done twice: what the first one leaves is what the server keeps, and the second one should add nothing.
"""

from __future__ import annotations

import argparse
import json
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PORT = 8731
PATH = "/api/v1/models/m/predict"
HEAD = f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
GOOD = b'{"text": "a good film"}'
BODY = 100_000_000
BAD = (
    b'{"text": "\xff"}',
    b'{"text": ',
    b"[" * 100_000,
    b'{"text": "\\ud800"}',
    b'{"text": ' + b"9" * 5000 + b"}",
    b"\x00" * 1000,
)
HOSTS = ("evil.example", "10.0.0.1", "localhost.evil.example", "")
TIMES = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=10_000)
    n = parser.parse_args().connections
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    rounds: dict[str, Callable[[], Counter[str]]] = {
        f"{n:,} connections that ask nothing": lambda: silent(n),
        "heads that never end": endless,
        "bodies of 100 MB, announced": announced,
        "bodies of 100 MB, in pieces": in_pieces,
        "bodies that are no UTF-8 or no JSON": bad,
        "names of other hosts": strangers,
    }
    with tempfile.TemporaryDirectory() as folder:
        server = start(Path(folder))
        try:
            print(f"at first {memory(server):.1f} MB")
            for name, what in rounds.items():
                for _ in range(2):
                    began, found = time.perf_counter(), what()
                    said = ", ".join(f"{one} {times:,}" for one, times in sorted(found.items()))
                    print(
                        f"{name}: {said}; {time.perf_counter() - began:.1f} s, then {memory(server):.1f} MB", flush=True
                    )
            print(f"a question in the end: {asked(GOOD)}")
        finally:
            server.terminate()
            server.wait(20)


def start(folder: Path) -> subprocess.Popen[bytes]:
    """A server with a small model, which may be asked as often as one likes."""
    import linnet

    linnet.train(["good film", "bad film"] * 10, ["pos", "neg"] * 10).save(folder / "m.linnet")
    run = "from linnet.cli.main import main; main()"
    command = [sys.executable, "-c", run, "serve", "m.linnet", "--port", str(PORT), "--rate", "10000000"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(300):
        with suppress(OSError):
            if asked(GOOD) == "200":
                return server
        time.sleep(0.1)
    sys.exit("the server did not start.")


def memory(server: subprocess.Popen[bytes]) -> float:
    """The resident memory of the server in MB."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def opened(seconds: float = 30) -> socket.socket:
    return socket.create_connection(("127.0.0.1", PORT), seconds)


def said(raw: socket.socket) -> str:
    """The status that the server answers with, or that it closed the connection."""
    try:
        first = raw.recv(100)
    except ConnectionError:
        return "closed"
    except TimeoutError:
        return "no answer"
    return first.split()[1].decode() if first else "closed"


def sent(raw: socket.socket, data: bytes) -> bool:
    """Whether all of it could be sent."""
    try:
        raw.sendall(data)
    except ConnectionError:
        return False
    return True


def asked(body: bytes, host: str = "localhost") -> str:
    """The status of the answer to a body."""
    with opened() as raw:
        head = HEAD.replace("localhost", host)
        sent(raw, f"{head}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        return said(raw)


def silent(n: int) -> Counter[str]:
    """Connections that are all open at once. In the end each is looked at."""
    found, held = Counter[str](), list[socket.socket]()
    for _ in range(n):
        try:
            held.append(opened())
        except OSError:
            found["not opened"] += 1
    for _ in range(20):
        try:
            found[f"questions meanwhile {asked(GOOD)}"] += 1
        except OSError:
            found["questions meanwhile refused"] += 1
    until = time.monotonic() + 60
    for raw in held:
        raw.settimeout(max(0.01, until - time.monotonic()))
        found[said(raw)] += 1
        raw.close()
    return found


def endless() -> Counter[str]:
    """A letter of a head every second, on many connections at once, until the server closes them."""
    held = [opened() for _ in range(TIMES)]
    for raw in held:
        sent(raw, b"POST / HTTP/1.1\r\nHost: local")
    found = Counter[str]()
    for _ in range(60):
        held = [raw for raw in held if sent(raw, b"a")]
        time.sleep(1)
        if not held:
            break
    found["closed"] = TIMES - len(held)
    if held:
        found["open after a minute"] = len(held)
    return found


def announced() -> Counter[str]:
    found = Counter[str]()
    for _ in range(TIMES):
        with opened() as raw:
            sent(raw, f"{HEAD}Content-Length: {BODY}\r\n\r\n".encode())
            found[said(raw)] += 1
    return found


def in_pieces() -> Counter[str]:
    """Bodies whose length is not announced, sent until the server stops them."""
    found, piece = Counter[str](), b"10000\r\n" + b"a" * 65536 + b"\r\n"
    for _ in range(10):
        with opened() as raw:
            sent(raw, f"{HEAD}Transfer-Encoding: chunked\r\n\r\n".encode())
            all(sent(raw, piece) for _ in range(BODY // 65536))
            found[said(raw)] += 1
    return found


def bad() -> Counter[str]:
    return Counter(asked(body) for _ in range(TIMES) for body in BAD)


def strangers() -> Counter[str]:
    return Counter(asked(json.dumps({"text": "a"}).encode(), host) for _ in range(TIMES) for host in HOSTS)


if __name__ == "__main__":
    main()
