"""The report on labels, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.evaluate.calibration import FEW, Reliability
from linnet.evaluate.unknown_labels import said
from linnet.report.printable import printable, visible
from linnet.report.terminal import loss
from linnet.tasks.labels.measures import LabelsReport, Wrong

_MOST_ACROSS = 8
"""The largest number of labels for which the whole table of confusions is shown."""
_MOST_PAIRS = 10
"""The number of confused pairs of labels that are shown otherwise."""
_MOST_TEXT = 200
"""The number of characters of a text that are shown."""
_BAR = 40
"""The width of a bar, in characters."""


def labels_report(report: LabelsReport) -> RenderableType:
    head = f"{report.n:,} examples   accuracy {100 * report.accuracy:.2f}%   macro F1 {100 * report.macro_f1:.2f}"
    if report.mean_cost is not None:
        head += f"   mean cost {report.mean_cost:.4f}"
    if report.log_loss is not None:
        head += f"\nlog loss {report.log_loss:.4f}   Brier {report.brier:.4f}   ECE {100 * (report.ece or 0):.2f}"
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("label")
    for name in ("precision", "recall", "F1", "examples"):
        table.add_column(name, justify="right")
    for label, score in report.per_label.items():
        numbers = (f"{100 * number:.2f}" for number in (score.precision, score.recall, score.f1))
        table.add_row(Text(visible(label)), *numbers, f"{score.support:,}")
    parts = [table, _confusion(report)]
    if report.losses is not None:
        parts.append(_losses(report))
    if report.reliability is not None:
        parts.append(_reliability(report.reliability))
    if report.most_wrong:
        parts.append(_most_wrong(report.most_wrong))
    unknown = [Text(said(report.unknown), "bold")] if report.unknown else []
    return Group(Text(head), *unknown, *(line for part in parts for line in (Text(), part)))


def _losses(report: LabelsReport) -> RenderableType:
    """The mean losses on the data, and those that the model itself expects."""
    assert report.losses is not None
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("mean loss, known labels" if report.unknown else "mean loss", style="dim")
    for name in report.losses:
        table.add_column(name, justify="right")
    for title, losses in (("here", report.losses), ("believed", report.expected_losses)):
        if losses is not None:
            table.add_row(title, *(loss(losses[name]) if name in losses else "" for name in report.losses))
    return table


def _reliability(bins: Reliability) -> RenderableType:
    """A row for each range of probabilities: the bar shows how often predictions were right, the mark how probable they
    were. Rows of few predictions are dim."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("sure", "right", "examples"):
        table.add_column(name, justify="right")
    table.add_column("0" + " " * (_BAR - 2) + "1", no_wrap=True)
    for sure, right, size in zip(bins.confidence, bins.right, bins.size, strict=True):
        bar = Text("━" * round(_BAR * right) + " " * (_BAR - round(_BAR * right)), "green")
        at = min(round(_BAR * sure), _BAR - 1)
        bar = Text.assemble(bar[:at], ("┃", "bold"), bar[at + 1 :])
        style = "dim" if size < FEW else None
        table.add_row(f"{100 * sure:.1f}%", f"{100 * right:.1f}%", f"{size:,}", bar, style=style)
    return table


def _most_wrong(wrong: Sequence[Wrong]) -> RenderableType:
    lines = [Text("the worst errors: score ahead of the right label, predicted label, right label, row, text", "dim")]
    for item in wrong:
        text = " ".join(printable(item.text).split())
        text = text if len(text) <= _MOST_TEXT else text[: _MOST_TEXT - 1] + "…"
        lines.append(
            Text.assemble(
                f"{item.score:.3g} ",
                (visible(item.predicted), "red"),
                ", not ",
                (visible(item.gold), "green"),
                (f"  {item.row:,} ", "dim"),
                text,
            )
        )
    return Group(*lines)


def _confusion(report: LabelsReport) -> RenderableType:
    """A table with a row for each gold label and a column for each predicted one; for many labels, the pairs that are confused
    most often."""
    labels = [visible(label) for label in report.per_label]
    if len(labels) <= _MOST_ACROSS:
        table = Table(box=None, pad_edge=False, header_style="dim")
        table.add_column("gold, predicted", style="dim")
        for label in labels:
            table.add_column(Text(label), justify="right")
        for label, row in zip(labels, report.confusion.tolist(), strict=True):
            table.add_row(Text(label), *(f"{n:,}" for n in row))
        return table
    pairs = [(n, i, j) for i, row in enumerate(report.confusion.tolist()) for j, n in enumerate(row) if n and i != j]
    worst = sorted(pairs, key=lambda pair: -pair[0])[:_MOST_PAIRS]
    lines = [Text(f"{n:,} x {labels[i]} taken for {labels[j]}") for n, i, j in worst]
    return Group(Text("confused most often", "dim"), *lines)
