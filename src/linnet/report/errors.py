"""Errors on a page: the worst of all, and those of each pair of labels. The latter are hidden until the reader follows
the link of their number in the table of confusions. Style does that (`:target`), without a script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from linnet.report.confusion import place_of
from linnet.report.printable import printable, visible

STYLE = """
table.mistakes { width: 100%; } table.mistakes td { padding-top: .6rem; overflow-wrap: anywhere; }
table.mistakes td.text { padding: 0 0 .6rem; border-bottom: 1px solid var(--line); }
table.mistakes mark { background: none; color: inherit; font-weight: 650; box-shadow: inset 0 -2px 0 var(--against); }
.because { color: var(--dim); font-size: .92em; } table.mistakes tr > td:nth-child(2) { min-width: 4.5rem; }
table.mistakes tr > td:first-child:not(.text) { overflow-wrap: normal; white-space: nowrap; }
section.pair { display: none; } section.pair:target { display: block; } @media print { section.pair { display: block; } }
"""
_LONGEST = 600
_WORST = 10
"""The number of worst errors that are always shown."""
_OF_A_PAIR = 20
"""The largest number of errors of each pair of labels that are shown."""


@dataclass(frozen=True)
class ShownError:
    """A text with a wrong label, or a wrong decision of any other output, as a page shows it."""

    row: int
    """The number of the example in the data, from 1."""
    gold: str
    predicted: str
    ahead: float
    """The score of the predicted label less that of the gold label."""
    confidence: float | None
    """The probability of the predicted label, if there is one."""
    text: str
    """The text as HTML."""
    about: str = ""
    """The part of the output that is wrong; "" where it is the whole."""


@dataclass(frozen=True)
class Errors:
    """The errors that a page shows, the worst first."""

    found: Sequence[ShownError] = ()
    says: str = (
        "Texts whose right label scores farthest below the predicted one; some of these labels may be wrong themselves."
    )
    unit: str = "row"
    """What an example is called."""


def plain_text(text: str) -> str:
    """A text as HTML, cut where it is long."""
    shown = printable(text)
    return escape(shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…")


def worst_errors(errors: Errors) -> str:
    """The worst errors of all; "" where there are none."""
    if not errors.found:
        return ""
    table = _table(errors.found[:_WORST], errors.unit)
    return f"<h2>The worst errors</h2><p class=dim>{escape(errors.says)}</p>{table}"


def errors_of_pairs(errors: Errors) -> str:
    """The errors of each pair of labels, the worst first, hidden until they are asked for."""
    pairs: dict[tuple[str, str], list[ShownError]] = {}
    for error in errors.found:
        pairs.setdefault((error.gold, error.predicted), []).append(error)
    return "".join(
        f'<section class=pair id="{place_of(*pair)}"><h2>{escape(visible(pair[0]))} taken for {escape(visible(pair[1]))}</h2>'
        f"<p class=dim>The worst errors of this kind.</p>{_table(found[:_OF_A_PAIR], errors.unit)}</section>"
        for pair, found in pairs.items()
    )


def _table(errors: Sequence[ShownError], unit: str) -> str:
    is_sure, is_part = any(error.confidence is not None for error in errors), any(error.about for error in errors)
    head = "<th class=n>confidence</th>" if is_sure else ""
    rows = "".join(
        f"<tr><td>{error.row:,}</td>{_about(error) if is_part else ''}<td>{escape(visible(error.gold))}</td>"
        f"<td>{escape(visible(error.predicted))}</td><td class=n>{error.ahead:.3g}</td>"
        f"{_confidence(error) if is_sure else ''}</tr>"
        f"<tr><td colspan={4 + is_sure + is_part} class=text>{error.text}</td></tr>"
        for error in errors
    )
    return (
        f"<table class=mistakes><tr><th>{unit}</th>{'<th>of</th><th>right</th>' if is_part else '<th>label</th>'}"
        f"<th>predicted</th><th class=n>ahead by</th>{head}</tr>{rows}</table>"
    )


def _about(error: ShownError) -> str:
    return f"<td>{escape(visible(error.about))}</td>"


def _confidence(error: ShownError) -> str:
    return "<td></td>" if error.confidence is None else f"<td class=n>{100 * error.confidence:.1f}%</td>"
