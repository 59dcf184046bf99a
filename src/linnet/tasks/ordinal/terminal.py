"""The report on ratings, for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.evaluate.unknown_labels import said
from linnet.report.printable import visible
from linnet.tasks.ordinal.measures import OrdinalReport


def ordinal_report(report: OrdinalReport) -> RenderableType:
    head = (
        f"{report.n:,} examples   accuracy {100 * report.accuracy:.2f}%   mean absolute error "
        f"{report.mean_absolute_error:.4f}   root mean squared error {report.root_mean_squared_error:.4f}"
    )
    if report.spearman is not None:
        head += f"   Spearman {report.spearman:.4f}"
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("gold, predicted", style="dim")
    for rating in report.ratings:
        table.add_column(Text(visible(rating)), justify="right")
    for rating, row in zip(report.ratings, report.confusion, strict=True):
        table.add_row(Text(visible(rating)), *(f"{n:,}" for n in row))
    unknown = [Text(said(report.unknown), "bold")] if report.unknown else []
    return Group(Text(head), *unknown, Text(), table)
