"""The kinds of files that commands write, and how each is recognised: a file that linnet wrote may be replaced by
another of its kind."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

_HEAD = 64 << 10
"""The number of bytes at the beginning of a file that tell what is in it."""
_PREDICTION = r"predictions?(_\d+)?|best"
"""The name of the first column of answers, which follows the columns of the input."""
_OF_ANSWERS = r"(predictions?|confidences?|scores?|probability|probabilities)(_\d+)?|best"

_OF_SUSPECTS = ["row", "label", "suggested", "score", "text"]
"""The columns of a list of labels that may be wrong, beside the line, which not every format has."""

_BEHIND_LABELLED = ["by", "held_out", "note"]
"""The last columns of a table of labelled texts, whose first is the row."""


class Kind(NamedTuple):
    """A kind of file that commands write."""

    name: str
    example: str
    unlike: str
    """The clause of a message that says that a file is not of this kind."""
    recognises: Callable[[str], bool]
    """Whether a file is of this kind, and was written by linnet, so that it may be replaced by another."""


def _is_model(path: str) -> bool:
    from linnet.model.file import is_model_file

    return is_model_file(path)


def _is_page(path: str) -> bool:
    from linnet.report.page import GENERATOR

    with open(path, "rb") as file:
        return GENERATOR.encode() in file.read(_HEAD)


def _is_picture(path: str) -> bool:
    from linnet.report.pictures import is_picture

    return is_picture(path)


def _has_answers(path: str) -> bool:
    """Whether a table has a column `prediction` or `best`, and after it other columns of answers only.

    Sentences with predicted tags look as gold data do, so they are never taken for answers. Nor is a table to which someone has
    added a column.
    """
    names = _columns(path)
    first = next((k for k, name in enumerate(names) if re.fullmatch(_PREDICTION, name)), len(names))
    return first < len(names) and all(re.fullmatch(_OF_ANSWERS, name) for name in names[first:])


def _has_suspects(path: str) -> bool:
    names = _columns(path)
    return [name for name in names if name != "line"] == _OF_SUSPECTS


def _is_labelled(path: str) -> bool:
    """Whether a file is a model, or a table of what was labelled. Tags, trees and links in their usual form look as gold data
    do, so they are never taken for it."""
    if path.endswith(".linnet"):
        return _is_model(path)
    names = _columns(path)
    return names[:1] == ["row"] and names[-3:] == _BEHIND_LABELLED


MODEL = Kind("model", "my.linnet", "which is not a model", _is_model)
PAGE = Kind("page", "page.html", "which is not a page that linnet wrote", _is_page)
PICTURE = Kind("picture", "picture.svg", "which is not a picture that linnet drew", _is_picture)
ANSWERS = Kind("answers", "answers.csv", "which is not a table of predictions", _has_answers)
SUSPECTS = Kind("suspects", "suspects.csv", "which is not a list of suspected labels", _has_suspects)

LABELLED = Kind("labelled texts", "labelled.csv", "which is not a table or model of labelled texts", _is_labelled)


def _columns(path: str) -> list[str]:
    """The names of the columns of a table, whose format is told by the name of the file; none where it is no such
    table."""
    from linnet.io.texts.writing import format_of

    format = format_of(path)
    if format in ("parquet", "arrow"):
        return _typed_columns(path, format)
    with open(path, "rb") as file:
        line = file.read(_HEAD).decode("utf-8", "replace").removeprefix("\ufeff").partition("\n")[0].rstrip("\r")
    if format == "jsonl":
        return _keys(line)
    import csv

    return next(csv.reader([line], delimiter="\t" if format == "tsv" else ","), []) if format else []


def _keys(line: str) -> list[str]:
    import json

    try:
        row = json.loads(line)
    except ValueError:
        return []
    return list(row) if isinstance(row, dict) else []


def _typed_columns(path: str, format: str) -> list[str]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        schema = parquet.read_schema(path) if format == "parquet" else pa.ipc.open_file(path).schema
    except pa.ArrowInvalid:
        return []
    return list(schema.names)
