"""Where data are kept while a model is trained: in memory, and from some size on in files without a name.

Such a file is in the folder of the model, has no entry there, and is gone when it is closed, however the program ends.
"""

from __future__ import annotations

import mmap
import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from linnet.core.types import Array
from linnet.errors import DataError

_SHARE = 8
"""The texts may take one part in so many of the memory: with their rows and all that is learned, training takes about four
times as much as they do."""
_SMALL = 1 << 18
"""The number of bytes below which an array is in memory in any case: it would take a file of its own for little."""
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""The files in which the system says how much memory a container may have."""


class Room:
    """The choice between memory and files, made for all data of a training as soon as they turn out to be large."""

    def __init__(self, folder: str | os.PathLike[str], most: int | None = None) -> None:
        """folder: where files are made. most: the number of bytes of text that may be in memory; None: a share of the memory
        that there is."""
        self.folder = os.fspath(folder)
        self.most = memory() // _SHARE if most is None else most
        self.on_disk = self.most == 0
        """Whether data are kept in files."""
        self.maps: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
        """The files that are mapped into memory."""
        self._changing_maps = threading.Lock()

    def file(self) -> IO[bytes]:
        """An empty file without a name."""
        from tempfile import TemporaryFile

        return TemporaryFile(dir=self.folder, buffering=0)

    def give_back(self) -> None:
        """Give back the memory of files that are mapped into it; what is looked at again comes back from them."""
        if hasattr(mmap, "MADV_DONTNEED"):
            with self._changing_maps:
                maps = list(self.maps)
            for mapped in maps:
                mapped.madvise(mmap.MADV_DONTNEED)

    def mapped(self, file: IO[bytes], *, write: bool = False) -> mmap.mmap:
        """A file mapped into memory, which outlives the open file."""
        found = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_WRITE if write else mmap.ACCESS_READ)
        with self._changing_maps:
            self.maps.add(found)
        return found

    def array(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Array:
        """An array of zeros, kept in a file that is mapped into memory. DataError where the disk is full."""
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        if size < _SMALL:
            return np.zeros(shape, dtype)
        with self.file() as file:
            with self.writing():
                _allocate(file, size)
            return np.frombuffer(self.mapped(file, write=True), dtype).reshape(shape)

    def write(self, file: IO[bytes], data: bytes | memoryview, at: int) -> None:
        """Write at a place of a file. DataError where the disk is full."""
        view = memoryview(data).cast("B")
        with self.writing():
            while len(view):
                done = os.pwrite(file.fileno(), view, at)
                view, at = view[done:], at + done

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Raise DataError, which says what to do, in the place of any OSError of writing a file."""
        try:
            yield
        except OSError as error:
            raise DataError(
                f"the data do not fit into memory, and cannot be kept in a file either: {error.strerror}. Make room on that "
                "disk, or write the model to another one.",
                self.folder,
            ) from None


def zeros(room: Room | None, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Array:
    """An array of zeros: in a file where the room keeps data in files, else in memory."""
    return np.zeros(shape, dtype) if room is None or not room.on_disk else room.array(shape, dtype)


def _allocate(file: IO[bytes], size: int) -> None:
    """Give an empty file so many bytes of the disk, which are zero. OSError where the disk is full: to write to a
    mapped file that lacks its bytes would end the program by a signal."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    for begin in range(0, size, _SMALL):
        file.write(bytes(min(_SMALL, size - begin)))


def give_back(array: Array) -> None:
    """Give back the memory of an array that is mapped from a file; what is looked at again comes back from it."""
    found = _map_of(array)
    if found is not None and hasattr(mmap, "MADV_DONTNEED"):
        found.madvise(mmap.MADV_DONTNEED)


def is_mapped(array: Array) -> bool:
    """Whether an array is mapped from a file."""
    return _map_of(array) is not None


def _map_of(array: Array) -> mmap.mmap | None:
    found: object = array
    while isinstance(found, np.ndarray | memoryview):
        found = found.base if isinstance(found, np.ndarray) else found.obj
    return found if isinstance(found, mmap.mmap) else None


def memory() -> int:
    """The bytes of memory that this program may have."""
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for name in _LIMITS:
        path = Path(name)
        text = path.read_text().strip() if path.is_file() else "max"
        if text.isdigit():
            found.append(int(text))
    return min(found)
