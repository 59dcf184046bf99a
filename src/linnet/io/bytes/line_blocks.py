"""A stream of lines in blocks of bounded size, each with the number of its first line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from linnet.io.bytes.byte_counts import occurrences
from linnet.io.bytes.encoding import check_block
from linnet.io.bytes.source import Source, Stream

# Bytes of a block. Blocks should stay in the cache while they are checked and parsed: 4 MB is slower, 32 MB half as fast.
_BLOCK = 1 << 20


class Block(NamedTuple):
    line: int
    data: bytes
    newlines: int

    def lines(self) -> list[bytes]:
        """The lines without their ends, be they LF or CRLF."""
        data = self.data.replace(b"\r\n", b"\n") if b"\r" in self.data else self.data
        return data.removesuffix(b"\n").split(b"\n")

    def numbered(self) -> Iterator[tuple[int, bytes]]:
        """(line number, line) for every line that is not blank."""
        return ((number, line) for number, line in enumerate(self.lines(), self.line) if line and not line.isspace())


def blocks(stream: Stream, batch_bytes: int) -> Iterator[Block]:
    """Cut a stream after newlines. A line longer than a block makes a longer block. Where the first block has carriage returns
    instead of newlines, as files of the old Macintosh do, each of them is a newline."""
    size = max(1, min(_BLOCK, batch_bytes))
    line = 1
    kept: list[bytes | memoryview] = []
    returns = False
    while chunk := stream.read(size):
        if line == 1 and not kept:
            returns = b"\n" not in chunk and b"\r" in chunk[:-1]
        if returns:
            chunk = chunk.replace(b"\r", b"\n")
        cut = chunk.rfind(b"\n") + 1
        if not cut:
            kept.append(chunk)
            continue
        data = b"".join([*kept, memoryview(chunk)[:cut]])
        block = Block(line, data, occurrences(data, b"\n"))
        yield block
        line += block.newlines
        kept = [chunk[cut:]]
    if rest := b"".join(kept):
        yield Block(line, rest, 0)


def checked_blocks(source: Source, batch_bytes: int = _BLOCK) -> Iterator[Block]:
    """The blocks of a source. DataError where they are not UTF-8."""
    with source.open() as stream:
        for block in blocks(stream, batch_bytes):
            check_block(block.data, source.name, block.line)
            yield block
