"""Constituent trees for the terminal: reports, drawings and explanations."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.report.printable import visible
from linnet.structures.bits import spans_of
from linnet.tasks.brackets.measures import BracketsReport
from linnet.tasks.brackets.why import BracketExplanation, BracketsExplanation, SpanPart

_LONGEST = 28


def brackets_report(report: BracketsReport) -> RenderableType:
    """The F1 of brackets with precision and recall, and below it a table of labels."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("label")
    for name in ("precision", "recall", "F1", "brackets"):
        table.add_column(name, justify="right")
    for label, score in sorted(report.per_label.items(), key=lambda item: -item[1].count):
        shares = (f"{100 * share:.2f}" for share in (score.precision, score.recall, score.f1))
        table.add_row(Text(visible(label)), *shares, f"{score.count:,}")
    return Group(
        Text(
            f"{report.n_brackets:,} brackets in {report.n_sentences:,} sentences   precision {100 * report.precision:.2f}   "
            f"recall {100 * report.recall:.2f}   F1 {100 * report.f1:.2f}"
        ),
        Text(
            f"whole trees {100 * report.exact:.2f}%   crossing brackets {report.crossing:.2f} a sentence, "
            f"none in {100 * report.no_crossing:.2f}%"
        ),
        Text(),
        table,
    )


def drawn(words: Sequence[str], tags: Sequence[str], bits: Sequence[str]) -> str:
    """A tree drawn from left to right, with a word on each line.

    >>> print(drawn(["The", "dog", "barks"], ["DT", "NN", "VBZ"], ["(S(NP*", "*)", "(VP*))"]))
    S ┬ NP ┬ DT The
      │    └ NN dog
      └ VP ─ VBZ barks
    """
    n = len(words)
    nodes = [(span.first, span.last, span.label) for span in spans_of(bits)]
    whole = [node for node in nodes if node[:2] == (0, n - 1)]
    if not whole:
        nodes.insert(0, (0, n - 1, "."))
    leaves = [f"{tag} {word}" for word, tag in zip(words, tags, strict=True)]
    return "\n".join(_lines(nodes, leaves, 0))


def _lines(nodes: Sequence[tuple[int, int, str]], leaves: Sequence[str], at: int) -> list[str]:
    """The lines of the drawing of node `at`. The nodes inside it come after it in `nodes`."""
    first, last, label = nodes[at]
    parts: list[list[str]] = []
    t, k = first, at + 1
    while t <= last:
        if k < len(nodes) and nodes[k][0] == t and nodes[k][1] <= last:
            end = nodes[k][1]
            parts.append(_lines(nodes, leaves, k))
            while k < len(nodes) and nodes[k][0] <= end:
                k += 1
            t = end + 1
        else:
            parts.append([leaves[t]])
            t += 1
    found = []
    margin = " " * len(label)
    for i, part in enumerate(parts):
        only, last_one = len(parts) == 1, i == len(parts) - 1
        mark, below = ("─", " ") if only else ("┬", "│") if i == 0 else ("└", " ") if last_one else ("├", "│")
        head = label if i == 0 else margin
        found += [f"{head} {mark} {part[0]}", *(f"{margin} {below} {line}" for line in part[1:])]
    return found


def brackets_explanation(tree: BracketsExplanation, top: int = 4) -> RenderableType:
    """The tree, and a row for each constituent: its words, its label, the next best one, the difference of scores, and why."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("words", "label", "not", "by", "because"):
        table.add_column(name, justify="right" if name == "by" else "left", no_wrap=name != "because")
    for one in tree.brackets:
        reasons = ", ".join(
            f"{where(part, one)} {part.what} {part.contribution:+.2f}".lstrip() for part in one.contributions[:top]
        )
        words = _short(tree.words[one.first : one.last + 1])
        row = (words, one.label, one.against or "none", f"{one.score:+.2f}", reasons)
        table.add_row(*(Text(visible(cell)) for cell in row))
    return Group(
        Text(drawn(*([visible(one) for one in part] for part in (tree.words, tree.tags, tree.bits)))), Text(), table
    )


def _short(words: Sequence[str]) -> str:
    text = " ".join(words)
    return text if len(text) <= _LONGEST else f"{words[0]} ... {words[-1]}"


def where(part: SpanPart, one: BracketExplanation) -> str:
    """The numbers of the words that a feature looks at, if they are not those of the constituent that is explained."""
    return "" if (part.first, part.last) == (one.first, one.last) else f"{part.first + 1}-{part.last + 1}"
