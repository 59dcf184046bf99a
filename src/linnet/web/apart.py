"""Work on what strangers bring, in a process of its own that may die.

Files are read by libraries that linnet does not make (Arrow, calamine, decompressors). A fault in one of them ends a process,
or takes its memory. So it is not the server's: each file has a process, forked from one that has everything imported and runs
no threads, with bounds on its memory and its time. Whatever its end was, the server says it in a sentence.
"""

from __future__ import annotations

import asyncio
import errno
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from multiprocessing import connection, forkserver
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

from linnet.errors import LinnetError
from linnet.limits import UPLOAD_ANSWERS, UPLOAD_MEMORY, UPLOAD_SECONDS
from linnet.plugins import USED, use
from linnet.web.problems import RefusedError

_READERS = (
    *(
        f"linnet.io.texts.{name}"
        for name in ("reading", "missing_labels", "delimited", "careful_rows", "careful_fallback")
    ),
    *(f"linnet.io.texts.{name}" for name in ("jsonl", "parquet", "arrow_files", "excel", "fasttext", "lines")),
    *("linnet.io.sentences.reading", "linnet.io.pairs.formats", "linnet.io.lists.reading", "linnet.io.python_values"),
    *("pyarrow.parquet", "pyarrow.compute", "pyarrow.csv", "pyarrow.json", "python_calamine"),
)
"""What is imported before the first file comes, beside what the server has imported: its models, above all."""
_SAID = "refused"
"""The name of the file in which the process says, in a sentence, why it could not do its work."""
_TOO_LARGE = f"needs more memory than {UPLOAD_MEMORY.shown}"
_WHY = {
    "SIGXCPU": f"takes longer than {UPLOAD_SECONDS.shown} to read",
    "SIGKILL": "needs more memory than there is",
}
"""What a signal that ended a process says about the file."""
Batch = TypeVar("Batch")


def get_ready() -> None:
    """Begin the process from which others are forked, unless it is there. It imports what they need, while nobody waits."""
    forkserver.set_forkserver_preload([*(name for name in list(sys.modules) if name.startswith("linnet.")), *_READERS])
    forkserver.ensure_running()


async def apart(folder: Path, gone: Awaitable[object], work: Callable[..., None], *args: Any) -> None:
    """Do `work(*args)`, which writes into a folder, in a process of its own. Raise RefusedError where it refuses something, or
    dies.

    gone: what ends the process when it comes first, such as the end of the connection.
    """
    get_ready()
    process = multiprocessing.get_context("forkserver").Process(
        target=_bounded, args=(folder, tuple(USED), work, args), daemon=True
    )
    starting = asyncio.ensure_future(asyncio.to_thread(process.start))
    leaving = asyncio.ensure_future(gone)
    try:
        await asyncio.shield(starting)
        ended = asyncio.ensure_future(_ended(process))
        await asyncio.wait((ended, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            ended.cancel()
            raise RefusedError(400, "the connection ended before the answers were there.")
    finally:
        leaving.cancel()
        await asyncio.wait((starting,))
        if process.pid is not None:
            process.kill()
            process.join()
    if (folder / _SAID).exists():
        raise RefusedError(422, (folder / _SAID).read_text())
    if process.exitcode:
        raise RefusedError(422, f"the file {_why(process.exitcode)}. Check it, or send it in parts.")


async def _ended(process: BaseProcess) -> None:
    """Wait for the end of a process."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(process.sentinel, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(process.sentinel)


def _why(code: int) -> str:
    """What the end of a process says about the file that it read."""
    name = signal.Signals(-code).name if code < 0 else f"code {code}"
    return _WHY.get(name, f"ended the process that read it ({name}), so it is damaged, or was made to do that")


def in_time(batches: Iterable[Batch]) -> Iterator[Batch]:
    """Batches, each of which must come within UPLOAD_SECONDS of a processor. What is done with them takes the time it takes."""
    found = iter(batches)
    while True:
        _end_after(time.process_time() + UPLOAD_SECONDS.most)
        batch = next(found, None)
        _end_after(resource.RLIM_INFINITY)
        if batch is None:
            return
        yield batch


def _end_after(seconds: float) -> None:
    """Let the system end this process when it has used so many seconds of a processor."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(seconds) + 1 if seconds > 0 else resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_CPU, (soft if most == resource.RLIM_INFINITY else min(soft, most), most))


def _bounded(folder: Path, used: tuple[str, ...], work: Callable[..., None], args: tuple[Any, ...]) -> None:
    """Do the work in this process, which is a new one."""
    threading.Thread(target=_end_with_the_server, args=(folder,), daemon=True).start()
    for limit, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, UPLOAD_ANSWERS.most),
        (resource.RLIMIT_DATA, UPLOAD_MEMORY.most),
    ):
        _, hard = resource.getrlimit(limit)
        resource.setrlimit(limit, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    try:
        for path in used:
            use(path)
        work(*args)
    except MemoryError:
        (folder / _SAID).write_text(f"the file {_TOO_LARGE}. Send it in parts.")
    except (LinnetError, OSError) as error:
        if getattr(error.__cause__ or error, "errno", None) == errno.EFBIG:
            (folder / _SAID).write_text(f"the file has answers of more than {UPLOAD_ANSWERS.shown}. Send it in parts.")
        elif isinstance(error, LinnetError):
            (folder / _SAID).write_text(str(error))
        else:
            raise


def _end_with_the_server(folder: Path) -> None:
    """Wait for the end of the server, which may have been killed, and leave nothing behind then."""
    server = multiprocessing.parent_process()
    assert server is not None
    connection.wait([server.sentinel])
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)
