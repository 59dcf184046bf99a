"""Whether a file holds sentences of tokens or texts, and what for: told from its name and its first lines, without a reader."""

from __future__ import annotations

import re

from linnet.io.columns import LABELS
from linnet.io.registry import FORMATS
from linnet.io.source import Source

_TREES = (".mrg", ".ptb", ".penn")
_SENTENCES = (".conll", ".iob", ".bio", ".conllu", ".conll-u", *_TREES)
_TABLES = (".parquet", ".arrow", ".feather")
_LABEL = b"__label__"
_JSON = (".jsonl", ".ndjson", ".json")
_FORMATS = ("conll", "conllu", "mrg")
BRACKETED = re.compile(rb"\s*\(\s*(?:\(\s*)?[^\s()]+\s*\(")
"""How trees in brackets begin: `( (S (NP`, or `(S (NP`."""
_JSON_LIST = re.compile(rf'"({"|".join(LABELS)})"\s*:\s*\['.encode())
_JSON_PAIR = re.compile(rb'"source"\s*:\s*\[.*"target"\s*:\s*\[|"target"\s*:\s*\[.*"source"\s*:\s*\[')
_CANDIDATES = re.compile(rb'"candidates"\s*:\s*\[')
_NBEST = re.compile(rb"\d+ \|\|\| .*? \|\|\| ")
_MOST_COLUMNS = 20
_MOST_TAGS = 300


def kind_of(path: str, format: str | None = None, label_col: str | None = None) -> str:
    """The task that a file looks made for: align, brackets, compress, parse, rerank, tag, labelset or labels."""
    if label_col == "tree":
        return "parse"
    if _holds_candidates(path, format):
        return "rerank"
    if format == "bitext" or (format is None and path != "-" and _holds_pairs(path)):
        return "align"
    if not holds_sentences(path, format):
        return "labelset" if path != "-" and _has_lists(path) else "labels"
    if format is not None or path == "-":
        return "brackets" if format == "mrg" else "tag"
    with Source(path) as source:
        head = source.head()
    if source.extension in _TREES or BRACKETED.match(head):
        return "brackets"
    first = head.lstrip().partition(b"\n")[0]
    return "compress" if first[:1] == b"{" and b'"keep"' in first and b'"tags"' not in first else "tag"


def _holds_pairs(path: str) -> bool:
    """Whether there are sentences with their translations: source ||| target, or lists under both names."""
    with Source(path) as source:
        if source.is_folder or source.extension in _TABLES:
            return False
        first = source.head().lstrip().partition(b"\n")[0]
    if source.extension in _JSON:
        return _JSON_PAIR.search(first) is not None
    return len(first.split(b"|||")) in (2, 3)


def _holds_candidates(path: str, format: str | None) -> bool:
    """Whether there are lists of candidates: in JSON, or an n-best list of Moses."""
    if format is not None or path == "-":
        return format == "nbest"
    with Source(path) as source:
        if source.is_folder:
            return False
        first = source.head().lstrip().partition(b"\n")[0]
    if source.extension in _JSON:
        return _CANDIDATES.search(first) is not None
    return source.extension == ".nbest" or (not _is_text(source) and _NBEST.match(first) is not None)


def _has_lists(path: str) -> bool:
    """Whether texts have lists of labels: a list in JSON or in a table, several __label__ on a line."""
    with Source(path) as source:
        if source.is_folder:
            return False
        if source.extension in _TABLES:
            return _list_column(path)
        head = source.head()
    lines = head.split(b"\n")
    if source.extension in _JSON:
        return any(_JSON_LIST.search(line) for line in lines)
    return any(
        line.startswith(_LABEL) and len(line.split()) > 1 and line.split()[1].startswith(_LABEL) for line in lines
    )


def _list_column(path: str) -> bool:
    from pyarrow import ArrowException, ipc, types
    from pyarrow import parquet as pq

    try:
        schema = pq.read_schema(path) if path.endswith(".parquet") else ipc.open_file(path).schema
    except (ArrowException, OSError):
        return False  # the reader says what is wrong with it
    return any(name.lower() in LABELS and types.is_list(schema.field(name).type) for name in schema.names)


def holds_sentences(path: str, format: str | None = None) -> bool:
    """Whether a file is one of tokens with tags, rather than of texts with labels."""
    if format is not None or path == "-":
        return format in _FORMATS
    with Source(path) as source:
        if source.is_folder or _is_text(source):
            return False
        if source.extension in _SENTENCES:
            return True
        head = source.head()
    if source.extension in _JSON:
        first = head.lstrip().partition(b"\n")[0]
        return b'"tokens"' in first and b'"text"' not in first
    return BRACKETED.match(head) is not None or _in_columns(head)


def _is_text(source: Source) -> bool:
    """Whether a reader of texts, and no other, knows the extension."""
    return source.extension in FORMATS.extensions and source.extension not in _JSON


def _in_columns(head: bytes) -> bool:
    """Whether there is a token on each line: as many columns on every one, the last of them a tag; and blank lines."""
    lines = head.replace(b"\r\n", b"\n").split(b"\n")[:-1]
    tokens = [line.split() for line in lines if line.strip() and not line.startswith((b"#", b"-DOCSTART-"))]
    widths = {len(fields) for fields in tokens}
    blank = any(not line.strip() for line in lines)
    if not blank or len(widths) != 1:
        return False
    return 2 <= min(widths) <= _MOST_COLUMNS and len({fields[-1] for fields in tokens}) <= _MOST_TAGS
