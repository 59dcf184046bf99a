"""Convert spans of text to tags of its tokens and back: B-x begins a span with label x, I-x continues it, O is none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from linnet import errors
from linnet.io.bytes.faults import Where

Place: TypeAlias = tuple[int, int]

_SHOWN = 40
_FORM = '[start, end, "label"] or {"start": ..., "end": ..., "label": ...}'


class Span(NamedTuple):
    """The code points from start to end (not included), and the label that they have."""

    start: int
    end: int
    label: str


def parse_spans(value: object, where: Where) -> list[Span]:
    """The spans that JSON has as lists or objects, sorted by where they begin. DataError where they are malformed or
    overlap."""
    if not isinstance(value, list):
        raise where.fault(f"expected a list of spans, found {shown(value)}. Write each as {_FORM}.")
    spans = sorted(_span(item, where) for item in value)
    for one, other in pairwise(spans):
        if other.start < one.end:
            message = f"the spans {_named(one)} and {_named(other)} overlap, so that no tags fit. Remove one of them."
            raise where.fault(message)
    return spans


def tags_of(spans: Sequence[Span], places: Sequence[Place], text: str, where: Where) -> list[str]:
    """A tag for each token. Every span must begin and end where tokens do."""
    tags = ["O"] * len(places)
    first = {start: i for i, (start, _) in enumerate(places)}
    last = {end: i for i, (_, end) in enumerate(places)}
    for span in spans:
        if span.end > len(text):
            message = f"the span {_named(span)} ends after the text, which has {len(text)} characters. Correct its end."
            raise where.fault(message)
        begin, end = first.get(span.start), last.get(span.end)
        if begin is None or end is None:
            message = (
                f"the span {_named(span)}, {shown(text[span.start : span.end])}, does not begin and end where tokens do. "
                "Let it hold whole words, without the spaces around them."
            )
            raise where.fault(message)
        tags[begin : end + 1] = [f"B-{span.label}"] + [f"I-{span.label}"] * (end - begin)
    return tags


def spans_of(tags: Sequence[str], places: Sequence[Place]) -> list[Span]:
    """The spans that tags stand for. A tag without B- or I-, other than O, makes a span of its token alone, and I- may
    begin a span.

    >>> spans_of(["B-PER", "I-PER", "O", "I-LOC"], [(0, 3), (4, 9), (10, 12), (13, 18)])
    [Span(start=0, end=9, label='PER'), Span(start=13, end=18, label='LOC')]
    """
    spans: list[Span] = []
    before = "O"
    for tag, (start, end) in zip(tags, places, strict=True):
        prefix, dash, label = tag.partition("-")
        is_chunk = bool(dash) and prefix in ("B", "I")
        if is_chunk and prefix == "I" and before in (f"B-{label}", f"I-{label}"):
            spans[-1] = spans[-1]._replace(end=end)
        elif tag not in ("O", ""):
            spans.append(Span(start, end, label if is_chunk else tag))
        before = tag
    return spans


def shown(value: object) -> str:
    """A value of JSON as text for a message, cut to what fits; a value of Python that is no JSON, as Python writes it."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return errors.shown(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _span(item: object, where: Where) -> Span:
    values = [item.get(key) for key in Span._fields] if isinstance(item, dict) else item
    match values:
        case [int(start), int(end), str(label)] if label and not isinstance(start, bool) and not isinstance(end, bool):
            if not 0 <= start < end:
                message = f"expected 0 <= start < end in a span, found {shown(item)}. Count characters from 0."
                raise where.fault(message)
            return Span(start, end, label)
    raise where.fault(f"expected a span such as {_FORM}, found {shown(item)}.")


def _named(span: Span) -> str:
    return shown(list(span))
