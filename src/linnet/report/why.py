"""The reasons for one decision in a table of them: the first in a line, the others to be opened."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from linnet.explain.differences import Part
from linnet.report.terminal import visible

WHY_STYLE = """
table.why { width: 100%; } table.why td { vertical-align: top; border-bottom: 1px solid var(--line); }
tr:target { background: rgba(240, 200, 60, 0.2); }
details summary { cursor: pointer; list-style: none; } details summary::after { content: " \\2026"; color: var(--dim); }
details[open] summary::after { content: ""; } details table { margin: .3rem 0 .6rem; font-size: .9em; }
.nowrap { white-space: nowrap; }
"""
_IN_BRIEF = 3


def why(parts: Sequence[Part], top: int) -> str:
    reasons = [
        f'{escape(visible(part.what))} <span class="{_side(part.contribution)}">{part.contribution:+.2f}</span>'
        for part in parts[:_IN_BRIEF]
    ]
    brief = ", ".join(reasons)
    if len(parts) <= _IN_BRIEF:
        return brief
    rows = "".join(
        f'<tr><td>{escape(visible(part.what))}</td><td class="n {_side(part.contribution)}">{part.contribution:+.3f}</td></tr>'
        for part in parts[:top]
    )
    rest = parts[top:]
    if rest:
        total = sum(part.contribution for part in rest)
        rows += f"<tr class=dim><td>{len(rest)} more</td><td class=n>{total:+.3f}</td></tr>"
    return f"<details><summary>{brief}</summary><table>{rows}</table></details>"


def _side(contribution: float) -> str:
    return "for" if contribution > 0 else "against"
