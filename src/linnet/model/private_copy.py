"""Copies of model files that nobody else can write into, for programs that use a model for long.

Arrays of a model are mapped from its file. Whoever writes into that file changes the arrays, and whoever cuts it short ends the
process by a signal. Linnet replaces files instead, but `cp` and an editor write into them.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO

from linnet.errors import ModelError


@contextmanager
def private_copy(path: str) -> Iterator[str]:
    """The name under which a copy of a file can be read while the block runs. What is mapped from it stays for longer.

    The copy has no entry in any folder. It is in the folder of the file, where some file systems share its blocks instead of
    writing them once more, or else in the folder for temporary files. Raise ModelError where neither has room.
    """
    if not os.path.isfile(path):
        yield path  # Who reads it says what is wrong.
        return
    with _copied(path) as copy:
        yield f"/dev/fd/{copy.fileno()}"


def _copied(path: str) -> IO[bytes]:
    """A file without a name that has what is in another one now."""
    try:
        return _copy(path, os.path.dirname(os.path.realpath(path)))
    except OSError:
        pass
    try:
        return _copy(path, tempfile.gettempdir())
    except OSError as error:
        raise ModelError(
            f"{path}: the server maps a copy of the model, for which there is no room ({error.strerror}). Make room beside the "
            f"model or in '{tempfile.gettempdir()}'."
        ) from None


def _copy(path: str, folder: str) -> IO[bytes]:
    with ExitStack() as stack:
        copy = stack.enter_context(tempfile.TemporaryFile(dir=folder, buffering=0))
        file = stack.enter_context(open(path, "rb", buffering=0))
        try:
            while os.copy_file_range(file.fileno(), copy.fileno(), 1 << 30):
                pass
        except (
            OSError,
            AttributeError,
        ):  # Not all file systems and not all systems can. What was copied is copied again.
            file.seek(0)
            copy.seek(0)
            shutil.copyfileobj(file, copy)
        file.close()
        stack.pop_all()  # The copy stays open.
        return copy
