"""The page of data, which `linnet inspect DATA --html` writes: what is in them, what is wrong with them, and labels that may be
wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from linnet.core.types import Json
from linnet.report import sections
from linnet.report.errors import STYLE as STYLE_OF_ERRORS
from linnet.report.errors import plain_text
from linnet.report.page import document
from linnet.report.printable import visible

if TYPE_CHECKING:
    from linnet.comparison.suspects import Suspect

_MOST_SUSPECTS = 100
"""The largest number of suspects that are shown; the file of suspects has all of them."""
_IN_SECTIONS = ("labels", "problems")
"""The facts that have a section of their own."""


def data_page(title: str, facts: Mapping[str, Json], suspects: Sequence[Suspect] = ()) -> str:
    """The whole page. facts: what `linnet inspect --json` says of the data."""
    rows = "".join(
        f"<tr><td class=dim>{escape(name.replace('_', ' '))}</td><td>{escape(visible(value))}</td></tr>"
        for name, value in _plain(facts)
    )
    counts = facts.get("labels", {})
    parts = (
        f"<table>{rows}</table>",
        sections.sentences("What is wrong with the data", facts.get("problems", ())),
        sections.label_counts(counts if isinstance(counts, dict) else {}),
        _suspects(suspects),
    )
    return document(title, "\n".join(part for part in parts if part), sections.STYLE + STYLE_OF_ERRORS)


def _plain(facts: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """The facts that are said in a line, each with its name."""
    for name, value in facts.items():
        if name in _IN_SECTIONS or value in (None, [], {}):
            continue
        if isinstance(value, dict):
            yield name, ", ".join(f"{key.replace('_', ' ')} {_number(item)}" for key, item in value.items())
        elif isinstance(value, list):
            yield name, ", ".join(map(str, value))
        else:
            yield name, _number(value)


def _number(value: Json) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}" if isinstance(value, float) else str(value)


def _suspects(suspects: Sequence[Suspect]) -> str:
    rows = "".join(
        f"<tr><td>{one.row if one.line is None else one.line:,}</td><td>{escape(visible(one.label))}</td>"
        f"<td>{escape(visible(one.suggested))}</td><td class=n>{one.score:.2f}</td></tr>"
        f"<tr><td colspan=4 class=text>{plain_text(one.text)}</td></tr>"
        for one in suspects[:_MOST_SUSPECTS]
    )
    if not rows:
        return ""
    more = len(suspects) - _MOST_SUSPECTS
    where = "row" if suspects[0].line is None else "line"
    return (
        "<h2>Labels that may be wrong</h2><p class=dim>Three learners that had not seen these texts think another label more "
        f"probable, by so much.{f' And {more:,} more.' if more > 0 else ''}</p><table class=mistakes><tr><th>{where}</th>"
        f"<th>label</th><th>suggested</th><th class=n>more probable by</th></tr>{rows}</table>"
    )
