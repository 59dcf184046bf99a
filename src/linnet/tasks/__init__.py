"""What is predicted: one module per task, and the registry of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from linnet import io
from linnet.errors import UsageError
from linnet.model import Model, State, read
from linnet.tasks.contract import Columns, Gold, Task
from linnet.tasks.labels import LabelsModel, LabelsTask
from linnet.tasks.tag import TagModel, TagTask

TASKS: Mapping[str, Task] = {task.name: task for task in (LabelsTask(), TagTask())}

__all__ = ["TASKS", "Columns", "Gold", "LabelsModel", "TagModel", "Task", "guess", "load", "load_with_state", "named"]


def guess(data: Any, columns: Columns) -> Task:
    """What data are for: sentences of tokens are for tagging, all else is for labels."""
    paths = [data] if isinstance(data, str | os.PathLike) else data
    if isinstance(paths, list) and paths and all(isinstance(path, str | os.PathLike) for path in paths):
        tagged = io.holds_sentences(os.fspath(paths[0]), columns.get("format"))
        return TASKS["tag" if tagged else "labels"]
    return TASKS["labels"]


def named(name: str) -> Task:
    if name not in TASKS:
        raise UsageError(f"there is no task {name!r} yet. There are: {', '.join(TASKS)}.")
    return TASKS[name]


def load(path: str | os.PathLike[str]) -> Model:
    """Read a model file. ModelError, in one sentence, if it is damaged or not a model."""
    return load_with_state(path)[0]


def load_with_state(path: str | os.PathLike[str]) -> tuple[Model, State | None]:
    """The model, and the state of its learning if the file has it."""
    return read(path, {name: task.model for name, task in TASKS.items()})
