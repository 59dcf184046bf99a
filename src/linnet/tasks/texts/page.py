"""Explanations of texts as one HTML page; it needs no script and no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from linnet.explain import Strong
from linnet.report.page import NONE, document, strongest_features
from linnet.report.printable import visible
from linnet.report.shading import STYLE as SHADES
from linnet.report.shading import shades
from linnet.tasks.texts.terminal import against, likeness
from linnet.tasks.texts.why import Contribution, Explanation

_MANY = 2000
"""The number of words from which on those that add next to nothing are not marked: a page of too many marks is slow."""
_MARKED = 4000
"""The largest number of words that are marked, as a browser takes a minute for a paragraph of 100,000 marks."""
_FAINT = 0.03
"""The share of what the strongest word adds, below which a word has no colour."""


def page(
    title: str, explanations: Sequence[Explanation], best: Mapping[str, Sequence[Strong]] = NONE, top: int = 10
) -> str:
    """The whole page: each text word by word, then the strongest features of the model."""
    body = "\n".join(_explanation(item, top) for item in explanations)
    return document(title, f"{body}\n{strongest_features(best)}", SHADES)


def _explanation(item: Explanation, top: int) -> str:
    largest, rest, total = item.largest(top)
    rows = "".join(
        f"<tr><td>{escape(visible(c.feature))}{_like(c)}</td><td class=n>{c.value:.3f}</td><td class=n>{c.weight:+.3f}</td>"
        f'<td class="n {_side(c.contribution)}">{c.contribution:+.4f}</td></tr>'
        for c in largest
    )
    if rest:
        rows += f"<tr class=dim><td>{rest} more</td><td></td><td></td><td class=n>{total:+.4f}</td></tr>"
    return (
        f"<h2>{escape(item.label)} <span class=dim>{escape(against(item))}score {item.score:+.3f}, "
        f"bias {item.bias:+.3f}</span></h2>\n<p class=text dir=auto>{coloured(item)}</p>\n"
        "<table class=features><tr><th>feature</th><th class=n>value</th><th class=n>weight</th>"
        "<th class=n>contribution</th></tr>"
        f"{rows}</table>"
    )


def _like(item: Contribution) -> str:
    return f"<br><span class=dim>{escape(likeness(item))}</span>" if item.like else ""


def coloured(item: Explanation, least: float = 0.0) -> str:
    """The text as HTML, each word as green or red as it speaks for the label or against it. Words that add less than the share
    `least` of what the strongest one adds are left as they are, and so are those without a colour in a long text."""
    starts, ends, shares = item.words_in_brief
    most = max(map(abs, shares), default=0.0)
    if len(shares) > _MANY:
        least = max(least, _FAINT)
    text, out, at = item.text, [], 0
    for start, end, share, kind, marked in zip(
        starts, ends, shares, shades(shares, most), _marked(shares, least * most), strict=True
    ):
        if marked:
            out.append(_escaped(text[at:start]))
            out.append(f'<span class="{kind}" title="{share:+.4f}">{_escaped(text[start:end])}</span>')
            at = end
    return "".join([*out, escape(text[at:])])


def _marked(shares: Sequence[float], least: float) -> list[bool]:
    """Whether each word is marked: it adds at least so much, whichever way, and is among the first _MARKED that add most."""
    size = np.abs(shares)
    marked = size >= least
    marked[np.argsort(-size, kind="stable")[_MARKED:]] = False
    found: list[bool] = marked.tolist()
    return found


def _escaped(text: str) -> str:
    """A text as HTML has it. Most words are letters alone, and most have one blank between them. These stay as they are,
    which is found out sooner than `escape` looks for all that it replaces."""
    return text if text.isalnum() or text == " " else escape(text)


def _side(contribution: float) -> str:
    return "for" if contribution > 0 else "against"
