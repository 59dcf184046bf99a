"""Errors on a page: the worst of all, and those of each pair of labels, which show themselves when their number in the table of
confusions is followed. No script is needed for that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from linnet.report.confusion import place_of
from linnet.report.printable import printable, visible

STYLE = """
table.mistakes { width: 100%; } table.mistakes td { padding-top: .6rem; overflow-wrap: anywhere; }
table.mistakes td.text { padding: 0 0 .6rem; border-bottom: 1px solid var(--line); }
section.pair { display: none; } section.pair:target { display: block; } @media print { section.pair { display: block; } }
"""
_LONGEST = 600
_WORST = 10
"""The number of worst errors that are always shown."""


@dataclass(frozen=True)
class ShownError:
    """A text with a wrong label, as a page shows it."""

    row: int
    """The row number of the text, from 1."""
    gold: str
    predicted: str
    ahead: float
    """The score of the predicted label less that of the gold label."""
    confidence: float | None
    """The probability of the predicted label, if there is one."""
    text: str
    """The text as HTML."""


def plain_text(text: str) -> str:
    """A text as HTML, cut where it is long."""
    shown = printable(text)
    return escape(shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…")


def worst_errors(errors: Sequence[ShownError]) -> str:
    """The worst errors of all; "" where there are none."""
    if not errors:
        return ""
    return (
        "<h2>The worst errors</h2><p class=dim>Texts whose right label scores farthest below the predicted one; some of "
        f"these labels may be wrong themselves.</p>{_table(errors[:_WORST])}"
    )


def errors_of_pairs(errors: Sequence[ShownError]) -> str:
    """The errors of each pair of labels, the worst first, hidden until they are asked for."""
    pairs: dict[tuple[str, str], list[ShownError]] = {}
    for error in errors:
        pairs.setdefault((error.gold, error.predicted), []).append(error)
    return "".join(
        f'<section class=pair id="{place_of(*pair)}"><h2>{escape(visible(pair[0]))} taken for {escape(visible(pair[1]))}</h2>'
        f"<p class=dim>The worst errors of this kind.</p>{_table(found)}</section>"
        for pair, found in pairs.items()
    )


def _table(errors: Sequence[ShownError]) -> str:
    is_sure = any(error.confidence is not None for error in errors)
    head = "<th class=n>confidence</th>" if is_sure else ""
    rows = "".join(
        f"<tr><td>{error.row:,}</td><td>{escape(visible(error.gold))}</td><td>{escape(visible(error.predicted))}</td>"
        f"<td class=n>{error.ahead:.3g}</td>{_confidence(error) if is_sure else ''}</tr>"
        f"<tr><td colspan={5 if is_sure else 4} class=text>{error.text}</td></tr>"
        for error in errors
    )
    return (
        "<table class=mistakes><tr><th>row</th><th>label</th><th>predicted</th><th class=n>ahead by</th>"
        f"{head}</tr>{rows}</table>"
    )


def _confidence(error: ShownError) -> str:
    return "<td></td>" if error.confidence is None else f"<td class=n>{100 * error.confidence:.1f}%</td>"
