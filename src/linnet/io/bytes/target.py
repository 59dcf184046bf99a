"""Where bytes are written: to stdout, or to a file that appears only when all is written."""

from __future__ import annotations

import io
import re
import sys
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self, cast

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
"""The characters in UTF-8 that move the cursor or command the terminal, all but tabs and ends of lines."""
_REPLACED = "\ufffd".encode()


class Closing:
    """A writer whose file is finished when its exit stack is closed."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def close(self) -> None:
        """Finish the file and put it in its place. A second call does nothing."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)


class Terminal(io.RawIOBase):
    """A terminal, which shows a replacement character in the place of each control character: data and models may come
    from anyone, and a label of theirs must not move the cursor, name the window or type for the user.

    >>> shown = io.BytesIO()
    >>> Terminal(shown).write(b"\\x1b]0;a name\\x07\\n")
    12
    >>> print(shown.getvalue().decode(), end="")
    �]0;a name�
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._begun = b""

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        new = bytes(data)
        whole = self._begun + new
        # A character of two bytes may be cut between two writes.
        self._begun = b"\xc2" if whole.endswith(b"\xc2") else b""
        self._file.write(_CONTROLS.sub(_REPLACED, whole.removesuffix(self._begun)))
        return len(new)


def stdout(stack: ExitStack) -> BinaryIO:
    """The byte stream below sys.stdout, in which a terminal gets no control characters. What was printed before is flushed
    now, and what is written to the stream is flushed when the exit stack is closed."""
    sys.stdout.flush()
    stack.callback(sys.stdout.buffer.flush)
    return cast(BinaryIO, Terminal(sys.stdout.buffer)) if sys.stdout.isatty() else sys.stdout.buffer
