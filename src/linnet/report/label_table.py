"""Precision, recall and F1 of each label as a table for the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.evaluate.label_score import LabelScore
from linnet.report.printable import visible

_MOST_LABELS = 100


def per_label(scores: Mapping[str, LabelScore]) -> RenderableType:
    """A table of precision, recall and F1 of each label; where there are very many, of the most frequent."""
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
