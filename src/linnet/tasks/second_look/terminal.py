"""Why a reranker chose one output of a sentence and not another, for the terminal."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.report.printable import visible
from linnet.tasks.rerank.terminal import contributions
from linnet.tasks.second_look.why import SecondLook


def second_look(look: SecondLook, top: int = 10) -> RenderableType:
    """What was chosen instead of what, token by token, and why."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("word", "chosen", "not"):
        table.add_column(name)
    for change in look.changes:
        table.add_row(*(Text(visible(cell)) for cell in (change.word, change.chosen, change.against)))
    return Group(Text(said(look)), Text(), table, Text(), contributions(look.contributions, top))


def said(look: SecondLook) -> str:
    """What was chosen, in a sentence that counts outputs from 1.

    >>> said(SecondLook(2, 0, 20, (), 1.5, ()))
    'A second look at the 20 best of the first model chose number 3, which is ahead of number 1 by +1.50:'
    """
    return (
        f"A second look at the {look.candidates} best of the first model chose number {look.candidate + 1}, which is ahead "
        f"of number {look.against + 1} by {look.score:+.2f}:"
    )
