"""Sections that pages of models and of data share: a list of sentences, and how often each label is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from linnet.report.printable import visible

STYLE = """
ul.said { padding-left: 1.2rem; } ul.said li { overflow-wrap: anywhere; }
table.counts { width: 100%; max-width: 40rem; } table.counts td.share { width: 45%; padding-right: 0; }
table.counts td:first-child { overflow-wrap: anywhere; } table.counts svg { width: 100%; height: .7rem; }
table.counts rect { fill: var(--one); }
"""
_MOST = 50
"""The largest number of labels that are shown."""


def sentences(title: str, said: Iterable[str]) -> str:
    """A section with a list of sentences; "" where there are none."""
    items = "".join(f"<li>{escape(visible(sentence))}</li>" for sentence in said)
    return f"<h2>{escape(title)}</h2><ul class=said>{items}</ul>" if items else ""


def label_counts(counts: Mapping[str, int]) -> str:
    """A section with a bar for each label that is as long as the label is frequent, the most frequent first; "" where there are
    no labels."""
    if not counts:
        return ""
    order = sorted(counts.items(), key=lambda item: -item[1])
    most = max(order[0][1], 1)
    rows = "".join(
        f"<tr><td>{escape(visible(label))}</td><td class=n>{n:,}</td>"
        f'<td class=share><svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect width="{100 * n / most:.1f}" height="1"/></svg></td></tr>'
        for label, n in order[:_MOST]
    )
    more = f"<p class=dim>and {len(order) - _MOST:,} that are less frequent</p>" if len(order) > _MOST else ""
    head = "<tr><th>label</th><th class=n>examples</th><th></th></tr>"
    return f"<h2>Labels</h2><table class=counts>{head}{rows}</table>{more}"
