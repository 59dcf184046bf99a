"""A server in a thread, and a client that asks it."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn

from linnet.web.access import Access
from linnet.web.connections import bounded
from linnet.web.limits import Limits
from linnet.web.server import listen
from linnet.web.workbench import workbench


@dataclass
class Asked:
    """A response: its status, its headers and its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    """Asks a server on this machine."""

    port: int
    headers: dict[str, str]

    def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Asked:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Content-Type": "application/json", **self.headers, **(headers or {})}
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.request(method, path, data, sent)
            found = connection.getresponse()
            return Asked(found.status, {k.lower(): v for k, v in found.getheaders()}, found.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Asked:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, body: Any, **headers: str) -> Asked:
        return self.ask("POST", path, body, headers)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def served(app: Any, limits: Limits) -> Iterator[Client]:
    """Run an application while the block runs."""
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(app, http=bounded(limits), ws="none", lifespan="on", log_config=None, server_header=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield Client(listening.getsockname()[1], {})
    finally:
        server.should_exit = True
        thread.join(10)
        listening.close()


@contextmanager
def serving(*paths: Any, access: Access | None = None, limits: Limits | None = None) -> Iterator[Client]:
    """Serve models while the block runs."""
    limits = limits or Limits()
    with served(workbench([str(path) for path in paths], access or Access.on("127.0.0.1"), limits), limits) as client:
        yield client
