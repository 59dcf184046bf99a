"""Small text files that go with data and features: lists of words, clusters, references.

They are read whole, so they have a limit.
"""

from __future__ import annotations

import os

from linnet.errors import DataError, impossible_name

MOST_BYTES = 64 << 20
"""The largest number of bytes that such a file may have: some million words."""


def small_text(path: str | os.PathLike[str]) -> str:
    """The text of a small file in UTF-8. DataError where it cannot be read, is larger than the limit, or is no
    UTF-8, and where no file can have such a name."""
    try:
        with open(path, "rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}.", path) from None
    except ValueError:
        raise impossible_name(path) from None
    if len(raw) > MOST_BYTES:
        raise DataError(f"is larger than {MOST_BYTES >> 20} MB, the limit of such files. Name a smaller one.", path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"is not UTF-8 (byte {error.start}). Save it as UTF-8.", path) from None
