"""The tasks: a folder for each kind of output that linnet predicts, and how a task is found for data or for a model file."""

from __future__ import annotations

import os
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, overload

from linnet.core.types import Data, Json
from linnet.errors import ModelError, UsageError
from linnet.fitting.registry import TASKS
from linnet.model.base import Model, read
from linnet.model.file import read_model

if TYPE_CHECKING:
    from linnet.fitting.contract import Columns, Task
    from linnet.learners.preset import Options
    from linnet.structures.interface import Structure
    from linnet.tasks.own.model import OwnModel

_NEARLY = 0.8
"""The similarity, from 0 to 1, from which on a name counts as a misspelt setting of the task."""

__all__ = [
    "TASKS",
    "configured",
    "guess",
    "load",
    "named",
    "task_for",
]


named = TASKS.named


def task_for(name: str | None, data: Data, columns: Columns, options: Options) -> tuple[Task, dict[str, Json]]:
    """The task of that name, or the one that the data look made for, with the settings that are among the options; and the
    other options, which are for the learner."""
    return configured(guess(data, columns) if name is None else named(name), options)


def configured(task: Task, options: Options) -> tuple[Task, dict[str, Json]]:
    """The task with the settings that are among the options, and the other options, which are for the learner."""
    own = {name: options[name] for name in task.settings if name in options}
    rest = {name: value for name, value in options.items() if name not in own}
    for name in rest:
        near = get_close_matches(name, task.settings, 1, _NEARLY)
        if near:
            raise UsageError(f"there is no option {name!r}. Did you mean {near[0]!r} of task {task.name!r}?")
    return replace(task, **own) if own else task, rest  # type: ignore[type-var]


def guess(data: Data, columns: Columns) -> Task:
    """Guess the task from the data, which are what `brought` gives: rerank for lists of candidates, align for pairs of
    sentences, compress for sentences with `keep`, brackets for trees in brackets, parse for heads, tag for other sentences,
    labelset for texts with lists of labels, and else labels."""
    from linnet.fitting.contract import how_of
    from linnet.io.python_values import Rows
    from linnet.tasks.defaults import is_pair
    from linnet.tasks.guessing import task_of_file, task_of_pair, task_of_rows

    if isinstance(data, Rows):
        return named(task_of_rows(data, columns.get("label_col")))
    if is_pair(data):
        return named(task_of_pair(*data))
    paths = [data] if isinstance(data, str | os.PathLike) else data
    if isinstance(paths, list | tuple) and paths and all(isinstance(path, str | os.PathLike) for path in paths):
        return named(task_of_file(os.fspath(paths[0]), how_of(columns), columns.get("label_col")))
    return named("rerank" if isinstance(data, list) else "labels")


@overload
def load(path: str | os.PathLike[str], structure: None = None) -> Model: ...
@overload
def load(path: str | os.PathLike[str], structure: Structure | type[Structure]) -> OwnModel: ...
def load(path: str | os.PathLike[str], structure: Structure | type[Structure] | None = None) -> Model:
    """Read a model file. Raise ModelError if it is damaged or not a model. A large model answers before its file is checked
    to its end; `model.verify()` waits for that.

    structure: the user's own structure, if the model was learned by `linnet.learn`.
    """
    if structure is not None:
        from linnet.tasks.own.model import load as load_own

        return load_own(path, structure)

    def model_of(task: str) -> type[Model] | None:
        if task == "own":
            own = read_model(path)[0]["details"]["structure"]
            raise ModelError(
                f"{os.fspath(path)}: the model was learned with a structure of the user's own, {own!r}. Load it in "
                f"Python, with linnet.load(path, structure={own.rpartition(':')[2]})."
            )
        return TASKS.model(task) if task in TASKS else None

    return read(path, model_of)
