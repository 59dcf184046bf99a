"""Bytes that should be UTF-8: where they are not, say on which line and how to convert them."""

from __future__ import annotations

from linnet.errors import DataError
from linnet.io.bytes.byte_counts import is_utf8

BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def without_bom(head: bytes, name: str) -> bytes:
    """The first bytes of a file, without the mark that Excel and Notepad put before UTF-8."""
    if head.startswith(_UTF16):
        raise DataError("the file is UTF-16, expected UTF-8. Convert it: iconv -f utf-16 -t utf-8", name)
    return head.removeprefix(BOM)


def check(raw: bytes, name: str, line: int) -> None:
    """Raise unless raw, which begins on `line`, is UTF-8 without NUL bytes."""
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        raise DataError(_not_utf8(raw, error.start), name, line + raw.count(b"\n", 0, error.start)) from None
    if b"\0" in raw:
        message = (
            "found a NUL byte, which no text file holds. Is the file binary, or UTF-16 (iconv -f utf-16 -t utf-8)?"
        )
        raise DataError(message, name, line + raw.count(b"\n", 0, raw.index(b"\0")))


def check_block(block: bytes, name: str, line: int) -> None:
    """Raise unless many lines at once, which begin on `line`, are UTF-8 without NUL bytes. For good lines it is much
    cheaper than `check`."""
    if b"\0" in block or not is_utf8(block):
        check(block, name, line)


def _not_utf8(raw: bytes, at: int) -> str:
    around = " ".join(raw[max(0, at - 8) : at + 8].decode("utf-8", "backslashreplace").split())
    return (
        f"byte 0x{raw[at]:02x} is not UTF-8 (near '{around}'). "
        "Convert the file to UTF-8, for example: iconv -f latin1 -t utf-8"
    )
