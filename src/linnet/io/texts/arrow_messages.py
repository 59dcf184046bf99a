"""What the messages of an Arrow file or stream declare, which is counted before Arrow makes room for it.

A message is a table of FlatBuffers that names the buffers of a batch, and the buffers behind it. Where these are compressed,
each begins with the size that it has when it is unpacked. A batch of a column without buffers, such as one of nulls, has any
length.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from linnet.errors import DataError
from linnet.io.bytes.unpacking import PER_VALUE, Content

_GOES_ON = b"\xff\xff\xff\xff"
_DICTIONARY, _BATCH = 2, 3
_OF_32_BITS = 0xFFFFFFFF
_MAGIC = 6
"""The bytes ARROW1 at the end of a file."""


class Table(NamedTuple):
    """A table of FlatBuffers: its fields are found by way of a table of their places, its vtable."""

    data: bytes
    at: int

    @classmethod
    def root(cls, data: bytes) -> Table:
        return cls(data, *struct.unpack_from("<I", data))

    def place(self, number: int) -> int | None:
        """Where the field with a number is; None where there is none."""
        table = self.at - struct.unpack_from("<i", self.data, self.at)[0]
        if table < 0 or 4 + 2 * number >= struct.unpack_from("<H", self.data, table)[0]:
            return None
        offset = struct.unpack_from("<H", self.data, table + 4 + 2 * number)[0]
        return self.at + offset if offset else None

    def number(self, number: int, form: str) -> int:
        place = self.place(number)
        return 0 if place is None else int(struct.unpack_from(form, self.data, place)[0])

    def table(self, number: int) -> Table | None:
        place = self.place(number)
        return None if place is None else Table(self.data, place + struct.unpack_from("<I", self.data, place)[0])

    def rows(self, number: int, width: int) -> Any:
        """A vector of structures as a matrix of numbers of 64 bits."""
        found = self.table(number)
        n = 0 if found is None else struct.unpack_from("<I", self.data, found.at)[0]
        if found is None or not n:
            return np.zeros((0, width), np.int64)
        return np.frombuffer(self.data, "<i8", width * n, found.at + 4).reshape(n, width)


def check_messages(seekable: Any, is_file: bool, content: Content, name: str) -> None:
    """Raise DataError where the batches of a file or of a stream declare more than those of an honest one."""
    try:
        for message, at in _of_file(seekable) if is_file else _of_stream(seekable):
            header, kind = message.table(2), message.number(1, "<B")
            batch = header.table(1) if header is not None and kind == _DICTIONARY else header
            if batch is not None and kind in (_DICTIONARY, _BATCH):
                content.add(_declared(batch, seekable, at))
    except DataError:
        raise
    except (struct.error, ValueError, OverflowError) as error:
        raise DataError(f"is not in the Arrow format, or is damaged ({error}). Export it again.", name) from None


def _of_file(seekable: Any) -> Iterator[tuple[Table, int]]:
    """The messages that the end of a file names, each with the place where its body begins."""
    end = seekable.size() - _MAGIC
    size = int.from_bytes(seekable.read_at(4, end - 4), "little")
    if not 0 < size <= end:
        raise ValueError("no end")
    footer = Table.root(seekable.read_at(size, end - 4 - size))
    for number in (2, 3):  # of dictionaries, and of batches
        for at, length, body in footer.rows(number, 3).tolist():
            begin = at + (length & _OF_32_BITS)
            _check_inside(seekable, at, body)
            _check_inside(seekable, begin, body)
            found = _message(seekable, at)
            if found is not None:
                _check_inside(seekable, begin, found[0].number(3, "<q"))
                yield found[0], begin


def _of_stream(seekable: Any) -> Iterator[tuple[Table, int]]:
    """The messages of a stream, each with the place where its body begins."""
    at = 0
    while (found := _message(seekable, at)) is not None:
        body = found[0].number(3, "<q")
        _check_inside(seekable, found[1], body)
        yield found
        at = found[1] + body


def _check_inside(seekable: Any, at: int, size: int) -> None:
    """Raise ValueError where a part of a file is not in it. Arrow makes room for the part before it looks."""
    if at < 0 or size < 0 or at + size > seekable.size():
        raise ValueError("a batch goes on behind the end")


def _message(seekable: Any, at: int) -> tuple[Table, int] | None:
    """The message at a place, and where its body begins; None where there is no further one."""
    head = seekable.read_at(8, at)
    size, begin = (head[4:], at + 8) if head[:4] == _GOES_ON else (head[:4], at + 4)  # as before Arrow 0.15
    n = int.from_bytes(size, "little")
    _check_inside(seekable, begin, n)
    data = seekable.read_at(n, begin) if n else b""
    return (Table.root(data), begin + n) if n and len(data) == n else None


def _declared(batch: Table, seekable: Any, at: int) -> int:
    """The bytes that a batch whose buffers begin at a place will take."""
    lengths, buffers = batch.rows(1, 2)[:, 0], batch.rows(2, 2)
    if (lengths < 0).any() or (buffers < 0).any() or batch.number(0, "<q") < 0:
        raise ValueError("a buffer of less than nothing")
    n_values = sum(lengths.tolist()) + batch.number(0, "<q")
    sizes = buffers[:, 1].tolist()
    if batch.place(3) is not None:
        each = zip(buffers[:, 0].tolist(), sizes, strict=True)
        sizes = [_unpacked(seekable, at + offset, size) if size else 0 for offset, size in each]
    return int(PER_VALUE * n_values + sum(sizes))


def _unpacked(seekable: Any, at: int, size: int) -> int:
    """The size that a compressed buffer has when it is unpacked; -1 stands for one that is not compressed."""
    declared = int.from_bytes(seekable.read_at(8, at), "little", signed=True)
    return size if declared < 0 else declared
