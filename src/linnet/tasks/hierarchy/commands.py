"""What the commands do for labels of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet.tasks.commands import Asked, Data
from linnet.tasks.evaluated import Evaluated
from linnet.tasks.labels.commands import explain, facts, probable, write, wrong_texts

if TYPE_CHECKING:
    from linnet.tasks.hierarchy.model import HierarchyModel

__all__ = ["evaluate", "explain", "facts", "probable", "takes", "write"]

takes: tuple[str, ...] = ("at_least",)


def evaluate(model: HierarchyModel, data: Data, asked: Asked) -> Evaluated:
    from linnet.tasks.hierarchy.terminal import hierarchy_report

    report = model.evaluate(data.source, text=data.text_col, label=data.label_col, **data.how, **asked.decide())
    return Evaluated(report, hierarchy_report(report), lambda: wrong_texts(model, data, asked))
