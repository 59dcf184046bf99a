"""A comparison as rich text for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.comparison import LEVEL, Comparison, Row
from linnet.report.printable import visible

SAY_LITTLE = "scores on them say little about new text"


def headings(result: Comparison, *, brief: bool = False) -> list[str]:
    """The headings of the table of systems; `brief` leaves out what does not fit on a terminal."""
    tested = [f"test {result.measure}"] if any(row.test is not None for row in result.rows) else []
    believed = ["log loss", "ECE"] if any(row.log_loss is not None for row in result.rows) else []
    several = ["features"] if len({row.system.features for row in result.rows}) > 1 else []
    right = ["accuracy"] if result.less_is_better else []
    figures = ["learner", result.measure, "", *several, *tested, *right, "training", "seconds"]
    return figures if brief else [*figures, "epochs", *believed]


def cells(row: Row, result: Comparison, names: Sequence[str]) -> list[str]:
    """The cells of a system under these headings."""
    known = {
        "learner": row.system.learner,
        "features": visible(row.system.features),
        result.measure: plus_minus(row.score, row.error, result),
        "": row.letters,
        f"test {result.measure}": "" if row.test is None else plus_minus(row.test, row.test_error or 0, result),
        "training": figure(row.train, result),
        "log loss": "" if row.log_loss is None else f"{row.log_loss:.3f}",
        "ECE": "" if row.reliability is None else f"{100 * row.reliability.ece:.1f}",
        "seconds": f"{row.seconds:.2f}",
        "epochs": f"{row.epochs:.0f}",
    }
    if row.accuracy is not None:
        known["accuracy"] = f"{100 * row.accuracy:.2f}"
    return [known[name] for name in names]


def chance_cells(result: Comparison, names: Sequence[str]) -> list[str]:
    """The cells of the system that always gives the most frequent answer; an empty list where there is none."""
    if result.chance is None:
        return []
    score = plus_minus(result.chance.score, result.chance.error, result)
    known = {"learner": visible(result.chance.answer), result.measure: score}
    return [known.get(name, "") for name in names]


def figure(score: float, result: Comparison) -> str:
    """A score as text: a share in %, a cost as it is."""
    return f"{score:.4f}" if result.less_is_better else f"{100 * score:.2f}"


def plus_minus(score: float, error: float, result: Comparison) -> str:
    """A score with its standard error."""
    return f"{figure(score, result)} ± {figure(error, result)}"


def summary(result: Comparison) -> str:
    systems = "1 system" if len(result.rows) == 1 else f"{len(result.rows)} systems"
    letters = (
        f" Systems that share a letter do not differ significantly (level {LEVEL:g} over all pairs, Holm)."
        if len(result.rows) > 1
        else ""
    )
    return f"{result.n:,} examples, {systems} in {result.seconds:.1f} s; held out: {result.how}.{letters}"


def left_out(result: Comparison) -> list[str]:
    """A sentence for each reason for which systems were left out, which names them: by their learners, and also by their
    features where the learner is in the table with others."""
    there = {row.system.learner for row in result.rows}
    reasons: dict[str, list[str]] = {}
    for system, reason in result.refused:
        own = reason.replace(f"{system.learner!r}", "this")
        features = f" ({visible(system.features)})" if system.learner in there else ""
        reasons.setdefault(own, []).append(f"{system.learner}{features}")
    found = []
    for reason, names in reasons.items():
        systems = list(dict.fromkeys(names))
        verb = "is" if len(systems) == 1 else "are"
        found.append(f"{', '.join(systems)} {verb} left out: {reason}")
    return found


def warning(result: Comparison) -> str:
    """A sentence where no system is clearly better than the most frequent answer; "" where one is."""
    if not result.best_is_chance or result.chance is None:
        return ""
    return f"No system is better than {visible(result.chance.answer)} by two standard errors."


def comparison_table(result: Comparison) -> RenderableType:
    """The table with the best system first, and below it what is to be said of that system, and briefly of the others."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    names = headings(result, brief=True)
    for heading in names:
        left = heading in ("learner", "features", "")
        table.add_column(heading, justify="left" if left else "right", no_wrap=heading != "features")
    for row in result.rows:
        table.add_row(*map(Text, cells(row, result, names)))
    chance = chance_cells(result, names)
    if chance:
        table.add_row(*map(Text, chance), style="dim")
    named = len({row.system.features for row in result.rows}) > 1

    def name(row: Row) -> str:
        return f"{row.system.learner} ({visible(row.system.features)})" if named else row.system.learner

    lines = [Text.assemble((name(result.best), "bold"), f" {result.best.verdict.sentence}")]
    if warning(result):
        lines.append(Text(warning(result), "bold"))
    for kind in ("fits", "overfits", "underfits"):
        others = [name(row) for row in result.rows[1:] if row.verdict.kind == kind]
        if others:
            several = len(others) == len(result.rows) - 1 > 1
            lines.append(Text(f"{kind}: {'all others' if several else ', '.join(others)}", "dim"))
    return Group(Text(summary(result)), Text(), table, Text(), *lines)
