"""Where bytes are written: to stdout, or to a file that appears only when all is written."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from types import TracebackType
from typing import BinaryIO, Self


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


def stdout(stack: ExitStack) -> BinaryIO:
    """The byte stream below sys.stdout. What was printed before is flushed now, and what is written to the stream is
    flushed when the exit stack is closed."""
    sys.stdout.flush()
    stack.callback(sys.stdout.buffer.flush)
    return sys.stdout.buffer
