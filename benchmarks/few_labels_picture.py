"""Draw the results of the benchmark few_labels: accuracy against the number of labels, a panel for each set.

python benchmarks/few_labels.py --json results.json
python benchmarks/few_labels_picture.py results.json docs/few-labels.svg
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

from few_labels import SIZES
from few_tools import ALONE, MINILM, PLAIN, TAUGHT

NAMES = {
    "trec": "questions, 6 labels",
    "sentence_polarity": "sentences of reviews",
    "movie_reviews": "film reviews, 1,600 in all",
    "20news": "20 newsgroups",
    "imdb": "film reviews, 20,000",
}
LINES = {TAUGHT: "one", ALONE: "two", MINILM: "three", PLAIN: "four"}
"""The tools that are drawn, from the first to the last in the key, and how."""
STYLE = """
svg .three { stroke: var(--ink); stroke-width: 1.4; stroke-dasharray: 1.5 3; stroke-linecap: round; }
svg circle.three { fill: var(--ink); stroke: none; } svg .four { stroke: var(--dim); stroke-width: 1; }
svg circle.four { fill: var(--dim); stroke: none; } svg line.bar { stroke: var(--ink); stroke-width: .8; }
"""


def main() -> None:
    source, target = map(Path, sys.argv[1:3])
    tables = json.loads(source.read_text(encoding="utf-8"))["results"]["few_labels"]
    drawn(tables).save(target)


def drawn(tables: list[dict[str, Any]]) -> Any:
    """The picture of all tables whose labels were drawn at random."""
    from linnet.report.drawing import words
    from linnet.report.pictures import Panel, Picture

    panels = tuple(_panel(table) for table in tables if table["draw"] == "random")
    key = tuple(
        Panel(tool, 30 + 6.1 * len(tool), 16, (_mark(kind, 6, 22, 10), words(tool, 28, 13)))
        for tool, kind in LINES.items()
    )
    title = "Accuracy in % with 100, 300 and 1,000 labels, all other texts without labels"
    note = "The bars are a standard error over the draws of the labels, on either side."
    return Picture(title, panels, key, (note,), style=STYLE)


def _mark(kind: str, left: float, right: float, y: float) -> str:
    line = f'<line class="{kind}" x1="{left}" y1="{y}" x2="{right}" y2="{y}"/>'
    return f'{line}<circle class="{kind}" cx="{(left + right) / 2}" cy="{y}" r="2.5"/>'


def _panel(table: dict[str, Any]) -> Any:
    from linnet.plot.axes import Axes
    from linnet.report.drawing import Box, heading, marks
    from linnet.report.pictures import Panel

    found = {tool: cells for tool, cells in cells_of(table).items() if tool in LINES}
    there = [
        100 * (mean + by * error) for cells in found.values() for mean, error in filter(None, cells) for by in (-1, 1)
    ]
    low, high = math.floor(min(there) / 5) * 5, math.ceil(max(there) / 5) * 5
    axes = Axes(Box(32, 28, 232, 168), (math.log(SIZES[0]), math.log(SIZES[-1])), (low, high))
    said = dict(zip(map(math.log, SIZES), (f"{n:,}" for n in SIZES), strict=True))
    parts = [
        heading(NAMES[table["name"]], 6, 14, 240),
        *axes.levels(marks(low, high, 5)),
        *axes.below(list(said), said.get),
    ]
    for tool, kind in reversed(LINES.items()):
        cells = [(math.log(n), *cell) for n, cell in zip(SIZES, found.get(tool, []), strict=False) if cell is not None]
        parts.append(axes.line([(x, 100 * mean) for x, mean, _ in cells], kind))
        for x, mean, error in cells:
            a, b = axes.at((x, 100 * mean))
            half = abs(axes.y(100 * error) - axes.y(0))
            parts.append(f'<line class="bar" x1="{a:.1f}" y1="{b - half:.1f}" x2="{a:.1f}" y2="{b + half:.1f}"/>')
            parts.append(f'<circle class="{kind}" cx="{a:.1f}" cy="{b:.1f}" r="2.5"/>')
    return Panel(NAMES[table["name"]], 250, 190, tuple(parts))


def cells_of(table: dict[str, Any]) -> dict[str, list[Any]]:
    """For each tool the mean and the standard error with each number of labels; None where nothing was measured."""
    found: dict[str, list[Any]] = {}
    for who, (run,) in table["runs"].items():
        accuracy = run["accuracy"]
        found |= accuracy if isinstance(accuracy, dict) else {who: accuracy}
    return found


if __name__ == "__main__":
    main()
