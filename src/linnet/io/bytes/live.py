"""Bytes that come in while they are read, from standard input or a pipe that may never end."""

from __future__ import annotations

import io
import select
from typing import Any

from linnet.errors import DataError

_FIRST = 64 << 10
"""The number of bytes that are waited for at the start, unless a line ends sooner: they show the format."""
_KEPT = 8 << 20
"""The number of bytes at the start that are kept, so that they can be read more than once."""


class Live:
    """A pipe that can be read again from its start until more bytes than are kept (8 MB) have been read from it.

    pipe: a buffered binary file.
    """

    def __init__(self, pipe: Any, name: str) -> None:
        self._pipe = pipe
        self._name = name
        self.kept: bytearray | None = bytearray()
        """All bytes so far; None when there are too many to be kept."""
        while len(self.kept) < _FIRST and b"\n" not in self.kept and self.more(_FIRST):
            pass

    def opened(self) -> LiveReader:
        """The bytes from their start. DataError where these are gone."""
        if self.kept is None:
            raise DataError(
                f"its first {_KEPT >> 20} MB have gone by, and cannot be read again. Write it to a file first.",
                self._name,
            )
        return LiveReader(self)

    def more(self, size: int) -> bytes:
        """The next bytes of the pipe, as soon as there are any, and at most `size`; b"" at the end."""
        chunk: bytes = self._pipe.read1(size)
        while chunk and len(chunk) < size and self._has_more():
            further = self._pipe.read1(size - len(chunk))
            if not further:
                break
            chunk += further
        if self.kept is not None:
            if len(self.kept) + len(chunk) > _KEPT:
                self.kept = None
            else:
                self.kept += chunk
        return chunk

    def _has_more(self) -> bool:
        """Whether reading would return at once, with further bytes or at the end of the pipe."""
        try:
            return bool(select.select([self._pipe], [], [], 0)[0])
        except io.UnsupportedOperation:  # a file in memory
            return True


class LiveReader:
    """Reads a live pipe from its start."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._at = 0
        self.closed = False

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes, as soon as there are any; all of them without a size."""
        if size < 0:
            return b"".join(iter(lambda: self.read(1 << 20), b""))
        kept = self._live.kept
        chunk = bytes(kept[self._at : self._at + size]) if kept is not None and self._at < len(kept) else b""
        if not chunk and size:
            chunk = self._live.more(size)
        self._at += len(chunk)
        return chunk

    def seek(self, at: int) -> None:
        """Go on at this byte, which must be one of those that are still kept."""
        self._at = at

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        """Close this reader. The pipe stays open, since the next reader goes on with it."""
        self.closed = True
