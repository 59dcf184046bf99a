"""A table of confusions for pages: gold labels down, predicted ones across, and the more frequent the stronger the colour."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from html import escape

import numpy as np
import numpy.typing as npt

from linnet.report.page import wide
from linnet.report.printable import visible
from linnet.report.shading import STYLE as SHADES
from linnet.report.shading import shade

STYLE = (
    SHADES
    + """
table.confusion { font-size: .8rem; } table.confusion td { padding: .1rem .35rem; min-width: 1.6rem; text-align: right; }
table.confusion th { padding: .1rem .35rem; border: 0; }
table.confusion th.column { writing-mode: vertical-rl; transform: rotate(180deg); text-align: left; white-space: nowrap; }
table.confusion th.row { text-align: right; white-space: nowrap; } table.confusion a { color: inherit; }
"""
)
_MOST_LABELS = 20
_LONGEST = 28


def confusion_table(
    table: npt.NDArray[np.int64], names: Sequence[str], shown_below: Collection[tuple[str, str]] = ()
) -> str:
    """The table, with a line above it that says what is where; for many labels, of the most frequent ones.

    shown_below: the pairs of a gold and a predicted label that the page shows texts of, at the place `place_of` names.
    """
    size = table.sum(axis=0) + table.sum(axis=1)
    chosen = np.sort(np.argsort(-size, kind="stable")[:_MOST_LABELS])
    labels = [visible(names[k]) for k in chosen]
    shown = table[np.ix_(chosen, chosen)]
    share = shown / np.maximum(table.sum(axis=1)[chosen], 1)[:, None]
    head = "".join(f'<th class=column title="{escape(label)}">{escape(cut(label))}</th>' for label in labels)
    rows = "".join(
        f'<tr><th class=row title="{escape(label)}">{escape(cut(label))}</th>'
        + "".join(
            _cell(int(shown[i, j]), float(share[i, j]), i == j, _link(names[chosen[i]], names[chosen[j]], shown_below))
            for j in range(len(chosen))
        )
        + "</tr>"
        for i, label in enumerate(labels)
    )
    some = f" The {len(chosen)} most frequent of {len(table)} labels." if len(chosen) < len(table) else ""
    links = " A number leads to the worst of the texts that it counts." if shown_below else ""
    return f"<p class=dim>Gold labels down, predicted ones across.{some}{links}</p>" + wide(
        f"<table class=confusion><tr><th></th>{head}</tr>{rows}</table>", "Table of confusions"
    )


def place_of(gold: str, predicted: str) -> str:
    """The place on a page where texts of one label stand that were taken for another."""
    return "errors-" + hashlib.sha256(f"{gold}\0{predicted}".encode()).hexdigest()[:12]


def _link(gold: str, predicted: str, shown_below: Collection[tuple[str, str]]) -> str:
    return f"#{place_of(gold, predicted)}" if (gold, predicted) in shown_below else ""


def _cell(n: int, share: float, right: bool, link: str) -> str:
    # Most answers are right, so errors are coloured more strongly for the same share.
    colour = shade(0.8 * share, 1) if right else shade(-min(1.0, 2.7 * share), 1)
    number = f'<a href="{link}">{n}</a>' if n and link else f"{n or ''}"
    return f'<td class="{colour}" title="{100 * share:.1f}%">{number}</td>'


def cut(name: str, most: int = _LONGEST) -> str:
    """A name that is not too long for a table."""
    return name if len(name) <= most else f"{name[: most - 1]}…"
