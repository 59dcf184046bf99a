"""Tell whether a file holds sentences of tokens or texts, by its name and its first lines, without reading it all."""

from __future__ import annotations

import re

from linnet.io.bytes.source import Source
from linnet.io.texts.registry import FORMATS

TREE_EXTENSIONS = (".mrg", ".ptb", ".penn")
_SENTENCES = (".conll", ".iob", ".bio", ".conllu", ".conll-u", *TREE_EXTENSIONS)
JSON_EXTENSIONS = (".jsonl", ".ndjson", ".json")
_FORMATS = ("conll", "conllu", "mrg")
BRACKETED = rb"\s*\(\s*(?:\(\s*)?[^\s()]+\s*\("
"""A pattern for the beginning of trees in brackets: `( (S (NP`, or `(S (NP`."""
_LAST_WORD = rb"[^\W\d_]{2}[.!?][\"')]?$"
_FEW_WORDS = 3
_SAMPLE = 50
"""The number of lines that are searched for running text."""
_MOST_COLUMNS = 20
_MOST_TAGS = 300
"""The largest numbers of columns, and of different values in the last of them, that lines of tokens may have."""


def holds_sentences(path: str, format: str | None = None, encoding: str | None = None) -> bool:
    """Whether a file holds tokens with tags, rather than texts with labels."""
    if format is not None or path == "-":
        return format in _FORMATS
    with Source(path, encoding) as source:
        return not source.is_folder and shows_sentences(source)


def shows_sentences(source: Source) -> bool:
    """Whether the name and the first lines of a file show tokens with tags."""
    if is_text(source):
        return False
    if source.extension in _SENTENCES:
        return True
    head = source.head()
    if source.extension in JSON_EXTENSIONS:
        first = head.lstrip().partition(b"\n")[0]
        return b'"tokens"' in first and b'"text"' not in first
    return re.match(BRACKETED, head) is not None or _in_columns(head)


def is_prose(source: Source) -> bool:
    """Whether a file whose extension is not one of sentences holds running text: one of its first lines has more than
    three words, of which the last ends with a mark such as a full stop. A tag would not."""
    if source.extension in _SENTENCES:
        return False
    lines = (line for line in source.head().splitlines()[:_SAMPLE] if not line.startswith(b"#") and b"\t" not in line)
    return any(
        len(line.split(None, _FEW_WORDS)) > _FEW_WORDS and re.search(_LAST_WORD, line.rstrip()) for line in lines
    )


def is_text(source: Source) -> bool:
    """Whether the extension is known to readers of texts only."""
    return source.extension in FORMATS.extensions and source.extension not in JSON_EXTENSIONS


def _in_columns(head: bytes) -> bool:
    """Whether there seems to be a token on each line: some lines are blank, all others have equally many columns, and
    the last column has few different values, as tags would."""
    lines = head.replace(b"\r\n", b"\n").split(b"\n")[:-1]
    tokens = [line.split() for line in lines if line.strip() and not line.startswith((b"#", b"-DOCSTART-"))]
    widths = {len(fields) for fields in tokens}
    blank = any(not line.strip() for line in lines)
    if not blank or len(widths) != 1:
        return False
    return 2 <= min(widths) <= _MOST_COLUMNS and len({fields[-1] for fields in tokens}) <= _MOST_TAGS
