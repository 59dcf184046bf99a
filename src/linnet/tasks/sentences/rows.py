"""Answers of sentences as JSON lines, where the text of a task has no room for them."""

from __future__ import annotations

import pyarrow as pa

from linnet.core.types import Data
from linnet.io.sentences.writing import SentenceWriter
from linnet.io.texts.encoders import json_lines
from linnet.tasks.commands import Asked


def write_rows(file: SentenceWriter, answers: pa.Table) -> None:
    """Each row of a table as an object on a line."""
    file.write_lines(json_lines(answers.to_pydict()))


def fills_frame(batch: Data, asked: Asked) -> bool:
    """Whether the lines that sentences were read from are what was asked for, with other tags in them."""
    return batch.frame is not None and batch.frame.is_json and not asked.proba
