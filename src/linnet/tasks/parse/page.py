"""Explanations of dependency trees as one HTML page, each tree drawn as SVG; it needs no script and no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import zip_longest

from linnet.report.drawing import picture
from linnet.report.page import document, wide
from linnet.report.printable import visible
from linnet.report.reasons import STYLE as WHY
from linnet.report.reasons import why
from linnet.tasks.parse.terminal import against, levels
from linnet.tasks.parse.why import ArcExplanation, TreeExplanation
from linnet.tasks.second_look.page import STYLE as LOOK
from linnet.tasks.second_look.page import second_look
from linnet.tasks.second_look.why import SecondLook

TREE_STYLE = """
div.tree { overflow-x: auto; } div.tree svg { font: 13px system-ui, sans-serif; }
div.tree svg text { fill: var(--ink); text-anchor: middle; paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }
div.tree svg text.rel { fill: var(--dim); font-size: 11px; }
div.tree svg path { fill: none; stroke: var(--dim); stroke-width: 1.2; }
div.tree svg path.tip { fill: var(--dim); stroke: none; }
div.tree svg a:hover text.rel { fill: var(--ink); } div.tree svg a:hover path { stroke: var(--ink); }
"""
# In pixels: the width of a letter, the gap between words, the height of a level of arcs, and the margin.
_LETTER, _GAP, _STEP, _EDGE = 7.6, 18.0, 26.0, 12.0


def trees_page(
    title: str, trees: Sequence[TreeExplanation], top: int = 10, looks: Sequence[SecondLook | None] = ()
) -> str:
    """The whole page: each tree, why each token has its head and not the next best, and why the reranker chose the tree, if
    there is one."""
    parts = [
        _tree(n, tree, top) + second_look(look, top)
        for n, (tree, look) in enumerate(zip_longest(trees, looks), 1)
        if tree.words
    ]
    return document(title, "\n".join(parts), WHY + LOOK + TREE_STYLE)


def _tree(n: int, tree: TreeExplanation, top: int) -> str:
    rows = "".join(
        f"<tr id=s{n}t{arc.token}><td class=nowrap>{escape(visible(arc.word))}</td>"
        f"<td class=nowrap>{escape(visible(tree.name(arc.head)))}</td><td>{escape(visible(arc.relation))}</td>"
        f"<td class=nowrap>{escape(visible(against(tree, arc)))}</td><td class=n>{arc.score:+.2f}</td>"
        f"<td>{_why(tree, arc, top)}</td></tr>"
        for arc in tree.arcs
    )
    return (
        f"<h2>Sentence {n}</h2>\n{wide(drawn(tree.words, tree.heads, tree.relations, f's{n}t'), 'Tree', 'tree')}\n"
        "<table class=why><tr><th>token</th><th>head</th><th>relation</th><th>not</th><th class=n>by</th><th>because</th></tr>"
        f"{rows}</table>"
    )


def drawn(words: Sequence[str], heads: Sequence[int], relations: Sequence[str], link: str = "") -> str:
    """The tree as a picture: words in a line, with arcs above them. A click on an arc leads to the anchor `link` followed by
    the number of the token."""
    level = levels(heads)
    top = 1 + max(level.values(), default=0)
    base = _STEP * (top + 1) + _EDGE
    x, right = [], _EDGE
    for word, relation in zip(words, relations, strict=True):
        width = max(len(visible(word)) * _LETTER, len(visible(relation)) * _LETTER * 0.85) + _GAP
        x.append(right + width / 2)
        right += width
    parts = []
    for m, (h, relation) in enumerate(zip(heads, relations, strict=True), 1):
        name = escape(visible(relation))
        if h == 0:
            path = f"M{x[m - 1]:.1f} {_EDGE:.1f} V{base - 20:.1f}"
            at, y = x[m - 1], _EDGE + 4
        else:
            a, b = (h, m) if h < m else (m, h)
            y = base - 16 - _STEP * (1 + level[a, b])
            shift = 4 if h < m else -4
            start, end = x[h - 1] + shift, x[m - 1] - shift
            corner = 10 if end > start else -10
            path = (
                f"M{start:.1f} {base - 16:.1f} V{y + 10:.1f} Q{start:.1f} {y:.1f} {start + corner:.1f} {y:.1f} "
                f"H{end - corner:.1f} Q{end:.1f} {y:.1f} {end:.1f} {y + 10:.1f} V{base - 20:.1f}"
            )
            at = (start + end) / 2
        tip = x[m - 1] if h == 0 else end
        arrow = f"M{tip - 3.5:.1f} {base - 22:.1f} h7 l-3.5 7 z"
        arc = (
            f'<path d="{path}"/><path class=tip d="{arrow}"/><text class=rel x="{at:.1f}" y="{y + 4:.1f}">{name}</text>'
        )
        parts.append(f'<a href="#{link}{m - 1}">{arc}</a>' if link else arc)
    parts += [
        f'<text x="{at:.1f}" y="{base:.1f}">{escape(visible(word))}</text>' for at, word in zip(x, words, strict=True)
    ]
    width, height = right + _EDGE, base + _EDGE
    whole = picture(width, height, " ".join(words), parts)
    sized = whole.replace("<svg ", f'<svg width="{width:.0f}" height="{height:.0f}" ', 1)
    return sized.replace('role="img"', 'role="group"', 1) if link else sized  # a picture has no links in it


def _why(tree: TreeExplanation, arc: ArcExplanation, top: int) -> str:
    """The reasons for an arc; a reason at another token begins with its word."""
    return why(
        [
            ("" if part.token == arc.token else tree.words[part.token], part.what, part.contribution)
            for part in arc.contributions
        ],
        top,
    )
