"""Replay of `fuzz/known/`: every small input that ever broke something is tried again.

    python fuzz/replay.py [--kind files/null-at-the-end.jsonl]
    python fuzz/replay.py --again files/null-at-the-end.jsonl 0        one of them, in this process, with its traceback

`files/*` are read, learned from and predicted. `models/*.linnet` are loaded, verified and asked everything. `requests/*.http`
are the bytes of one connection, which are sent to a server. It must answer others within 100 ms afterwards.
"""

from __future__ import annotations

import contextlib
import io
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import driving  # noqa: E402

KNOWN = HERE / "known"
SERVED = ("labels logistic", "labelset", "tag crf", "parse own tags")
"""The kinds of models of seeds.py that predict the files and are served. Each is served under its first word."""
TASKS = {".conllu": ["parse"], ".csv": ["labelset"], ".jsonl": ["labelset", "compress"]}
"""The tasks that files are learned from for, by their endings, beside the one that is guessed."""
QUICK = 0.1
"""The most seconds until others are answered after a request."""
TRIES = 3
"""How often a request is sent again where the answer to others was late, as another process may have been the reason."""
IDLE = 3.0
"""The seconds without any byte of an answer after which none is waited for: the server may wait for more of the request."""
SERVER = (
    "import os, sys, threading; threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start();"
    "from linnet.cli.main import main; main(sys.argv[1:])"
)
"""A server that ends with the process that has started it."""


def prepare(folder: Path, kinds: list[str]) -> None:
    """Train the models that files and requests need."""
    from models import save_seeds

    save_seeds(folder, list(SERVED))
    for kind in SERVED:
        named = folder / f"{kind.split()[0]}.linnet"
        if not named.exists():
            named.symlink_to(f"{kind}.linnet")


def outcome(folder: Path, kind: str, number: int, file: Path) -> str:
    """What becomes of one input: `refused` where anything about it is refused, otherwise `answered`."""
    path = KNOWN / kind
    tried = {"files": _file, "models": _model, "requests": _request}[path.parent.name]
    return "answered" if all(tried(path, folder, file.parent)) else "refused"


def _file(path: Path, folder: Path, own: Path) -> Iterator[bool]:
    """Read a file by its reader, learn from it at once and as a stream, and predict it."""
    from readers import reader, seeds

    from linnet.errors import LinnetError

    kind = next((kind for kind in sorted(seeds(), key=len, reverse=True) if path.name.endswith(f".{kind}")), "")
    try:
        reader(kind)(path)
        yield True
    except LinnetError:
        yield False
    out, name = str(own / "out.linnet"), str(path)
    for task in TASKS.get(path.suffix, ()):
        yield _command("train", name, "-o", out, "--epochs", "1", "--task", task)
    yield _command("train", name, "-o", out, "--epochs", "1")
    yield _command("train", name, "-o", out, "--once")
    with path.open("rb") as file:
        yield _command("train", "-", "-o", out, "--once", stdin=file)
    for model in SERVED:
        yield _command("predict", str(folder / f"{model}.linnet"), name, "-o", str(own / "out.jsonl"))
    for left in own.glob("out.*"):
        left.unlink()


def _command(*arguments: str, stdin: Any = None) -> bool:
    """Run a command of linnet; whether it went well."""
    from linnet.cli.main import main

    given, sys.stdin = sys.stdin, io.TextIOWrapper(stdin or io.BytesIO())
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            main(list(arguments))
    except SystemExit as end:
        return not end.code
    finally:
        sys.stdin.detach()
        sys.stdin = given
    return True


def _model(path: Path, folder: Path, own: Path) -> Iterator[bool]:
    """Load a model and ask it all that can be asked."""
    from seeds import SEEDS, asked

    import linnet
    from linnet.errors import LinnetError

    try:
        model = linnet.load(path)
        model.verify()
    except LinnetError:
        yield False
        return
    seed = next((seed for kind, seed in SEEDS.items() if kind.split()[0] == model.task), SEEDS[SERVED[0]])
    yield not list(asked(seed, model, path))


def _request(path: Path, folder: Path, own: Path) -> Iterator[bool]:
    """Send the bytes of a connection to a server, and look at how it does afterwards."""
    server = _server(folder)
    try:
        for _ in range(TRIES):
            answer = server.sent(path.read_bytes())
            late = server.late()
            if late < QUICK:
                break
        assert late < QUICK, f"others waited {late:.2f} s for their answer"
        assert not answer.startswith(b"HTTP/1.1 5"), answer[:200]
    except Exception:
        _server.cache_clear()  # The next request has another server.
        raise
    yield answer[:10] in (b"HTTP/1.1 2", b"HTTP/1.1 3")


class Server:
    """A server of the models in a folder, in a process of its own."""

    def __init__(self, folder: Path) -> None:
        models = [str(folder / f"{kind.split()[0]}.linnet") for kind in SERVED]
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER, "serve", *models, "--port", "0"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
        )
        assert self.process.stdout is not None
        told = b""
        while (found := re.search(rb"http://[^:]+:(\d+)/", told)) is None:
            line = self.process.stdout.readline()
            assert line, told
            told += line
        self.port = int(found[1])
        self.late()  # The first answer may import something.
        self.before = self.memory()

    def sent(self, data: bytes) -> bytes:
        """The answer to the bytes of a connection."""
        parts = []
        with socket.create_connection(("127.0.0.1", self.port), timeout=IDLE) as connection:
            with contextlib.suppress(ConnectionError):
                connection.sendall(data)
            with contextlib.suppress(ConnectionError, TimeoutError):
                while part := connection.recv(1 << 16):
                    parts.append(part)
        if self.memory() > self.before + driving.LIMIT:
            raise MemoryError
        return b"".join(parts)

    def late(self) -> float:
        """The seconds until a question about its health is answered."""
        begin = time.perf_counter()
        connection = HTTPConnection("127.0.0.1", self.port, timeout=driving.LONGEST)
        try:
            connection.request("GET", "/api/v1/health")
            assert connection.getresponse().status == 200
        finally:
            connection.close()
        return time.perf_counter() - begin

    def memory(self) -> int:
        """The most bytes of memory that the process has had so far."""
        fields = Path(f"/proc/{self.process.pid}/status").read_text().partition("VmHWM:")[2].split()
        assert fields, "the server has ended"
        return int(fields[0]) << 10


@cache
def _server(folder: Path) -> Server:
    return Server(folder)


def kinds() -> list[str]:
    """The inputs, by their folder and name."""
    return sorted(str(path.relative_to(KNOWN)) for path in KNOWN.glob("*/*"))


TARGET = driving.Target(__file__, kinds(), prepare, outcome)


def run() -> int:
    return driving.main(TARGET, __doc__ or "")


if __name__ == "__main__":
    sys.exit(run())
