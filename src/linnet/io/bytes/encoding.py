"""Bytes that should be UTF-8: where they are not, say on which line, and what to do."""

from __future__ import annotations

from linnet.errors import DataError
from linnet.io.bytes.byte_counts import is_utf8

BOM = b"\xef\xbb\xbf"
_ADVICE = "Name the encoding that the file has, for example: --encoding cp1252"


def check(raw: bytes, name: str, line: int, advice: str = _ADVICE) -> None:
    """Raise unless raw, which begins on `line`, is UTF-8 without NUL bytes. `advice` says what to do."""
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        raise DataError(_not_utf8(raw, error.start, advice), name, line + raw.count(b"\n", 0, error.start)) from None
    if b"\0" in raw:
        message = "found a NUL byte, which no text file holds. Is the file binary? If it is text, name its --encoding."
        raise DataError(message, name, line + raw.count(b"\n", 0, raw.index(b"\0")))


def check_block(block: bytes, name: str, line: int) -> None:
    """Raise unless many lines at once, which begin on `line`, are UTF-8 without NUL bytes. For good lines it is much
    cheaper than `check`."""
    if b"\0" in block or not is_utf8(block):
        check(block, name, line)


def half_pair(text: str) -> str | None:
    r"""The first half of a surrogate pair that stands alone in a text, as JSON spells it; None where there is none.

    >>> half_pair("a \ud83d b"), half_pair("a")
    ('\\ud83d', None)
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"\\u{ord(text[error.start]):04x}"
    return None


def _not_utf8(raw: bytes, at: int, advice: str) -> str:
    around = " ".join(raw[max(0, at - 8) : at + 8].decode("utf-8", "backslashreplace").split())
    return f"byte 0x{raw[at]:02x} is not UTF-8 (near '{around}'). {advice}"
