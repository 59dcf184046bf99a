"""What the commands do for rankings of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet.tasks.commands import Asked, Data
from linnet.tasks.evaluated import Evaluated
from linnet.tasks.labels.commands import wrong_texts
from linnet.tasks.labelset.commands import explain, facts, write

if TYPE_CHECKING:
    from linnet.tasks.ranking.model import RankingModel

__all__ = ["evaluate", "explain", "facts", "probable", "takes", "write"]

probable = "logistic and --task labelset"
takes: tuple[str, ...] = ()


def evaluate(model: RankingModel, data: Data, asked: Asked) -> Evaluated:
    from linnet.tasks.labelset.terminal import ranking_report

    report = model.evaluate(data.source, text=data.text_col, label=data.label_col, **data.how)
    return Evaluated(report, ranking_report(report), lambda: wrong_texts(model, data, asked))
