"""Ratings on the command line."""

from __future__ import annotations

from typing import Any

from linnet.tasks.commands import Answers, Data
from linnet.tasks.labels.commands import explain, facts, predict, probable, read_all

__all__ = ["evaluate", "explain", "facts", "predict", "probable", "takes"]

takes: tuple[str, ...] = ()


def evaluate(model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
    from linnet.tasks.ordinal.terminal import ordinal_report

    dataset = read_all(data)
    report = model.evaluate(dataset, dataset.label_list())
    return report, ordinal_report(report)
