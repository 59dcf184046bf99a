"""Guessing the task that data were made for: files from names and first lines, values of Python from their types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from linnet.core.types import Data, Json
from linnet.fitting.registry import TASKS
from linnet.io.bytes.source import Source
from linnet.io.formats import FileOptions
from linnet.io.sentences.detection import BRACKETED, JSON_EXTENSIONS, TREE_EXTENSIONS, is_text, shows_sentences
from linnet.io.texts.columns import LABELS, TEXT, usual
from linnet.tasks.sentences.columns import TAGS, TOKENS

if TYPE_CHECKING:
    from linnet.io.python_values import Rows

_TABLES = (".parquet", ".arrow", ".feather")
_FASTTEXT = b"__label__"
_OF_FORMATS = {"nbest": "rerank", "bitext": "align", "mrg": "brackets", "conll": "tag", "conllu": "tag"}
"""The tasks of formats that are made for one kind of data."""
_JSON_LIST = re.compile(rf'"({"|".join(LABELS)})"\s*:\s*\['.encode())
_JSON_PAIR = re.compile(rb'"source"\s*:\s*\[.*"target"\s*:\s*\[|"target"\s*:\s*\[.*"source"\s*:\s*\[')
_CANDIDATES = re.compile(rb'"candidates"\s*:\s*\[')
_NBEST = re.compile(rb"\d+ \|\|\| .*? \|\|\| ")


def task_of_file(path: str, how: FileOptions | None = None, label_col: str | None = None) -> str:
    """The name of the task that a file looks made for. A task that claims this file name (`Task.extensions`) comes first; else
    it is align, brackets, compress, parse, rerank, tag, labelset or labels. The file is looked at once.

    label_col: the column of outputs that the user names. "tree" stands for the heads and relations of CoNLL files.
    """
    known = how or {}
    format = known.get("format")
    own = TASKS.made_for(path)
    if own is not None:
        return own
    if label_col == "tree":
        return "parse"
    if format in _OF_FORMATS:
        return _OF_FORMATS[format]
    with Source(path, known.get("encoding")) as source:
        # Standard input and pipes cannot be read twice, so only the format counts.
        return "labels" if source.is_folder or source.is_pipe else _task_of_lines(source, is_named=format is not None)


def _task_of_lines(source: Source, is_named: bool) -> str:
    """The task that the first lines of a file show. `is_named`: whether the user has named its format, which then is one of
    texts. What is surest comes first: a file of tags may begin with |||, but a list of candidates is never anything else."""
    if not is_named:
        first = source.head().lstrip().partition(b"\n")[0]
        if _holds_candidates(source, first):
            return "rerank"
        if _holds_pairs(source, first):
            return "align"
        if shows_sentences(source):
            if source.extension in TREE_EXTENSIONS or re.match(BRACKETED, source.head()):
                return "brackets"
            return "compress" if first[:1] == b"{" and b'"keep"' in first and b'"tags"' not in first else "tag"
    return "labelset" if _has_label_lists(source) else "labels"


def task_of_rows(rows: Rows, label: str | None = None) -> str:
    """The name of the task that the columns of rows look made for.

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


def task_of_pair(inputs: Data, outputs: Sequence[Json]) -> str:
    """The name of the task that inputs with outputs look made for. Reranking is not among them: its lists have their outputs in
    them."""
    x = next(iter(inputs), "") if isinstance(inputs, list | tuple) else ""
    y = next((one for one in outputs if _is_list(one) and len(one)), None)
    if not _is_list(x):
        return "labelset" if any(_is_list(one) for one in outputs) else "labels"
    if isinstance(x, tuple):
        return "align"
    if y is None:
        tree = next((one for one in outputs if one is not None), "")
        return "brackets" if str(tree).lstrip().startswith("(") else "labels"  # Trees are strings, not lists.
    first = next(iter(y))
    if isinstance(first, str):
        return "tag"
    return (
        "parse" if isinstance(first, tuple) else "compress"
    )  # heads with relations, or flags that say which words to keep


def _holds_lists(column: Data) -> bool:
    """Whether a column has lists as values."""
    if isinstance(column, list):
        return any(_is_list(value) for value in column)
    from pyarrow import types

    kind = getattr(column, "type", None)
    return kind is not None and bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _is_list(value: Json) -> bool:
    return isinstance(value, list | tuple | set | frozenset) or getattr(value, "ndim", 0) > 0


def _holds_pairs(source: Source, first: bytes) -> bool:
    """Whether a file has sentences with their translations: source ||| target, perhaps with ||| links, or JSON lists `source`
    and `target`."""
    if source.extension in JSON_EXTENSIONS:
        return _JSON_PAIR.search(first) is not None
    return source.extension not in _TABLES and len(first.split(b"|||")) in (2, 3)


def _holds_candidates(source: Source, first: bytes) -> bool:
    """Whether a file has lists of candidates: in JSON, or as the n-best lists of Moses. A file with the extension of a format
    of texts, such as .csv, is one of texts, whatever its first line looks like."""
    if source.extension in JSON_EXTENSIONS:
        return _CANDIDATES.search(first) is not None
    return source.extension == ".nbest" or (not is_text(source) and _NBEST.match(first) is not None)


def _has_label_lists(source: Source) -> bool:
    """Whether texts have lists of labels: a list in JSON or in a table, or several __label__ on a line."""
    if source.extension in _TABLES:
        return _list_column(source.path)
    lines = source.head().split(b"\n")
    if source.extension in JSON_EXTENSIONS:
        return any(_JSON_LIST.search(line) for line in lines)
    return any(
        line.startswith(_FASTTEXT) and len(line.split()) > 1 and line.split()[1].startswith(_FASTTEXT) for line in lines
    )


def _list_column(path: str) -> bool:
    from pyarrow import ArrowException, ipc, types
    from pyarrow import parquet as pq

    try:
        schema = pq.read_schema(path) if path.endswith(".parquet") else ipc.open_file(path).schema
        names = schema.names
    except (ArrowException, OSError, ValueError):  # such as a name that is not UTF-8
        return False  # The reader reports what is wrong with the file.
    return any(name.lower() in LABELS and types.is_list(schema.field(name).type) for name in names)
