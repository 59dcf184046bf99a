"""What Rich prints without the control characters that data and models have in their names and texts."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment

from linnet.report.printable import printable


@dataclass
class _Printed:
    """A renderable in which each control character of a text is a replacement character. What Rich itself commands the
    terminal, such as colours, stays."""

    what: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.what, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


class Harmless(RenderHook):
    """Makes harmless all that a console prints: `console.push_render_hook(Harmless())`."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Printed(what) for what in renderables]
