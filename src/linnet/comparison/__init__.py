"""All learners by all features over the same folds: which is best, by how much, and whether that is chance.

Each example is held out once. The score of a system is that of all held-out examples together, sum(right) / sum(total)
(Forman and Scholz 2010), with the standard error of a ratio, sqrt(sum (right_i - score total_i)^2) / sum(total). Where
errors have costs, systems are compared by the mean of these, and less is better.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from linnet.comparison.summary import LEVEL, Summary
from linnet.comparison.table import Chance, Comparison, Ints, Mistake, Row, System
from linnet.comparison.work import Step, Work
from linnet.core.threads import limited
from linnet.core.types import Data, Setting
from linnet.errors import UsageError, check_choice
from linnet.evaluate.folds import FOLD, GROUPS, folds, given_folds
from linnet.fitting.contract import Gold, Known, Measure, Plan, Task
from linnet.fitting.reading import read_gold
from linnet.io.python_values import brought
from linnet.learners import LEARNERS
from linnet.learners import learner as preset_of
from linnet.learners.preset import Options
from linnet.tasks import task_for
from linnet.training.job import AUTO

USUAL_FOLDS = 5

__all__ = ["LEVEL", "Chance", "Comparison", "Mistake", "Row", "Step", "System", "compare"]


def compare(
    data: Data,
    labels: Data = None,
    *,
    test: Data = None,
    folds: int | None = None,
    learners: Sequence[str] | None = None,
    features: Sequence[str] | None = None,
    measure: str | None = None,
    task: str | None = None,
    settings: Options | None = None,
    seed: int = 0,
    text: str | None = None,
    label: str | None = None,
    format: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    progress: Callable[[Step], None] | None = None,
    threads: int | None = None,
) -> Comparison:
    """Compare learners and features by cross-validation. Ctrl-C ends it early; what is done is kept.

    folds: how many; by default those of the column `fold`, or 5. 0 compares on `test` alone.
    test: further data, on which each system that was learned from all of `data` is tried too.
    measure: by what systems are ranked and compared, such as "macro-f1"; by default what matters in the task.
    threads: the largest number of folds that are learned at once; as many as cores by default.

    >>> table = compare(["good", "fine", "bad", "poor"] * 10, ["+", "+", "-", "-"] * 10, features=["words:1"], folds=4)
    >>> table.best.score, len(table.rows) >= 10
    (1.0, True)
    """
    data = brought(data, labels)
    notes: list[str] = []
    columns: dict[str, Setting] = {
        "text_col": text,
        "label_col": label,
        "format": format,
        "encoding": encoding,
        "delimiter": delimiter,
        "note": notes.append,
    }
    kind, unknown = task_for(task, data, columns, settings or {})
    if unknown:
        known = ", ".join(kind.settings) or "none"
        raise UsageError(f"task {kind.name!r} has no setting {next(iter(unknown))!r}. It has: {known}.")
    for spec in features or [""]:
        asks = kind.asks(Plan(spec, ""))
        needs_text = columns.get("needs_text", False) or asks.get("needs_text", True)
        number_lists = (*columns.get("number_lists", ()), *asks.get("number_lists", ()))
        columns = {**columns, **asks, "needs_text": needs_text, "number_lists": number_lists}
    whole = read_gold(kind, data, columns)
    held = None if test is None else read_gold(kind, brought(test), columns, Known(whole.labels, whole.details))
    began = time.perf_counter()
    fold_of, how = _folds(whole, folds, seed, held)
    plans = {spec: kind.plan(spec or None, whole) for spec in features or [""]}
    if learners and AUTO in learners:
        raise UsageError(f"learner {AUTO!r} chooses among others by itself, so it is none to compare. Leave it out.")
    presets = [preset_of(name) for name in learners] if learners else list(LEARNERS.values())
    work = Work(kind, whole, held, fold_of, plans, presets, seed, progress, _measure(kind, whole, measure))
    with limited(threads):
        done = work.run()
    found = Summary(work, done, how).comparison(time.perf_counter() - began)
    return replace(found, notes=tuple(notes))


def _measure(task: Task, whole: Gold, name: str | None) -> Measure:
    """The measure of a name; that which matters in the task where it is None."""
    if name is None:
        return task.counts
    measures = task.measures(whole)
    if not measures:
        raise UsageError(f"task {task.name!r} has one measure only. Leave out measure {name!r}.")
    check_choice("", name, tuple(measures), "the measure of a comparison: ")
    return measures[name]


def _folds(whole: Gold, k: int | None, seed: int, held: Gold | None) -> tuple[Ints, str]:
    """The fold of each example, -1 where only the test part is held out; and a phrase that says what was held out."""
    if k == 0:
        if held is None:
            raise UsageError("folds=0 compares on the test part alone, and there is none. Name one with --test.")
        return np.full(len(whole), -1), f"{len(held):,} examples of {held.source}"
    column = whole.column(FOLD) if k is None else None
    if column is not None:
        found = given_folds(column, whole.source)
        return found, f"each of the {found.max() + 1} folds of the column '{FOLD}' once"
    k = USUAL_FOLDS if k is None else k
    name = next((name for name in GROUPS if whole.column(name) is not None), None)
    labels = whole.y if len(whole.y) == len(whole) else None
    groups = None if name is None else whole.column(name)
    together = "" if name is None else f", those of one {name} together"
    return folds(len(whole), k, y=labels, groups=groups, seed=seed), f"each of {k} random folds once{together}"
