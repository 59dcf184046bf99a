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
BRACKETS = Limit(
    64 * MB,
    "a bracketed tree",
    "64 MB; a longer one is taken for a bracket that is never closed",
    "io/test_mrg.py::test_a_bracket_that_is_never_closed_in_a_large_file",
)
NESTED = Limit(
    1_000, "brackets of a tree that are open at once", "1,000", "io/test_mrg.py::test_brackets_in_brackets_without_end"
)
LIST = Limit(
    64 * MB,
    "a list of words, clusters or references",
    "64 MB",
    "learners/test_extremes.py::test_lists_of_words_that_never_end",
)
LARGEST = Limit(
    10**30, "a number in a column", "1e30", "learners/test_extremes.py::test_a_column_of_numbers_beyond_measure"
)
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
BODY = Limit(
    8 * MB,
    "the body of a request to the server",
    "8 MB (`--body`)",
    "web/test_shell.py::test_long_bodies_are_refused_before_they_come",
)
BODIES = Limit(
    64 * MB,
    "bodies longer than 64 KB that come or are answered at once",
    "64 MB together: further ones are asked to come again",
    "web/test_hostile_clients.py::test_bodies_that_come_at_once_take_only_so_much_memory",
)
LISTS = Limit(
    100_000,
    "lists and objects in a body",
    "100,000",
    "web/test_hostile_clients.py::test_a_body_of_too_many_lists_is_refused",
)
UPLOAD = Limit(
    1 << 30,
    "a file that is uploaded",
    "1 GB",
    "web/test_hostile_clients.py::test_an_upload_that_is_too_long_is_refused",
)
UPLOADS = Limit(
    16,
    "files that come at once",
    "16: for a further one, the one that came slowest is given up",
    "web/test_hostile_clients.py::test_the_slowest_upload_gives_way",
)
HEAD = Limit(
    64 << 10,
    "the head of a request; what surrounds its body: sizes of chunks, extensions, trailers",
    "64 KB each; of the latter as many bytes again as the body has",
    "web/test_hostile_clients.py::test_a_head_that_is_too_long_is_refused",
)
TARGET = Limit(
    8 << 10,
    "the path and the query of a request",
    "8 KB",
    "web/test_hostile_clients.py::test_a_target_that_is_too_long_is_refused",
)
HEADERS = Limit(100, "lines of a head", "100", "web/test_hostile_clients.py::test_a_head_of_too_many_lines_is_refused")
PIPELINED = Limit(
    16,
    "requests that are sent before the first of them is answered",
    "16, then the connection is closed",
    "web/test_hostile_clients.py::test_only_so_many_requests_wait_on_a_connection",
)
WAIT = Limit(
    10_000,
    "the time for a head, for a body of JSON, and between two parts of an upload",
    "10 seconds, then the connection is closed",
    "web/test_shell.py::test_slow_clients_are_closed",
)
LEAST_RATE = Limit(
    64 << 10,
    "bytes a second of an upload, and of an answer that is fetched, after the first 10 seconds",
    "64 KB at least, or the connection is closed",
    "web/test_hostile_clients.py::test_an_upload_that_drips_is_ended",
)
CONNECTIONS = Limit(
    512,
    "connections that are open at once",
    "512: for a further one, the one that keeps the server waiting longest is closed",
    "web/test_hostile_clients.py::test_who_keeps_the_server_waiting_gives_way",
)
WORK = Limit(
    20_000,
    "the time that a question is worked on",
    "20 seconds, then it is refused",
    "web/test_work.py::test_what_takes_too_long_is_stopped",
)
BEST_OF_A_QUESTION = Limit(
    1_000_000,
    "the best outputs that a question asks for, times its bytes",
    "1,000,000",
    "web/test_work.py::test_many_best_outputs_of_a_long_text_are_refused",
)
TURNS = Limit(
    16,
    "lessons, uploads, reloads or questions of the course that wait for their turn",
    "16 of each: further ones are asked to come again",
    "web/test_work.py::test_only_so_many_wait_for_their_turn",
)
TAUGHT = Limit(
    1_000,
    "characters of a label that is taught",
    "1,000",
    "web/test_teaching.py::test_a_label_that_is_too_long_is_refused",
)
QUESTIONS = Limit(
    64,
    "questions that wait for a thread",
    "64, of one address 32: further ones are asked to come again",
    "web/test_work.py::test_only_so_many_questions_wait",
)


def limits() -> dict[str, Limit]:
    """All limits, by their names."""
    return {name: found for name, found in globals().items() if isinstance(found, Limit)}


def table() -> str:
    """All limits as a table of Markdown."""
    rows = [f"| {one.what} | {one.shown} | `{one.test.partition('::')[0]}` |" for one in limits().values()]
    return "\n".join(["| what | limit | shown by |", "|---|---|---|", *rows])
