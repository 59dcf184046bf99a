"""Reports on candidates that were put in order, and explanations of them, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.explain.differences import Part
from linnet.report.printable import printable, visible
from linnet.tasks.rerank.measures import CandidatesReport
from linnet.tasks.rerank.why import CandidateExplanation


def candidates_report(report: CandidatesReport) -> RenderableType:
    head = (
        f"{report.n:,} lists of {report.candidates:,} candidates   pairwise accuracy "
        f"{100 * report.pairwise_accuracy:.2f}%   Kendall's tau {report.tau:.4f}   best one chosen {100 * report.best:.2f}%"
    )
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("mean cost of")
    table.add_column("", justify="right")
    costs = {
        "the chosen": report.mean_cost,
        "the first of the list": report.first_cost,
        "any": report.random_cost,
        "the cheapest": report.oracle_cost,
    }
    for name, cost in costs.items():
        table.add_row(name, f"{cost:.4f}")
    return Group(Text(head), Text(), table)


def candidate_explanation(result: CandidateExplanation, top: int = 10) -> RenderableType:
    head = [Text(printable(result.x), "dim")] if result.x else []
    texts = [
        Text.assemble((f"{result.candidate:>4} ", "bold green"), printable(result.text)),
        Text.assemble((f"{result.against:>4} ", "bold red"), printable(result.against_text)),
        Text(f"the first is ahead by {result.score:+.4f}", "dim"),
    ]
    return Group(*head, *texts, Text(), contributions(result.contributions, top))


def contributions(parts: Sequence[Part], top: int) -> Table:
    """A table of the largest contributions, with the sum of the others."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("feature")
    table.add_column("contribution", justify="right")
    for part in parts[:top]:
        style = "green" if part.contribution > 0 else "red"
        table.add_row(Text(visible(part.what)), Text(f"{part.contribution:+.4f}", style))
    rest = parts[top:]
    if rest:
        table.add_row(Text(f"{len(rest)} more", "dim"), Text(f"{sum(part.contribution for part in rest):+.4f}", "dim"))
    return table
