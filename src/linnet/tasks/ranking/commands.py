"""What the commands do for rankings of labels."""

from __future__ import annotations

from typing import Any

from linnet.tasks.commands import Asked, Data
from linnet.tasks.labels.commands import read_all
from linnet.tasks.labelset.commands import explain, facts, probable, write

__all__ = ["evaluate", "explain", "facts", "probable", "takes", "write"]

takes: tuple[str, ...] = ()


def evaluate(model: Any, data: Data, asked: Asked) -> tuple[Any, Any]:
    from linnet.tasks.labelset.terminal import ranking_report

    dataset = read_all(data, several=True, separator=model.details.get("separator"))
    report = model.evaluate(dataset, dataset.label_sets())
    return report, ranking_report(report)
