"""Word vectors as word2vec writes them with -binary 1: a line with the number of words and the length of a vector; then
for each word the word, a blank, its numbers of 32 bits, and in most files a line end."""

from __future__ import annotations

import numpy as np

from linnet.errors import DataError
from linnet.io.bytes.source import Source, Stream
from linnet.io.vectors.kept_words import Kept, check_sizes, checked
from linnet.io.vectors.text_file import header_of

_AT_ONCE = 1 << 20
_LONGEST = 4096
"""The largest number of bytes of a word. Where no blank follows within so many, the file is damaged."""


def read_binary(source: Source, kept: Kept) -> None:
    """Read a file that begins with a header, and add the words that `kept` wants to it. DataError where the file is
    damaged."""
    with source.open() as stream:
        ahead = _Ahead(stream, source.name)
        header = header_of(ahead.until(b"\n", "the end of the first line"))
        assert header is not None, "the caller has checked it"
        n_words, size = header
        check_sizes(n_words, size, source.name)
        for number in range(n_words):
            what = f"word {number + 1:,} of {n_words:,}"
            word = ahead.until(b" ", what).lstrip(b"\n")
            numbers = ahead.take(4 * size, what)
            if kept.wants(word, number):
                kept.add(word, checked(np.frombuffer(numbers, "<f4"), word, source.name))


class _Ahead:
    """A stream that is read in large pieces, ahead of what is taken from it."""

    def __init__(self, stream: Stream, name: str) -> None:
        self._stream, self._name = stream, name
        self._bytes, self._at = b"", 0

    def until(self, mark: bytes, what: str) -> bytes:
        """The bytes up to the next mark, which is passed over. `what` names them for the error where there is none."""
        end = self._bytes.find(mark, self._at)
        if end < 0:
            self._fill(_LONGEST)
            end = self._bytes.find(mark, self._at)
        if not 0 <= end - self._at <= _LONGEST:
            raise self._cut_off(what)
        found = self._bytes[self._at : end]
        self._at = end + 1
        return found

    def take(self, n: int, what: str) -> bytes:
        """The next n bytes."""
        if len(self._bytes) - self._at < n:
            self._fill(n)
        found = self._bytes[self._at : self._at + n]
        if len(found) < n:
            raise self._cut_off(what)
        self._at += n
        return found

    def _fill(self, n: int) -> None:
        """Read on until n bytes are ahead, or there are no more."""
        parts = [self._bytes[self._at :]]
        size = len(parts[0])
        while size < n and (part := self._stream.read(_AT_ONCE)):
            parts.append(part)
            size += len(part)
        self._bytes, self._at = b"".join(parts), 0

    def _cut_off(self, what: str) -> DataError:
        return DataError(f"the file of vectors ends, or is damaged, at {what}. Download it again.", self._name)
