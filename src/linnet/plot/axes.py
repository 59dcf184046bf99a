"""Two axes, with their marks and names, and lines between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from linnet.report.drawing import LETTER, LINE, Box, Point, polyline, scale, words

Range = tuple[float, float]


@dataclass(frozen=True)
class Axes:
    """A box in a panel, and how numbers become places in it."""

    box: Box
    across: Range
    """The least and the greatest number on the axis that goes to the right."""
    up: Range
    """The least and the greatest number on the axis that goes up."""
    log: bool = False
    """Whether the axis that goes up has powers of ten at equal distances."""

    @cached_property
    def x(self) -> Callable[[float], float]:
        """Where a number lies on the axis that goes to the right."""
        return scale(self.across, self.box.x0, self.box.x1)

    @cached_property
    def y(self) -> Callable[[float], float]:
        """Where a number lies on the axis that goes up."""
        if not self.log:
            return scale(self.up, self.box.y1, self.box.y0)
        place = scale([math.log10(end) for end in self.up], self.box.y1, self.box.y0)
        return lambda value: place(math.log10(value))

    def at(self, point: Point) -> Point:
        return self.x(point[0]), self.y(point[1])

    def line(self, points: Sequence[Point], kind: str) -> str:
        return polyline([self.at(point) for point in points], kind)

    def levels(self, numbers: Sequence[float], said: Callable[[float], str] = "{:g}".format) -> Iterator[str]:
        """Lines across at these numbers of the axis that goes up, each with its number before it."""
        for number in numbers:
            y = self.y(number)
            yield f'<line x1="{self.box.x0:g}" y1="{y:.1f}" x2="{self.box.x1:g}" y2="{y:.1f}"/>'
            yield words(said(number), self.box.x0 - 5, y + 4, "end")

    def below(self, numbers: Sequence[float], said: Callable[[float], str] = "{:g}".format) -> Iterator[str]:
        """The numbers of the axis that goes to the right, without those that would overlap the one before."""
        end = -math.inf
        for number in numbers:
            half = LETTER * len(said(number)) / 2
            if self.x(number) - half > end + LETTER:
                yield words(said(number), self.x(number), self.box.y1 + 14, "mid")
                end = self.x(number) + half

    def named(self, across: str, up: str = "") -> Iterator[str]:
        """The names of the axes, each at its end."""
        yield words(across, self.box.x1, self.box.y1 + 14 + LINE, "end")
        if up:
            yield words(up, self.box.x0, self.box.y0 - 6)

    def along(self, text: str, points: tuple[Point, Point], above: float, kind: str) -> str:
        """Words along the line from one point to another, so many units above it."""
        (a, b), (c, d) = map(self.at, points)
        angle = math.atan2(d - b, c - a)
        x, y = (a + c) / 2 + above * math.sin(angle), (b + d) / 2 - above * math.cos(angle)
        turned = f' transform="rotate({math.degrees(angle):.1f} {x:.1f} {y:.1f})"'
        return words(text, x, y, f"mid {kind}").replace(" class=", f"{turned} class=", 1)


def powers(low: float, high: float) -> list[float]:
    """The powers of ten between two numbers, every second or third of them where there are many; 2 and 5 times them where they
    are few."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    tens = [10.0**k for k in range(first, last + 1, max(1, math.ceil((last - first) / 4)))]
    if len(tens) >= 2:
        return tens
    return [m * 10.0**k for k in range(first - 1, last + 1) for m in (1, 2, 5) if low <= m * 10.0**k <= high]
