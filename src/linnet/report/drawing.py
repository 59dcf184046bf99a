"""What every picture is drawn with: boxes, scales, the marks of axes, lines and words. The SVG is XML, too, so that it can be a
file of its own. The length of words is measured by their number of letters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import NamedTuple

LETTER, LINE = 6.1, 13.0
"""The width of a letter and the height of a line, in the units of a picture."""

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
    """A picture as it stands in a page, whose colours it has."""
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img"><title>{escape(title)}</title>' + "".join(parts) + "</svg>"
    )


def scale(values: Sequence[float], start: float, end: float) -> Callable[[float], float]:
    """The function that maps the least of some values to the start, the greatest to the end, and the others in between."""
    low, high = min(values), max(values)
    return lambda value: start + (end - start) * ((value - low) / (high - low) if high > low else 0.5)


def levels(box: Box, y: Callable[[float], float], most: float, unit: float = 100) -> Iterator[str]:
    """Lines across a box at round numbers from 0 on, with these numbers, each times the unit, before them."""
    for mark in marks(0, most, 3):
        yield f'<line x1="{box.x0}" y1="{y(mark):.1f}" x2="{box.x1}" y2="{y(mark):.1f}"/>'
        yield words(f"{unit * mark:g}", box.x0 - 4, y(mark) + 4, "end")


def marks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers between two others, for the marks of an axis."""
    step = 10 ** math.floor(math.log10((high - low) / about)) if high > low else 1.0
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (m * step) <= about)
    return [round(k * step, 10) for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def polyline(points: Sequence[Point], name: str) -> str:
    """A line through some points, in the style of that name; nothing where there are not two of them."""
    return f'<path class="{name}" d="M{" L".join(f"{a:.1f},{b:.1f}" for a, b in points)}"/>' if len(points) > 1 else ""


def words(text: str, x: float, y: float, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{named}>{escape(text)}</text>'


def heading(text: str, x: float, y: float, width: float) -> str:
    """A name, cut where it does not fit, and shown in full while the pointer is over it."""
    most = int((width - x) / LETTER)
    cut = text if len(text) <= most else f"{text[: most - 1]}…"
    return f'<text class="name" x="{x}" y="{y}">{escape(cut)}<title>{escape(text)}</title></text>'


def short(n: int) -> str:
    """A number in few letters: 25000 is 25k."""
    return f"{n}" if n < 10_000 else f"{n / 1000:.0f}k"
