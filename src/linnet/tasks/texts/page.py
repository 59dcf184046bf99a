"""Explanations of texts as one HTML page; it needs no script and no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from linnet.explain import Strong
from linnet.report.page import NONE, document, strongest_features
from linnet.report.printable import visible
from linnet.report.shading import STYLE as SHADES
from linnet.report.shading import shade
from linnet.tasks.texts.terminal import against
from linnet.tasks.texts.why import Explanation

_MANY = 2000
"""The number of words from which on those that add next to nothing are not marked: a page of too many marks is slow."""


def page(
    title: str, explanations: Sequence[Explanation], best: Mapping[str, Sequence[Strong]] = NONE, top: int = 10
) -> str:
    """The whole page: each text word by word, then the strongest features of the model."""
    body = "\n".join(_explanation(item, top) for item in explanations)
    return document(title, f"{body}\n{strongest_features(best)}", SHADES)


def _explanation(item: Explanation, top: int) -> str:
    largest, rest, total = item.largest(top)
    rows = "".join(
        f"<tr><td>{escape(visible(c.feature))}</td><td class=n>{c.value:.3f}</td><td class=n>{c.weight:+.3f}</td>"
        f'<td class="n {_side(c.contribution)}">{c.contribution:+.4f}</td></tr>'
        for c in largest
    )
    if rest:
        rows += f"<tr class=dim><td>{rest} more</td><td></td><td></td><td class=n>{total:+.4f}</td></tr>"
    return (
        f"<h2>{escape(item.label)} <span class=dim>{escape(against(item))}score {item.score:+.3f}, "
        f"bias {item.bias:+.3f}</span></h2>\n<p class=text dir=auto>{_coloured(item)}</p>\n"
        "<table><tr><th>feature</th><th class=n>value</th><th class=n>weight</th><th class=n>contribution</th></tr>"
        f"{rows}</table>"
    )


def _coloured(item: Explanation) -> str:
    most = max((abs(word.contribution) for word in item.words), default=0.0)
    out, at = [], 0
    few = len(item.words) <= _MANY
    for word in item.words:
        kind = shade(word.contribution, most)
        if few or kind:
            out.append(escape(item.text[at : word.start]))
            out.append(f'<span class="{kind}" title="{word.contribution:+.4f}">{escape(word.text)}</span>')
            at = word.end
    return "".join([*out, escape(item.text[at:])])


def _side(contribution: float) -> str:
    return "for" if contribution > 0 else "against"
