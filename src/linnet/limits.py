"""The limits to what may come from strangers, each said once: code asks here, and SECURITY.md shows them as a table.

A limit belongs here where somebody else may bring more than it: a file, a model, a request. What linnet chooses for itself,
such as the size of a batch, stays where it is used.
"""

from __future__ import annotations

from dataclasses import dataclass

MB = 1 << 20


@dataclass(frozen=True)
class Limit:
    """The most of something that may come from a stranger."""

    most: int
    """The number itself, in bytes, seconds or things."""
    what: str
    """What is counted, as SECURITY.md names it."""
    shown: str
    """The number as people read it, and what happens beyond it where that is no refusal."""
    test: str
    """The test that shows it, below `tests/`: file::function."""


COLUMNS = Limit(10_000, "columns of a table", "10,000", "io/test_hostile_files.py::test_more_columns_than_can_be_read")

CONTENT = Limit(
    64 * MB,
    "content of compressed files, workbooks and tables",
    "64 MB, or 250 times the size of the file: what holds more must be unpacked by hand",
    "io/test_bombs.py::test_how_much_a_file_may_hold",
)
CONTENT_TIMES = 250
"""Beyond CONTENT, a file may hold at most so many times its own size."""

UPLOAD_MEMORY = Limit(
    4096 * MB, "memory of the process that answers an upload", "4 GB", "web/test_apart.py::test_every_end_is_a_sentence"
)
UPLOAD_SECONDS = Limit(
    60,
    "time of a processor to read 32 MB of an upload",
    "60 seconds",
    "web/test_apart.py::test_every_end_is_a_sentence",
)
UPLOAD_ANSWERS = Limit(16384 * MB, "answers to an upload", "16 GB", "web/test_apart.py::test_every_end_is_a_sentence")
UPLOADS_AT_ONCE = Limit(
    4,
    "uploads that are answered at once",
    "4: further ones wait",
    "web/test_apart.py::test_further_uploads_wait",
)


def limits() -> dict[str, Limit]:
    """All limits, by their names."""
    return {name: found for name, found in globals().items() if isinstance(found, Limit)}
