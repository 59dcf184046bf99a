"""A stream of sentences in blocks of bounded size, cut where a blank line ends a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from linnet.errors import DataError
from linnet.io.bytes.byte_counts import occurrences
from linnet.io.bytes.line_blocks import Block
from linnet.io.bytes.source import Stream
from linnet.limits import SENTENCE

# Bytes of a block. Every step over a block makes arrays of eight times its size, which should stay in the cache.
_BLOCK = 64 << 10
_BLANK = re.compile(rb"\n[ \t\r\f\v]*\n")


def paragraphs(stream: Stream, batch_bytes: int, name: str) -> Iterator[Block]:
    """Yield blocks of a stream, cut after blank lines. A sentence longer than a block makes a longer block."""
    size = max(1, min(_BLOCK, batch_bytes))
    line = 1
    kept = b""
    while chunk := stream.read(max(size, min(len(kept), SENTENCE.most + 1 - len(kept)))):
        data = kept + chunk if kept else chunk
        cut = _last_blank(data)
        if not cut and len(data) > SENTENCE.most:
            message = f"the sentence that begins here is longer than {SENTENCE.shown}. Put a blank line after each."
            raise DataError(message, name, line)
        if cut:
            whole = data[:cut]
            block = Block(line, whole, occurrences(whole, b"\n"))
            yield block
            line += block.newlines
        kept = data[cut:]
    if kept:
        yield Block(line, kept, occurrences(kept, b"\n"))


def _last_blank(data: bytes) -> int:
    """The end of a blank line, 0 when there is none. It is the last blank line of the most usual kind, which is fast to
    find; lines of white space count only if no line is empty."""
    for mark in (b"\n\n", b"\n\r\n"):
        at = data.rfind(mark)
        if at >= 0:
            return at + len(mark)
    return max((match.end() for match in _BLANK.finditer(data)), default=0)
