"""Writing answers to files: as a table in csv, jsonl, parquet or arrow, or as the text that is usual for a task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, count
from typing import NamedTuple, Protocol

import pyarrow as pa

from linnet import io
from linnet.core.types import Data
from linnet.errors import UsageError
from linnet.features.table import Table
from linnet.io.texts.writing import BINARY, DELIMITED, format_of
from linnet.model.base import Model
from linnet.tasks.commands import Asked, Write


class AnswerWriter(Protocol):
    """A writer of answers in one form."""

    def write(self, batch: Data, answers: pa.Table) -> None:
        """Write the answers to a batch of examples."""


class TableWriter(NamedTuple):
    """A writer of answers as rows of a table: csv, tsv, jsonl, parquet or arrow. The answers follow the columns that
    the examples were read with, unless only answers are wanted."""

    file: io.Writer
    only: bool
    keep: tuple[str, ...] = ()

    def write(self, batch: Data, answers: pa.Table) -> None:
        given = batch.given if isinstance(batch, Table) and not self.only else None
        self.file.write_table(answers if given is None else beside(kept(given, self.keep), answers))


def kept(given: pa.Table, names: Sequence[str]) -> pa.Table:
    """The columns of these names; all of them where none is named."""
    for name in names:
        if name not in given.column_names:
            raise UsageError(f"there is no column {name!r} to keep. The columns are: {', '.join(given.column_names)}.")
    return given.select(list(names)) if names else given


def beside(given: pa.Table, answers: pa.Table) -> pa.Table:
    """The columns that were read, followed by the answers. A name that is taken gets a number: `prediction_2`.

    >>> both = beside(pa.table({"text": ["a"], "prediction": ["x"]}), pa.table({"prediction": ["y"]}))
    >>> both.to_pylist()
    [{'text': 'a', 'prediction': 'x', 'prediction_2': 'y'}]
    """
    for name, column in zip(answers.column_names, answers.columns, strict=True):
        free = (other for other in chain([name], (f"{name}_{i}" for i in count(2))) if other not in given.column_names)
        given = given.append_column(next(free), column)
    return given


class TextWriter(NamedTuple):
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
        separator = model.details.get("separator")
        with io.Writer.open(asked.output, separator=separator, spreadsheet_safe=asked.spreadsheet_safe) as rows:
            yield TableWriter(rows, asked.only, asked.keep)
        return
    if format in DELIMITED:
        raise UsageError(
            f"the answers of task {model.task!r} are lists, which {format} cannot hold. Name the output .jsonl, .parquet or "
            ".arrow, or give it another ending for plain text."
        )
    with io.SentenceWriter.open(asked.output) as text:
        yield TextWriter(text, write, asked)
