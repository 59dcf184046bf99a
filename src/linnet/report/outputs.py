"""How well sets of labels, labels of a tree and ratings were predicted, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.evaluate import LabelScore
from linnet.evaluate.hierarchy import HierarchyReport
from linnet.evaluate.labelsets import LabelsetReport, Ranking
from linnet.evaluate.ordinal import OrdinalReport
from linnet.report.terminal import visible

_MOST_LABELS = 100


def labelset_report(report: LabelsetReport) -> RenderableType:
    lines = [
        f"{report.n:,} examples   micro F1 {100 * report.micro_f1:.2f} (precision {100 * report.micro_precision:.2f}, "
        f"recall {100 * report.micro_recall:.2f})   macro F1 {100 * report.macro_f1:.2f}",
        f"whole sets right {100 * report.subset_accuracy:.2f}%   Hamming loss {report.hamming_loss:.5f}",
    ]
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


def hierarchy_report(report: HierarchyReport) -> RenderableType:
    levels = ", ".join(f"{100 * share:.2f}%" for share in report.per_level)
    head = (
        f"{report.n:,} examples   accuracy {100 * report.accuracy:.2f}%   tree loss {report.tree_loss:.4f} edges   "
        f"right down to each level: {levels}"
    )
    return Group(Text(head), Text(), per_label(report.per_label))


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
    return Group(Text(head), Text(), table)


def per_label(scores: Mapping[str, LabelScore]) -> RenderableType:
    """Precision, recall and F1 of each label; of very many, of the most frequent."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("label")
    for name in ("precision", "recall", "F1", "examples"):
        table.add_column(name, justify="right")
    shown = list(scores.items())
    if len(shown) > _MOST_LABELS:
        shown = sorted(shown, key=lambda item: -item[1].support)[:_MOST_LABELS]
    for label, score in shown:
        numbers = (f"{100 * number:.2f}" for number in (score.precision, score.recall, score.f1))
        table.add_row(Text(visible(label)), *numbers, f"{score.support:,}")
    if len(scores) > len(shown):
        return Group(table, Text(f"and {len(scores) - len(shown):,} labels with fewer examples", "dim"))
    return table
