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
PARSED = Limit(
    1_000,
    "a sentence whose dependency tree is looked for, or learned from",
    "1,000 tokens; longer ones are not learned from",
    "tasks/parse/test_parse.py::test_sentences_that_are_too_long_are_refused",
)
BRACKETED = Limit(
    150,
    "a sentence whose bracketed tree is looked for, or learned from",
    "150 words at a time (`--set longest=N`): longer ones are parsed in parts, not explained, and not learned from",
    "tasks/brackets/test_brackets.py::test_long_sentences_are_left_out_and_bracketed_in_parts",
)
TABLES = Limit(
    4 << 30,
    "the tables of scores of one example, which for trees of second order grow with the third power of its length",
    "4 GB (some 580 tokens; `--set order=1` needs less)",
    "tasks/parse/test_parse.py::test_tables_that_are_too_large_are_refused_before_they_are_made",
)
BEST = Limit(
    100_000,
    "the best outputs that can be asked for",
    "100,000",
    "core/test_predictor.py::test_no_more_of_the_best_outputs_than_can_be_found",
)
EXPLAINED_CHARACTERS = Limit(
    1_000_000,
    "a text that is explained",
    "1,000,000 characters",
    "tasks/texts/test_why.py::test_a_text_that_is_too_long_to_explain_is_refused",
)
EXPLAINED_TAGS = Limit(
    2_000,
    "a sentence whose tags are explained",
    "2,000 tokens",
    "tasks/tag/test_why.py::test_a_sentence_that_is_too_long_to_explain_is_refused",
)
EXPLAINED_COMPRESSION = Limit(
    1_000,
    "a sentence whose compression is explained",
    "1,000 tokens",
    "tasks/compress/test_compress.py::test_a_sentence_that_is_too_long_to_explain_is_refused",
)
EXPLAINED_MS = Limit(
    2_000,
    "the time in which the server explains a text, or looks for the best outputs",
    "2 seconds: what is not found by then is left out, and the answer says so",
    "web/test_api.py::test_an_explanation_that_takes_too_long_says_what_it_left_out",
)


def limits() -> dict[str, Limit]:
    """All limits, by their names."""
    return {name: found for name, found in globals().items() if isinstance(found, Limit)}
