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
from concurrent.futures import ThreadPoolExecutor
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
_ONE_THREAD = ThreadPoolExecutor(1)
"""Begins and ends the processes. `start` polls all others, and of two threads that poll one process the second gets a
wrong exit code."""
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
    loop = asyncio.get_running_loop()
    starting = loop.run_in_executor(_ONE_THREAD, process.start)
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
            await loop.run_in_executor(_ONE_THREAD, _end, process)
    if (folder / _SAID).exists():
        raise RefusedError(422, (folder / _SAID).read_text(encoding="utf-8", errors="backslashreplace"))
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


def _end(process: BaseProcess) -> None:
    """End a process, unless it has ended: the system may have given its number to another one."""
    if process.exitcode is None:
        process.kill()
    process.join()


def _why(code: int) -> str:
    """What the end of a process says about the file that it read."""
    name = signal.Signals(-code).name if code < 0 else f"code {code}"
    return _WHY.get(name, f"ended the process that read it ({name}), so it is damaged, or was made to do that")


def in_time(batches: Iterable[Batch]) -> Iterator[Batch]:
    """Batches, each of which must come within UPLOAD_SECONDS of a processor. What is done with them takes the time it takes."""
    found = iter(batches)
    while True:
        _lower(resource.RLIMIT_CPU, int(time.process_time() + UPLOAD_SECONDS.most) + 1)
        batch = next(found, None)
        _lower(resource.RLIMIT_CPU, None)
        if batch is None:
            return
        yield batch


def _lower(limit: int, most: int | None) -> None:
    """Limit what this process may use. None: to what the system allows, which is also the most there can be."""
    _, hard = resource.getrlimit(limit)
    if most is None or (hard != resource.RLIM_INFINITY and most > hard):
        most = hard
    resource.setrlimit(limit, (most, hard))


def _bounded(folder: Path, used: tuple[str, ...], work: Callable[..., None], args: tuple[Any, ...]) -> None:
    """Do the work in this process, which is a new one."""
    with open(os.devnull, "wb") as nothing:  # No stranger fills the log of the server.
        os.dup2(nothing.fileno(), 2)
    threading.Thread(target=_end_with_the_server, args=(folder,), daemon=True).start()
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, UPLOAD_ANSWERS.most)
    _lower(resource.RLIMIT_DATA, UPLOAD_MEMORY.most)
    try:
        for path in used:
            use(path)
        work(*args)
    except MemoryError:
        _say(folder, f"the file {_TOO_LARGE}. Send it in parts.")
    except (LinnetError, OSError) as error:
        if getattr(error.__cause__ or error, "errno", None) == errno.EFBIG:
            _say(folder, f"the file has answers of more than {UPLOAD_ANSWERS.shown}. Send it in parts.")
        elif isinstance(error, LinnetError):
            _say(folder, str(error))
        else:
            raise


def _say(folder: Path, sentence: str) -> None:
    """Tell the server why the work cannot be done. A sentence that repeats a file may have half a character."""
    (folder / _SAID).write_text(sentence, encoding="utf-8", errors="backslashreplace")


def _end_with_the_server(folder: Path) -> None:
    """Wait for the end of the server, which may have been killed, and leave nothing behind then."""
    server = multiprocessing.parent_process()
    assert server is not None
    connection.wait([server.sentinel])
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)
