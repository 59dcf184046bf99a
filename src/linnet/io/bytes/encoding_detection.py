"""Detect the encoding of a text from its bytes, where they make it clear.

UTF-8 proves itself: text in another encoding is hardly ever valid UTF-8. UTF-16 and UTF-32 show themselves by a mark at the
start, and UTF-16 also by the zero in every second byte of its digits, commas and line ends. Of all other encodings only cp1252
(Western European; latin-1 is a part of it) is guessed, and only where each byte above 127 is what Western European words have
in that place: texts in other alphabets, in the languages of Central Europe and in the old encodings of the Macintosh and of
DOS fail that test, and are left to the user to name.
"""

from __future__ import annotations

import codecs
import re
from typing import Protocol

WESTERN = "cp1252"
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark is the beginning of this one
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CHUNK = 256 << 10
_MOST = 4 << 20
"""The number of bytes that are searched for one that is not ASCII. Where there is none, the text is taken for UTF-8."""
# Patterns are compiled when they are first used, as most files are plain UTF-8.
_CONTROLS = r"[\x00-\x08\x0e-\x1a\x1c-\x1e\x7f\ufffe\uffff]"
_ENDS = r"[\r\n]"
_PLAIN = r"[\t\n\r -~]"
_LEAST_PLAIN = 0.1
"""The share of ASCII characters that text in UTF-16 has at least: line ends, delimiters, digits."""

_HIGH = rb"\x8c\x9c\xc0-\xcf\xd1-\xd6\xd8-\xdc\xdf-\xef\xf1-\xf6\xf8-\xfc"  # Œ œ and the accented letters of the West
_LETTER = rb"A-Za-z" + _HIGH
_APOSTROPHES = rb"\x85\x91\x92\x96\x97\x99\xa0\xa9\xad\xae\xb4\xb7"  # signs that stand between letters, too
_SIGNS = rb"\x80\x82\x84\x86\x87\x89\x8b\x93-\x95\x9b\xa1-\xa3\xa5\xa7\xa8\xaa-\xac\xb0-\xb3\xb5\xb6\xb9-\xbf\xd7\xf7"
_NOT_WESTERN = b"|".join(
    [
        rb"[^\x00-\x7f" + _HIGH + _SIGNS + _APOSTROPHES + rb"]",
        rb"[\x00-\x08\x0e-\x1a\x1c-\x1e\x7f]",
        rb"[" + _HIGH + rb"]{3}",  # a whole word in another alphabet
        rb"(?<![" + _LETTER + rb"])[" + _HIGH + rb"]{2}(?![" + _LETTER + rb"])",
        rb"[" + _LETTER + rb"][" + _SIGNS + rb"][" + _LETTER + rb"]",  # Polish, and German in DOS
        rb"[" + _LETTER + rb"][\x82\x84]",  # French in DOS; in cp1252 these quotes stand before words
        rb"[a-z][\xc0-\xdc][a-z]",  # quotes of a Macintosh
        rb"\xec[a-z]",  # Czech: ě, where cp1252 has ì
        rb"\xf5(?![e\xe3])",  # Hungarian: ő, where cp1252 has õ, which Portuguese has before e
    ]
)
UTF8_SEQUENCE = rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
"""A pattern for characters that UTF-8 writes in several bytes."""


class Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


def marked(start: bytes) -> str | None:
    """The encoding whose byte order mark is at the start of a file; None where there is no such mark."""
    return next((name for mark, name in _MARKS.items() if start.startswith(mark)), None)


def detect(start: bytes, following: Readable) -> str | None:
    """The encoding of a text that begins with `start` and goes on with `following`, as Python calls it. None where it is UTF-8
    without a mark, or not clear."""
    known = marked(start)
    if known is not None:
        return known
    if b"\0" in start:
        return _utf16_without_mark(start)
    seen = len(start)
    while start.isascii():
        start = following.read(_CHUNK)
        seen += len(start)
        if not start or seen > _MOST:
            return None
    more = following.read(_CHUNK)
    return None if _is_utf8(start + more) else WESTERN if is_western(start + more) else None


def is_western(text: bytes) -> bool:
    """Whether bytes are clearly Western European text in cp1252.

    >>> [is_western("Où est l'été? Straße, mañana, così, ‘naïve’ – 5 €".encode("cp1252")), is_western("ты".encode("cp1251"))]
    [True, False]
    >>> [is_western(text.encode("cp1250")) for text in ("łódź", "příliš", "őz", "měl")]
    [False, False, False, False]
    """
    return re.search(_NOT_WESTERN, text) is None and re.search(UTF8_SEQUENCE, text) is None


def _is_utf8(text: bytes) -> bool:
    """Whether bytes are UTF-8, of which the last character may be cut."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(text)
    except UnicodeDecodeError:
        return False
    return True


def _utf16_without_mark(start: bytes) -> str | None:
    found = [name for name in ("utf-16-le", "utf-16-be") if _reads_as(start, name)]
    return found[0] if len(found) == 1 else None


def _reads_as(start: bytes, name: str) -> bool:
    """Whether bytes read as text in an encoding of UTF-16: without control characters, with some ASCII, and with more
    than half as many line ends as there are bytes CR and LF. Text in UTF-8 with a stray NUL byte fails: read as UTF-16,
    its CR and LF become parts of other characters."""
    try:
        text = codecs.getincrementaldecoder(name)().decode(start)
    except UnicodeDecodeError:
        return False
    ends, bytes_of_ends = len(re.findall(_ENDS, text)), start.count(b"\n") + start.count(b"\r")
    is_plain = len(re.findall(_PLAIN, text)) >= _LEAST_PLAIN * len(text)
    return is_plain and 2 * ends > bytes_of_ends and re.search(_CONTROLS, text) is None
