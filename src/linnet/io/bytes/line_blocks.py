"""A stream of lines in blocks of bounded size, each with the number of its first line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from linnet.errors import DataError
from linnet.io.bytes.byte_counts import occurrences
from linnet.io.bytes.encoding import check_block
from linnet.io.bytes.source import Source, Stream
from linnet.limits import LINE

# Bytes of a block. Blocks should stay in the cache while they are checked and parsed: 4 MB is slower, 32 MB half as fast.
_BLOCK = 1 << 20


class Block(NamedTuple):
    """Whole lines of a file. Only the last line of the file may lack its newline."""

    line: int
    """The number of the first line, from 1."""
    data: bytes
    newlines: int
    """The number of newlines in `data`."""

    def lines(self) -> list[bytes]:
        """The lines without their ends, be they LF or CRLF."""
        data = self.data.replace(b"\r\n", b"\n") if b"\r" in self.data else self.data
        return data.removesuffix(b"\n").split(b"\n")

    def numbered(self) -> Iterator[tuple[int, bytes]]:
        """(line number, line) for every line that is not blank."""
        return ((number, line) for number, line in enumerate(self.lines(), self.line) if line and not line.isspace())


def blocks(stream: Stream, batch_bytes: int) -> Iterator[Block]:
    """Cut a stream after newlines into blocks of about `batch_bytes`, at most 1 MB, or longer where a line is longer.
    Where the first bytes have carriage returns instead of newlines, as files of the old Macintosh do, each of them
    becomes a newline. DataError where a line never ends."""
    size = max(1, min(_BLOCK, batch_bytes))
    line = 1
    kept: list[bytes | memoryview] = []
    n_bytes = 0  # in those
    returns = False
    while chunk := stream.read(size):
        if line == 1 and not kept:
            # A carriage return at the very end may be the first half of CRLF.
            returns = b"\n" not in chunk and b"\r" in chunk[:-1]
        if returns:
            chunk = chunk.replace(b"\r", b"\n")
        cut = chunk.rfind(b"\n") + 1
        if not cut:
            kept.append(chunk)
            n_bytes += len(chunk)
            if n_bytes > LINE.most:
                message = f"the line that begins here is longer than {LINE.shown}. Put a line end after each."
                raise DataError(message, stream.name, line)
            continue
        data = b"".join([*kept, memoryview(chunk)[:cut]])
        block = Block(line, data, occurrences(data, b"\n"))
        yield block
        line += block.newlines
        kept = [chunk[cut:]]
        n_bytes = len(kept[0])
    if rest := b"".join(kept):
        yield Block(line, rest, 0)


def checked_blocks(source: Source, batch_bytes: int = _BLOCK) -> Iterator[Block]:
    """The blocks of a source. DataError where they are not UTF-8, or have NUL bytes."""
    with source.open() as stream:
        for block in blocks(stream, batch_bytes):
            check_block(block.data, source.name, block.line)
            yield block
