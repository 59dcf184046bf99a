"""Explanations of texts, for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.report.printable import printable, visible
from linnet.tasks.texts.why import Contribution, Explanation

# The styles of words that speak for and against the label, from faint to strong.
_FOR = ("", "green", "bold green", "bold black on green")
_AGAINST = ("", "red", "bold red", "bold white on red")


def explanation(result: Explanation, top: int = 10) -> RenderableType:
    """The text with each word coloured by what it adds, and a table of the strongest features that add anything."""
    head = Text.assemble(
        ("label ", "dim"),
        (visible(result.label), "bold"),
        (f"  ({against(result)}score {result.score:+.3f}, bias {result.bias:+.3f})", "dim"),
    )
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name, justify in (("feature", "left"), ("value", "right"), ("weight", "right"), ("contribution", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    shown = [item for item in result.contributions[:top] if item.contribution]
    for item in shown:
        style = "green" if item.contribution > 0 else "red"
        table.add_row(
            Text.assemble(visible(item.feature), *([(f"\n  {likeness(item)}", "dim")] if item.like else [])),
            f"{item.value:.3f}",
            f"{item.weight:+.3f}",
            Text(f"{item.contribution:+.4f}", style),
        )
    others = result.contributions[len(shown) :]
    if others:
        rest = sum(item.contribution for item in others)
        table.add_row(Text(f"{len(others)} more", "dim"), "", "", Text(f"{rest:+.4f}", "dim"))
    return Group(head, Text(), coloured(result), Text(), table)


def likeness(item: Contribution) -> str:
    """For a word that no labelled text had, the words that it is like, each with its own weight."""
    return "like " + ", ".join(f"{visible(one.word)} {one.weight:+.3f}" for one in item.like)


def against(result: Explanation) -> str:
    """The label that the explained one is compared with, in words; "" if with none."""
    return f"against {visible(result.against)}: " if result.against else ""


def coloured(result: Explanation) -> Text:
    """The text in colours: green words speak for the label, red ones against it."""
    text = Text(printable(result.text))
    most = max((abs(word.contribution) for word in result.words), default=0.0)
    for word in result.words:
        level = min(3, int(4 * abs(word.contribution) / most)) if most else 0
        style = (_FOR if word.contribution > 0 else _AGAINST)[level]
        if style:
            text.stylize(style, word.start, word.end)
    return text
