"""Where a function over a rectangle is above 0, as closed lines: marching squares (Lorensen and Cline 1987, in the plane).

Between two points of the grid the function is taken to be linear, so that the lines of a linear function are exact. Around the
grid stands a frame below 0, at the places of its outermost points, so that every line closes along the edge of the rectangle.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from linnet.report.drawing import Point

Floats = npt.NDArray[np.float64]
Side = tuple[int, int, int]
"""A side between two neighbouring points of the grid: the row and column of the first, and 0 to the right of it or 1 below."""

_EXACT = 0.05
"""How far, in the units of the picture, a line may pass a point that is left out of it."""
_TURNS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((3, 0),),
    2: ((0, 1),),
    3: ((3, 1),),
    4: ((1, 2),),
    6: ((0, 2),),
    7: ((3, 2),),
    8: ((2, 3),),
    9: ((2, 0),),
    11: ((2, 1),),
    12: ((1, 3),),
    13: ((1, 0),),
    14: ((0, 3),),
}
"""For each cell, the side through which a line comes in and the one through which it goes out, by the corners that are above 0:
1, 2, 4 and 8 stand for the corners, around the cell from the first on. Side 0 is between the first two corners, and so on."""
_APART, _JOINED = {5: ((3, 0), (1, 2)), 10: ((0, 1), (2, 3))}, {5: ((3, 2), (1, 0)), 10: ((0, 3), (2, 1))}
"""The sides of cells with two opposite corners above 0: where the middle of the cell is below 0, and where it is above."""


def above(f: Floats, x: Floats, y: Floats) -> list[list[Point]]:
    """The closed lines around all places where f is at least 0; f has a row for each y and a column for each x.

    >>> above(np.array([[-1.0, 1.0], [-1.0, 1.0]]), np.array([0.0, 2.0]), np.array([0.0, 2.0]))
    [[(1.0, 0.0), (1.0, 2.0), (2.0, 2.0), (2.0, 0.0)]]
    """
    framed = np.pad(np.asarray(f, np.float64), 1, constant_values=-1.0)
    x, y = np.pad(x, 1, mode="edge"), np.pad(y, 1, mode="edge")
    following = dict(_segments(framed))
    lines = []
    while following:
        start = min(following)
        line = [start]
        while (side := following.pop(line[-1])) != start:
            line.append(side)
        lines.append(_simple([_crossing(framed, x, y, side) for side in line], x, y))
    return [line for line in lines if len(line) > 2]


def inner(line: list[Point], x: Floats, y: Floats) -> Iterator[list[Point]]:
    """The parts of a closed line that do not lie on the edge of the rectangle."""
    closed = [*line, line[0]]
    outside = (_edges(np.array(closed), x, y) > 0).tolist()
    if not any(outside):
        yield closed
        return
    first = outside.index(True)
    part: list[Point] = []
    for k in range(first, first + len(line) + 1):
        k %= len(line)
        if not outside[k]:
            part = [*(part or [closed[k]]), closed[k + 1]]
        elif part:
            yield part
            part = []


def _edges(points: Floats, x: Floats, y: Floats) -> npt.NDArray[np.int64]:
    """For each step from a point to the next, the edge of the rectangle that it lies on, from 1 to 4; 0 for one inside."""
    found = np.zeros(len(points) - 1, np.int64)
    for number, (axis, end) in enumerate([(0, x[0]), (0, x[-1]), (1, y[0]), (1, y[-1])], 1):
        found[(points[:-1, axis] == end) & (points[1:, axis] == end)] = number
    return found


def _segments(f: Floats) -> Iterator[tuple[Side, Side]]:
    """For each cell that a line passes, the sides through which it comes in and goes out, with what is above 0 on one hand."""
    is_above = f >= 0
    kinds = is_above[:-1, :-1] + 2 * is_above[:-1, 1:] + 4 * is_above[1:, 1:] + 8 * is_above[1:, :-1]
    for i, j in np.argwhere((kinds > 0) & (kinds < 15)).tolist():
        kind = int(kinds[i, j])
        opposite = _JOINED if f[i : i + 2, j : j + 2].mean() >= 0 else _APART
        turns = _TURNS[kind] if kind in _TURNS else opposite[kind]
        sides = ((i, j, 0), (i, j + 1, 1), (i + 1, j, 0), (i, j, 1))
        for begin, end in turns:
            yield sides[begin], sides[end]


def _crossing(f: Floats, x: Floats, y: Floats, side: Side) -> Point:
    """The place on a side where f is 0."""
    i, j, below = side
    k, m = (i + 1, j) if below else (i, j + 1)
    share = f[i, j] / (f[i, j] - f[k, m])
    return float(x[j] + share * (x[m] - x[j])), float(y[i] + share * (y[k] - y[i]))


def _simple(line: list[Point], x: Floats, y: Floats) -> list[Point]:
    """The line without the points that it would pass anyway; those where it meets the edge of the rectangle stay."""
    points = np.array(line)
    points = points[np.any(points != np.roll(points, 1, axis=0), axis=1)]
    if len(points) < 3:
        return []
    # The line is made to begin at the point farthest from its centre, which is a corner: no corner is lost where it
    # closes.
    far = int(np.argmax(np.hypot(*(points - points.mean(axis=0)).T)))
    points = np.roll(points, -far, axis=0)
    points = np.vstack([points, points[:1]])
    edges = _edges(points, x, y)
    kept, at = [0], 0
    while at < len(points) - 1:
        to = at + 1
        while to + 1 < len(points) and edges[to] == edges[at] and _passes(points[at : to + 2]):
            to += 1
        kept.append(to)
        at = to
    return [(float(a), float(b)) for a, b in points[kept[:-1]]]


def _passes(points: Floats) -> bool:
    """Whether the straight line from the first point to the last passes all others."""
    (a, b), (c, d) = points[0], points[-1]
    long = float(np.hypot(c - a, d - b))
    if not long:
        return False
    away = np.abs((points[:, 0] - a) * (d - b) - (points[:, 1] - b) * (c - a)) / long
    return bool(away.max() <= _EXACT)
