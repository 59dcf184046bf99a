"""The journal of labelling: a file of JSON lines, to which each event is added, and from which nothing is ever removed.

The first line says what the journal is about: a fingerprint of the data, the task and its labels. Each further line is one
event. A line is written and synced before anybody hears that it is kept. Several programs may write to one journal: who writes
holds a lock on the file, and first reads what the others have added. A line without an end is what is left of a program that
was killed while it wrote; nobody was told that it was kept, and the next one who holds the lock removes it.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from linnet.core.types import Json
from linnet.errors import DataError, LinnetError, UsageError
from linnet.labelling.events import Event, check_name
from linnet.limits import JOURNAL_LOCKED

MARK = "journal"
"""The value of the key `linnet` in the first line."""
_BEGIN = f'{{"linnet": "{MARK}"'.encode()
"""What every journal begins with."""
_VERSION = 1
_LOOK_AGAIN = 0.001
"""The seconds after which a lock that another program holds is asked for again."""
_OLDER = "Name another file with -o, or label the data that the journal was begun with."


@dataclass(frozen=True)
class Header:
    """What a journal is about."""

    data: str
    """The fingerprint of the texts, and of the labels that the data give to some of them."""
    task: str
    labels: tuple[str, ...]
    """The labels that were known when the journal was begun."""
    held_out: float
    """The share of the texts that are never learned from."""

    def line(self) -> bytes:
        return _line({"linnet": MARK, "version": _VERSION, **asdict(self)})

    @classmethod
    def from_line(cls, line: bytes, path: str) -> Header:
        """The header of a first line, whose beginning is that of a journal. Raise DataError where it is none."""
        damaged = DataError("the first line of the journal is damaged. Take it from a copy of the file.", path, 1)
        try:
            found: dict[str, Json] = json.loads(line.decode())
        except (ValueError, RecursionError):
            raise damaged from None
        if found.get("version") != _VERSION:
            raise DataError("the journal is of another version of linnet. Use that version, or another file.", path, 1)
        data, task, labels, share = (found.get(name) for name in ("data", "task", "labels", "held_out"))
        if not (isinstance(data, str) and isinstance(task, str) and isinstance(labels, list)):
            raise damaged
        if not (isinstance(share, int | float) and 0 <= share < 1):
            raise damaged
        for label in labels:
            check_name("a label", label)
        return cls(data, task, tuple(labels), float(share))


class Journal:
    """An open journal. `hear` is told every event in the order of the file, whoever added it."""

    def __init__(self, path: str | os.PathLike[str], header: Header, hear: Callable[[Event], None]) -> None:
        """Open the journal, or begin it with this header. Raise DataError where it is about other data."""
        self.path = os.fspath(path)
        self.notes: list[str] = []
        """What was found in the file that the user should know."""
        self._hear = hear
        self._ids: set[str] = set()
        self._read = 0
        """The number of bytes of the file that have been read."""
        self._lines = 0
        """The number of lines that have been read."""
        self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            if not stat.S_ISREG(os.fstat(self._file).st_mode):
                raise DataError("this is no file, as a journal of labelling is. Name another file with -o.", self.path)
            with self._locked():
                self._check_begun()
                self._remove_torn()
                if os.fstat(self._file).st_size == 0:
                    self._write(header.line())
                    _sync_folder(self.path)
                self.header = self._agreed(header)
                self._catch_up()
        except BaseException:
            self.close()
            raise

    def add(self, event: Event) -> bool:
        """Keep an event on disk, after all that others have added. Return whether it is new: one with the same id is kept
        once."""
        with self._locked():
            self._catch_up()
            if event.id in self._ids:
                return False
            self._write(_line(event.as_json()))
            self._catch_up()
        return True

    def catch_up(self) -> None:
        """Hear what others have added."""
        if os.fstat(self._file).st_size != self._read:
            with self._locked():
                self._catch_up()

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock on the file. Raise LinnetError where another program does not let go of it: whoever can read the
        file can lock it."""
        until = time.monotonic() + JOURNAL_LOCKED.most / 1000
        while not self._lock():
            if time.monotonic() > until:
                raise LinnetError(
                    f"cannot use '{self.path}': another program keeps it locked. End that program, and try again."
                )
            time.sleep(_LOOK_AGAIN)
        try:
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def _lock(self) -> bool:
        """Lock the file, unless another program has locked it."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _check_begun(self) -> None:
        """Raise DataError where the file is no journal. It is not changed then. An empty file may become a journal, and
        so may the beginning of a first line, which `_remove_torn` removes."""
        head, begin = os.pread(self._file, len(_BEGIN), 0), _BEGIN
        if head and not begin.startswith(head):
            raise DataError("this is not a journal of labelling. Name another file with -o.", self.path, 1)

    def _remove_torn(self) -> None:
        """Remove what follows the last end of a line: a line that was not written to its end."""
        size = os.fstat(self._file).st_size
        end = size
        while end > self._read:
            start = max(self._read, end - 4096)
            found = self._between(start, end).rfind(b"\n")
            if found >= 0:
                end = start + found + 1
                break
            end = start
        if end != size:
            os.ftruncate(self._file, end)
            os.fsync(self._file)
            self.notes.append(
                f"{self.path}: the last line had no end and was removed: a program was killed while it wrote it, and "
                "had not yet said that it was kept."
            )

    def _write(self, line: bytes) -> None:
        """Write a whole line and sync it. Raise LinnetError where that fails; the file is then as it was before."""
        size = os.fstat(self._file).st_size
        try:
            if os.write(self._file, line) != len(line):
                raise OSError("the disk is full")
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, size)
            why = (error.strerror or str(error)).lower()
            raise LinnetError(
                f"cannot write to '{self.path}': {why}. The answer was not kept: answer again."
            ) from error

    def _agreed(self, wanted: Header) -> Header:
        """The header of the file, which must be about the same data and task."""
        line = self._first_line()
        found = Header.from_line(line, self.path)
        if found.data != wanted.data:
            raise DataError(
                f"the journal is about other texts, or their labels in the data have changed since. {_OLDER}", self.path
            )
        if found.task != wanted.task:
            raise DataError(f"the journal is for task {found.task!r}, not {wanted.task!r}. {_OLDER}", self.path)
        self._read, self._lines = len(line), 1
        return found

    def _first_line(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            piece = os.pread(self._file, 65536, len(line))
            if not piece:
                break
            line += piece[: piece.find(b"\n") + 1] if b"\n" in piece else piece
        return line

    def _catch_up(self) -> None:
        """Read the lines that are new."""
        self._remove_torn()
        size = os.fstat(self._file).st_size
        for line in self._between(self._read, size).splitlines(keepends=True):
            self._take(line)
            self._lines += 1
            self._read += len(line)

    def _between(self, start: int, end: int) -> bytes:
        """What the file has between two offsets. Raise DataError where the file ends before them."""
        pieces = []
        while start != end:
            piece = os.pread(self._file, min(1 << 20, end - start), start) if start < end else b""
            if not piece:
                raise DataError(
                    "the journal has become shorter while it was used. Stop other programs that change it, and start "
                    "again.",
                    self.path,
                )
            pieces.append(piece)
            start += len(piece)
        return b"".join(pieces)

    def _take(self, line: bytes) -> None:
        try:
            event = Event.from_json(json.loads(line.decode()))
            if event.id not in self._ids:
                self._hear(event)
        except (UsageError, ValueError, RecursionError) as error:
            raise DataError(
                f"the line is no event: {error} Take it from a copy of the file.", self.path, self._lines + 1
            ) from None
        self._ids.add(event.id)


def _line(value: dict[str, Json]) -> bytes:
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()


def _sync_folder(path: str) -> None:
    """Sync the folder of a file that is new, so that its name is on disk, too."""
    folder = os.open(Path(os.path.realpath(path)).parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
