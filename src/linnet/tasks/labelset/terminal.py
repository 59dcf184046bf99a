"""Reports on sets and on rankings of labels, for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.evaluate.unknown_labels import said
from linnet.report.label_table import per_label
from linnet.tasks.labelset.measures import LabelsetReport, Ranking


def labelset_report(report: LabelsetReport) -> RenderableType:
    lines = [
        f"{report.n:,} examples   micro F1 {100 * report.micro_f1:.2f} (precision {100 * report.micro_precision:.2f}, "
        f"recall {100 * report.micro_recall:.2f})   macro F1 {100 * report.macro_f1:.2f}",
        f"whole sets right {100 * report.subset_accuracy:.2f}%   Hamming loss {report.hamming_loss:.5f}",
    ]
    lines += [said(report.unknown)] if report.unknown else []
    ranked = [] if report.ranking is None else [ranking_report(report.ranking), Text()]
    return Group(*map(Text, lines), *ranked, per_label(report.per_label))


def ranking_report(ranked: Ranking) -> RenderableType:
    head = (
        f"as rankings, of {ranked.n:,} with a label: one-error {100 * ranked.one_error:.2f}%   coverage "
        f"{ranked.coverage:.2f}   average precision {100 * ranked.average_precision:.2f}   ranking loss "
        f"{100 * ranked.ranking_loss:.3f}%   any error {100 * ranked.any_error:.2f}%   errors {ranked.errors:.2f}"
    )
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("among the first")
    for name in ("precision", "recall"):
        table.add_column(name, justify="right")
    for k, precision in ranked.precision_at.items():
        table.add_row(str(k), f"{100 * precision:.2f}", f"{100 * ranked.recall_at[k]:.2f}")
    return Group(Text(head), Text(), table)
