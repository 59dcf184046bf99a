"""Why a reranker chose one output of a sentence and not another, as a part of an HTML page."""

from __future__ import annotations

from html import escape

from linnet.report.printable import visible
from linnet.tasks.second_look.terminal import said
from linnet.tasks.second_look.why import SecondLook

STYLE = "div.look { display: flex; flex-wrap: wrap; gap: 2.5rem; align-items: flex-start; }"


def second_look(look: SecondLook | None, top: int) -> str:
    """What was chosen instead of what, token by token, and why; "" where there was no choice."""
    if look is None:
        return ""
    changes = "".join(
        f"<tr><td>{escape(visible(change.word))}</td><td class=for>{escape(visible(change.chosen))}</td>"
        f"<td class=against>{escape(visible(change.against))}</td></tr>"
        for change in look.changes
    )
    rows = "".join(
        f'<tr><td>{escape(visible(part.what))}</td><td class="n {"for" if part.contribution > 0 else "against"}">'
        f"{part.contribution:+.4f}</td></tr>"
        for part in look.contributions[:top]
    )
    rest = look.contributions[top:]
    if rest:
        total = sum(part.contribution for part in rest)
        rows += f"<tr class=dim><td>{len(rest)} more</td><td class=n>{total:+.4f}</td></tr>"
    return (
        f"\n<p>{escape(said(look))}</p>\n<div class=look><table><tr><th>token</th><th>chosen</th><th>not</th></tr>{changes}"
        f"</table>\n<table><tr><th>feature of the whole</th><th class=n>contribution</th></tr>{rows}</table></div>"
    )
