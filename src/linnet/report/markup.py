"""What the terminal shows, as HTML: lines of text and tables, with the colours of the page that they stand on."""

from __future__ import annotations

from html import escape
from itertools import pairwise

from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

STYLE = """
p.line { margin: 0; min-height: .7em; white-space: pre-wrap; } .bold { font-weight: 600; }
.bar { font-family: ui-monospace, monospace; white-space: pre; line-height: 1; }
"""
_CLASSES = {"dim": "dim", "bold": "bold", "green": "for", "red": "against"}
"""The classes of the styles of the terminal."""


def markup(shown: RenderableType) -> str:
    """Text, a table, or several of them, as HTML.

    >>> markup(Text.assemble("1 < 2 ", ("examples", "dim")))
    '<p class=line>1 &lt; 2 <span class="dim">examples</span></p>'
    """
    if isinstance(shown, Group):
        return "\n".join(map(markup, shown.renderables))
    if isinstance(shown, Table):
        return _table(shown)
    if isinstance(shown, Text | str):
        return f"<p class=line>{_line(shown)}</p>"
    from linnet.report.shown import plain

    return f"<pre>{escape(plain(shown))}</pre>"


def _table(table: Table) -> str:
    columns = table.columns
    head = "".join(f'<th class="{_kind(column)}">{_line(column.header)}</th>' for column in columns)
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td class="{_kind(column)}">{_line(cell, column.style)}</td>'
            for column, cell in zip(columns, row, strict=True)
        )
        + "</tr>"
        for row in zip(*(column.cells for column in columns), strict=True)
    )
    return f"<table>{f'<tr>{head}</tr>' if table.show_header else ''}{rows}</table>"


def _kind(column: Column) -> str:
    """The class of the cells of a column: numbers stand right, and bars made of block characters keep their blanks. A
    column of bars is known by the blanks in its header."""
    return "n" if column.justify == "right" else "bar" if "   " in str(column.header) else ""


def _line(shown: RenderableType, style: object = "") -> str:
    """A line, each part of it in its style."""
    text = shown if isinstance(shown, Text) else Text(str(shown))
    cuts = sorted({0, len(text), *(at for span in text.spans for at in (span.start, span.end))})
    return "".join(
        _part(text.plain[a:b], style, text.style, *(span.style for span in text.spans if span.start <= a < span.end))
        for a, b in pairwise(cuts)
    )


def _part(plain: str, *styles: object) -> str:
    classes = [_CLASSES[word] for style in styles for word in str(style).split() if word in _CLASSES]
    return f'<span class="{" ".join(classes)}">{escape(plain)}</span>' if classes else escape(plain)
