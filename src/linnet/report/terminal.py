"""What all results on the terminal share: facts with their names, and the strongest features of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.core.types import Json
from linnet.explain import Strong
from linnet.features.contract import Features
from linnet.report.printable import printable, visible

_MOST_SPEC = 200
"""The number of characters of a specification of features that are shown; those of parsers are long."""


def named(facts: Mapping[str, str]) -> RenderableType:
    """Facts, each on a line after its name; what is not known is left out."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim")
    table.add_column()
    for name, fact in facts.items():
        if fact:
            table.add_row(Text(name), Text(printable(fact)))
    return table


def listed(names: Sequence[str], most: int = 10) -> str:
    """How many names there are, and the first of them."""
    some = ", ".join(map(visible, names[:most]))
    return f"{len(names):,}: {some}{', ...' if len(names) > most else ''}" if names else ""


def counted(features: Features) -> str:
    """How many features there are, and the beginning of what they look at."""
    spec = str(features.spec)
    return f"{features.n_features:,} of {spec if len(spec) <= _MOST_SPEC else spec[:_MOST_SPEC] + ' ...'}"


class Numbers(Protocol):
    """A report that is all numbers."""

    def as_dict(self) -> dict[str, Json]:
        """The numbers by name."""


def figures(report: Numbers) -> RenderableType:
    """The numbers of a report, each on a line with its name."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    for name, value in report.as_dict().items():
        table.add_row(Text(name.replace("_", " ")), f"{value:,}" if isinstance(value, int) else f"{value:.4f}")
    return table


def loss(value: float) -> str:
    """A mean loss; one that a few errors made huge is shown by its size only.

    >>> loss(0.5), loss(1234.5), loss(3e303)
    ('0.500', '1,234', 'over a million')
    """
    return f"{value:.3f}" if value < 100 else f"{value:,.0f}" if value < 1e6 else "over a million"


def strongest(best: Mapping[str, Sequence[Strong]]) -> RenderableType:
    """The strongest features of each label, side by side for few labels, one line each for many."""
    if len(best) <= 4:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for label in best:
            table.add_column(Text(visible(label)))
            table.add_column("", justify="right", style="dim")
        for i in range(max(map(len, best.values()), default=0)):
            row = []
            for items in best.values():
                row += [visible(items[i].feature), f"{items[i].weight:+.2f}"] if i < len(items) else ["", ""]
            table.add_row(*map(Text, row))
        return table
    lines = [
        Text.assemble((f"{visible(label)}: ", "bold"), ", ".join(visible(item.feature) for item in items))
        for label, items in best.items()
    ]
    return Group(*lines)
