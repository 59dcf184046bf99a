"""What pages of explanations share: a table of outputs, and for each the reasons, in brief and in full."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from linnet.report.printable import visible

STYLE = """
table.why { width: 100%; } table.why td { vertical-align: top; border-bottom: 1px solid var(--line); }
tr:target { background: rgba(240, 200, 60, 0.2); }
details summary { cursor: pointer; list-style: none; } details summary::after { content: "\\a0\\2026"; color: var(--dim); }
details[open] summary::after { content: ""; } details table { margin: .3rem 0 .6rem; font-size: .9em; }
.nowrap { white-space: nowrap; }
table.why td:last-child { overflow-wrap: anywhere; }
@media (max-width: 52rem) {
  table.why, table.why > tbody { display: block; } details table { font-size: 1em; }
  table.why > tbody > tr { display: flex; flex-wrap: wrap; gap: 0 .8rem; border-bottom: 1px solid var(--line); }
  table.why > tbody > tr > * { border: 0; padding-right: 0; }
  table.why > tbody > tr > td:last-child { flex-basis: 100%; padding-left: 1rem; font-size: .9em; }
}
"""
_IN_BRIEF = 3

Reason = tuple[str, str, float]
"""A reason: where it stands, if that is elsewhere; what it is; and what it adds to the score."""


def why(reasons: Sequence[Reason], top: int) -> str:
    """The first reasons, as text that opens to more of them."""
    brief = ", ".join(
        f'{_what(one)}&nbsp;<span class="{_side(one)}">{one[2]:+.2f}</span>' for one in reasons[:_IN_BRIEF]
    )
    if len(reasons) <= _IN_BRIEF:
        return brief
    rows = "".join(
        f'<tr><td>{_what(one)}</td><td class="n {_side(one)}">{one[2]:+.3f}</td></tr>' for one in reasons[:top]
    )
    rest = reasons[top:]
    if rest:
        total = sum(contribution for *_, contribution in rest)
        rows += f"<tr class=dim><td>{len(rest)} more</td><td class=n>{total:+.3f}</td></tr>"
    return f"<details><summary>{brief}</summary><table>{rows}</table></details>"


def _what(reason: Reason) -> str:
    """Where a reason stands and what it is, both apart from the direction in which the number after them is written."""
    where, what, _ = reason
    at = f"<span class=dim><bdi>{escape(visible(where))}</bdi>:</span> " if where else ""
    return f"{at}<bdi>{escape(visible(what))}</bdi>"


def _side(reason: Reason) -> str:
    return "for" if reason[2] > 0 else "against" if reason[2] < 0 else "dim"
