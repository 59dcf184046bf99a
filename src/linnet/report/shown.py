"""Results that show themselves: as text where they are printed, as one line in a list, as HTML in a notebook."""

from __future__ import annotations

from importlib import import_module
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, ClassVar

from linnet.report.printable import printable

if TYPE_CHECKING:
    from rich.console import RenderableType

_WIDTH = 100
"""The width of printed text where there is no terminal that has one."""
_LINE = 110
"""The largest number of characters of a result that stands in one line."""


class Shown:
    """A result that shows itself.

    The functions that draw a result are in rooms above it (docs/design.md), and import Rich, which takes time. So a
    class only names them, as "module:function"; they are imported when a result is shown.
    """

    drawn_by: ClassVar[str]
    """The function that makes a result ready for the terminal."""
    paged_by: ClassVar[str] = ""
    """The function that makes a page, given a title and a list of results; "" where HTML has what the terminal shows."""

    def drawn(self) -> RenderableType:
        """The result as the terminal shows it, with its colours."""
        shown: RenderableType = _named(self.drawn_by)(self)
        return shown

    def as_text(self, width: int | None = None) -> str:
        """The result as plain text. width: the number of characters in a line, by default that of the terminal."""
        return plain(self.drawn(), width)

    def as_html(self) -> str:
        """The result as HTML that can stand in any page, light or dark: its style holds in it alone."""
        from linnet.report.fragment import fragment
        from linnet.report.markup import STYLE, markup
        from linnet.report.page import document

        if self.paged_by:
            return fragment(_named(self.paged_by)("", [self]))
        return fragment(document("", markup(self.drawn()), STYLE))

    def _called_here(self) -> str:
        """What a result is called where it stands in one line."""
        return type(self).__name__

    def in_brief(self) -> str:
        """The result in one line: what the terminal shows first."""
        return next(line for line in self.as_text(10 * _LINE).splitlines() if line.strip())

    def _repr_html_(self) -> str:
        return self.as_html()

    def __str__(self) -> str:
        return self.as_text()

    def __repr__(self) -> str:
        parts = printable(self.in_brief()).split("  ")
        line = ", ".join(part.strip() for part in parts if part.strip()).replace("\n", " ")
        return f"<{self._called_here()}: {line if len(line) <= _LINE else line[: _LINE - 1] + '…'}>"


def plain(shown: RenderableType, width: int | None = None) -> str:
    """What the terminal shows, as plain text without colours and without blanks at the ends of lines. It may be printed, so it
    has no control characters."""
    from io import StringIO

    from rich.console import Console

    wide = get_terminal_size((_WIDTH, 24)).columns if width is None else width
    # In a notebook Rich would also show what it prints.
    console = Console(
        file=StringIO(), width=wide, color_system=None, force_terminal=False, force_jupyter=False, _environ={}
    )
    with console.capture() as said:
        console.print(shown, markup=False, highlight=False)
    return "\n".join(printable(line).rstrip() for line in said.get().removesuffix("\n").split("\n"))


def _named(name: str) -> Any:
    """The function that a class names."""
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)
