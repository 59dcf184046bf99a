"""Whether a file holds sentences of tokens or texts, and what for: told from its name and its first lines, without a reader."""

from __future__ import annotations

from linnet.io.source import Source

_SENTENCES = (".conll", ".iob", ".bio", ".conllu", ".conll-u")
_TEXTS = (".csv", ".tsv", ".parquet", ".arrow", ".feather", ".ft", ".fasttext")
_JSON = (".jsonl", ".ndjson", ".json")
_FORMATS = ("conll", "conllu")
_MOST_COLUMNS = 20
_MOST_TAGS = 300


def kind_of(path: str, format: str | None = None) -> str:
    """The task that a file looks made for: compress, tag or labels."""
    if not holds_sentences(path, format):
        return "labels"
    if format is not None or path == "-":
        return "tag"
    with Source(path) as source:
        first = source.head().lstrip().partition(b"\n")[0]
    return "compress" if first[:1] == b"{" and b'"keep"' in first and b'"tags"' not in first else "tag"


def holds_sentences(path: str, format: str | None = None) -> bool:
    """Whether a file is one of tokens with tags, rather than of texts with labels."""
    if format is not None or path == "-":
        return format in _FORMATS
    with Source(path) as source:
        if source.is_folder or source.extension in _TEXTS:
            return False
        if source.extension in _SENTENCES:
            return True
        head = source.head()
    if source.extension in _JSON:
        first = head.lstrip().partition(b"\n")[0]
        return b'"tokens"' in first and b'"text"' not in first
    return _in_columns(head)


def _in_columns(head: bytes) -> bool:
    """Whether there is a token on each line: as many columns on every one, the last of them a tag; and blank lines."""
    lines = head.replace(b"\r\n", b"\n").split(b"\n")[:-1]
    tokens = [line.split() for line in lines if line.strip() and not line.startswith((b"#", b"-DOCSTART-"))]
    widths = {len(fields) for fields in tokens}
    blank = any(not line.strip() for line in lines)
    if not blank or len(widths) != 1:
        return False
    return 2 <= min(widths) <= _MOST_COLUMNS and len({fields[-1] for fields in tokens}) <= _MOST_TAGS
