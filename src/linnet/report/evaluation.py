"""The page of `linnet evaluate --html`: how right a model is, made from the JSON object of its report, whatever its task.

A report has figures, and may have labels that the model does not know, tables of labels (`per_label`, `per_tag`, ...), a
table of confusions, a reliability diagram, losses, and the worst errors. What it has of these is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

import numpy as np

from linnet.core.types import Json
from linnet.evaluate.calibration import FEW
from linnet.evaluate.unknown_labels import said
from linnet.report import confusion, reasons, svg
from linnet.report import errors as errors_on_page
from linnet.report.errors import Errors, ShownError, errors_of_pairs, plain_text, worst_errors
from linnet.report.page import document, wide
from linnet.report.printable import visible
from linnet.report.terminal import loss

_STYLE = (
    svg.STYLE
    + confusion.STYLE
    + reasons.STYLE
    + errors_on_page.STYLE
    + """
table.figures td { padding-right: 2rem; } .reliability { max-width: 19rem; }
"""
)
_MOST_LABELS = 50
_SHARES = frozenset(
    "aer average_precision best clas ece exact hamming_loss las no_crossing one_error uas ucm any_error ranking_loss rate "
    "gold_rate".split()
)
_SHARE_ENDS = ("accuracy", "f1", "precision", "recall")
"""The names of figures that are shares, and how the names of others end: they are shown in %."""
_SPELLED = {
    "n": "examples", "ece": "expected calibration error", "brier": "Brier score", "uas": "UAS", "las": "LAS", "clas": "CLAS",
    "ucm": "whole trees", "aer": "AER", "tau": "Kendall's tau", "spearman": "Spearman's correlation", "f1": "F1",
    "micro_f1": "micro F1", "macro_f1": "macro F1", "token_f1": "token F1", "mean_f1": "mean F1 of sentences",
    "hamming_loss": "Hamming loss", "best": "best one chosen", "first_cost": "mean cost of the first of the list",
    "random_cost": "mean cost of any", "oracle_cost": "mean cost of the cheapest",
}  # fmt: skip
_COUNTS = ("support", "count", "gold", "predicted", "n")
"""The columns that may say how frequent a label is; the first of them that a table has does."""


def evaluation_page(title: str, report: Mapping[str, Json], errors: Errors | None = None) -> str:
    """The whole page: figures first, then what is known of single labels, of probabilities, and of single errors.

    errors: errors with the reasons for them, the worst first. Without them, the page has the texts that the report has.
    """
    return document(title, "\n".join(part for part in _sections(report, errors or Errors()) if part), _STYLE)


def _sections(report: Mapping[str, Json], errors: Errors) -> Iterator[str]:
    yield _figures(report)
    yield f"<p><b>{escape(said(report['unknown']))}</b></p>" if report.get("unknown") else ""
    for name, table in report.items():
        if name.startswith("per_") and isinstance(table, dict) and table:
            yield _scores(name.removeprefix("per_"), table)
    names = next((list(report[name]) for name in ("ratings", "per_label", "per_tag") if report.get(name)), [])
    if report.get("confusion") and len(names) == len(report["confusion"]):
        pairs = {(error.gold, error.predicted) for error in errors.found}
        yield "<h2>Confusion</h2>" + confusion.confusion_table(np.array(report["confusion"]), names, pairs)
        yield errors_of_pairs(errors)
    yield _calibration(report)
    yield _losses(report)
    yield worst_errors(errors if errors.found else Errors(_without_reasons(report)))


def _figures(report: Mapping[str, Json]) -> str:
    rows = "".join(
        f"<tr><td>{escape(_spelled(name))}</td><td class=n>{_figure(name, value)}</td></tr>"
        for name, value in report.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    )
    return f"<table class=figures>{rows}</table>"


def _spelled(name: str) -> str:
    return _SPELLED.get(name, name.removeprefix("n_").replace("_", " "))


def _figure(name: str, value: float) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    share = name in _SHARES or name.endswith(_SHARE_ENDS)
    return f"{100 * value:.2f}%" if share else f"{value:.4f}"


def _scores(kind: str, table: Mapping[str, Mapping[str, float]]) -> str:
    """A table with a row for each label, the most frequent ones where there are very many."""
    names = list(next(iter(table.values())))
    count = next((name for name in _COUNTS if name in names), names[-1])
    shown = (
        sorted(table.items(), key=lambda item: -item[1][count])[:_MOST_LABELS] if len(table) > _MOST_LABELS else table
    )
    # Counts are integers; all other columns are shares, as recall is.
    rows = "".join(
        f"<tr><td>{escape(visible(label))}</td>"
        + "".join(f"<td class=n>{_figure('recall', scores[name])}</td>" for name in names)
        + "</tr>"
        for label, scores in dict(shown).items()
    )
    head = "".join(f"<th class=n>{escape({'support': 'examples', 'f1': 'F1'}.get(name, name))}</th>" for name in names)
    more = f"<p class=dim>and {len(table) - len(shown):,} that are less frequent</p>" if len(table) > len(shown) else ""
    found = wide(f"<table><tr><th>{escape(kind)}</th>{head}</tr>{rows}</table>", f"Table by {kind}")
    return f"<h2>By {escape(kind)}</h2>{found}{more}"


def _calibration(report: Mapping[str, Json]) -> str:
    bins = report.get("reliability")
    if not bins:
        return ""
    panel = svg.reliability_panel("", f"ECE {100 * report['ece']:.1f}", bins["confidence"], bins["right"], bins["size"])
    return (
        "<h2>Calibration</h2><p class=dim>Of the predictions that were given a probability (across), the share that is right "
        f"(up), in %; larger dots are more predictions, and hollow ones fewer than {FEW}, which tell little.</p>"
        f"<div class=reliability>{panel}</div>"
    )


def _losses(report: Mapping[str, Json]) -> str:
    here = report.get("losses")
    if not here:
        return ""
    lines = {"here": here, "believed": report.get("expected_losses")}
    rows = "".join(
        f"<tr><td>{title}</td>"
        + "".join(f"<td class=n>{loss(losses[name]) if name in losses else ''}</td>" for name in here)
        + "</tr>"
        for title, losses in lines.items()
        if losses
    )
    head = "".join(f"<th class=n>{name}</th>" for name in here)
    known = ", of the examples whose label the model knows" if report.get("unknown") else ""
    return (
        f"<h2>Mean losses</h2><p class=dim>On this data{known}; and what the model believes by its own probabilities, if it "
        f"has some.</p>{wide(f'<table><tr><th></th>{head}</tr>{rows}</table>', 'Table of losses')}"
    )


def _without_reasons(report: Mapping[str, Json]) -> list[ShownError]:
    return [
        ShownError(
            one["row"], one["gold"], one["predicted"], one["score"], one.get("confidence"), plain_text(one["text"])
        )
        for one in report.get("most_wrong", ())
    ]
