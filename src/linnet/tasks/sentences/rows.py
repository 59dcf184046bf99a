"""Answers of sentences as JSON lines, for what the text of a task cannot hold."""

from __future__ import annotations

import pyarrow as pa

from linnet.core.types import Data
from linnet.io.sentences.writing import SentenceWriter
from linnet.io.texts.encoders import json_lines
from linnet.tasks.commands import Asked


def write_rows(file: SentenceWriter, answers: pa.Table) -> None:
    """Write each row of a table as a JSON object on a line."""
    file.write_lines(json_lines(answers.to_pydict()))


def fills_frame(batch: Data, asked: Asked) -> bool:
    """Whether to write the lines from which the sentences were read again, with the predicted tags in them."""
    return batch.frame is not None and batch.frame.is_json and not asked.proba
