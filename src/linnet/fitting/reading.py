"""The door to a task: gold examples from files, from tables and from other values of Python."""

from __future__ import annotations

from linnet.core.types import Data
from linnet.fitting.contract import Columns, Known, Task
from linnet.fitting.kinds import G
from linnet.io.python_values import Rows


def read_gold(task: Task[G], data: Data, columns: Columns, known: Known | None = None) -> G:
    """Gold examples of what `brought` gives (io/python_values.py). Of rows, the task takes the columns that it needs: those
    that are named, those that a model was trained with, or those that have a usual name."""
    if not isinstance(data, Rows):
        return task.read(data, columns, known)
    remembered = {} if known is None else known.details.get("columns", {})
    return task.read(
        task.taken(data, columns, remembered), {name: columns.get(name) for name in ("note", "room", "may_lack")}, known
    )
