"""How much a file may turn out to hold: one rule for everything that is packed, compressed or written in short."""

from __future__ import annotations

from linnet.errors import DataError
from linnet.limits import CONTENT, CONTENT_TIMES

AT_ONCE = 64 << 20
"""About how many bytes of values are made at once."""
PER_VALUE = 8
"""About how many bytes a value takes however small it is."""


def most_content(size: int) -> int:
    """The most bytes of content that a file of this size may have. For text it has 3 to 20 times as many, and where all lines
    are the same, thousands of times. So a small file cannot fill the memory or the disk."""
    return max(CONTENT.most, CONTENT_TIMES * size)


class Content:
    """Counts what a file of a size turns out to hold."""

    def __init__(self, size: int, what: str, name: str) -> None:
        """what: what the file is, such as `Parquet`; name: what messages call it."""
        self._size, self._what, self._name = size, what, name
        self.seen = 0

    def add(self, n_bytes: int) -> None:
        """Count so many bytes more, before they are made. DataError where that are too many."""
        if not self.has_room(n_bytes):
            raise DataError(
                f"{self._size:,} bytes of {self._what} data hold more than {most_content(self._size):,} bytes, which no honest "
                "file does. If it is as it should be, write it as plain text.",
                self._name,
            )
        self.seen += n_bytes

    def has_room(self, n_bytes: int) -> bool:
        """Whether so many bytes more are not too many."""
        return self.seen + n_bytes <= most_content(self._size)
