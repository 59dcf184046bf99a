"""Plots as SVG, drawn in the colours of the page that they stand on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from linnet.evaluate.calibration import FEW
from linnet.report.drawing import (
    LETTER,
    LINE,
    Box,
    Point,
    heading,
    levels,
    marks,
    picture,
    polyline,
    scale,
    short,
    words,
)

STYLE = """
svg { display: block; width: 100%; height: auto; font: 11px system-ui, sans-serif; }
svg text { fill: var(--dim); paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
svg text.name { fill: var(--ink); } svg .end { text-anchor: end; }
svg .mid { text-anchor: middle; }
svg path, svg line { fill: none; stroke: var(--line); }
svg .one { stroke: var(--one); stroke-width: 2; } svg .two { stroke: var(--two); stroke-width: 2; stroke-dasharray: 5 3; }
svg line.lead { stroke: var(--dim); stroke-width: .8; }
svg circle.few { fill: var(--paper); stroke: var(--one); stroke-width: 1.2; }
svg circle { fill: var(--one); } svg circle.two { fill: var(--two); stroke: none; }
"""


def curves_panel(
    title: str, sizes: Sequence[int], train: Sequence[float], held: Sequence[float], most: float, unit: float = 100
) -> str:
    """A learning curve: errors in % (or as they are, where the unit is 1) against the number of examples, which doubles
    from mark to mark."""
    box = Box(34, 28, 196, 130)
    x = scale([math.log(size) for size in sizes], box.x0 + 4, box.x1 - 6)
    y = scale([0, most], box.y1, box.y0)
    points = {
        name: [(x(math.log(n)), y(e)) for n, e in zip(sizes, errors, strict=True)]
        for name, errors in (("two", train), ("one", held))
    }
    parts = [heading(title, 6, 14, 200), *levels(box, y, most, unit)]
    parts += [words(short(n), x(math.log(n)), box.y1 + 14, "mid") for n in (sizes[0], sizes[-1])]
    for name, line in points.items():
        parts.append(polyline(line, name))
        parts += [f'<circle class="{name}" cx="{a:.1f}" cy="{b:.1f}" r="2.5"/>' for a, b in line]
    return picture(212, 148, f"{title}: learning curve", parts)


def reliability_panel(
    title: str, note: str, confidence: Sequence[float], right: Sequence[float], size: Sequence[int]
) -> str:
    """A reliability diagram: how often predictions of a probability were right. On the diagonal, probabilities mean what
    they say."""
    box = Box(34, 28, 196, 168)
    x, y = scale([0, 1], box.x0, box.x1), scale([0, 1], box.y1, box.y0)
    points = [(x(q), y(r)) for q, r in zip(confidence, right, strict=True)]
    parts = [heading(title, 6, 14, 196 - LETTER * len(note)), words(note, box.x1, 14, "end"), *levels(box, y, 1.0)]
    parts += [f'<line x1="{box.x0}" y1="{box.y1}" x2="{box.x1}" y2="{box.y0}" stroke-dasharray="2 3"/>']
    parts += [words(f"{100 * q:.0f}", x(q), box.y1 + 14, "mid") for q in (0, 0.5, 1)]
    parts.append(polyline([point for point, n in zip(points, size, strict=True) if n >= FEW], "one"))
    most = max(size, default=1)
    for (a, b), q, r, n in zip(points, confidence, right, size, strict=True):
        kind, radius = ("", 1.5 + 4.5 * math.sqrt(n / most)) if n >= FEW else (' class="few"', 2.2)
        said = f"{n:,} predictions of {100 * q:.0f}% on average, {100 * r:.0f}% of them right"
        parts.append(f'<circle{kind} cx="{a:.1f}" cy="{b:.1f}" r="{radius:.1f}"><title>{said}</title></circle>')
    return picture(212, 186, f"{title}: calibration", parts)


def scatter(
    names: Sequence[str],
    xs: Sequence[float],
    ys: Sequence[float],
    errors: Sequence[float],
    x_title: str,
    y_title: str,
    less_is_better: bool = False,
) -> str:
    """A plot of named points with bars of two standard errors. x grows by powers of ten; y is a share in %, or a cost where
    less is better, and the better is above. The line joins the points that none beats in both."""
    width, height = 760.0, 420.0
    box = Box(48, 14, width - 12, height - 36)
    low, high = (
        min(y - 2 * e for y, e in zip(ys, errors, strict=True)),
        max(y + 2 * e for y, e in zip(ys, errors, strict=True)),
    )
    room = max(0.08 * (high - low), 1e-3)
    x = scale([math.log10(min(xs) / 1.25), math.log10(max(xs) * 1.6)], box.x0, box.x1)
    y = scale([low - room, high + room], *((box.y0, box.y1) if less_is_better else (box.y1, box.y0)))
    points = [(x(math.log10(a)), y(b)) for a, b in zip(xs, ys, strict=True)]
    parts = []
    for mark in marks(low - room, high + room):
        parts.append(f'<line x1="{box.x0}" y1="{y(mark):.1f}" x2="{box.x1}" y2="{y(mark):.1f}"/>')
        parts.append(words(f"{mark if less_is_better else 100 * mark:g}", box.x0 - 6, y(mark) + 4, "end"))
    for second in _seconds(min(xs) / 1.25, max(xs) * 1.6):
        at = x(math.log10(second))
        parts.append(f'<line x1="{at:.1f}" y1="{box.y0}" x2="{at:.1f}" y2="{box.y1}"/>')
        parts.append(words(f"{second:g}", at, box.y1 + 15, "mid"))
    parts += [words(x_title, box.x1, height - 4, "end"), words(y_title, 2, 10)]
    parts.append(polyline(_front(points), "one"))
    for (a, _), b, error in zip(points, ys, errors, strict=True):
        parts.append(f'<line x1="{a:.1f}" y1="{y(b - 2 * error):.1f}" x2="{a:.1f}" y2="{y(b + 2 * error):.1f}"/>')
    parts += _labels(names, points, box)
    parts += [
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4"><title>{escape(name)}</title></circle>'
        for name, (a, b) in zip(names, points, strict=True)
    ]
    return picture(width, height, f"{y_title} against {x_title}", parts)


def _seconds(low: float, high: float) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [m * 10.0**d for d in decades for m in (1, 2, 5) if low <= m * 10.0**d <= high]


def _front(points: Sequence[Point]) -> list[Point]:
    """The points that no other is both left of and above, from left to right."""
    front: list[Point] = []
    for point in sorted(points):
        if not front or point[1] < front[-1][1]:
            front.append(point)
    return front


def _labels(names: Sequence[str], points: Sequence[Point], box: Box) -> Iterator[str]:
    """The names, each near its point where it covers neither a point nor another name. A thin line leads from a name that is
    not beside its point to the edge of that point, and crosses no name if there is room."""
    taken = [Box(a - 5, b - 5, a + 5, b + 5) for a, b in points]
    leads: list[tuple[Point, Point]] = []
    for name, point in sorted(zip(names, points, strict=True), key=lambda item: item[1][1]):
        spots = list(_spots(point, LETTER * len(name)))
        free = [spot for spot in spots if spot.within(box) and not any(spot.meets(other) for other in taken)]
        clear = (
            spot
            for spot in free
            if not any(_crosses(lead, spot) for lead in leads)
            and not any(_crosses(_lead(point, spot), other) for other in taken if not _holds(other, point))
        )
        spot = next(clear, free[0] if free else spots[0])
        taken.append(spot)
        start, end = _lead(point, spot)
        if math.dist(point, end) > 9:
            leads.append((start, end))
            yield f'<line class="lead" x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'
        yield words(name, spot.x0, spot.y1 - 3, "name")


def _spots(point: Point, long: float) -> Iterator[Box]:
    """Places for a name of this length: right and left of its point, then around it, farther and farther away."""
    a, b = point
    half = LINE / 2
    yield Box(a + 8, b - half, a + 8 + long, b + half)
    yield Box(a - 8 - long, b - half, a - 8, b + half)
    for reach in (14.0, 22.0, 32.0, 44.0, 58.0, 74.0, 92.0, 112.0, 134.0, 160.0, 190.0):
        for turn in range(16):
            x, y = a + reach * math.cos(math.pi * turn / 8), b - reach * math.sin(math.pi * turn / 8)
            left = x if turn in (13, 14, 15, 0, 1, 2, 3) else x - long if turn in range(5, 12) else x - long / 2
            yield Box(left, y - half, left + long, y + half)


def _lead(point: Point, spot: Box) -> tuple[Point, Point]:
    """The line from the edge of a point to the nearest place of a name."""
    a, b = point
    end = (min(max(a, spot.x0), spot.x1), min(max(b, spot.y0), spot.y1))
    far = math.dist(point, end) or 1.0
    return (a + 4 * (end[0] - a) / far, b + 4 * (end[1] - b) / far), end


def _crosses(line: tuple[Point, Point], box: Box) -> bool:
    """Whether a line passes through a box."""
    (a, b), (c, d) = line
    steps = max(int(math.dist(*line) / 3), 1)
    return any(_holds(box, (a + (c - a) * k / steps, b + (d - b) * k / steps)) for k in range(steps))


def _holds(box: Box, point: Point) -> bool:
    return box.x0 <= point[0] <= box.x1 and box.y0 <= point[1] <= box.y1
