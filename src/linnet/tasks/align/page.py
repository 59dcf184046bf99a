"""Explanations of word alignments as one HTML page with a grid for each; it needs no script and no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from linnet.report.page import document, wide
from linnet.report.printable import visible
from linnet.report.reasons import STYLE as WHY
from linnet.report.reasons import why
from linnet.tasks.align.why import AlignmentExplanation

_STYLE = """
div.grid { overflow-x: auto; } table.grid { font-size: .9em; }
table.grid th { color: var(--ink); border: 0; padding: 0 .5rem 0 0; text-align: right; white-space: nowrap; }
table.grid tr > th:first-child { position: sticky; left: 0; background: var(--paper); }
table.grid th.down { writing-mode: vertical-rl; transform: rotate(180deg); text-align: left; padding: .4rem 0 0; }
table.grid td { border: 1px solid var(--line); width: 1.1rem; min-width: 1.1rem; height: 1.1rem; padding: 0; }
table.grid td a { display: block; width: 100%; height: 100%; background: var(--one); }
"""


def alignments_page(title: str, alignments: Sequence[AlignmentExplanation], top: int = 10) -> str:
    """The whole page: each grid, and for each target token why it is linked to its source token and not to the next best."""
    parts = [_alignment(n, one, top) for n, one in enumerate(alignments, 1)]
    return document(title, "\n".join(parts), WHY + _STYLE)


def _alignment(n: int, alignment: AlignmentExplanation, top: int) -> str:
    rows = "".join(
        f"<tr id=p{n}t{one.target}><td class=nowrap>{escape(visible(alignment.target[one.target]))}</td>"
        f"<td class=nowrap>{escape(visible(alignment.name(one.source))) or '-'}</td>"
        f"<td class=nowrap>{escape(visible(alignment.name(one.against))) or '-'}</td><td class=n>{one.score:+.2f}</td>"
        f"<td>{why([('', part.what, part.contribution) for part in one.contributions], top)}</td></tr>"
        for one in alignment.tokens
    )
    return (
        f"<h2>Pair {n}</h2>\n{wide(grid(alignment, f'p{n}t'), 'Links', 'grid')}\n"
        "<table class=why><tr><th>target</th><th>source</th><th>not</th><th class=n>by</th><th>because</th></tr>"
        f"{rows}</table>"
    )


def grid(alignment: AlignmentExplanation, link: str) -> str:
    """A grid with a row for each source word and a column for each target word. A click on a link leads to the anchor `link`
    followed by the number of the target word."""
    heads = "".join(f"<th class=down>{escape(visible(word))}</th>" for word in alignment.target)
    rows, links = [], alignment.links
    for i, word in enumerate(alignment.source):
        cells = "".join(
            f'<td title="{escape(visible(f"{word} - {other}"))}">'
            + (
                f'<a href="#{link}{j}" aria-label="{escape(visible(f"{word} - {other}"))}"></a>'
                if (i, j) in links
                else ""
            )
            + "</td>"
            for j, other in enumerate(alignment.target)
        )
        rows.append(f"<tr><th>{escape(visible(word))}</th>{cells}</tr>")
    return f"<table class=grid><tr><th></th>{heads}</tr>{''.join(rows)}</table>"
