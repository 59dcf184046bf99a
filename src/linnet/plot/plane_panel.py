"""A panel of a plane: regions, the boundary, the margin, the points and the support vectors, with what all of them mean."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from linnet.plot.courses import Learned, ahead
from linnet.plot.points import Points
from linnet.plot.view import BOX, GRID, MOST_POINTS, View
from linnet.report.confusion import cut
from linnet.report.contours import above, inner
from linnet.report.drawing import LETTER, LINE, Point, heading, marks, words
from linnet.report.pictures import Panel
from linnet.report.printable import visible

_WIDTH, _HEIGHT = 250.0, 260.0
_LONGEST = 30
"""The largest number of letters of a name of the data."""
_COLOURS = ("one", "two", "for", "against", "dim", "ink")
_CORNERS = (0, 4, 3, 4, 3, 6)
"""The shapes of the points of each label: a circle, or so many corners."""
_TURNS = (0.0, 0.5, 0.0, 0.0, 0.5, 0.0)
"""How far each shape is turned, as a share of the angle between two of its corners."""
STYLE = (
    "".join(f"svg .c{k} {{ --c: var(--{colour}); }}" for k, colour in enumerate(_COLOURS))
    + """
svg .point { fill: var(--c); stroke: var(--paper); stroke-width: .7; }
svg .wrong { fill: var(--paper); stroke: var(--c); stroke-width: 1.5; }
svg .region { fill: var(--c); fill-opacity: .09; stroke: none; }
svg .boundary { stroke: var(--ink); stroke-width: 1.6; } svg .margin { stroke: var(--ink); stroke-dasharray: 4 3; }
svg .ring { fill: none; stroke: var(--ink); stroke-width: .9; stroke-opacity: .8; }
svg .frame { fill: none; stroke: var(--line); }
"""
)


def panel_of(view: View, title: str, learned: Learned) -> Panel:
    axes, points = view.axes, view.points
    wrong = int(learned.wrong.sum())
    note = f"{wrong:,} wrong" if wrong else "all right"
    parts = [heading(title, BOX.x0, 13, BOX.x1 - LETTER * len(note)), words(note, BOX.x1, 13, "end")]
    parts += _regions(view, learned)
    parts.append(
        f'<rect class="frame" x="{BOX.x0:g}" y="{BOX.y0:g}" width="{BOX.x1 - BOX.x0:g}" height="{BOX.y1 - BOX.y0:g}"/>'
    )
    parts += axes.below(marks(*axes.across, 5))
    parts += [words(f"{mark:g}", BOX.x0 - 5, axes.y(mark) + 4, "end") for mark in marks(*axes.up, 5)]
    parts += axes.named(_short(points.names[0]))
    parts.append(_upright(_short(points.names[1]), 10, (BOX.y0 + BOX.y1) / 2))
    parts += _points(view, learned)
    return Panel(title, _WIDTH, _HEIGHT, tuple(parts))


def _regions(view: View, learned: Learned) -> Iterator[str]:
    """Where each label is predicted, and where it is ahead by more than the margin; then the lines between."""
    x, y, places = view.grid
    first = ahead(learned.scores(places)).reshape(GRID, GRID, -1)
    levels = {"boundary": 0.0} | ({} if learned.margin is None else {"margin": learned.margin})
    lines = []
    for k in range(first.shape[-1]):
        for kind, level in levels.items():
            loops = above(first[:, :, k] - level, x, y)
            if loops:
                yield f'<path class="region c{k}" fill-rule="evenodd" d="{"".join(f"M{_joined(loop)}Z" for loop in loops)}"/>'
            if kind == "margin" or k or len(view.points.labels) > 2:
                lines += [
                    f'<path class="{kind}" d="M{_joined(part)}"/>' for loop in loops for part in inner(loop, x, y)
                ]
    yield from lines


def _short(name: str) -> str:
    """A name of the data that can stand in a picture: without control characters, and not too long."""
    return cut(visible(name), _LONGEST)


def _joined(points: Sequence[Point]) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in points)


def _points(view: View, learned: Learned) -> Iterator[str]:
    """The points: hollow where they are on the wrong side, with a ring where they are support vectors."""
    points = view.points
    rings = learned.support if not learned.support.all() else np.zeros(len(points), np.bool_)
    for mark in view.marks:
        n, k, (x, y) = len(mark.points), int(points.y[mark.points[0]]), mark.place
        said = f"<title>{escape(_short(points.labels[k]))}: {n:,} points</title>" if n > 1 else ""
        yield _shape(k, mark.place, mark.radius, f"point c{k}{' wrong' if learned.wrong[mark.points[0]] else ''}", said)
        if rings[mark.points].any():
            yield f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="{mark.radius + 2.4:.1f}"/>'


def _shape(label: int, place: Point, radius: float, kind: str, said: str = "") -> str:
    """A point in the shape of its label. All shapes of one radius have about the same area."""
    a, b = place
    corners = _CORNERS[label]
    if not corners:
        return f'<circle class="{kind}" cx="{a:.1f}" cy="{b:.1f}" r="{radius:.1f}">{said}</circle>'
    radius *= math.sqrt(2 * math.pi / (corners * math.sin(2 * math.pi / corners)))
    turns = [(k + _TURNS[label]) / corners - 0.25 for k in range(corners)]
    edge = [(a + radius * math.cos(2 * math.pi * t), b + radius * math.sin(2 * math.pi * t)) for t in turns]
    return f'<path class="{kind}" d="M{_joined(edge)}Z">{said}</path>'


def _upright(text: str, x: float, y: float) -> str:
    return f'<text x="{x:g}" y="{y:g}" class="mid" transform="rotate(-90 {x:g} {y:g})">{escape(text)}</text>'


def key_of(points: Points, frames: Sequence[Learned]) -> Iterator[Panel]:
    """What the marks mean."""
    for k, label in enumerate(points.labels):
        yield _meaning(_shape(k, (7, 8), 4.2, f"point c{k}"), _short(label), 18)
    if any(frame.wrong.any() for frame in frames):
        yield _meaning(_shape(0, (7, 8), 3.8, "point c0 wrong"), "hollow: on the wrong side", 18)
    if any(frame.support.any() and not frame.support.all() for frame in frames):
        yield _meaning('<circle class="ring" cx="7" cy="8" r="6"/>', "support vector", 18)
    yield _meaning('<path class="boundary" d="M1,8 21,8"/>', "boundary", 27)
    if any(frame.margin is not None for frame in frames):
        yield _meaning('<path class="margin" d="M1,8 21,8"/>', "margin", 27)


def _meaning(mark: str, text: str, x: float) -> Panel:
    return Panel(text, x + 1.1 * LETTER * len(text) + 6, LINE + 3, (mark, words(text, x, 12, "name")))


def notes_of(view: View, frames: Sequence[Learned]) -> Iterator[str]:
    points = view.points
    said = []
    if any(frame.margin is not None and frame.asked for frame in frames):
        said.append("The margin is where the loss of a learner becomes 0")
    if any(frame.margin is not None and not frame.asked for frame in frames):
        nearest = "at the point that is nearest to the boundary, if all points are right"
        said.append(
            f"of learners whose loss asks for no margin, it is {nearest}" if said else f"The margin is {nearest}"
        )
    if said:
        yield "; ".join(said) + "."
    if any(frame.support.all() for frame in frames):
        yield "Where no point has a ring, all points are support vectors, or the learner does not know of any."
    if max(map(len, view.heaps)) > 1:
        yield "Larger marks are several points at the same place; those of several labels stand side by side."
    if len(view.heaps) > MOST_POINTS:
        yield f"{MOST_POINTS:,} of {len(view.heaps):,} places are drawn, chosen at random; all points are learned from."
    if points.neither:
        yield f"{points.neither:,} texts that have neither word are left out."
    if points.left_out:
        yield f"{points.left_out:,} rows without a number or a label are left out."
