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
    """The number itself, in bytes, milliseconds or things."""
    what: str
    """What is counted, as SECURITY.md names it."""
    shown: str
    """The number as people read it, and what happens beyond it where that is no refusal."""
    test: str
    """The test that shows it, below `tests/`: file::function."""


COLUMNS = Limit(10_000, "columns of a table", "10,000", "io/test_hostile_files.py::test_more_columns_than_can_be_read")
TEXT = Limit(64 * MB - 1, "a text", "64 MB", "io/test_hostile_files.py::test_a_text_that_is_too_long")
LINE = Limit(256 * MB, "a line", "256 MB", "io/test_hostile_files.py::test_a_line_that_never_ends")
ROW = Limit(256 * MB, "a row of a table in quotes", "256 MB", "io/test_rows.py::test_a_row_that_never_ends")
SENTENCE = Limit(64 * MB, "a sentence", "64 MB", "io/test_conll.py::test_a_sentence_that_never_ends")
TEMPORARY_NAMES = Limit(
    100,
    "hidden names beside a file that are tried while it is written",
    "100",
    "io/test_atomic.py::test_names_of_temporary_files_that_are_all_taken",
)
JOURNAL_LOCKED = Limit(
    10_000,
    "a journal that another program keeps locked",
    "10 seconds",
    "labelling/test_journal.py::test_a_journal_that_another_program_keeps_locked",
)
LOCAL_WORKERS = Limit(
    1_000, "processes of `--cluster local:N`", "1,000", "test_hostile_values.py::test_other_numbers_that_are_typed"
)


def limits() -> dict[str, Limit]:
    """All limits, by their names."""
    return {name: found for name, found in globals().items() if isinstance(found, Limit)}
