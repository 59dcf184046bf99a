"""Small text files that go with data and features: lists of words, clusters, references.

They are read whole, so they have a limit.
"""

from __future__ import annotations

import os

from linnet.errors import DataError, impossible_name
from linnet.limits import LIST


def small_text(path: str | os.PathLike[str]) -> str:
    """The text of a small file in UTF-8. DataError where it cannot be read, is larger than the limit, or is no
    UTF-8, and where no file can have such a name."""
    try:
        with open(path, "rb") as file:
            raw = file.read(LIST.most + 1)
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}.", path) from None
    except ValueError:
        raise impossible_name(path) from None
    if len(raw) > LIST.most:
        raise DataError(f"is larger than {LIST.shown}, the limit of such files. Name a smaller one.", path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"is not UTF-8 (byte {error.start}). Save it as UTF-8.", path) from None
