"""What is in data, and what is wrong with them, before anything is learned: `linnet.inspect`."""

from __future__ import annotations

import os
from collections import Counter
from typing import Unpack

from linnet.core.types import Data, Json
from linnet.fitting.contract import Task
from linnet.fitting.reading import read_gold
from linnet.io.formats import FileOptions
from linnet.io.python_values import brought
from linnet.tasks import guess, named
from linnet.tasks.commands import Data as Files
from linnet.tasks.problems import lengths_of, problems_of
from linnet.tasks.texts.gold import Texts


def inspect(
    data: Data,
    labels: Data = None,
    *,
    task: str | None = None,
    text: str | None = None,
    label: str | None = None,
    **how: Unpack[FileOptions],
) -> dict[str, Json]:
    """What is in data and what is wrong with them, as `linnet inspect --json` says it of files: facts by name, the `problems`
    among them. Data are whatever `linnet.train` takes.

    >>> facts = inspect(["good", "fine", "good", "poor"], ["pos", "POS", "neg", "neg"])
    >>> facts["labels"], facts["problems"][0]
    ({'neg': 2, 'POS': 1, 'pos': 1}, "labels that differ only in case or blanks: 'POS' (1), 'pos' (1). Make them one if they \
mean the same")
    """
    data = brought(data, labels)
    columns = {"text_col": text, "label_col": label, **how}
    kind = guess(data, columns) if task is None else named(task)
    paths = [data] if isinstance(data, str | os.PathLike) else data
    if isinstance(paths, list) and paths and all(isinstance(path, str | os.PathLike) for path in paths):
        return kind.commands.facts(Files([os.fspath(path) for path in paths], text_col=text, label_col=label, **how))
    return _facts(kind, read_gold(kind, data, columns))


def _facts(task: Task, gold: Texts) -> dict[str, Json]:
    """Facts about gold examples that were not read from a file."""
    facts: dict[str, Json] = {"source": gold.source, "task": task.name, "rows": len(gold)}
    if task.per_place is not None:
        # An output that is a set begins with the number of its labels.
        numbers = gold.y.tolist()
        if task.per_place is False:
            counts = set(gold.y_at[:-1].tolist())
            numbers = [number for at, number in enumerate(numbers) if at not in counts]
        facts["labels"] = dict(Counter(gold.labels[k] for k in sorted(numbers)).most_common())
    if isinstance(gold, Texts):
        facts["words_per_text"] = lengths_of(gold.texts())
    return {**facts, "problems": problems_of(task, gold)}
