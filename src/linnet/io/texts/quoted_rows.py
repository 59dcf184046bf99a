"""A stream of quoted rows in blocks of whole rows, cut without parsing them.

A newline ends a row when it is outside of quotes, that is when an even number of quotes lies before it. That fails when
a field holds a bare quote (5" disk), so each block ends with a mark: a row of its own if the cut was right, part of a
quoted text if not. A block that begins at a row and shows its mark ends at a row, and so the next one begins at a row.
"""

from __future__ import annotations

from collections.abc import Iterator

from linnet.io.bytes.byte_counts import occurrences
from linnet.io.bytes.source import Stream
from linnet.io.texts.careful_fallback import DoubtError

MARK = b"\x1f"
_BLOCK = 4 << 20


def whole_rows(stream: Stream, mark: bytes, batch_bytes: int) -> Iterator[bytes]:
    """Yield blocks of rows and, as the last row of each, the mark."""
    size = max(1, min(_BLOCK, batch_bytes))
    kept: list[bytes | memoryview] = []
    odd = 0
    while chunk := stream.read(size):
        odd ^= occurrences(chunk, b'"') & 1
        cut = _cut(chunk, odd)
        if cut:
            yield b"".join([*kept, memoryview(chunk)[:cut], mark, b"\n"])
            kept = [chunk[cut:]]
            continue
        kept.append(chunk)
        if sum(map(len, kept)) > batch_bytes + _BLOCK:
            raise DoubtError("a row longer than a batch")
    if rest := b"".join(kept):
        yield b"".join([rest, b"\n", mark, b"\n"])


def _cut(chunk: bytes, odd: int) -> int:
    """The end of the last whole row, or 0. `odd` is the parity of all quotes up to the end of the chunk."""
    end, after = len(chunk), 0
    while (newline := chunk.rfind(b"\n", 0, end)) >= 0:
        after ^= chunk.count(b'"', newline, end) & 1
        if after == odd:
            return newline + 1
        end = newline
    return 0
