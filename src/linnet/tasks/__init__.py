"""What is predicted: one module per task, and the registry of them."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from linnet import io
from linnet.errors import UsageError, meant
from linnet.model import Model, State, read
from linnet.tasks.contract import Columns, Gold, Plan, Searchable, Task

# Imported when first used: each has readers and features of its own. A further task is a line here.
_HOMES = {"labels": ("labels", "LabelsTask"), "tag": ("tag", "TagTask"), "compress": ("compress", "CompressTask")}
TASKS = tuple(_HOMES)

__all__ = ["TASKS", "Columns", "Gold", "Plan", "Searchable", "Task", "guess", "load", "load_with_state", "named"]


def named(name: str) -> Task:
    if name not in TASKS:
        raise UsageError(f"there is no task {name!r} yet.{meant(name, TASKS)} There are: {', '.join(TASKS)}.")
    module, task = _HOMES[name]
    found: Task = getattr(import_module(f"linnet.tasks.{module}"), task)()
    return found


def guess(data: Any, columns: Columns) -> Task:
    """What data are for: sentences with `keep` to be compressed, other sentences to be tagged, all else for labels."""
    paths = [data] if isinstance(data, str | os.PathLike) else data
    if isinstance(paths, list) and paths and all(isinstance(path, str | os.PathLike) for path in paths):
        return named(io.kind_of(os.fspath(paths[0]), columns.get("format")))
    return named("labels")


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model file. ModelError, in one sentence, if it is damaged or not a model."""
    return load_with_state(path)[0]


def load_with_state(path: str | os.PathLike[str]) -> tuple[Model, State | None]:
    """The model, and the state of its learning if the file has it."""
    return read(path, lambda task: named(task).model if task in TASKS else None)
