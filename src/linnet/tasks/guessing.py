"""Guessing the task that data were made for: files from names and first lines, values of Python from their types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from linnet.core.types import Data, Json
from linnet.fitting.registry import TASKS
from linnet.io.bytes.source import Source
from linnet.io.formats import FileOptions
from linnet.io.sentences.detection import BRACKETED, JSON_EXTENSIONS, TREE_EXTENSIONS, holds_sentences, is_text
from linnet.io.texts.columns import LABELS, TEXT, usual
from linnet.tasks.sentences.columns import TAGS, TOKENS

if TYPE_CHECKING:
    from linnet.io.python_values import Rows

_TABLES = (".parquet", ".arrow", ".feather")
_LABEL = b"__label__"
_JSON_LIST = re.compile(rf'"({"|".join(LABELS)})"\s*:\s*\['.encode())
_JSON_PAIR = re.compile(rb'"source"\s*:\s*\[.*"target"\s*:\s*\[|"target"\s*:\s*\[.*"source"\s*:\s*\[')
_CANDIDATES = re.compile(rb'"candidates"\s*:\s*\[')
_NBEST = re.compile(rb"\d+ \|\|\| .*? \|\|\| ")


def kind_of(path: str, how: FileOptions | None = None, label_col: str | None = None) -> str:
    """The task that a file looks made for: one that has files of such a name for itself, else align, brackets, compress, parse,
    rerank, tag, labelset or labels."""
    known = how or {}
    format, encoding = known.get("format"), known.get("encoding")
    own = TASKS.made_for(path)
    if own is not None:
        return own
    if label_col == "tree":
        return "parse"
    if _holds_candidates(path, format, encoding):
        return "rerank"
    if format == "bitext" or (format is None and path != "-" and _holds_pairs(path, encoding)):
        return "align"
    if not holds_sentences(path, format, encoding):
        return "labelset" if path != "-" and _has_lists(path, encoding) else "labels"
    if format is not None or path == "-":
        return "brackets" if format == "mrg" else "tag"
    with Source(path, encoding) as source:
        head = source.head()
    if source.extension in TREE_EXTENSIONS or BRACKETED.match(head):
        return "brackets"
    first = head.lstrip().partition(b"\n")[0]
    return "compress" if first[:1] == b"{" and b'"keep"' in first and b'"tags"' not in first else "tag"


def kind_of_rows(rows: Rows, label: str | None = None) -> str:
    """The task that the columns of rows look made for.

    label: the name of the column of outputs, if the user names one.
    """
    lists = [name for name, column in rows.columns.items() if _holds_lists(column)]
    if usual(("candidates",), lists):
        return "rerank"
    if usual(("source",), lists) and usual(("target",), lists):
        return "align"
    if usual(("tree",), rows.names) and usual(TEXT, rows.names) is None:
        return "brackets"
    if usual(TOKENS, lists) is None:
        return "labelset" if (label or usual(LABELS, rows.names)) in lists else "labels"
    if usual(("heads",), lists):
        return "parse"
    return "compress" if usual(("keep",), lists) and label is None and usual(TAGS, lists) is None else "tag"


def kind_of_pair(inputs: Data, outputs: Sequence[Json]) -> str:
    """The task that inputs with outputs look made for."""
    x = next(iter(inputs), "") if isinstance(inputs, list | tuple) else ""
    y = next((one for one in outputs if _is_list(one) and len(one)), "")
    if not _is_list(x):
        return "labelset" if any(_is_list(one) for one in outputs) else "labels"
    if isinstance(x, tuple):
        return "align"
    if not y:
        return "brackets"
    first = next(iter(y))
    return "tag" if isinstance(first, str) else "parse" if isinstance(first, tuple) else "compress"


def _holds_lists(column: Data) -> bool:
    """Whether a column has lists as values."""
    if isinstance(column, list):
        return any(_is_list(value) for value in column)
    from pyarrow import types

    kind = getattr(column, "type", None)
    return kind is not None and bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _is_list(value: Json) -> bool:
    return isinstance(value, list | tuple | set | frozenset) or getattr(value, "ndim", 0) > 0


def _holds_pairs(path: str, encoding: str | None) -> bool:
    """Whether a file has sentences with their translations: source ||| target, or JSON lists `source` and `target`."""
    with Source(path, encoding) as source:
        if source.is_folder or source.extension in _TABLES:
            return False
        first = source.head().lstrip().partition(b"\n")[0]
    if source.extension in JSON_EXTENSIONS:
        return _JSON_PAIR.search(first) is not None
    return len(first.split(b"|||")) in (2, 3)


def _holds_candidates(path: str, format: str | None, encoding: str | None) -> bool:
    """Whether a file has lists of candidates: in JSON, or as the n-best lists of Moses."""
    if format is not None or path == "-":
        return format == "nbest"
    with Source(path, encoding) as source:
        if source.is_folder:
            return False
        first = source.head().lstrip().partition(b"\n")[0]
    if source.extension in JSON_EXTENSIONS:
        return _CANDIDATES.search(first) is not None
    return source.extension == ".nbest" or (not is_text(source) and _NBEST.match(first) is not None)


def _has_lists(path: str, encoding: str | None) -> bool:
    """Whether texts have lists of labels: a list in JSON or in a table, or several __label__ on a line."""
    with Source(path, encoding) as source:
        if source.is_folder:
            return False
        if source.extension in _TABLES:
            return _list_column(path)
        head = source.head()
    lines = head.split(b"\n")
    if source.extension in JSON_EXTENSIONS:
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
        return False  # The reader reports what is wrong with the file.
    return any(name.lower() in LABELS and types.is_list(schema.field(name).type) for name in schema.names)
