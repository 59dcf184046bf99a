"""What the commands do for ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet.tasks.commands import Asked, Data
from linnet.tasks.evaluated import Evaluated
from linnet.tasks.labels.commands import explain, facts, probable, write, wrong_texts

if TYPE_CHECKING:
    from linnet.tasks.ordinal.model import OrdinalModel

__all__ = ["evaluate", "explain", "facts", "probable", "takes", "write"]

takes: tuple[str, ...] = ()


def evaluate(model: OrdinalModel, data: Data, asked: Asked) -> Evaluated:
    from linnet.tasks.ordinal.terminal import ordinal_report

    report = model.evaluate(data.source, text=data.text_col, label=data.label_col, **data.how)
    return Evaluated(report, ordinal_report(report), lambda: wrong_texts(model, data, asked))
