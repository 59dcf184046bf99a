"""Convert bytes of another encoding to UTF-8, a chunk at a time, so that a file may be larger than memory."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from linnet.errors import DataError, UsageError, meant
from linnet.io.bytes.byte_counts import has_pair
from linnet.io.bytes.encoding_detection import UTF8_SEQUENCE

_CHUNK = 256 << 10
_UTF8 = ("utf-8", "utf-8-sig")
_COMMON = (
    "utf-8",
    "utf-16",
    "latin-1",
    "cp1252",
    "cp1250",
    "cp1251",
    "gb18030",
    "big5",
    "shift_jis",
    "euc_kr",
    "koi8-r",
)


def codec_name(encoding: str) -> str:
    """The name by which Python knows an encoding. UsageError for one that it does not know."""
    try:
        codec = codecs.lookup(encoding)
    except (LookupError, ValueError):
        codec = None
    if codec is None or not codec._is_text_encoding:
        known = ", ".join(_COMMON)
        raise UsageError(
            f"there is no encoding {encoding!r}.{meant(encoding.lower(), _COMMON)} Some that there are: {known}."
        )
    return codec.name


def is_utf8_name(encoding: str | None) -> bool:
    """Whether text in this encoding is UTF-8 already, and so is left as it is."""
    return encoding is None or encoding in _UTF8


class Recoded:
    """A stream of UTF-8 that comes from a stream in another encoding.

    pull: a function that gives up to so many bytes of the other stream, b"" at its end.
    is_guess: whether the encoding was guessed. If so, text that turns out to be UTF-8 later on is an error.
    """

    def __init__(self, pull: Callable[[int], bytes], encoding: str, name: str, *, is_guess: bool) -> None:
        self._pull = pull
        self._encoding = encoding
        self._name = name
        self._is_guess = is_guess
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._is_first = True
        self._at_end = False
        self._line = 1  # the number of the line that the next chunk begins on
        self._tail = b""  # the end of the last chunk, in which a character of UTF-8 may begin that the next one ends
        self._ready = b""  # bytes of UTF-8 that have not been asked for yet

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes as long as there are so many, or all of them where the size is negative."""
        parts, have = [self._ready], len(self._ready)
        while not self._at_end and (size < 0 or have < size):
            parts.append(self._next(max(size, _CHUNK)))
            have += len(parts[-1])
        ready = b"".join(parts)
        size = have if size < 0 else size
        self._ready = ready[size:]
        return ready[:size]

    def _next(self, size: int) -> bytes:
        chunk = self._pull(size)
        self._at_end = not chunk
        if self._is_guess:
            self._check_guess(chunk)
        try:
            text = self._decoder.decode(chunk, self._at_end)
        except UnicodeDecodeError as error:
            raise self._fault(error) from None
        if self._is_first and text:
            text, self._is_first = text.removeprefix("\ufeff"), False
        self._line += text.count("\n")
        return text.encode()

    def _check_guess(self, chunk: bytes) -> None:
        """Raise DataError where a text that was taken for another encoding has a character of UTF-8 later on."""
        found = re.search(UTF8_SEQUENCE, self._tail + chunk) if has_pair(self._tail + chunk) else None
        if found is not None:
            line = self._line + (self._tail + chunk).count(b"\n", 0, found.start())
            raise DataError(
                f"{found[0].decode('utf-8', 'replace')!r} is UTF-8, but lines before are not. Convert the file to one "
                "encoding, or say with --encoding which it has.",
                self._name,
                line,
            )
        # Of a character of up to four bytes three may be in this chunk. What is before a newline cannot be part of one,
        # and would make the line of the fault wrong.
        self._tail = chunk[-3:].split(b"\n")[-1]

    def _fault(self, error: UnicodeDecodeError) -> DataError:
        raw = bytes(error.object)
        line = self._line + raw.count(b"\n", 0, error.start)
        if self._at_end:
            message = (
                f"the text ends inside a character of {self._encoding}. Copy the file again, or name its --encoding."
            )
        else:
            message = f"byte 0x{raw[error.start]:02x} is not {self._encoding}. Name the --encoding that the file has."
        return DataError(message, self._name, line)
