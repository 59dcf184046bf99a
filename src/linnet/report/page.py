"""The shell of every page: one self-contained HTML file, no script, no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType

from linnet.explain import Strong
from linnet.report.printable import visible

NONE: Mapping[str, Sequence[Strong]] = MappingProxyType({})
"""A default for the strongest features of each label: there are no labels, and nothing is shown."""
COLOURS = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1c1c; --dim: #666; --line: #ddd; --for: #00622b; --against: #9c1c1c;
  --one: #1c62ab; --two: #b4590a; }
@media (prefers-color-scheme: dark) { :root { --paper: #161719; --ink: #e4e4e4; --dim: #9d9d9d; --line: #3b3d40; --for: #6fce90;
  --against: #f0897f; --one: #6fb0f2; --two: #f0a35c; } }
"""
"""The colours of all pages and pictures, light and dark."""
STYLE = """
body { font: 16px/1.6 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink);
  background: var(--paper); }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin-top: 2.5rem; overflow-wrap: anywhere; }
p.text { white-space: pre-wrap; overflow-wrap: anywhere; border-inline-start: 3px solid var(--line);
  padding-inline-start: 1rem; }
p.text span { border-radius: 3px; padding: 0 1px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem 1rem .15rem 0; text-align: left; }
th { color: var(--dim); font-weight: normal; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; white-space: nowrap; }
.for { color: var(--for); } .against { color: var(--against); } .dim { color: var(--dim); }
.wide { overflow-x: auto; }
@media (max-width: 40rem) { body { margin: 1rem auto; } th, td { padding-right: .6rem; } table { font-size: .92rem; }
  th.n { white-space: normal; } }
.columns { display: flex; flex-wrap: wrap; gap: 2.5rem; } .columns > div { max-width: 100%; }
.columns th:first-child, .columns td:first-child, table.features td:first-child { overflow-wrap: anywhere; }
"""
"""The style that all pages share."""

GENERATOR = '<meta name="generator" content="linnet">'
"""The mark in the head of every page, by which linnet knows a page that it may replace by another."""


def document(title: str, body: str, style: str = "") -> str:
    """A page in the style that all pages share, with further style sheets of its own."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{GENERATOR}<title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{COLOURS}{STYLE}{style}</style></head>\n<body>'
        f"<h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def wide(body: str, what: str, kind: str = "wide") -> str:
    """A part of a page that may be wider than a narrow screen, and is then moved from side to side, by keys, too. what: its
    name for people who do not see it. kind: the class that its style is for."""
    return f'<div class={kind} tabindex=0 role=region aria-label="{escape(what)}">{body}</div>'


def strongest_features(best: Mapping[str, Sequence[Strong]], title: str = "Strongest features of the model") -> str:
    """A table of the strongest features, for each label; "" where there are no labels."""
    if not best:
        return ""
    tables = "".join(
        f"<div><table><tr><th>{escape(label)}</th><th class=n>weight</th></tr>"
        + "".join(
            f"<tr><td>{escape(visible(item.feature))}</td><td class=n>{item.weight:+.2f}</td></tr>" for item in items
        )
        + "</table></div>"
        for label, items in best.items()
    )
    return f"<h2>{escape(title)}</h2><div class=columns>{tables}</div>"
