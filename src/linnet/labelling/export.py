"""What was labelled, as a table for other programs, and as a model."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

import pyarrow as pa

from linnet.core.types import Json
from linnet.errors import UsageError
from linnet.io.texts.writing import Writer
from linnet.labelling.labelling import Labelling
from linnet.model.base import Model
from linnet.training.train import train


def table(labelling: Labelling) -> pa.Table:
    """The texts that have labels, in the order of the data: their number from 1, the text, its label or labels, who gave the
    answer ("" for labels of the data), whether the text is held out, and the notes on it."""
    labelling.journal.catch_up()
    answers = {event.row: event for event in labelling.state.answers()}
    rows = sorted({*answers, *labelling.pool.given})
    labels = [answers[row].labels if row in answers else labelling.pool.given[row] for row in rows]
    several = labelling.kind.several
    columns: Mapping[str, list[Json]] = {
        "row": [row + 1 for row in rows],
        "text": [labelling.pool.text(row) for row in rows],
        "label": [list(given) if several else given[0] for given in labels],
        "by": [answers[row].by if row in answers else "" for row in rows],
        "held_out": [labelling.queue.is_held(row) for row in rows],
        "note": [" | ".join(labelling.state.notes(row)) for row in rows],
    }
    types = {"row": pa.int64(), "label": pa.list_(pa.string()) if several else pa.string(), "held_out": pa.bool_()}
    return pa.table({name: pa.array(values, types.get(name, pa.string())) for name, values in columns.items()})


def model(labelling: Labelling) -> Model:
    """A model of the task, with its usual learner, of all answers but the held-out ones, so that these tell how good it is."""
    labelling.journal.catch_up()
    learned = labelling.learned()
    if len({label for labels in learned.values() for label in labels}) < 2:
        raise UsageError("expected answers of at least two labels to learn from. Answer more texts.")
    texts = [labelling.pool.text(row) for row in learned]
    outputs = [labelling.kind.output(labels) for labels in learned.values()]
    options: dict[str, Json] = {} if labelling.kind.grows else {"order": ",".join(labelling.labels)}
    return train(texts, outputs, task=labelling.kind.name, options=options)


def _write_table(labelling: Labelling, path: str) -> None:
    with Writer.open(path) as writer:
        writer.write_table(table(labelling))


def _write_model(labelling: Labelling, path: str) -> None:
    model(labelling).save(path)


FORMATS: Mapping[str, Callable[[Labelling, str], None]] = {
    ".csv": _write_table,
    ".tsv": _write_table,
    ".jsonl": _write_table,
    ".parquet": _write_table,
    ".linnet": _write_model,
}
"""What can be written, by the ending of the file."""


def export(labelling: Labelling, path: str | os.PathLike[str]) -> None:
    """Write what was labelled to a file: a table or a model, by the ending of its name."""
    name = os.fspath(path)
    write = FORMATS.get(os.path.splitext(name)[1].lower())
    if write is None:
        raise UsageError(f"expected a file that ends in one of {', '.join(FORMATS)}, found {name!r}.")
    write(labelling, name)
