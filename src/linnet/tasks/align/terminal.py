"""Word alignments for the terminal: reports, grids and explanations."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.report.printable import visible
from linnet.tasks.align.measures import AlignmentReport
from linnet.tasks.align.why import AlignmentExplanation

_LONGEST = 14


def alignment_report(report: AlignmentReport) -> RenderableType:
    return Group(
        Text(
            f"{report.n_pairs:,} pairs, {report.n_links:,} links found, {report.n_sure:,} sure, "
            f"{report.n_possible:,} possible"
        ),
        Text(f"AER {100 * report.aer:.2f}   precision {100 * report.precision:.2f}   recall {100 * report.recall:.2f}"),
    )


def alignment_explanation(alignment: AlignmentExplanation, top: int = 4) -> RenderableType:
    """The grid, and a row for each target token: its source token, the next best one, the difference of their scores, and
    why."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("target", "source", "not", "by", "because"):
        table.add_column(name, justify="right" if name == "by" else "left", no_wrap=name != "because")
    for one in alignment.tokens:
        reasons = ", ".join(f"{part.what} {part.contribution:+.2f}" for part in one.contributions[:top])
        word, names = alignment.target[one.target], (alignment.name(one.source), alignment.name(one.against))
        row = (word, *(name or "-" for name in names), f"{one.score:+.2f}", reasons)
        table.add_row(*(Text(visible(cell)) for cell in row))
    return Group(Text("\n".join(grid(alignment.source, alignment.target, alignment.links))), Text(), table)


def grid(source: Sequence[str], target: Sequence[str], links: Collection[tuple[int, int]]) -> list[str]:
    """A grid with a line for each source word and a column for each target word, which is written downwards.

    >>> print("\\n".join(grid(["a", "dog"], ["le", "chien"], {(0, 0), (1, 1)})))
         l c
         e h
           i
           e
           n
    a    ■ ·
    dog  · ■
    """
    words, heads = ([_cut(visible(word)) for word in side] for side in (source, target))
    width = max((cell_len(word) for word in words), default=0)
    lines = []
    for k in range(max((len(word) for word in heads), default=0)):
        lines.append(" " * (width + 2) + " ".join(word[k : k + 1] or " " for word in heads).rstrip())
    for i, word in enumerate(words):
        marks = " ".join("■" if (i, j) in links else "·" for j in range(len(heads)))
        lines.append(f"{word}{' ' * (width - cell_len(word))}  {marks}")
    return lines


def _cut(word: str) -> str:
    return word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "…"
