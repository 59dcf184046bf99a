"""Join lines of plain text to paragraphs, where a file has line ends inside of paragraphs.

Text was wrapped if for most lines the first word of the next line would not have fitted on the line. Each text is then
a paragraph and not a line. A paragraph ends at a blank line, or before an indented line that follows one that is not
indented.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

_SAMPLE = 10_000
"""The number of lines that are looked at."""
_NARROWEST = 40
_WIDEST = 200
"""The least and the largest number of characters that wrapped lines have."""
_SHARE = 0.75
"""The share of lines that must be full."""
_LONGEST = 1 << 20
"""The number of characters after which a paragraph ends in any case."""


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
    # The width is the length that 19 of 20 lines do not exceed, as a few lines may be longer than the rest.
    width = lengths[min(len(lengths) - 1, len(lengths) * 19 // 20)]
    full = sum(len(line.rstrip()) + 1 + len(after.split(None, 1)[0]) > width for line, after in pairs)
    return _NARROWEST <= width <= _WIDEST and full >= _SHARE * len(pairs)


def paragraphs(batches: Iterable[Sequence[str]]) -> Iterator[list[str]]:
    """The lines of a file, a batch at a time, as paragraphs if they look wrapped; else as they are.

    The line ends inside of a paragraph are kept, so that positions in it correspond to those in the file.
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
