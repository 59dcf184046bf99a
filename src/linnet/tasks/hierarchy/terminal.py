"""The report on labels of a tree, for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from linnet.evaluate.unknown_labels import said
from linnet.report.label_table import per_label
from linnet.tasks.hierarchy.measures import HierarchyReport


def hierarchy_report(report: HierarchyReport) -> RenderableType:
    levels = ", ".join(f"{100 * share:.2f}%" for share in report.per_level)
    head = (
        f"{report.n:,} examples   accuracy {100 * report.accuracy:.2f}%   tree loss {report.tree_loss:.4f} edges   "
        f"right down to each level: {levels}"
    )
    unknown = [Text(said(report.unknown), "bold")] if report.unknown else []
    return Group(Text(head), *unknown, Text(), per_label(report.per_label))
