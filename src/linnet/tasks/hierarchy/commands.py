"""Labels of a tree on the command line."""

from __future__ import annotations

from typing import Any

from linnet.tasks.commands import Answers, Data
from linnet.tasks.labels.commands import explain, facts, predict, probable, read_all

__all__ = ["evaluate", "explain", "facts", "predict", "probable", "takes"]

takes: tuple[str, ...] = ("at_least",)


def evaluate(model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
    from linnet.tasks.hierarchy.terminal import hierarchy_report

    dataset = read_all(data)
    report = model.evaluate(dataset, dataset.label_list(), at_least=answers.at_least)
    return report, hierarchy_report(report)
