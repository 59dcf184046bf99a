"""How right a model is on data, in three forms: as numbers, for the terminal, and as an HTML page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.console import RenderableType

    from linnet.core.types import Json
    from linnet.report.errors import Errors


class Report(Protocol):
    """How right a model is, in numbers."""

    def as_dict(self) -> dict[str, Json]:
        """The JSON object of `linnet evaluate --json`."""


@dataclass(frozen=True)
class Evaluated:
    """The evaluation of a model."""

    report: Report
    shown: RenderableType
    """The report as the terminal shows it."""
    errors: Callable[[], Errors | None] = lambda: None
    """A function that gives single errors with the reasons for them, the worst first; by default there are none."""

    def page(self, title: str) -> str:
        """The evaluation as one HTML page that needs no other files."""
        from linnet.report.evaluation import evaluation_page

        return evaluation_page(title, self.report.as_dict(), self.errors())
