"""Paragraphs out of lines of plain text, where a file has hard line ends.

Text was wrapped if, nearly always, the first word of the next line would not have fitted on the line before it. Then a text is
a paragraph rather than a line: it ends at a blank line, or before a line that is indented when the one before is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

_SAMPLE = 10_000
_NARROWEST = 40
_WIDEST = 200
_SHARE = 0.75
_LONGEST = 1 << 20


def look_wrapped(lines: Sequence[str]) -> bool:
    """Whether sentences run over the ends of these lines.

    >>> look_wrapped(["It was a bright cold day in April, and the clocks", "were striking thirteen."])
    True
    >>> look_wrapped(["It was a bright cold day in April.", "Hurry up please, it is time, it really is by now."])
    False
    """
    pairs = [(line, after) for line, after in pairwise(lines[:_SAMPLE]) if line.strip() and after.strip()]
    if not pairs:
        return False
    lengths = sorted(len(line.rstrip()) for line in lines[:_SAMPLE] if line.strip())
    width = lengths[min(len(lengths) - 1, len(lengths) * 19 // 20)]
    full = sum(len(line.rstrip()) + 1 + len(after.split(None, 1)[0]) > width for line, after in pairs)
    return _NARROWEST <= width <= _WIDEST and full >= _SHARE * len(pairs)


def paragraphs(batches: Iterable[Sequence[str]]) -> Iterator[list[str]]:
    """The lines of a file, a batch at a time, as paragraphs if they look wrapped; else as they are.

    The lines of a paragraph stay apart by a line end, so that places in it are places in the file.
    """
    wrapped: bool | None = None
    open_lines: list[str] = []
    for lines in batches:
        if wrapped is None:
            wrapped = look_wrapped(lines)
        if not wrapped:
            yield list(lines)
            continue
        texts: list[str] = []
        size = sum(map(len, open_lines))
        for line in lines:
            if open_lines and (_begins(line, open_lines[-1]) or size > _LONGEST):
                texts.append("\n".join(open_lines))
                open_lines, size = [], 0
            if line.strip():
                open_lines.append(line)
                size += len(line)
        yield texts
    if open_lines:
        yield ["\n".join(open_lines)]


def _begins(line: str, before: str) -> bool:
    """Whether a line does not belong to the paragraph of the one before it."""
    return not line.strip() or (line[0].isspace() and not before[0].isspace())
