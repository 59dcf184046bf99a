"""A picture of one panel or several, with a key and notes: as a page, as one file of SVG, and as notebooks show it."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from linnet.errors import UsageError
from linnet.report import svg
from linnet.report.drawing import LETTER, LINE, picture, words
from linnet.report.page import COLOURS, GENERATOR, document

MARK = 'data-generator="linnet"'
"""The mark of an SVG file that linnet wrote, and may replace by another."""
FORMATS = (".svg", ".html")

_HEAD = 64 << 10
"""The number of bytes at the beginning of a file in which the mark of linnet is looked for."""
_WIDE = 800
"""The width of an SVG file that has several panels, at most."""
_MARGIN, _GAP = 14.0, 10.0
_STYLE = """
.panels { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(%(width)dpx, 100%%), 1fr)); }
.panels > svg { max-width: %(most)dpx; } .key { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; margin: .6rem 0 1rem; }
.key > svg { width: auto; height: 1.3rem; overflow: visible; }
"""
_ALONE = """
svg { width: auto; max-width: 100%; height: auto; } svg rect.paper { fill: var(--paper); stroke: none; }
svg text.title { font-size: 13px; font-weight: 600; }
"""
"""What differs in a file of its own: it has the size that it says, and a background."""


@dataclass(frozen=True)
class Panel:
    """A part of a picture, as SVG with its size."""

    title: str
    width: float
    height: float
    parts: tuple[str, ...]

    def as_svg(self) -> str:
        return picture(self.width, self.height, self.title, self.parts)


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture. Notebooks show it by themselves, `save` writes it to a file."""

    title: str
    panels: tuple[Panel, ...]
    key: tuple[Panel, ...] = ()
    """What the marks mean, each a small panel."""
    notes: tuple[str, ...] = ()
    """Sentences that stand below the panels."""
    said: tuple[str, ...] = ()
    """What reading the data has brought to light, in words for the user."""
    style: str = field(default="", repr=False)
    """The style of what only this picture has."""

    def page(self) -> str:
        """The picture as one HTML page, which needs no network and has no script."""
        style, shown = panels(self)
        key = f"<div class=key>{''.join(item.as_svg() for item in self.key)}</div>" if self.key else ""
        notes = "".join(f"<p class=dim>{escape(note)}</p>" for note in self.notes)
        return document(self.title, f"{key}{shown}{notes}", svg.STYLE + style)

    def as_svg(self) -> str:
        """The picture as one SVG file, which is light or dark as its reader is."""
        across = max(self.panels[0].width, min(_WIDE, (self.panels[0].width + _GAP) * len(self.panels) - _GAP))
        y = _MARGIN + LINE
        parts = [words(self.title, _MARGIN, y, "name title")]
        y += 8
        for item, x, down in _laid(self.key, across, 14.0):
            parts.append(_at(item, _MARGIN + x, y + down))
        y += _height(self.key, across, 14.0) + (8 if self.key else 0)
        for panel, x, down in _laid(self.panels, across, _GAP):
            parts.append(_at(panel, _MARGIN + x, y + down))
        y += _height(self.panels, across, _GAP) + 4
        for line in (line for note in self.notes for line in textwrap.wrap(note, int(across / LETTER * 1.08))):
            y += LINE + 2
            parts.append(words(line, _MARGIN, y))
        width, height = across + 2 * _MARGIN, y + _MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {MARK} viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
            f'height="{height:g}" role="img"><title>{escape(self.title)}</title>'
            f"<style>{COLOURS}{svg.STYLE}{self.style}{_ALONE}</style>"
            f'<rect class="paper" width="100%" height="100%"/>{"".join(parts)}</svg>\n'
        )

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the picture to a file, whose name ends in .svg or .html.

        force: whether to replace a file that is not a picture of linnet. Without it, raise UsageError.
        """
        from linnet.io.bytes.atomic import atomic

        kind = check_format(path)
        if not force and os.path.isfile(path) and os.path.getsize(path) and not is_picture(path):
            raise UsageError(
                f"cannot write the picture to {os.fspath(path)!r}: there is a file of that name, which is not a picture that "
                "linnet drew. Name another file, or pass force=True to replace it."
            )
        with atomic(path) as file:
            file.write((self.as_svg() if kind == ".svg" else self.page()).encode())

    def _repr_html_(self) -> str:
        from linnet.report.fragment import fragment

        return fragment(self.page())

    def _repr_svg_(self) -> str:
        return self.as_svg()

    def __repr__(self) -> str:
        return f"<linnet picture: {self.title}, {len(self.panels)} panel{'s' if len(self.panels) > 1 else ''}>"


def panels(picture: Picture) -> tuple[str, str]:
    """The style of the panels of a picture, beside that of all pictures (`svg.STYLE`), and the panels as HTML."""
    width = max(panel.width for panel in picture.panels)
    style = _STYLE % {"width": width, "most": 1.5 * width} + picture.style
    return style, f"<div class=panels>{''.join(panel.as_svg() for panel in picture.panels)}</div>"


def is_picture(path: str | os.PathLike[str]) -> bool:
    """Whether linnet wrote this file, as a picture or a page."""
    with open(path, "rb") as file:
        head = file.read(_HEAD)
    return MARK.encode() in head or GENERATOR.encode() in head


def check_format(path: str | os.PathLike[str]) -> str:
    """The extension of a file that a picture can be written to; UsageError for any other."""
    kind = Path(path).suffix.lower()
    if kind not in FORMATS:
        raise UsageError(f"expected a file that ends in .svg or .html, found {os.fspath(path)!r}. Name one of these.")
    return kind


def _laid(panels: tuple[Panel, ...], across: float, gap: float) -> Iterator[tuple[Panel, float, float]]:
    """Where each panel stands: beside the one before it, or at the beginning of the next row."""
    x = y = high = 0.0
    for panel in panels:
        if x and x + panel.width > across:
            x, y, high = 0.0, y + high + gap, 0.0
        yield panel, x, y
        x, high = x + panel.width + gap, max(high, panel.height)


def _height(panels: tuple[Panel, ...], across: float, gap: float) -> float:
    return max((y + panel.height for panel, _, y in _laid(panels, across, gap)), default=0.0)


def _at(panel: Panel, x: float, y: float) -> str:
    return f'<g transform="translate({x:g} {y:g})"><title>{escape(panel.title)}</title>{"".join(panel.parts)}</g>'
