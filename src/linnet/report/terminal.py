"""What all results on the terminal share: text that is safe to print, and the strongest features of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.explain import Strong

# Control characters are replaced, as a text must not move the cursor. Each stays one character, so that places stay right.
_CONTROL = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}


def printable(text: str) -> str:
    """The text without control characters, which would move the cursor."""
    return text.translate(_CONTROL)


def visible(name: str) -> str:
    """A name in which spaces at the ends can be seen: pieces of words have them."""
    name = printable(name)
    return name.replace(" ", "␣") if name != name.strip() or name.startswith("chars") else name


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
