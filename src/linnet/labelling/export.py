"""What was labelled, as a table for other programs, and as a model."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

import numpy as np
import pyarrow as pa

from linnet.core.types import I64
from linnet.errors import DataError, UsageError
from linnet.io.texts.writing import Writer
from linnet.labelling.events import Answer
from linnet.labelling.kind import Kind
from linnet.labelling.labelling import Labelling
from linnet.model.base import Model
from linnet.training.train import train

_MOST_OTHERS = 20_000
"""The number of texts without an answer that a model learns from, at most: a random part of the pool."""


def labelled(labelling: Labelling) -> tuple[I64, list[Answer]]:
    """The examples that have an answer, in the order of the data, and these answers."""
    labelling.journal.catch_up()
    answers = {**labelling.pool.given, **{event.row: event.answer for event in labelling.state.answers()}}
    rows = sorted(answers)
    return np.array(rows, np.int64), [answers[row] for row in rows]


def table(labelling: Labelling) -> pa.Table:
    """The examples that have an answer, in the order of the data: their number from 1, the example and its answer, who gave it
    ("" for answers of the data), whether the example is held out, and the notes on it."""
    rows, answers = labelled(labelling)
    state = labelling.state
    by = [event.by if (event := state.answer(row)) is not None else "" for row in rows.tolist()]
    return pa.table(
        {
            "row": pa.array(rows + 1, pa.int64()),
            **labelling.kind.columns(labelling.pool.inputs, rows, answers),
            "by": pa.array(by, pa.string()),
            "held_out": pa.array([labelling.queue.is_held(row) for row in rows.tolist()], pa.bool_()),
            "note": pa.array([" | ".join(state.notes(row)) for row in rows.tolist()], pa.string()),
        }
    )


def trainer(labelling: Labelling) -> Callable[[], Model]:
    """A function that trains a model of the task on the answers so far, whatever is answered meanwhile: by the usual
    learner, on all answers but the held-out ones, which can then tell how good the model is. A model of texts learns from
    the texts of the pool without an answer, too, from at most _MOST_OTHERS of them; none of these is held out."""
    labelling.journal.catch_up()
    learned, kind = labelling.learned(), labelling.kind
    inputs, rest = labelling.pool.inputs, labelling.queue.rest
    if not learned:
        raise UsageError("there are no answers to learn from. Answer some.")
    rows = np.array(list(learned), np.int64)
    others = rest[~np.isin(rest, rows)][:_MOST_OTHERS]
    how = {
        **kind.examples(inputs, rows, others, labelling.features),
        "labels": [kind.output(inputs, row, answer) for row, answer in learned.items()],
        "options": kind.options(labelling.labels),
    }

    def trained() -> Model:
        try:
            return train(task=kind.name, **how)
        except DataError as error:
            raise UsageError(f"the answers are too few to learn from: {error} Answer more.") from None

    return trained


_MODEL = ".linnet"


def endings(kind: Kind) -> tuple[str, ...]:
    """The endings of files that can be written, the usual one of the task first."""
    return (*kind.saves, *kind.tables, _MODEL)


def export(labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write what was labelled to a file. The ending of its name decides what is written: a table, the text that is
    usual for the task, or a model."""
    writer(labelling, path)()


def writer(labelling: Labelling, path: str | os.PathLike[str]) -> Callable[[], None]:
    """A function that writes to a file what was labelled so far, whatever is answered meanwhile: training a model may
    take a while."""
    name, kind = os.fspath(path), labelling.kind
    ending = os.path.splitext(name)[1].lower()
    if ending not in endings(kind):
        raise UsageError(f"expected a file that ends in one of {', '.join(endings(kind))}, found {name!r}.")
    if ending == _MODEL:
        trained = trainer(labelling)
        return lambda: trained().save(name)
    if ending in kind.saves:
        return partial(kind.saves[ending], name, labelling.pool.inputs, *labelled(labelling))
    return partial(_write_table, name, table(labelling))


def _write_table(name: str, found: pa.Table) -> None:
    with Writer.open(name) as out:
        out.write_table(found)
