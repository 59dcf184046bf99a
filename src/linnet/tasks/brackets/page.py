"""Explanations of constituent trees as one HTML page, each tree drawn as SVG; it needs no script and no network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from linnet.report.drawing import picture
from linnet.report.page import document, wide
from linnet.report.printable import visible
from linnet.report.reasons import STYLE as WHY
from linnet.report.reasons import why
from linnet.structures.bits import Span, spans_of
from linnet.tasks.brackets.terminal import where
from linnet.tasks.brackets.why import BracketsExplanation
from linnet.tasks.parse.page import TREE_STYLE

# In pixels: the width of a letter, the gap between words, the height of a level, and the margin.
_LETTER, _GAP, _STEP, _EDGE = 7.6, 18.0, 34.0, 12.0


def brackets_page(title: str, trees: Sequence[BracketsExplanation], top: int = 10) -> str:
    """The whole page: each tree, and for each constituent why it is one, against the next best tree without it."""
    parts = [_tree(n, tree, top) for n, tree in enumerate(trees, 1) if tree.words]
    return document(title, "\n".join(parts), WHY + TREE_STYLE)


def _tree(n: int, tree: BracketsExplanation, top: int) -> str:
    rows = ""
    for one in tree.brackets:
        reasons = [(where(part, one), part.what, part.contribution) for part in one.contributions]
        rows += (
            f"<tr id=s{n}b{one.first}-{one.last}><td>{escape(visible(' '.join(tree.words[one.first : one.last + 1])))}</td>"
            f"<td>{escape(visible(one.label))}</td><td>{escape(visible(one.against or 'none'))}</td>"
            f"<td class=n>{one.score:+.2f}</td><td>{why(reasons, top)}</td></tr>"
        )
    return (
        f"<h2>Sentence {n}</h2>\n{wide(drawn(tree.words, tree.tags, tree.bits, f's{n}b'), 'Tree', 'tree')}\n"
        "<table class=why><tr><th>words</th><th>label</th><th>not</th><th class=n>by</th><th>because</th></tr>"
        f"{rows}</table>"
    )


def drawn(words: Sequence[str], tags: Sequence[str], bits: Sequence[str], link: str = "") -> str:
    """The tree as a picture: words in a line, with labels above them. A click on a label leads to the anchor `link` followed by
    the numbers of its first and last word.

    A line goes aslant within one level and then straight down, where only what is inside its constituent stands. So no line
    crosses another one or a label.
    """
    spans = spans_of(bits)
    x, right = [], _EDGE
    for word, tag in zip(words, tags, strict=True):
        width = max(len(visible(word)), len(visible(tag))) * _LETTER + _GAP
        x.append(right + width / 2)
        right += width
    # Nodes get their places from the inside out; the place of a word is that of its tag.
    level: dict[int, int] = {}
    centre: dict[int, float] = {}
    parts_of: dict[int, list[int]] = {}
    roots = list(range(-len(words), 0))  # The node of the tag of word i has the number i - len(words).
    for at in range(len(spans) - 1, -1, -1):
        inside = [node for node in roots if _within(node, spans, spans[at], len(words))]
        roots = [node for node in roots if node not in inside] + [at]
        parts_of[at] = inside
        level[at] = 1 + max(level.get(node, 0) for node in inside)
        centre[at] = (x[spans[at].first] + x[spans[at].last]) / 2
    top = max(level.values(), default=0)
    base = _EDGE + _STEP * top + 14

    def place(node: int) -> tuple[float, float]:
        return (x[node + len(words)], base) if node < 0 else (centre[node], base - _STEP * level[node])

    lines, texts = [], []
    for at, inside in parts_of.items():
        cx, cy = place(at)
        for node in inside:
            px, py = place(node)
            lines.append(f'<path d="M{cx:.1f} {cy + 5:.1f} L{px:.1f} {cy + _STEP - 13:.1f} V{py - 13:.1f}"/>')
        label = f'<text x="{cx:.1f}" y="{cy:.1f}">{escape(visible(spans[at].label))}</text>'
        texts.append(f'<a href="#{link}{spans[at].first}-{spans[at].last}">{label}</a>' if link else label)
    for middle, word, tag in zip(x, words, tags, strict=True):
        texts.append(f'<text class=rel x="{middle:.1f}" y="{base:.1f}">{escape(visible(tag))}</text>')
        texts.append(f'<text x="{middle:.1f}" y="{base + 18:.1f}">{escape(visible(word))}</text>')
    width, height = right + _EDGE, base + 18 + _EDGE
    whole = picture(width, height, " ".join(words), [*lines, *texts])
    sized = whole.replace("<svg ", f'<svg width="{width:.0f}" height="{height:.0f}" ', 1)
    return sized.replace('role="img"', 'role="group"', 1) if link else sized  # a picture has no links in it


def _within(node: int, spans: Sequence[Span], outer: Span, n: int) -> bool:
    first, last = (node + n, node + n) if node < 0 else spans[node][1:]
    return outer.first <= first and last <= outer.last
