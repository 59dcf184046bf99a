"""Fuzzing of the server: requests to a fresh application over a small model, or over texts that are labelled.

    python fuzz/server.py [--seconds 60] [--inputs N] [--kind "tag crf"] [--workers 2]
    python fuzz/server.py --again "tag crf" 1234        one input once more, in this process, with its traceback

An input is one to 24 requests in turn. Each begins as one that the description of the API (/api/v1/openapi.json) allows; then
values of its JSON, bytes of its body, its headers, its path or its method are changed, or nothing is. The answer must have a
status below 500 or 503, and where that is 400 or more, a body {"error": a sentence}.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import driving  # noqa: E402
from json_changes import change_tree  # noqa: E402
from mutation import mutated  # noqa: E402

MODELS = (
    "labels logistic", "labels columns", "labels kernel-svm", "labels feedforward", "labelset", "ranking", "hierarchy",
    "ordinal", "tag crf", "tag spans reranked", "compress", "parse own tags", "brackets", "align", "rerank",
)  # fmt: skip
"""The kinds of models of seeds.py that are served."""
LABELLED = ("labelling labels", "labelling ordinal", "labelling labelset")
TYPED = [
    "the dog barks well", "", " ", "good bad film, and the day!", "das haus ||| the house", "the dog\ndog the", "\ud800",
    "a\0b", "é" * 50, "<b>x</b>&amp;", "word " * 3000, "x" * 30_000,
]  # fmt: skip
HEADERS: list[tuple[bytes, bytes]] = [
    (b"host", b"evil.example"), (b"host", b""), (b"host", b"\xff"), (b"origin", b"http://localhost"), (b"origin", b"//[::"),
    (b"origin", b"http://[x"), (b"origin", b"null"), (b"content-type", b"text/plain"), (b"content-type", b"\xff;"),
    (b"content-length", b"-1"), (b"content-length", b"99999999999999999999"), (b"content-length", "²".encode()),
    (b"content-length", b"\xb2"), (b"content-length", b"9" * 5000), (b"authorization", b"Bearer \xe9"),
    (b"cookie", b'linnet_token="\\'), (b"cookie", b"a=b; \xff"), (b"sec-fetch-site", b"cross-site"),
    (b"accept-encoding", b"\x00"), (b"range", b"bytes=9-1"), (b"if-none-match", b"*"), (b"if-none-match", b"\xff"),
]  # fmt: skip
PATHS = [
    "/",
    "/nowhere",
    "/static/web.css",
    "/static/..%2f..%2fapi.py",
    "/static/\ud800",
    "/metrics",
    "/favicon.ico",
    "//",
    "/\0",
]
QUERIES = [
    b"",
    b"ending=.csv",
    b"ending=.jsonl",
    b"ending=.conll.gz",
    b"ending=../x",
    b"label=pos&search=%ff&sort=name",
    b"%",
    b"&&==",
]
FILES = [b"text,label\nok,pos\n", b'{"text": "a"}\n', b"a fine film\n", b"the\tDT\n\n", b"", b"\xff\xfe\x00", b'"' * 99]
Request = tuple[str, str, bytes, list[tuple[bytes, bytes]], bytes]


@cache
def described() -> list[tuple[str, str, dict[str, Any]]]:
    """What the description has: the method and the path of each question, and the fields of its body."""
    from linnet.web.openapi import openapi

    found = []
    for path, methods in openapi()["paths"].items():
        for method, asked in methods.items():
            content = asked.get("requestBody", {}).get("content", {})
            fields = content.get("application/json", {}).get("schema", {}).get("properties")
            found.append((method.upper(), path, fields))
    return found


LABEL_ROUTES = [
    ("POST", "/api/v1/label/next", {"by": "", "client": "c"}),
    ("POST", "/api/v1/label/show", {"by": "", "client": "c", "row": 1}),
    ("POST", "/api/v1/label/event", {"by": "a", "client": "c", "event": "answer", "id": "i", "row": 2, "answer": ["1"]}),
    ("POST", "/api/v1/label/event", {"by": "a", "client": "c", "event": "note", "id": "j", "row": 2, "note": "n"}),
    ("POST", "/api/v1/label/event", {"by": "", "client": "c", "event": "skip", "id": "k", "row": 3}),
    ("POST", "/api/v1/label/event", {"by": "a", "client": "c", "event": "undo", "id": "l"}),
    ("GET", "/api/v1/label/progress", None),
    ("GET", "/api/v1/label/review", None),
    ("GET", "/api/v1/label/export/answers.csv", None),
    ("GET", "/api/v1/label/export/answers.jsonl", None),
    ("GET", "/api/v1/label/export/model.linnet", None),
    ("GET", "/", None),
]  # fmt: skip


def _good(name: str, random: Random, new: Any) -> Any:
    """A good value for a field of the description."""
    pairs = [[random.randrange(4), random.randrange(4)] for _ in range(random.randrange(3))]
    values: dict[str, Callable[[], Any]] = {
        "text": lambda: random.choice(TYPED),
        "texts": lambda: random.choices(TYPED, k=random.randrange(4)),
        "watched": lambda: random.choices(TYPED, k=random.randrange(4)),
        "examples": lambda: json.loads(json.dumps(new)),
        "this": lambda: pairs, "that": lambda: pairs[:1], "wanted": lambda: pairs,
        "label": lambda: random.choice(["pos", "new", "", "2", "A:x"]),
        "name": lambda: random.choice(["taught", "a.linnet", "model", "..", "x" * 64]),
        "proba": lambda: random.random() < 0.5,
    }  # fmt: skip
    return values.get(name, lambda: random.randrange(5))()


def asked(kind: str, random: Random, new: Any) -> Request:
    """A request: its method, path, query, headers and body."""
    if kind in LABELLED:
        method, path, given = random.choice(LABEL_ROUTES)
        body = json.loads(json.dumps(given))
    else:
        method, path, fields = random.choice(described())
        path = path.replace("{model}", "model")
        names = [name for name in fields or () if random.random() < 0.7]
        body = None if fields is None else {name: _good(name, random, new) for name in names}
        if body is not None and len({"text", "texts", "examples"} & {*body}) > 1:
            keep = random.choice(["text", "texts", "examples"])
            body = {
                name: value for name, value in body.items() if name == keep or name not in ("text", "texts", "examples")
            }
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    for _ in range(random.choice([0, 0, 1, 1, 2, 3]) if body else 0):
        change_tree(body, random)
    raw = random.choice(FILES) if path.endswith("upload") else b"" if body is None else json.dumps(body).encode()
    if random.random() < 0.15:
        raw = mutated(raw, random, FILES)
    if random.random() < 0.15:
        name, value = random.choice(HEADERS)
        headers = [(key, had) for key, had in headers if key != name or random.random() < 0.2] + [(name, value)]
    if random.random() < 0.05:
        path = random.choice([*PATHS, path + "/", path.replace("model", random.choice(["other", "", "\ud800", "a b"]))])
    if random.random() < 0.05:
        method = random.choice(["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "X", "post"])
    return method, path, random.choice(QUERIES) if random.random() < 0.3 else b"", headers, raw


async def answered(app: Any, request: Request, random: Random) -> tuple[int, dict[bytes, bytes], bytes]:
    """The status, the headers and the body with which an application answers."""
    method, path, query, headers, body = request
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "method": method, "path": path,
        "raw_path": path.encode("utf-8", "replace"), "query_string": query, "root_path": "", "headers": headers,
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
    }  # fmt: skip
    cut = random.randrange(len(body) + 1)
    pieces: list[dict[str, Any]] = [
        {"type": "http.request", "body": body[:cut], "more_body": True},
        {"type": "http.request", "body": body[cut:], "more_body": False},
    ]
    if random.random() < 0.02:
        pieces[1] = {"type": "http.disconnect"}
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if not pieces:
            await asyncio.Event().wait()  # The client stays until it is answered.
        return pieces.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    begin = next(message for message in sent if message["type"] == "http.response.start")
    whole = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
    return begin["status"], dict(begin["headers"]), whole


def checked(status: int, headers: dict[bytes, bytes], body: bytes, method: str) -> bool:
    """Whether a request was answered, not refused. An answer that is neither is an error."""
    is_json = headers.get(b"content-type", b"").startswith(b"application/json")
    found = json.loads(body) if is_json and body else None
    fault = status >= 500 and status != 503  # which is said where an answer takes too long
    if status >= 400 and method != "HEAD" and (fault or not isinstance((found or {}).get("error"), str)):
        raise AssertionError(f"status {status}: {body[:200]!r}")
    if b"content-security-policy" not in headers:
        raise AssertionError("an answer without the headers of safety")
    return status < 400


def prepare(folder: Path, kinds: list[str]) -> None:
    """Train the models that are served."""
    from models import save_seeds

    save_seeds(folder, [kind for kind in kinds if kind in MODELS])


def _application(folder: Path, kind: str, own: Path) -> tuple[Any, Any]:
    """The application of an input, and good examples for its model."""
    from journal import begun
    from seeds import SEEDS

    from linnet.web.access import Access
    from linnet.web.labelling import labelling_app
    from linnet.web.limits import Limits
    from linnet.web.workbench import workbench

    limits = Limits(body=1 << 20, upload=1 << 20, rate=1e9)
    if kind in LABELLED:
        return labelling_app(begun(kind.split()[1], own / "journal"), Access.on("127.0.0.1"), limits), None
    (own / "model.linnet").symlink_to(folder.absolute() / f"{kind}.linnet")
    return workbench([str(own / "model.linnet")], Access.on("127.0.0.1"), limits), SEEDS[kind].new


@cache
def loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def outcome(folder: Path, kind: str, number: int, file: Path) -> str:
    """What becomes of one input: all requests are `answered`, some are `refused`."""
    random, own = Random(f"{kind} {number}"), file.parent / "served"
    own.mkdir(exist_ok=True)
    for path in own.iterdir():
        path.unlink()
    os.chdir(own)  # where models that are taught are saved
    app, new = _application(folder, kind, own)
    good = True
    for _ in range(random.randrange(1, 25)):
        request = asked(kind, random, new)
        good &= checked(*loop().run_until_complete(answered(app, request, random)), request[0])
    return "answered" if good else "refused"


TARGET = driving.Target(__file__, [*MODELS, *LABELLED], prepare, outcome)


def main() -> int:
    return driving.main(TARGET, __doc__ or "")


if __name__ == "__main__":
    sys.exit(main())
