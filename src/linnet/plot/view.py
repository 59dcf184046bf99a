"""The part of a plane that is drawn: its axes, the grid over it, and the marks of its points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linnet.plot.axes import Axes
from linnet.plot.points import Floats, Points
from linnet.report.drawing import Box, Point

BOX = Box(42, 22, 246, 226)
GRID = 81
"""The number of places across and up at which scores are computed."""
MOST_POINTS = 500
"""The largest number of different points that are drawn; all are learned from."""
_ROOM = 1.12
"""How much larger than the space between the outermost points the picture is."""
_RADIUS, _LARGEST, _LEAST = 3.2, 9.5, 2.0
"""The radius of one point, that of the most points at one place, and the least there is."""


@dataclass(frozen=True)
class Mark:
    """The mark of a point, or of several of the same label at the same place."""

    points: list[int]
    place: Point
    radius: float


@dataclass(frozen=True)
class View:
    """The part of the plane that is drawn."""

    points: Points
    seed: int

    @cached_property
    def axes(self) -> Axes:
        """The axes, with equal units as learners see them."""
        points = self.points
        seen = points.seen(points.at)
        middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
        half = _ROOM * float(np.ptp(seen, axis=0).max()) / 2 or 1.0
        low, high = (points.centre + points.unit * (middle + sign * half) for sign in (-1, 1))
        return Axes(BOX, (low[0], high[0]), (low[1], high[1]))

    @cached_property
    def grid(self) -> tuple[Floats, Floats, Floats]:
        """The places of a grid: across and up in the picture, and all of them as points of the plane."""
        axes = self.axes
        across, up = np.linspace(*axes.across, GRID), np.linspace(*axes.up, GRID)
        places = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
        return np.array([axes.x(a) for a in across]), np.array([axes.y(b) for b in up]), places

    @cached_property
    def heaps(self) -> list[list[int]]:
        """The points of each label at each place."""
        found: dict[tuple[float, float, int], list[int]] = {}
        for i, place in enumerate(zip(*self.points.at.T.tolist(), self.points.y.tolist(), strict=True)):
            found.setdefault(place, []).append(i)
        return list(found.values())

    @cached_property
    def marks(self) -> list[Mark]:
        """The points to draw, the largest marks first. Where points of several labels are at the same place, their marks stand
        side by side."""
        heaps = self.heaps
        size = min(_RADIUS, _LARGEST / math.sqrt(max(map(len, heaps))))
        if len(heaps) > MOST_POINTS:
            chosen = np.random.default_rng(self.seed).choice(len(heaps), MOST_POINTS, replace=False)
            heaps = [heaps[k] for k in np.sort(chosen).tolist()]
        at: dict[Point, list[tuple[list[int], float]]] = {}
        for heap in heaps:
            a, b = self.points.at[heap[0]].tolist()
            at.setdefault((a, b), []).append((heap, max(size * math.sqrt(len(heap)), _LEAST)))
        marks = [mark for place, some in at.items() for mark in _beside(self.axes.at(place), some)]
        return sorted(marks, key=lambda mark: -mark.radius)


def _beside(place: Point, some: Sequence[tuple[list[int], float]]) -> Iterator[Mark]:
    """The marks of the points at one place, beside each other."""
    x = place[0] - sum(radius for _, radius in some)
    for heap, radius in some:
        yield Mark(heap, (x + radius, place[1]), radius)
        x += 2 * radius
