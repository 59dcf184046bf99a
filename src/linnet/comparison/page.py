"""A comparison as one self-contained HTML page: no script, no network."""

from __future__ import annotations

from html import escape

import numpy as np

from linnet.comparison import Comparison, Row
from linnet.comparison.terminal import SAY_LITTLE, cells, chance_cells, figure, headings, left_out, summary, warning
from linnet.evaluate.calibration import FEW
from linnet.evaluate.losses import EXPECTED, LOSSES
from linnet.evaluate.verdict import KINDS
from linnet.report import confusion, svg
from linnet.report.confusion import confusion_table, cut
from linnet.report.page import document, strongest_features, wide
from linnet.report.printable import printable, visible
from linnet.report.terminal import loss

_STYLE = (
    svg.STYLE
    + confusion.STYLE
    + """
body { max-width: 68rem; } .wide > svg { min-width: 40rem; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(12rem, 45%), 1fr)); gap: 1rem; }
table.results td, table.results th { white-space: nowrap; } table.results tr:first-child + tr td { font-weight: 600; }
table.results td.spec { white-space: normal; min-width: 9rem; }
table.mistakes td { vertical-align: top; padding-bottom: .6rem; overflow-wrap: anywhere; }
table.mistakes td:first-child { min-width: 16rem; } table.mistakes td.label { overflow-wrap: normal; }
table.mistakes th { white-space: nowrap; }
ul.meanings { color: var(--dim); padding-left: 1.2rem; } ul.meanings b { color: var(--ink); }
.key b { color: var(--one); } .key i { color: var(--two); }
"""
)
_MOST_PANELS = 24
_MOST_LABELS = 20


def comparison_page(title: str, result: Comparison) -> str:
    """The whole page: the table and the verdicts first, then the plots, then what the best system gets wrong."""
    sections = (
        _table(result),
        _verdicts(result),
        _time(result),
        _curves(result),
        _calibration(result),
        _losses(result),
        _confusion(result),
        _mistakes(result),
        _strongest(result),
    )
    return document(title, "\n".join(part for part in sections if part), _STYLE)


def _name(row: Row, result: Comparison) -> str:
    several = len({other.system.features for other in result.rows}) > 1
    return f"{row.system.learner}, {visible(row.system.features)}" if several else row.system.learner


def _strongest(result: Comparison) -> str:
    row = next(row for row in result.rows if row.system == result.strongest_of)
    return (
        strongest_features(result.strongest, f"Strongest features of {_name(row, result)}") if result.strongest else ""
    )


def _table(result: Comparison) -> str:
    names = headings(result)
    kinds = {"learner": "", "features": "spec", "": ""}
    head = "".join(f'<th class="{kinds.get(name, "n")}">{escape(name)}</th>' for name in names)
    lines = [("", cells(row, result, names)) for row in result.rows]
    chance = chance_cells(result, names)
    lines += [(" class=dim", chance)] if chance else []
    rows = "".join(
        f"<tr{kind}>"
        + "".join(
            f'<td class="{kinds.get(name, "n")}">{escape(cell)}</td>' for name, cell in zip(names, found, strict=True)
        )
        + "</tr>"
        for kind, found in lines
    )
    features = {row.system.features for row in result.rows}
    spec = f"<p class=dim>Features: {escape(visible(features.pop()))}</p>" if len(features) == 1 else ""
    refused = "".join(f"<p class=dim>{escape(sentence)}</p>" for sentence in left_out(result))
    doubt = f"<p><b>{escape(warning(result))}</b></p>" if warning(result) else ""
    table = wide(f"<table class=results><tr>{head}</tr>{rows}</table>", "Table of results")
    return f"<p>{escape(summary(result))}</p>{spec}{table}{doubt}{refused}{_copies(result)}"


def _copies(result: Comparison) -> str:
    exact, near = len(result.duplicates.exact), len(result.duplicates.near)
    if not exact + near:
        return ""
    return f"<p>Copies of training examples among the held-out ones: {exact:,} the same and {near:,} nearly; {SAY_LITTLE}.</p>"


def _verdicts(result: Comparison) -> str:
    rows = "".join(
        f"<tr><td>{escape(_name(row, result))}</td><td class=n>{figure(row.train, result)}</td>"
        f"<td class=n>{figure(row.score, result)}</td><td class=n>{_gain(row, result)}</td><td>{row.verdict.kind}</td></tr>"
        for row in result.rows
    )
    found = {row.verdict.kind for row in result.rows}
    meanings = "".join(f"<li><b>{kind}</b>: {what}.</li>" for kind, what in KINDS.items() if kind in found)
    head = (
        f"<tr><th>learner</th><th class=n>{escape(result.measure)} on training data</th><th class=n>on new data</th>"
        "<th class=n>twice the data</th><th>verdict</th></tr>"
    )
    return (
        "<h2>How they fit</h2><p class=dim>What twice the data might bring is read from a line through the learning curve.</p>"
        f"{wide(f'<table class=results>{head}{rows}</table>', 'Table of how they fit')}<ul class=meanings>{meanings}</ul>"
    )


def _gain(row: Row, result: Comparison) -> str:
    if row.verdict.gain is None:
        return ""
    return f"{'-' if result.less_is_better else '+'}{figure(row.verdict.gain, result)}"


