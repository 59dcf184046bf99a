"""A server in a process of its own, as `linnet serve` runs it."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from running_server import Client


@contextmanager
def serve_process(*paths: Any) -> Iterator[tuple[Client, subprocess.Popen[bytes]]]:
    """Serve models while the block runs."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    run = "from linnet.cli.main import main; main()"
    command = [sys.executable, "-c", run, "serve", *map(str, paths), "--port", str(port), "--rate", "1000000"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    client = Client(port, {})
    try:
        for _ in range(600):
            try:
                if client.get("/api/v1/health").status == 200:
                    break
            except OSError:
                time.sleep(0.1)
        yield client, process
    finally:
        process.terminate()
        process.wait(30)
