"""Writing answers to files: as a table in csv, jsonl, parquet or arrow, or as the text that is usual for a task."""

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
    """A writer of answers in one form."""

    def write(self, batch: Data, answers: pa.Table) -> None:
        """Write the answers to a batch of examples."""


@dataclass(frozen=True)
class TableWriter:
    """A writer of answers as rows of a table: csv, tsv, jsonl, parquet or arrow."""

    file: io.Writer

    def write(self, batch: Data, answers: pa.Table) -> None:
        self.file.write_table(answers)


@dataclass(frozen=True)
class TextWriter:
    """A writer of answers as the text of their task, such as columns, trees or links, or as JSON lines."""

    file: io.SentenceWriter
    add: Write
    asked: Asked

    def write(self, batch: Data, answers: pa.Table) -> None:
        self.add(self.file, batch, answers, self.asked)


@contextmanager
def open_answers(model: Model, write: Write | None, asked: Asked) -> Iterator[AnswerWriter]:
    """Open a writer to the output file, which appears when all is written; None or "-" is stdout."""
    format = None if asked.output is None else format_of(asked.output)
    if write is None or format in BINARY:
        with io.Writer.open(asked.output, separator=model.details.get("separator")) as rows:
            yield TableWriter(rows)
        return
    if format in DELIMITED:
        raise UsageError(
            f"the answers of task {model.task!r} are lists, which {format} cannot hold. Name the output .jsonl, .parquet or "
            ".arrow, or give it another ending for plain text."
        )
    with io.SentenceWriter.open(asked.output) as text:
        yield TextWriter(text, write, asked)
