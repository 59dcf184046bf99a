"""`linnet.answers`: a model as a plain function over batches of Arrow, for whatever hands out data in batches.

Spark (`mapInArrow`), Ray Data, Dask, DuckDB and Polars call such a function, mostly in many processes. Each process reads the
model once, and all processes of a machine share its weights, which stay in the file.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import pyarrow as pa

from linnet.core.types import Setting
from linnet.errors import UsageError
from linnet.features.table import Table
from linnet.model.base import Model
from linnet.tasks import load
from linnet.tasks.answer_files import beside, kept
from linnet.tasks.texts.tables import pieces

if TYPE_CHECKING:
    from concurrent.futures import Future

_MODELS = 8
"""The number of models that a process keeps."""

_PIECE = 1024
"""The number of rows that a thread answers at a time."""
_BATCHES = 1
"""The number of batches that threads answer while another is being read."""

Batch: TypeAlias = pa.RecordBatch | pa.Table
B = TypeVar("B")


def answered(batches: Iterable[B], answer: Callable[[B], pa.Table], threads: int) -> Iterator[tuple[B, pa.Table]]:
    """Yield each batch with its answers, in order and the same whatever the number of threads is. Several threads answer some
    rows of a table each, while the next batch is being read; batches that are no tables are answered one after the other."""
    waiting: deque[tuple[B, list[Future[pa.Table]]]] = deque()
    with ExitStack() as stack:
        submit = None
        for batch in batches:
            if threads == 1 or not isinstance(batch, Table | pa.Table) or (submit is None and len(batch) <= _PIECE):
                yield batch, answer(batch)
                continue
            if submit is None:
                submit = _pool(threads, stack)
            waiting.append((batch, [submit(answer, piece) for piece in pieces(batch, _PIECE)]))
            if len(waiting) > _BATCHES:
                yield _ready(*waiting.popleft())
        while waiting:
            yield _ready(*waiting.popleft())


def _pool(threads: int, stack: ExitStack) -> Callable[..., Future[pa.Table]]:
    """The function that hands work to threads, which end with the stack."""
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(threads)
    stack.callback(pool.shutdown, wait=True, cancel_futures=True)
    return pool.submit


def _ready(batch: B, parts: Sequence[Future[pa.Table]]) -> tuple[B, pa.Table]:
    """A batch with the answers of its parts as one table, which is laid out as if it had been answered at once."""
    return batch, pa.concat_tables([part.result() for part in parts]).combine_chunks()


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
    """The batches with the answers of a model behind their columns, each as soon as it is asked for.

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
    tables = map(_as_table, [batches] if isinstance(batches, Batch) else batches)

    def answer(table: pa.Table) -> pa.Table:
        return loaded.answers(_with_text(table, text), proba=sure, top=top, **decide)

    for table, found in answered(tables, answer, threads):
        new = [name for name in found.column_names if name not in table.column_names]
        yield from beside(kept(table, keep or ()), found.select(new)).combine_chunks().to_batches()


def _as_table(batch: Batch) -> pa.Table:
    table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
    if not isinstance(table, pa.Table):
        raise UsageError(f"expected batches of Arrow, found {type(batch).__name__}. Use model.answers(data) for it.")
    return table


def _with_text(table: pa.Table, text: str | None) -> pa.Table:
    """The table with the column of the text under its usual name, in the place of another that had it."""
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
