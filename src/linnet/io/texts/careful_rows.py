"""The careful reader of comma or tab separated rows: it knows on which line each row begins.

    row    = field (delimiter field)* end           end   = LF | CRLF | CR | end of file
    field  = '"' quoted '"' plain | plain           quoted: anything, with '""' for a quote
                                                    plain:  anything but the delimiter, CR and LF

This is how pyarrow reads CSV, too: a quote counts only at the start of a field, and a blank line is no row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from linnet.errors import DataError
from linnet.io.bytes.encoding_detection import Readable
from linnet.limits import ROW

_CHUNK = 1 << 20
_BLANK = re.compile(rb"[\r\n]+")


class Row(NamedTuple):
    line: int
    """The number of the line on which the row begins, from 1."""
    raw: bytes
    """The row as it is in the file, with its line end."""
    fields: list[bytes]
    end: int
    """The number of bytes of the file that lie before the next row."""

    @property
    def last_line(self) -> int:
        return self.line + line_ends(self.raw.rstrip(b"\r\n"))


def line_ends(raw: bytes) -> int:
    """The number of lines that end in raw.

    >>> line_ends(b"LF: \\n CRLF: \\r\\n CR: \\r")
    3
    """
    lf = raw.count(b"\n")
    return lf + raw.count(b"\r") - raw.count(b"\r\n") if b"\r" in raw else lf


def rows(stream: Readable, delimiter: bytes, name: str, line: int = 1) -> Iterator[Row]:
    """Yield every row that is not a blank line. An unclosed quote is an error on the line where it opens.

    line: the number of the line that the stream begins with.
    """
    field = _field(delimiter)
    # The buffer begins at byte `before` of the stream, and the next row at byte `at` of the buffer.
    buffer, before, at, at_end = b"", 0, 0, False
    while True:
        blank = _blank_lines(buffer, at, at_end)
        line += line_ends(buffer[at:blank])
        at = blank
        found = None if at_end and at == len(buffer) else _fields(buffer, at, field, delimiter, at_end)
        if found is None:
            if at_end:
                return
            if len(buffer) - at > ROW.most:
                raise DataError(f"the row is longer than {ROW.shown}. Is a quote left open?", name, line)
            chunk = stream.read(max(_CHUNK, min(len(buffer) - at, ROW.most + 1 - len(buffer) + at)))
            before += at
            buffer, at, at_end = buffer[at:] + chunk, 0, not chunk
            continue
        fields, end, opened = found
        if opened is not None:
            message = 'the quote that opens here is never closed. Close it, or write "" for a quote inside quotes.'
            raise DataError(message, name, line + line_ends(buffer[at:opened]))
        raw = buffer[at:end]
        if raw.strip(b"\r\n"):
            yield Row(line, raw, fields, before + end)
        line += line_ends(raw)
        at = end


def _blank_lines(buffer: bytes, at: int, at_end: bool) -> int:
    """Where the blank lines that begin at `at` end. A line end at the very end of the buffer is not passed over as long
    as more can be read: a CR there may be the first half of a CRLF."""
    found = _BLANK.match(buffer, at)
    end = at if found is None else found.end()
    if at_end or end < len(buffer):
        return end
    end = max(at, end - 1)
    return end - 1 if end > at and buffer[end - 1 : end + 1] == b"\r\n" else end


def _field(delimiter: bytes) -> re.Pattern[bytes]:
    """A pattern for a field with what ends it. Its groups: what is in quotes, the closing quote, what follows it or is
    not in quotes, and the delimiter or the end of the row."""
    mark = re.escape(delimiter)
    return re.compile(rb'(?:"([^"]*(?:""[^"]*)*)("?))?([^' + mark + rb"\r\n]*)(" + mark + rb"|\r\n?|\n|\Z)")


def _fields(
    buffer: bytes, at: int, field: re.Pattern[bytes], delimiter: bytes, at_end: bool
) -> tuple[list[bytes], int, int | None] | None:
    """The fields of the row that begins at `at`, where the row ends, and where a quote opens that is not closed, or
    None.

    Returns None when more must be read: a field that reaches the end of the buffer may go on in what follows.
    """
    fields: list[bytes] = []
    while True:
        match = field.match(buffer, at)
        if match is None or (match.end() == len(buffer) and not at_end):
            return None
        quoted, closing, plain, end = match.groups()
        if quoted is not None and not closing:
            return fields, match.end(), at
        fields.append(plain if quoted is None else quoted.replace(b'""', b'"') + plain)
        at = match.end()
        if end != delimiter:
            return fields, at, None
