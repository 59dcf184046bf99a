"""Rankings of all labels on the command line."""

from __future__ import annotations

from typing import Any

from linnet.cli.faces import Answers, Data
from linnet.cli.faces.labels import read_all
from linnet.cli.faces.labelset import explain, facts, predict, probable

__all__ = ["evaluate", "explain", "facts", "predict", "probable", "takes"]

takes: tuple[str, ...] = ()


def evaluate(model: Any, data: Data, answers: Answers) -> tuple[Any, Any]:
    from linnet.report.outputs import ranking_report

    dataset = read_all(data, several=True, separator=model.details.get("separator"))
    report = model.evaluate(dataset, dataset.label_sets())
    return report, ranking_report(report)
