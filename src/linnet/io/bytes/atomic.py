"""Write a file so that it is either whole or not there.

It is first written under a hidden name in the same folder, `.NAME.0.tmp`, and that temporary file is locked meanwhile.
A program that is killed leaves the temporary file there, but its lock ends with the program. So whoever writes the same
file next can tell that nobody is writing the temporary file any more, and removes it.

Whoever may write to the folder may put anything under such a name. So what is there is removed only if it is a file, it is
opened without waiting, links are not followed, and no lock is waited for. What cannot be removed is passed over.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum, auto
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from linnet.errors import LinnetError, UsageError, impossible_name
from linnet.limits import TEMPORARY_NAMES

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The errors of a disk without room, of a user who may not have more of it, and of a file that may not be larger."""


@contextmanager
def atomic(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Yield a binary file that takes the place of `path` when the block ends, and is removed when it raises.

    A file that is replaced hands on its permissions; a link is followed. What is not a file (/dev/null, a named pipe)
    cannot be replaced, and is written as it stands. A path that standard output goes to (/dev/stdout) is written
    through standard output, after what was written there already.
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
            os.fchmod(file.fileno(), stat.S_IMODE(mode))
        yield file
        file.flush()
        os.fsync(file.fileno())
        os.replace(temporary, target)
    _sync_folder(target.parent)


def check_writable(path: str | PathLike[str]) -> None:
    """Raise UsageError if `atomic` could not write a file there. A file is made beside the path and removed again,
    since permissions alone do not show that a name is too long or a disk read-only. A temporary file that a killed
    program has left there is removed, too."""
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
    """Yield a new file beside the target, hidden and locked, and its name. In the end remove that name, unless the file
    has been renamed by then."""
    file, temporary = _begun(target, path)
    try:
        yield file, temporary
    finally:
        if _is(temporary, file):
            temporary.unlink()
        # Closing writes what is still buffered, for which a full disk has no room. The file has been removed by then.
        with suppress(OSError):
            file.close()


def _begun(target: Path, path: str) -> tuple[BinaryIO, Path]:
    """A new file, locked, and its name. The name has the number 0, or a higher one where other programs are writing the
    same target."""
    for k in range(TEMPORARY_NAMES.most):
        temporary = target.with_name(f".{target.name}.{k}.tmp")
        _remove_left(temporary)
        try:
            file = _create(temporary, path)
        except FileExistsError:
            continue
        if _lock(file) is not _Lock.TAKEN and _is(temporary, file):
            return file, temporary
        # Before the file was locked, another program took it for one that a killed program had left, and removes it.
        file.close()
    raise UsageError(
        f"cannot write '{path}': {TEMPORARY_NAMES.shown} hidden names beside it are taken, the last by "
        f"'{temporary}'. Remove them, or choose another name or folder."
    )


def _remove_left(temporary: Path) -> None:
    """Remove a temporary file that nobody is writing any more."""
    with suppress(OSError), open(temporary, "rb", opener=_without_waiting) as file:
        is_file = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        if is_file and _lock(file) is _Lock.OURS and _is(temporary, file):
            temporary.unlink()


def _without_waiting(path: str, flags: int) -> int:
    """Open what is there, but wait for no writer of a named pipe, and follow no link."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW)


class _Lock(Enum):
    OURS = auto()
    TAKEN = auto()
    NONE = auto()
    """Some file systems have no locks; there, temporary files that were left are never removed."""


def _lock(file: BinaryIO) -> _Lock:
    """Lock a file until it is closed, if nobody else has locked it. Whoever can read a file can lock it for ever, so this
    does not wait."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return _Lock.TAKEN
    except OSError:
        return _Lock.NONE
    return _Lock.OURS


def _is(path: Path, file: BinaryIO) -> bool:
    """Whether the path is still the name of this open file, and has not been removed or given to another file."""
    try:
        return os.path.samestat(os.lstat(path), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _is_stdout(path: str | PathLike[str]) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(1))
    except OSError:
        return False
    except ValueError:
        raise impossible_name(path) from None


def _mode(target: Path, path: str) -> int | None:
    """The type and the permissions of what is at the path, as os.stat has them; None where there is nothing. UsageError
    where no file can be written there."""
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
    """Write the folder to the disk, so that the new name is still there after a crash of the system. Some file systems
    cannot; the file is whole without that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
