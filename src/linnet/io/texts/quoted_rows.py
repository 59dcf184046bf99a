"""A stream of quoted rows in blocks of whole rows, cut without parsing them.

A newline ends a row when it is outside of quotes, that is, when an even number of quotes comes before it. This rule
fails when a field holds a bare quote (5" disk). So a mark is appended to each block: it is parsed as a row of its own
if the cut was right, and as part of a quoted text if not. Whoever parses the block (delimited.py) checks that, and
hands over to the careful reader if not. If a block begins with a whole row and its mark is parsed as
a row, the next block begins with a whole row, too. Where no row ends for long, what was read is given without a mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from linnet.io.bytes.byte_counts import occurrences
from linnet.io.bytes.source import Stream

MARK = b"\x1f"
"""The first field of the row that is appended to each block: a control character that texts hardly ever have."""
_BLOCK = 4 << 20


class Rows(NamedTuple):
    data: bytes
    is_marked: bool
    """Whether the mark is the last row; otherwise the last row may not be whole."""


def whole_rows(stream: Stream, mark: bytes, batch_bytes: int) -> Iterator[Rows]:
    """Yield blocks of rows of a stream, each with the mark as its last row, but where no row ends for about batch_bytes and
    _BLOCK more.

    mark: a row that begins with MARK and has as many columns as the others, without a newline.
    """
    size = max(1, min(_BLOCK, batch_bytes))
    kept: list[bytes | memoryview] = []
    odd = 0  # 1 where an odd number of quotes has been read
    while chunk := stream.read(size):
        odd ^= occurrences(chunk, b'"') & 1
        cut = _cut(chunk, odd)
        if cut:
            yield Rows(b"".join([*kept, memoryview(chunk)[:cut], mark, b"\n"]), True)
            kept = [chunk[cut:]]
            continue
        kept.append(chunk)
        if sum(map(len, kept)) > batch_bytes + _BLOCK:
            yield Rows(b"".join(kept), False)
            kept = []
    if rest := b"".join(kept):  # The last row may have no newline. Where a quote is still open, the mark will show it.
        yield Rows(b"".join([rest, b"\n", mark, b"\n"]), True)


def _cut(chunk: bytes, odd: int) -> int:
    """The end of the last whole row in a chunk, or 0 where no row ends in it. odd: 1 if the number of quotes in the
    stream up to the end of the chunk is odd, else 0. A newline is outside of quotes if an even number of quotes comes
    before it, that is, if the number of quotes after it is odd exactly where that of all of them is."""
    end, after = len(chunk), 0
    while (newline := chunk.rfind(b"\n", 0, end)) >= 0:
        after ^= chunk.count(b'"', newline, end) & 1
        if after == odd:
            return newline + 1
        end = newline
    return 0
