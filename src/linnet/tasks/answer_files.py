"""Answers on their way to a file: as a table in any format that has types, or as the text that a task has for its outputs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from linnet import io
from linnet.core.types import Data
from linnet.errors import UsageError
from linnet.io.texts.writing import BINARY, DELIMITED, format_of
from linnet.model.base import Model
from linnet.tasks.commands import Asked, Write


class AnswerWriter(Protocol):
    def write(self, batch: Data, answers: pa.Table) -> None:
        """Add a batch of examples with the answers to them."""


@dataclass(frozen=True)
class TableWriter:
    """Answers as rows: csv, tsv, jsonl, parquet or arrow."""

    file: io.Writer

    def write(self, batch: Data, answers: pa.Table) -> None:
        self.file.write_table(answers)


@dataclass(frozen=True)
class TextWriter:
    """Answers as the text of their task: columns, trees, links; or as JSON lines."""

    file: io.SentenceWriter
    add: Write
    asked: Asked

    def write(self, batch: Data, answers: pa.Table) -> None:
        self.add(self.file, batch, answers, self.asked)


@contextmanager
def open_answers(model: Model, write: Write | None, asked: Asked) -> Iterator[AnswerWriter]:
    """A writer to the file that was asked for, which appears when all is written; None or "-" is stdout."""
    format = None if asked.output is None else format_of(asked.output)
    if write is None or format in BINARY:
        with io.Writer.open(asked.output, separator=model.details.get("separator")) as rows:
            yield TableWriter(rows)
        return
    if format in DELIMITED:
        raise UsageError(
            f"the answers of task {model.task!r} are lists, which {format} has no room for. Write .jsonl, .parquet or "
            ".arrow, or give the file another name for plain text."
        )
    with io.SentenceWriter.open(asked.output) as text:
        yield TextWriter(text, write, asked)
