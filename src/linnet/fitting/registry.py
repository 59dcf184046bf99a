"""The tasks by name: each task of linnet is a folder of `tasks/`, and a file of the user's own may add others (plugins.py)."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, cast

from linnet.errors import UsageError, meant

if TYPE_CHECKING:
    from linnet.fitting.contract import Task
    from linnet.model.base import Model
    from linnet.tasks.commands import Commands

# The names of the tasks that come with linnet. The folder of each has TASK in task.py, MODEL in model.py, and commands.py.
_OWN = (
    "labels",
    "labelset",
    "ranking",
    "hierarchy",
    "ordinal",
    "tag",
    "compress",
    "parse",
    "brackets",
    "align",
    "rerank",
)


class Tasks:
    """The tasks in the order in which they are shown. A task is imported when it is first asked for, so that nobody waits for
    the readers and features of the others. Its model and its commands are found without the task itself: a program that
    only predicts does not wait for what learns."""

    def __init__(self) -> None:
        self._tasks: dict[str, Task | None] = dict.fromkeys(_OWN)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tasks)

    def __contains__(self, name: object) -> bool:
        return name in self._tasks

    def __str__(self) -> str:
        return ", ".join(self._tasks)

    def add(self, task: Task) -> Task:
        """Add a task; it takes the place of a task of the same name."""
        self._tasks[task.name] = task
        return task

    def made_for(self, path: str) -> str | None:
        """The name of the task that claims files with such a name (`Task.extensions`); None where there is none. Only
        tasks that were imported or added are asked: those that come with linnet claim no names."""
        there = (task for task in self._tasks.values() if task is not None)
        return next((task.name for task in there if path.endswith(task.extensions)), None)

    def named(self, name: str) -> Task:
        """The task of that name. Raise UsageError, with the name that was probably meant, where there is none."""
        found = self._imported(name)
        if found is None:
            found = self._tasks[name] = import_module(f"linnet.tasks.{name}.task").TASK
        return found

    def model(self, name: str) -> type[Model]:
        """The class of the models of a task."""
        task = self._imported(name)
        if task is not None:
            return task.model
        return cast("type[Model]", import_module(f"linnet.tasks.{name}.model").MODEL)

    def commands(self, name: str) -> Commands:
        """What the commands do for a task."""
        task = self._imported(name)
        return import_module(f"linnet.tasks.{name}.commands") if task is None else task.commands

    def _imported(self, name: str) -> Task | None:
        """The task of that name, or None where it has not been imported yet. Raise UsageError where there is none."""
        if name not in self._tasks:
            raise UsageError(f"there is no task {name!r}.{meant(name, self._tasks)} There are: {self}.")
        return self._tasks[name]


TASKS = Tasks()
