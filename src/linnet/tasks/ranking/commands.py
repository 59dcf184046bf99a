"""What the commands do for rankings of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linnet.tasks.commands import Asked, Data, Report
from linnet.tasks.labels.commands import read_all
from linnet.tasks.labelset.commands import explain, facts, write

if TYPE_CHECKING:
    from rich.console import RenderableType

    from linnet.tasks.ranking.model import RankingModel

__all__ = ["evaluate", "explain", "facts", "probable", "takes", "write"]

probable = "logistic and --task labelset"
takes: tuple[str, ...] = ()


def evaluate(model: RankingModel, data: Data, asked: Asked) -> tuple[Report, RenderableType]:
    from linnet.tasks.labelset.terminal import ranking_report

    dataset = read_all(data, several=True, separator=model.details.get("separator"))
    report = model.evaluate(dataset, dataset.label_sets())
    return report, ranking_report(report)
