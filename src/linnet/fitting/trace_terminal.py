"""Steps of learning on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.fitting.notation import Cell, Chart
from linnet.fitting.traced import Changes, Feature, Step
from linnet.report.printable import printable, visible

_MOST_ROWS = 12
"""The number of rows of a table that are shown."""
_MOST_COLUMNS = 8
_MOST_FEATURES = 16
_LONGEST = 300
"""The number of characters of an example that are shown."""


def step(one: Step) -> RenderableType:
    """One step: what was seen, found and changed."""
    parts: list[RenderableType] = [_head(one)]
    if one.example is not None:
        parts.append(_line("x", cut(one.x)))
        parts.append(_line("y", one.y))
    if one.features:
        parts.append(_line("f", features_in_words(one.features, _MOST_FEATURES)))
    parts += [_chart(chart) for chart in one.charts]
    if one.y_hat is not None:
        parts.append(_found(one))
    parts += [_line(name, f"{number(a)} -> {number(b)}") for name, (a, b) in one.numbers.items()]
    if one.distribution:
        shares = ", ".join(f"{cut(text, 40)} {100 * share:.1f}%" for text, share in one.distribution)
        parts.append(_line("D", shares))
    parts += [_changes(changes) for changes in one.changes]
    return Group(*parts)


def _head(one: Step) -> Text:
    what = f"example {one.example}" if one.example is not None else "all examples"
    run = f"run {one.run}, " if one.run > 1 else ""
    return Text.assemble((f"step {one.t}", "bold"), (f"  {one.learner}, {run}epoch {one.epoch}, {what}", "dim"))


def _line(name: str, said: str) -> Text:
    return Text.assemble((f"  {name:<6}" if len(name) < 6 else f"  {name}  ", "dim"), printable(said))


def _found(one: Step) -> Text:
    scores = ""
    if one.score is not None and one.score_of_y is not None:
        scores = f"   w.f(x, y_hat) = {number(one.score)}, w.f(x, y) = {number(one.score_of_y)}"
    found = Text.assemble(
        ("  y_hat ", "dim"), (printable(one.y_hat or ""), "green" if one.right else "red"), (scores, "dim")
    )
    return found.append("\n").append_text(
        Text.assemble(("  loss  ", "dim"), number(one.loss or 0.0), ("   tau   ", "dim"), number(one.tau or 0.0))
    )


def _chart(chart: Chart) -> RenderableType:
    single = chart.columns == ("score",)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(Text(f"  {chart.name}" if single else ""))
    for column in chart.columns[:_MOST_COLUMNS]:
        table.add_column(Text(visible(column)), justify="right")
    if single:
        table.add_column(Text("r"), justify="right", style="dim")
    for name, cells in chart.rows[:_MOST_ROWS]:
        row: list[RenderableType] = [Text(f"  {visible(name)}"), *(_cell(cell) for cell in cells[:_MOST_COLUMNS])]
        if single:
            row.append(Text(number(cells[0].r) if cells[0].r else ""))
        table.add_row(*row)
    if len(chart.rows) > _MOST_ROWS:
        table.add_row(Text(f"  and {len(chart.rows) - _MOST_ROWS} more", "dim"))
    return table if single else Group(Text(f"  {chart.name}", "dim"), table)


def _cell(cell: Cell) -> Text:
    """A score; green where the right output uses it, red where only the output that was found does."""
    style = "bold green" if cell.y else "red" if cell.y_hat else ""
    marks = "*" if cell.y_hat else ""
    return Text.assemble((f"{number(cell.score)}{marks}", style), (f" <{cell.back}" if cell.back else "", "dim"))


def _changes(changes: Changes) -> RenderableType:
    if not changes.n:
        return _line(changes.name, "does not change")
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(Text(f"  {changes.name}"))
    table.add_column(Text("for"))
    table.add_column(Text("before"), justify="right")
    table.add_column(Text("after"), justify="right")
    for change in changes.largest[:_MOST_ROWS]:
        style = "green" if change.after > change.before else "red"
        row = [f"  {visible(change.row)}", change.outcome, number(change.before), number(change.after)]
        table.add_row(*map(Text, map(printable, row[:3])), Text(row[3], style))
    if changes.n > _MOST_ROWS:
        table.add_row(Text(f"  and {changes.n - _MOST_ROWS:,} more", "dim"))
    return table


def features_in_words(features: Sequence[Feature], most: int) -> str:
    """The features with their values, those of each place after its name.

    >>> features_in_words([Feature("", "good", 1.0), Feature("", "film", 2.0)], 1)
    'good 1 and 1 more'
    """
    said, place = [], ""
    for one in features[:most]:
        named = f"{one.place}: " if one.place and one.place != place else ""
        place = one.place
        said.append(f"{named}{visible(one.name)} {number(one.value)}")
    more = f" and {len(features) - most:,} more" if len(features) > most else ""
    return ", ".join(said) + more


def cut(text: str, longest: int = _LONGEST) -> str:
    """The beginning of a text, in one line."""
    text = " ".join(text.split())
    return text if len(text) <= longest else f"{text[: longest - 3].rstrip()}..."


def number(value: float) -> str:
    """A number in few characters.

    >>> number(0.5), number(2.0), number(1 / 3), number(-1e-9)
    ('0.5', '2', '0.3333', '-1e-09')
    """
    return f"{value:.4g}"
