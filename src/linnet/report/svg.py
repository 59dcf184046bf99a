"""Plots as SVG, drawn in the colours of the page that they stand on. Text is measured by its number of letters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

STYLE = """
svg { display: block; width: 100%; height: auto; font: 11px system-ui, sans-serif; }
svg text { fill: var(--dim); paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
svg text.name { fill: var(--ink); } svg .end { text-anchor: end; }
svg .mid { text-anchor: middle; }
svg path, svg line { fill: none; stroke: var(--line); }
svg .one { stroke: var(--one); stroke-width: 2; } svg .two { stroke: var(--two); stroke-width: 2; stroke-dasharray: 5 3; }
svg circle { fill: var(--one); } svg circle.two { fill: var(--two); stroke: none; }
"""
_LETTER, _LINE = 6.1, 13.0

Point = tuple[float, float]


class Box(NamedTuple):
    """Where a plot lies in its picture: left, top, right, bottom."""

    x0: float
    y0: float
    x1: float
    y1: float

    def meets(self, other: Box) -> bool:
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def within(self, other: Box) -> bool:
        return other.x0 <= self.x0 and self.x1 <= other.x1 and other.y0 <= self.y0 and self.y1 <= other.y1


def picture(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img"><title>{escape(title)}</title>' + "".join(parts) + "</svg>"
    )


def curves_panel(
    title: str, sizes: Sequence[int], train: Sequence[float], held: Sequence[float], most: float, unit: float = 100
) -> str:
    """A learning curve: errors in % (or as they are, where the unit is 1) against the number of examples, which doubles
    from mark to mark."""
    box = Box(34, 28, 196, 130)
    x = _scale([math.log(size) for size in sizes], box.x0 + 4, box.x1 - 6)
    y = _scale([0, most], box.y1, box.y0)
    points = {
        name: [(x(math.log(n)), y(e)) for n, e in zip(sizes, errors, strict=True)]
        for name, errors in (("two", train), ("one", held))
    }
    parts = [_name(title, 6, 14, 200), *_levels(box, y, most, unit)]
    parts += [_text(_short(n), x(math.log(n)), box.y1 + 14, "mid") for n in (sizes[0], sizes[-1])]
    for name, line in points.items():
        parts.append(_line(line, name))
        parts += [f'<circle class={name} cx="{a:.1f}" cy="{b:.1f}" r="2.5"/>' for a, b in line]
    return picture(212, 148, f"{title}: learning curve", parts)


def reliability_panel(
    title: str, note: str, confidence: Sequence[float], right: Sequence[float], size: Sequence[int]
) -> str:
    """A reliability diagram: how often predictions of a probability were right. On the diagonal, probabilities mean what
    they say."""
    box = Box(34, 28, 196, 168)
    x, y = _scale([0, 1], box.x0, box.x1), _scale([0, 1], box.y1, box.y0)
    points = [(x(q), y(r)) for q, r in zip(confidence, right, strict=True)]
    parts = [_name(title, 6, 14, 200), *_levels(box, y, 1.0)]
    parts += [f'<line x1="{box.x0}" y1="{box.y1}" x2="{box.x1}" y2="{box.y0}" stroke-dasharray="2 3"/>']
    parts += [_text(f"{100 * q:.0f}", x(q), box.y1 + 14, "mid") for q in (0, 0.5, 1)]
    parts += [_line(points, "one"), _text(note, box.x0 + 8, box.y0 + 12)]
    most = max(size, default=1)
    parts += [
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{1.5 + 4.5 * math.sqrt(n / most):.1f}"/>'
        for (a, b), n in zip(points, size, strict=True)
    ]
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
    x = _scale([math.log10(min(xs) / 1.25), math.log10(max(xs) * 1.6)], box.x0, box.x1)
    y = _scale([low - room, high + room], *((box.y0, box.y1) if less_is_better else (box.y1, box.y0)))
    points = [(x(math.log10(a)), y(b)) for a, b in zip(xs, ys, strict=True)]
    parts = []
    for mark in _marks(low - room, high + room):
        parts.append(f'<line x1="{box.x0}" y1="{y(mark):.1f}" x2="{box.x1}" y2="{y(mark):.1f}"/>')
        parts.append(_text(f"{mark if less_is_better else 100 * mark:g}", box.x0 - 6, y(mark) + 4, "end"))
    for second in _seconds(min(xs) / 1.25, max(xs) * 1.6):
        at = x(math.log10(second))
        parts.append(f'<line x1="{at:.1f}" y1="{box.y0}" x2="{at:.1f}" y2="{box.y1}"/>')
        parts.append(_text(f"{second:g}", at, box.y1 + 15, "mid"))
    parts += [_text(x_title, box.x1, height - 4, "end"), _text(y_title, 2, 10)]
    parts.append(_line(_front(points), "one"))
    for (a, _), b, error in zip(points, ys, errors, strict=True):
        parts.append(f'<line x1="{a:.1f}" y1="{y(b - 2 * error):.1f}" x2="{a:.1f}" y2="{y(b + 2 * error):.1f}"/>')
    parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4"/>' for a, b in points]
    parts += _labels(names, points, box)
    return picture(width, height, f"{y_title} against {x_title}", parts)


def _scale(values: Sequence[float], start: float, end: float) -> Callable[[float], float]:
    low, high = min(values), max(values)
    return lambda value: start + (end - start) * ((value - low) / (high - low) if high > low else 0.5)


def _levels(box: Box, y: Callable[[float], float], most: float, unit: float = 100) -> Iterator[str]:
    for mark in _marks(0, most, 3):
        yield f'<line x1="{box.x0}" y1="{y(mark):.1f}" x2="{box.x1}" y2="{y(mark):.1f}"/>'
        yield _text(f"{unit * mark:g}", box.x0 - 4, y(mark) + 4, "end")


def _marks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers between two others, for the marks of an axis."""
    step = 10 ** math.floor(math.log10((high - low) / about)) if high > low else 1.0
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= about)
    return [round(k * step, 10) for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


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
    """The names, each near its point where it covers neither a point nor another name; a thin line leads there if it is
    far."""
    taken = [Box(a - 5, b - 5, a + 5, b + 5) for a, b in points]
    for name, (a, b) in sorted(zip(names, points, strict=True), key=lambda item: item[1][1]):
        long = _LETTER * len(name)
        for reach in (0.0, 14.0, 28.0, 42.0, 60.0, 80.0, 110.0):
            spots = [(a + 8, b + d) for d in ((0.0,) if not reach else (reach, -reach))]
            spots += [(a - 8 - long, b + d) for d in ((0.0,) if not reach else (reach, -reach))]
            boxes = [Box(left, middle - _LINE / 2, left + long, middle + _LINE / 2) for left, middle in spots]
            free = [spot for spot in boxes if spot.within(box) and not any(spot.meets(other) for other in taken)]
            if free:
                break
        spot = free[0] if free else boxes[0]
        taken.append(spot)
        if reach > 14:
            near = spot.x0 if spot.x0 > a else spot.x1
            yield f'<line x1="{a:.1f}" y1="{b:.1f}" x2="{near:.1f}" y2="{(spot.y0 + spot.y1) / 2:.1f}"/>'
        yield _text(name, spot.x0, spot.y1 - 3, "name")


def _line(points: Sequence[Point], name: str) -> str:
    return f'<path class={name} d="M{" L".join(f"{a:.1f},{b:.1f}" for a, b in points)}"/>' if len(points) > 1 else ""


def _text(text: str, x: float, y: float, kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{f" class={kind}" if kind else ""}>{escape(text)}</text>'


def _name(text: str, x: float, y: float, width: float) -> str:
    """A name, cut where it does not fit, and shown in full to who points at it."""
    most = int((width - x) / _LETTER)
    cut = text if len(text) <= most else f"{text[: most - 1]}…"
    return f'<text class=name x="{x}" y="{y}">{escape(cut)}<title>{escape(text)}</title></text>'


def _short(n: int) -> str:
    return f"{n}" if n < 10_000 else f"{n / 1000:.0f}k"
