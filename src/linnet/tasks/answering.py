"""`linnet.answers`: a model as a plain function over batches of Arrow, for whatever hands out data in batches.

Spark (`mapInArrow`), Ray Data, Dask, DuckDB and Polars call such a function, mostly in many processes. Each process reads the
model once, and all processes of a machine share its weights, which stay in the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

import pyarrow as pa

from linnet.core.threads import ahead
from linnet.core.types import Setting
from linnet.errors import UsageError
from linnet.model.base import Model
from linnet.tasks import load
from linnet.tasks.answer_files import beside, kept

_MODELS = 8
"""The number of models that a process keeps."""

Batch: TypeAlias = pa.RecordBatch | pa.Table


def answers(
    model: Model | str | os.PathLike[str],
    batches: Iterable[Batch] | Batch,
    *,
    keep: Sequence[str] | None = None,
    text: str | None = None,
    proba: bool | None = None,
    top: int | None = None,
    threads: int = 1,
    **decide: Setting,
) -> Iterator[pa.RecordBatch]:
    """The batches with the answers of a model after their columns. Each batch is answered when it is asked for.

    model: a model, or the path of a model file, which each process reads once.
    keep: the columns to keep beside the answers, such as ["id"]; all by default.
    text: the column with the text, where it is not the one that the model was trained with, or one with a usual name.
    proba: whether to add how sure the answers are; by default, it is done where the model can say so.
    threads: how many threads answer. The answers do not depend on it; an engine that has processes of its own needs one.

    >>> import linnet
    >>> model = linnet.train(["good", "fine", "bad", "poor"] * 5, ["+", "+", "-", "-"] * 5, learner="logistic")
    >>> for batch in linnet.answers(model, pa.table({"id": [7], "text": ["a good film"]}), keep=["id"], proba=False):
    ...     print(batch.to_pylist())
    [{'id': 7, 'prediction': '+'}]
    """
    loaded = model if isinstance(model, Model) else _loaded(os.fspath(model), os.stat(model).st_mtime_ns)
    sure = loaded.has_probabilities and top is None if proba is None else proba

    def answered(table: pa.Table) -> list[pa.RecordBatch]:
        found = loaded.answers(_with_text(table, text), proba=sure, top=top, **decide)
        return beside(kept(table, keep or ()), found).combine_chunks().to_batches()  # type: ignore[no-any-return]

    for found in ahead(answered, map(_as_table, [batches] if isinstance(batches, Batch) else batches), threads):
        yield from found


def _as_table(batch: Batch) -> pa.Table:
    table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
    if not isinstance(table, pa.Table):
        raise UsageError(f"expected batches of Arrow, found {type(batch).__name__}. Use model.answers(data) for it.")
    return table


def _with_text(table: pa.Table, text: str | None) -> pa.Table:
    """The table with its column `text` renamed to "text", the name that models look for. A column that has this name
    already is left out."""
    if text is None or text == "text":
        return table
    if text not in table.column_names:
        raise UsageError(f"there is no column {text!r}. The columns are: {', '.join(table.column_names)}.")
    others = [name for name in table.column_names if name != "text"]
    return table.select(others).rename_columns(["text" if name == text else name for name in others])


@lru_cache(maxsize=_MODELS)
def _loaded(path: str, changed: int) -> Model:
    """The model of a file. `changed`: when the file was written, so that a new one is read again."""
    return load(path)
