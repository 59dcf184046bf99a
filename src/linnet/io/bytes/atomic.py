"""Write a file so that it is either whole or not there."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from linnet.errors import UsageError


@contextmanager
def atomic(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Yield a binary file that takes the place of `path` when the block ends, and is removed when it raises.

    A file that is replaced hands on its permissions; a link is followed. What is not a file (/dev/null, a named pipe)
    cannot be replaced, and is written as it stands. What standard output goes to (/dev/stdout) is written through it, behind
    what is there already.
    """
    if _is_stdout(path):
        sys.stdout.flush()
        with open(os.dup(1), "wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    mode = _mode(target, os.fspath(path))
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            yield file
        return
    temporary = _temporary(target)
    try:
        with _create(temporary, os.fspath(path)) as file:
            if mode is not None:
                os.chmod(temporary, stat.S_IMODE(mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def check_writable(path: str | PathLike[str]) -> None:
    """Raise UsageError if `atomic` could not write a file there. A file is made beside the path and removed again, which shows
    what permissions alone do not: a name that is too long, or a disk that is read-only."""
    target = Path(os.path.realpath(path))
    mode = _mode(target, os.fspath(path))
    if mode is None or stat.S_ISREG(mode):
        temporary = _temporary(target)
        _create(temporary, os.fspath(path)).close()
        temporary.unlink()


def _temporary(target: Path) -> Path:
    """The name of a file beside the target, hidden, under which it is written."""
    return target.with_name(f".{target.name}.{os.urandom(6).hex()}.tmp")


def _is_stdout(path: str | PathLike[str]) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(1))
    except OSError:
        return False


def _mode(target: Path, path: str) -> int | None:
    try:
        mode = os.stat(path or os.curdir).st_mode
    except FileNotFoundError:
        if not target.parent.is_dir():
            raise UsageError(f"cannot write '{path}': there is no folder '{target.parent}'. Make it first.") from None
        return None
    if stat.S_ISDIR(mode):
        raise UsageError(f"cannot write '{path}': it is a folder. Name a file.")
    return mode


def _create(temporary: Path, path: str) -> BinaryIO:
    """A new file with the permissions that the umask leaves; tempfile would make it private."""
    try:
        return temporary.open("x+b")
    except OSError as error:
        raise UsageError(f"cannot write '{path}': {error.strerror}. Choose another name or folder.") from None


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a crash. Some file systems cannot, and the file is good without."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
