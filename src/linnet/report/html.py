"""Explanations as one self-contained HTML page: no script, no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from linnet.explain import Explanation, Strong
from linnet.report.terminal import against, visible

_STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1c1c; --dim: #666; --line: #ddd; --for: #00622b; --against: #9c1c1c;
  --one: #1c62ab; --two: #b4590a; }
@media (prefers-color-scheme: dark) { :root { --paper: #161719; --ink: #e4e4e4; --dim: #9d9d9d; --line: #3b3d40; --for: #6fce90;
  --against: #f0897f; --one: #6fb0f2; --two: #f0a35c; } }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink);
  background: var(--paper); }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin-top: 2.5rem; overflow-wrap: anywhere; }
p.text { white-space: pre-wrap; border-left: 3px solid var(--line); padding-left: 1rem; }
p.text span { border-radius: 3px; padding: 0 1px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem 1rem .15rem 0; text-align: left; }
th { color: var(--dim); font-weight: normal; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; white-space: nowrap; }
.for { color: var(--for); } .against { color: var(--against); } .dim { color: var(--dim); }
.columns { display: flex; flex-wrap: wrap; gap: 2.5rem; }
"""


def page(title: str, explanations: Sequence[Explanation], best: Mapping[str, Sequence[Strong]], top: int = 10) -> str:
    """The whole page: each text word by word, then the strongest features of the model."""
    body = "\n".join(_explanation(item, top) for item in explanations)
    return document(title, f"{body}\n{strongest_features(best)}")


def document(title: str, body: str, style: str = "") -> str:
    """A page in the style that all pages share, and in more of its own."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}{style}</style></head>\n<body>'
        f"<h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def _explanation(item: Explanation, top: int) -> str:
    rows = "".join(
        f"<tr><td>{escape(visible(c.feature))}</td><td class=n>{c.value:.3f}</td><td class=n>{c.weight:+.3f}</td>"
        f'<td class="n {_side(c.contribution)}">{c.contribution:+.4f}</td></tr>'
        for c in item.contributions[:top]
    )
    rest = item.contributions[top:]
    if rest:
        total = sum(c.contribution for c in rest)
        rows += f"<tr class=dim><td>{len(rest)} more</td><td></td><td></td><td class=n>{total:+.4f}</td></tr>"
    return (
        f"<h2>{escape(item.label)} <span class=dim>{escape(against(item))}score {item.score:+.3f}, "
        f"bias {item.bias:+.3f}</span></h2>\n<p class=text>{_coloured(item)}</p>\n"
        "<table><tr><th>feature</th><th class=n>value</th><th class=n>weight</th><th class=n>contribution</th></tr>"
        f"{rows}</table>"
    )


def _coloured(item: Explanation) -> str:
    most = max((abs(word.contribution) for word in item.words), default=0.0) or 1.0
    out, at = [], 0
    for word in item.words:
        strength = abs(word.contribution) / most
        colour = "0, 150, 70" if word.contribution > 0 else "210, 40, 40"
        out.append(escape(item.text[at : word.start]))
        out.append(
            f'<span style="background: rgba({colour}, {0.75 * strength:.2f})" title="{word.contribution:+.4f}">'
            f"{escape(word.text)}</span>"
        )
        at = word.end
    return "".join([*out, escape(item.text[at:])])


def strongest_features(best: Mapping[str, Sequence[Strong]], title: str = "Strongest features of the model") -> str:
    """A table for each label."""
    tables = "".join(
        f"<div><table><tr><th>{escape(label)}</th><th class=n>weight</th></tr>"
        + "".join(
            f"<tr><td>{escape(visible(item.feature))}</td><td class=n>{item.weight:+.2f}</td></tr>" for item in items
        )
        + "</table></div>"
        for label, items in best.items()
    )
    return f"<h2>{escape(title)}</h2><div class=columns>{tables}</div>"


def _side(contribution: float) -> str:
    return "for" if contribution > 0 else "against"
