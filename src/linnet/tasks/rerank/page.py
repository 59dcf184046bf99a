"""Explanations of candidates as one HTML page; it needs no script and no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from linnet.explain import Strong
from linnet.report.page import NONE, document, strongest_features
from linnet.report.reasons import STYLE, why
from linnet.tasks.rerank.why import CandidateExplanation

_STYLE = "table.two td { vertical-align: top; overflow-wrap: anywhere; }"


def candidates_page(
    title: str, found: Sequence[CandidateExplanation], best: Mapping[str, Sequence[Strong]] = NONE, top: int = 10
) -> str:
    """The whole page: why the best candidate of each list is before the second, then the strongest features of the model."""
    parts = [_list(n, one, top) for n, one in enumerate(found, 1)]
    legend = (
        "<p class=dim>The candidate that is best, in <span class=for>green</span>, and the next best, in "
        "<span class=against>red</span>, with their numbers in the list, from 0; then what puts the one before the other.</p>"
    )
    return document(title, "\n".join([legend, *parts, strongest_features(best)]), STYLE + _STYLE)


def _list(n: int, one: CandidateExplanation, top: int) -> str:
    given = f"\n<p class=dim>{escape(one.x)}</p>" if one.x else ""
    ahead = f"ahead by {one.score:.3f}" if one.score else "both score the same"
    reasons = why([("", part.what, part.contribution) for part in one.contributions], top)
    return (
        f"<h2>List {n} <span class=dim>{ahead}</span></h2>{given}\n<table class=two>"
        f"<tr><td class=n>{one.candidate}</td><td class=for>{escape(one.text)}</td></tr>"
        f"<tr><td class=n>{one.against}</td><td class=against>{escape(one.against_text)}</td></tr></table>\n<p>{reasons}</p>"
    )
