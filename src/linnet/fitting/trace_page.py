"""A trace as one HTML page that shows one step at a time. Links and style turn it forward and back, without script or
network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

from linnet.fitting.notation import Cell, Chart
from linnet.fitting.trace_terminal import cut, number
from linnet.fitting.traced import Changes, Feature, Step
from linnet.report.page import document, wide
from linnet.report.printable import printable, visible

_STYLE = """
section.step { display: none; scroll-margin-top: 100vh; } section.step:target { display: block; }
.steps:not(:has(section:target)) > section.step:first-of-type { display: block; }
.turn { display: flex; align-items: center; gap: .6rem; flex-wrap: wrap; margin: .8rem 0 1.2rem; }
.turn a, .turn span.off { border: 1px solid var(--line); border-radius: 6px; padding: .25rem .9rem; text-decoration: none;
  color: var(--ink); } .turn a:hover { border-color: var(--dim); } .turn span.off { color: var(--dim); border-style: dashed; }
.turn b { min-width: 8rem; text-align: center; font-weight: 600; }
.strip { display: flex; flex-wrap: wrap; gap: 2px; margin: .8rem 0; }
.strip a { width: .7rem; height: .7rem; border-radius: 2px; background: var(--line); }
.strip a.right { background: var(--for); opacity: .45; } .strip a.wrong { background: var(--against); }
.strip a.close { background: var(--two); opacity: .8; } .strip a:hover { outline: 2px solid var(--dim); }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1.2rem; font-variant-numeric: tabular-nums; }
dl.facts dt { color: var(--dim); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
summary { color: var(--dim); font-size: .95rem; margin: 1.4rem 0 .3rem; cursor: pointer; }
h3 { font-size: .95rem; font-weight: normal; color: var(--dim); margin: 1.4rem 0 .3rem; }
.chips { line-height: 2; } .chips b { font-weight: 600; margin-left: .6rem; }
.chips span { border: 1px solid var(--line); border-radius: 5px; padding: .05rem .4rem; margin-right: .25rem;
  white-space: nowrap; }
.chips i { font-style: normal; color: var(--dim); }
table.chart td { border-radius: 4px; } table.chart td.y { color: var(--for); font-weight: 600; }
table.chart td.hat { outline: 1.5px solid var(--for); outline-offset: -1px; }
table.chart td.hat:not(.y) { color: var(--against); outline-color: var(--against); }
table.chart small { color: var(--dim); display: block; line-height: 1.1; font-weight: normal; }
table.chart td, table.chart th { padding: .15rem .7rem; vertical-align: top; }
table.chart td:first-child, table.chart th:first-child { padding-left: 0; }
table.change td.bar { min-width: 6rem; padding-right: 0; }
table.change td.bar i { display: block; height: .55rem; border-radius: 2px; }
table.change i.for { background: var(--for); } table.change i.against { background: var(--against); }
p.key { color: var(--dim); font-size: .9rem; }
"""
_MOST_FEATURES = 200
_FEW_FEATURES = 24
"""The largest number of features that are shown at once; more are shown after a click."""
_MOST_LINES = 40
_MOST_COLUMNS = 40


def trace_page(title: str, steps: Sequence[Step], top: int = _MOST_LINES) -> str:
    """The whole page: a strip with a mark for each step, and the steps, of which one is seen at a time. top: the number of
    changes that are shown of a step."""
    sections = "\n".join(_section(steps, at, top) for at in range(len(steps)))
    body = f"<div class=trace>\n{_strip(steps)}\n<div class=steps>\n{sections}\n</div>\n</div>\n{_key(steps)}"
    return document(title, body, _STYLE + _marked(len(steps)))


def _marked(n: int) -> str:
    """The style that marks the step that is seen, in the strip."""
    seen = [f".trace:has(section:nth-of-type({k}):target) .strip a:nth-child({k})" for k in range(1, n + 1)]
    first = ".trace:not(:has(section:target)) .strip a:first-child"
    return f"{', '.join([first, *seen])} {{ outline: 2px solid var(--ink); }}\n"


def _strip(steps: Sequence[Step]) -> str:
    """A mark for each step, coloured by what came of it; "" where there is one step."""
    if len(steps) < 2:
        return ""
    marks = "".join(
        f'<a href="#s{at}" class={_kind(step)} title="step {step.t}: {escape(_in_brief(step))}"></a>'
        for at, step in enumerate(steps)
    )
    return f"<nav class=strip>{marks}</nav>"


def _kind(step: Step) -> str:
    """Whether the example was right, wrong, or right and still learned from."""
    if step.y_hat is None:
        return "plain"
    if not step.right:
        return "wrong"
    return "close" if step.tau else "right"


def _in_brief(step: Step) -> str:
    if step.example is None:
        return f"epoch {step.epoch}"
    found = "" if step.y_hat is None else f", {step.y_hat} found"
    return cut(printable(f"{step.y}{found}: {step.x}"), 80)


def _key(steps: Sequence[Step]) -> str:
    if all(step.y_hat is None for step in steps):
        return ""
    return (
        "<p class=key><span class=for>Green</span> is what the right output y uses; a frame is around what y&#770; uses, which "
        "is <span class=against>red</span> where it is wrong. Small numbers are r, the derivative of the loss by the score: "
        "below 0, the score should rise. The step is w &larr; w &minus; &tau; X<sup>T</sup>r.</p>"
    )


def _section(steps: Sequence[Step], at: int, top: int) -> str:
    step = steps[at]
    parts = [
        _turn(steps, at),
        _facts(step),
        _features(step.features),
        *map(_chart, step.charts),
        _distribution(step),
        *(_changes(changes, top) for changes in step.changes),
    ]
    return f"<section class=step id=s{at}>\n" + "\n".join(part for part in parts if part) + "\n</section>"


def _turn(steps: Sequence[Step], at: int) -> str:
    """The buttons back and forward, and which step it is."""
    step = steps[at]
    run = f"run {step.run}, " if step.run > 1 else ""
    where = f"{escape(step.learner)}, {run}epoch {step.epoch}" + (
        "" if step.example is None else f", example {step.example}"
    )
    if len(steps) < 2:
        return f"<div class=turn><b>step {step.t}</b> <span class=dim>{where}</span></div>"
    back = f'<a href="#s{at - 1}" rel=prev>&larr; back</a>' if at else "<span class=off>&larr; back</span>"
    on = (
        f'<a href="#s{at + 1}" rel=next>forward &rarr;</a>'
        if at + 1 < len(steps)
        else "<span class=off>forward &rarr;</span>"
    )
    return f"<div class=turn>{back}<b>step {step.t}</b>{on} <span class=dim>{where}</span></div>"


def _facts(step: Step) -> str:
    """What was seen and found, by name."""
    facts: list[tuple[str, str]] = []
    if step.example is not None:
        facts += [("x", escape(printable(step.x))), ("y", escape(printable(step.y)))]
    if step.y_hat is not None:
        kind = "for" if step.right else "against"
        facts.append(("y&#770;", f"<span class={kind}>{escape(printable(step.y_hat))}</span>"))
    if step.score is not None and step.score_of_y is not None:
        facts.append(("w&middot;f(x, y)", number(step.score_of_y)))
        facts.append(("w&middot;f(x, y&#770;)", number(step.score)))
    if step.loss is not None and step.tau is not None:
        facts += [("loss", number(step.loss)), ("&tau;", number(step.tau))]
    facts += [(escape(name), f"{number(a)} &rarr; {number(b)}") for name, (a, b) in step.numbers.items()]
    return f"<dl class=facts>{''.join(f'<dt>{name}</dt><dd>{said}</dd>' for name, said in facts)}</dl>"


def _features(features: Sequence[Feature]) -> str:
    if not features:
        return ""
    said = []
    for place, some in groupby(features[:_MOST_FEATURES], key=lambda one: one.place):
        named = f"<b>{escape(visible(place))}</b> " if place else ""
        each = (f"<span>{escape(visible(one.name))} <i>{number(one.value)}</i></span>" for one in some)
        said.append(named + " ".join(each))
    more = f" and {len(features) - _MOST_FEATURES:,} more" if len(features) > _MOST_FEATURES else ""
    chips = f"<div class=chips>{' '.join(said)}{more}</div>"
    if len(features) <= _FEW_FEATURES:
        return f"<h3>f(x): the features</h3>{chips}"
    return f"<details><summary>f(x): {len(features):,} features</summary>{chips}</details>"


def _chart(chart: Chart) -> str:
    columns = chart.columns[:_MOST_COLUMNS]
    head = "".join(f"<th class=n>{escape(visible(column))}</th>" for column in columns)
    rows = "".join(
        f"<tr><td>{escape(visible(name))}</td>{''.join(map(_cell, cells[:_MOST_COLUMNS]))}</tr>"
        for name, cells in chart.rows[:_MOST_LINES]
    )
    more = len(chart.rows) - _MOST_LINES
    last = f"<p class=dim>and {more:,} more</p>" if more > 0 else ""
    table = f"<table class=chart><tr><th></th>{head}</tr>{rows}</table>"
    return f"<h3>{escape(chart.name)}</h3>{wide(table, chart.name)}{last}"


def _cell(cell: Cell) -> str:
    kinds = " ".join(["n", *(["y"] if cell.y else []), *(["hat"] if cell.y_hat else [])])
    below = "".join(
        f"<small>{part}</small>" for part in (f"&larr; {escape(cell.back)}" if cell.back else "", _r(cell)) if part
    )
    return f'<td class="{kinds}">{number(cell.score)}{below}</td>'


def _r(cell: Cell) -> str:
    return f"r {number(cell.r)}" if cell.r else ""


def _distribution(step: Step) -> str:
    if not step.distribution:
        return ""
    rows = "".join(
        f"<tr><td>{escape(cut(printable(text), 70))}</td><td class=n>{100 * share:.1f}%</td></tr>"
        for text, share in step.distribution
    )
    return f"<h3>D: the examples that count most in this round</h3><table>{rows}</table>"


def _changes(changes: Changes, top: int) -> str:
    if not changes.n:
        return f"<h3>{_named(changes)}</h3><p class=dim>Nothing changes.</p>"
    shown = changes.largest[:top]
    most = max((abs(one.after - one.before) for one in shown), default=0.0) or 1.0
    rows = "".join(
        f"<tr><td>{escape(visible(one.row))}</td><td>{escape(visible(one.outcome))}</td><td class=n>{number(one.before)}</td>"
        f"<td class=n>{number(one.after)}</td><td class=bar><i class={'for' if one.after > one.before else 'against'} "
        f'style="width: {100 * abs(one.after - one.before) / most:.0f}%"></i></td></tr>'
        for one in shown
    )
    more = f"<p class=dim>and {changes.n - len(shown):,} more</p>" if changes.n > len(shown) else ""
    head = "<tr><th></th><th>for</th><th class=n>before</th><th class=n>after</th><th></th></tr>"
    table = wide(f"<table class=change>{head}{rows}</table>", "Table of changes")
    return f"<h3>{_named(changes)}</h3>{table}{more}"


def _named(changes: Changes) -> str:
    return {
        "w": "w: the weights that change",
        "count": "The counts that the example adds",
        "alpha": "&alpha;: what the example has added to w, or is kept with",
        "V": "V: the weights of the second layer that change",
        "E": "E: the weights of the first layer that change",
    }[changes.name]
