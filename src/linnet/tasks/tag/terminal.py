"""Reports on tags and explanations of them, for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from linnet.report.printable import visible
from linnet.tasks.tag.measures import TagScore, TagsReport, TypeScore
from linnet.tasks.tag.why import Part, TagExplanation, TagExplanations


def tags_report(report: TagsReport) -> RenderableType:
    """The figures of tokens and spans, and below them a table of the types of spans, or of the tags if there are no spans."""
    lines = [Text(line) for line in _head(report)]
    return Group(*lines, Text(), _types(report) if report.f1 is not None else _tags(report))


def _head(report: TagsReport) -> Iterable[str]:
    yield (
        f"{report.n_tokens:,} tokens in {report.n_sentences:,} sentences   accuracy {100 * report.token_accuracy:.2f}%"
        f"   whole sentences {100 * report.sentence_accuracy:.2f}%"
    )
    shares = (("known", report.known_accuracy), ("unknown", report.unknown_accuracy))
    words = [f"{name} words {100 * share:.2f}%" for name, share in shares if share is not None]
    if words:
        yield "   ".join(words)
    if report.precision is not None and report.recall is not None and report.f1 is not None:
        yield f"spans: precision {100 * report.precision:.2f}   recall {100 * report.recall:.2f}   F1 {100 * report.f1:.2f}"


def _types(report: TagsReport) -> Table:
    table = _table("type", ("gold", "predicted"))
    for kind, score in report.per_type.items():
        table.add_row(Text(visible(kind)), *_numbers(score), f"{score.gold:,}", f"{score.predicted:,}")
    return table


def _tags(report: TagsReport) -> Table:
    table = _table("tag", ("tokens",))
    for tag, score in report.per_tag.items():
        table.add_row(Text(visible(tag)), *_numbers(score), f"{score.count:,}")
    return table


def _table(first: str, last: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(first)
    for name in ("precision", "recall", "F1", *last):
        table.add_column(name, justify="right")
    return table


def _numbers(score: TypeScore | TagScore) -> list[str]:
    return [f"{100 * number:.2f}" for number in (score.precision, score.recall, score.f1)]


def tag_explanations(sentence: TagExplanations, top: int = 4) -> RenderableType:
    """A row for each token: its tag, the next best one, the difference of their scores, and what adds most to it."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("word", "tag", "not", "by", "because"):
        table.add_column(name, justify="right" if name == "by" else "left", no_wrap=name != "because")
    for token in sentence:
        reasons = [_reason(part, token, sentence.words) for part in token.contributions[:top]]
        row = (token.word, token.tag, token.against, f"{token.score:+.2f}", ", ".join(reasons))
        table.add_row(*(Text(cell) for cell in row))
    return table


def _reason(part: Part, token: TagExplanation, words: Sequence[str]) -> str:
    """A reason for a tag; a reason at another token begins with its word."""
    where = "" if part.token == token.token else f"{words[part.token]}: "
    return f"{where}{part.what} {part.contribution:+.2f}"
