"""Dependency trees for the terminal: reports, drawings and explanations."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.explain.differences import Part
from linnet.report.printable import visible
from linnet.tasks.parse.measures import TreesReport
from linnet.tasks.parse.why import ArcExplanation, TreeExplanation


def trees_report(report: TreesReport) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("relation")
    for name in ("precision", "recall", "F1", "tokens"):
        table.add_column(name, justify="right")
    for relation, score in report.per_relation.items():
        shares = (f"{100 * share:.2f}" for share in (score.precision, score.recall, score.f1))
        table.add_row(Text(visible(relation)), *shares, f"{score.count:,}")
    return Group(
        Text(
            f"{report.n_tokens:,} tokens in {report.n_sentences:,} sentences   UAS {100 * report.uas:.2f}   "
            f"LAS {100 * report.las:.2f}   CLAS {100 * report.clas:.2f}   whole sentences {100 * report.ucm:.2f}%"
        ),
        Text(),
        table,
    )


def tree_explanation(tree: TreeExplanation, top: int = 4) -> RenderableType:
    """The tree, and a row for each token: its head, the next best one, the difference of their scores, and why."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("word", "head", "relation", "not", "by", "because"):
        table.add_column(name, justify="right" if name == "by" else "left", no_wrap=name != "because")
    for arc in tree.arcs:
        reasons = ", ".join(_reason(tree, arc, part) for part in arc.contributions[:top])
        row = (arc.word, tree.name(arc.head), arc.relation, against(tree, arc), f"{arc.score:+.2f}", reasons)
        table.add_row(*(Text(visible(cell)) for cell in row))
    words, relations = (list(map(visible, some)) for some in (tree.words, tree.relations))
    drawn = Text("\n".join(drawing(words, tree.heads, relations)))
    return Group(drawn, Text(), table)


def _reason(tree: TreeExplanation, arc: ArcExplanation, part: Part) -> str:
    """A reason for an arc; a reason at another token begins with its word."""
    where = "" if part.token == arc.token else f"{tree.words[part.token]}: "
    return visible(f"{where}{part.what} {part.contribution:+.2f}")


def against(tree: TreeExplanation, arc: ArcExplanation) -> str:
    """The next best head, with its relation if that is another one."""
    if arc.against < 0:
        return ""
    return tree.name(arc.against) + (f" ({arc.against_relation})" if arc.against_relation != arc.relation else "")


def drawing(words: Sequence[str], heads: Sequence[int], relations: Sequence[str]) -> list[str]:
    """A drawing with a line for each word and arcs beside them; an arrow points to the word that depends.

    >>> print("\\n".join(drawing(["We", "like", "tea"], [2, 0, 2], ["nsubj", "root", "obj"])))
    ┌─> We    nsubj
    ├── like  root
    └─> tea   obj
    """
    n = len(words)
    level = levels(heads)
    depth = 1 + max(level.values(), default=-1)
    rows = [[" "] * depth for _ in range(n + 1)]
    ends: list[list[int]] = [[] for _ in range(n + 1)]
    for (a, b), k in level.items():
        column = depth - 1 - k
        for i in range(a, b + 1):
            up, down = i > a, i < b
            old = rows[i][column]
            rows[i][column] = _joined(old, up, down, side=i in (a, b))
        ends[a].append(column)
        ends[b].append(column)
    width = max((len(word) for word in words), default=0)
    lines = []
    for m in range(1, n + 1):
        row = "".join(rows[m])
        if ends[m]:
            first = min(ends[m])
            row = row[: first + 1] + "".join(_crossed(c) for c in row[first + 1 :])
        has_arrow = heads[m - 1] > 0
        tail = ("─> " if has_arrow else "── ") if ends[m] else "   "
        lines.append(f"{row}{tail if depth else ''}{words[m - 1]:{width}}  {relations[m - 1]}")
    return lines


def levels(heads: Sequence[int]) -> dict[tuple[int, int], int]:
    """The level at which each arc is drawn, from 0 for those nearest to the words. An arc is one level beyond the
    highest of the shorter arcs that overlap it."""
    arcs = sorted(((min(h, m), max(h, m)) for m, h in enumerate(heads, 1) if h), key=lambda arc: arc[1] - arc[0])
    level: dict[tuple[int, int], int] = {}
    for a, b in arcs:
        level[a, b] = 1 + max((level[c, d] for c, d in level if c < b and a < d), default=-1)
    return level


_LINES = {  # whether a line goes up, goes down, and goes to the words at the side
    (False, True, True): "┌",
    (True, False, True): "└",
    (True, True, False): "│",
    (True, True, True): "├",
}
_OLD = {"┌": (False, True, True), "└": (True, False, True), "│": (True, True, False), "├": (True, True, True)}


def _joined(old: str, up: bool, down: bool, *, side: bool) -> str:
    before = _OLD.get(old, (False, False, False))
    return _LINES[before[0] or up, before[1] or down, before[2] or side]


def _crossed(character: str) -> str:
    """The character for a line that goes to the right through another character."""
    return {" ": "─", "│": "┼", "┌": "┬", "└": "┴", "├": "┼"}.get(character, character)
