"""Write a file so that it is either whole or not there.

It is written under a hidden name beside its own, `.NAME.0.tmp`, which is locked meanwhile. A program that is killed cannot
remove it, but loses the lock: whoever writes that file next removes what is left of it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from linnet.errors import LinnetError, UsageError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The errors of a disk without room, of a user who may not have more of it, and of a file that may not be larger."""


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
    with _temporary(target, os.fspath(path)) as (file, temporary), _full_disk_is_said(os.fspath(path)):
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        yield file
        file.flush()
        os.fsync(file.fileno())
        os.replace(temporary, target)
    _sync_folder(target.parent)


def check_writable(path: str | PathLike[str]) -> None:
    """Raise UsageError if `atomic` could not write a file there. A file is made beside the path and removed again, which shows
    what permissions alone do not: a name that is too long, or a disk that is read-only. It also removes what a command that was
    killed has left of the file."""
    target = Path(os.path.realpath(path))
    mode = _mode(target, os.fspath(path))
    if mode is None or stat.S_ISREG(mode):
        with _temporary(target, os.fspath(path)):
            pass


@contextmanager
def _full_disk_is_said(path: str) -> Iterator[None]:
    """Raise LinnetError where there is no room for a file."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise LinnetError(
            f"cannot write '{path}': {os.strerror(error.errno)}. Make room on that disk, or write to another one. What was "
            "there before is unchanged."
        ) from error


@contextmanager
def _temporary(target: Path, path: str) -> Iterator[tuple[BinaryIO, Path]]:
    """Yield a new file beside the target, hidden and locked, with its name; remove it in the end, unless it has another name by
    then."""
    file, temporary = _begun(target, path)
    try:
        yield file, temporary
    finally:
        if _is(temporary, file):
            temporary.unlink()
        with suppress(OSError):  # What a full disk has no room for is not wanted any more.
            file.close()


def _begun(target: Path, path: str, k: int = 0) -> tuple[BinaryIO, Path]:
    """A new file, locked, and its name. Where another program is writing the same target, the name has another number."""
    temporary = target.with_name(f".{target.name}.{k}.tmp")
    _remove_left(temporary)
    try:
        file = _create(temporary, path)
    except FileExistsError:
        return _begun(target, path, k + 1)
    _lock(file, fcntl.LOCK_EX)
    if _is(temporary, file):
        return file, temporary
    file.close()  # Another program took it for one that was left, before it was locked.
    return _begun(target, path, k)


def _remove_left(temporary: Path) -> None:
    """Remove a temporary file that nobody is writing any more."""
    with suppress(OSError), temporary.open("rb") as file:
        if _lock(file, fcntl.LOCK_EX | fcntl.LOCK_NB) and _is(temporary, file):
            temporary.unlink()


def _lock(file: BinaryIO, how: int) -> bool:
    """Lock a file until it is closed; returns whether that worked. Some file systems have none; there nothing is removed."""
    try:
        fcntl.flock(file, how)
    except OSError:
        return False
    return True


def _is(path: Path, file: BinaryIO) -> bool:
    """Whether the path is the name of an open file."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


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
    except FileExistsError:
        raise
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
