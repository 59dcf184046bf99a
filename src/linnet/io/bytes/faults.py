"""Say where a fault of a file is. Of several faults the user is told the one on the earliest line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from linnet.errors import DataError
from linnet.io.bytes.encoding import half_pair
from linnet.io.bytes.line_blocks import Block

_BLANK = rb"\n[ \t\r\f\v]*\n"
Part = TypeVar("Part")


class Where(NamedTuple):
    """A line of a file, for messages."""

    name: str
    line: int

    def fault(self, message: str) -> DataError:
        return DataError(message, self.name, self.line)


def encoded(texts: Sequence[str], key: str, where: Where) -> list[bytes]:
    """Texts that stand under a key of JSON, in UTF-8. DataError where one holds half of a surrogate pair."""
    try:
        return [text.encode() for text in texts]
    except UnicodeEncodeError as error:
        message = f"{key!r} holds {half_pair(error.object)}, half of a pair that makes one character."
        raise where.fault(f"{message} Write both halves, or remove it.") from None


def raise_first(faults: Iterable[DataError | None]) -> None:
    """Raise the fault on the earliest line, if there is any. Many lines are checked at once for one property after the
    other, so that the fault that is found first need not be the one on the earliest line."""
    found = [fault for fault in faults if fault is not None]
    if found:
        raise min(found, key=lambda fault: fault.line or 0)


def good_first(read: Callable[[Block], Part], block: Block, *, by_line: bool = False) -> Iterator[Part]:
    """Yield what `read` makes of a block. If it raises DataError, yield what it makes of the part before the fault, and then
    raise, unless that part has a fault of another kind, which is raised then. That part ends with the last whole sentence,
    which a blank line ends, or with `by_line` with the last whole line."""
    try:
        yield read(block)
    except DataError as fault:
        before = b"".join(line + b"\n" for line in block.data.split(b"\n")[: max((fault.line or 0) - block.line, 0)])
        if not by_line:
            before = before[: max((blank.end() for blank in re.finditer(_BLANK, before)), default=0)]
        if before.strip() and len(before) < len(block.data):
            yield from good_first(read, Block(block.line, before, before.count(b"\n")), by_line=by_line)
        raise