def _time(result: Comparison) -> str:
    rows = result.rows
    plot = svg.scatter(
        [cut(_name(row, result), 36) for row in rows],
        [max(row.seconds, 1e-3) for row in rows],
        [row.score for row in rows],
        [row.error for row in rows],
        "seconds to learn, features included",
        result.measure if result.less_is_better else f"{result.measure}, %",
        less_is_better=result.less_is_better,
    )
    return (
        f"<h2>{escape(_capital(result.measure))} against time</h2><p class=dim>Bars are two standard errors; no system on "
        f"the line is beaten in both.</p>{wide(plot, 'Picture of results against time')}"
    )


def _curves(result: Comparison) -> str:
    shown = [row for row in result.rows if row.curve is not None][:_MOST_PANELS]
    most = max((max(*row.curve.held, *row.curve.train) for row in shown if row.curve is not None), default=0.0)
    panels = "".join(
        svg.curves_panel(
            _name(row, result),
            row.curve.sizes,
            row.curve.train,
            row.curve.held,
            max(most, 0.01),
            1 if result.less_is_better else 100,
        )
        for row in shown
        if row.curve is not None
    )
    errors = "Errors in %" if "accuracy" in result.measure else f"What is missing to 100% {result.measure}, in points,"
    what = escape(_capital(result.measure) if result.less_is_better else errors)
    return panels and (
        f"<h2>Learning curves</h2><p class='dim key'>{what} on <b>held-out</b> (line) and on <i>training</i> (dashes) "
        f"examples, against the number of training examples.</p><div class=panels>{panels}</div>"
    )


def _calibration(result: Comparison) -> str:
    panels = "".join(
        svg.reliability_panel(
            _name(row, result),
            f"ECE {100 * row.reliability.ece:.1f}",
            row.reliability.confidence,
            row.reliability.right,
            row.reliability.size,
        )
        for row in result.rows[:_MOST_PANELS]
        if row.reliability is not None
    )
    return panels and (
        "<h2>Calibration</h2><p class=dim>Of the predictions that were given a probability (across), the share that is "
        f"right (up), in %; larger dots are more predictions, and hollow ones fewer than {FEW}, which tell little. Scores "
        "that are no probabilities were made into some by a sigmoid fitted to other held-out examples. ECE is the expected "
        f"calibration error in points.</p><div class=panels>{panels}</div>"
    )


def _losses(result: Comparison) -> str:
    rows = "".join(
        f"<tr><td>{escape(_name(row, result))}</td>"
        + "".join(
            f"<td class=n>{loss(part[name])}</td>"
            for name in LOSSES
            for part in (row.losses, row.expected)
            if name in part
        )
        + "</tr>"
        for row in result.rows
        if row.losses
    )
    expected = dict.fromkeys(EXPECTED, "<th class=n>expected</th>")
    head = "".join(f"<th class=n>{name}</th>{expected.get(name, '')}" for name in LOSSES)
    return rows and (
        "<h2>One model, several losses</h2><p class=dim>Means over held-out examples, of the same probabilities as above, and "
        "what the model expected them to be by these probabilities. A model that expects much less is too sure of itself.</p>"
        + wide(f"<table class=results><tr><th>learner</th>{head}</tr>{rows}</table>", "Table of losses")
    )


def _confusion(result: Comparison) -> str:
    table = result.confusion
    if table is None:
        return _singles(result)
    return f"<h2>Confusion of {escape(_name(result.best, result))}</h2>" + confusion_table(table, result.labels)


def _singles(result: Comparison) -> str:
    """A table with a row for each label, where outputs are sets."""
    if result.singles is None:
        return ""
    chosen = np.argsort(-result.singles[:, 0], kind="stable")[:_MOST_LABELS]
    rows = ""
    for k in chosen:
        gold, found, right = result.singles[k].tolist()
        shares = (right / max(found, 1), right / max(gold, 1), 2 * right / max(gold + found, 1))
        numbers = "".join(f"<td class=n>{100 * share:.1f}</td>" for share in shares)
        rows += f"<tr><td>{escape(visible(result.labels[k]))}</td>{numbers}<td class=n>{gold:,}</td></tr>"
    some = f"The {len(chosen)} most frequent of {len(result.singles)}." if len(chosen) < len(result.singles) else ""
    head = "".join(f"<th class=n>{name}</th>" for name in ("precision", "recall", "F1", "examples"))
    return (
        f"<h2>Labels of {escape(_name(result.best, result))}</h2><p class=dim>{some}</p>"
        f"<table><tr><th>label</th>{head}</tr>{rows}</table>"
    )


def _mistakes(result: Comparison) -> str:
    rows = "".join(
        f"<tr><td>{escape(printable(item.text))}</td><td class=label>{escape(visible(item.gold))}</td>"
        f"<td class=label>{escape(visible(item.predicted))}</td><td class=n>{_probability(item.p)}</td>"
        f"<td class=label>{'yes' if item.suspected else ''}</td></tr>"
        for item in result.mistakes
    )
    return rows and (
        f"<h2>Most wrong</h2><p class=dim>Held-out examples whose label {escape(_name(result.best, result))} thought least "
        f"probable. Of all labels, {result.n_suspected:,} look doubtful to it (confident learning); linnet inspect --suspects "
        "ranks those that are probably wrong.</p>"
        + wide(
            "<table class=mistakes><tr><th>example</th><th>label</th><th>predicted</th><th class=n>p(label)</th>"
            f"<th>doubtful?</th></tr>{rows}</table>",
            "Table of mistakes",
        )
    )


def _probability(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else "&lt; 0.001"


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]
