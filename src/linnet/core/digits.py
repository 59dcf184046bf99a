"""Numbers that strangers write with digits."""

from __future__ import annotations

_MOST = 18
"""Any number of so many digits fits into 64 bits. Python refuses to read thousands of them."""


def whole_number(text: str) -> int | None:
    """The number that a text of 1 to 18 digits stands for; None for any other text. str.isdigit would take ² for one, too.

    >>> [whole_number(text) for text in ("7", "007", "-7", "²", "٣", "", "9" * 19)]
    [7, 7, None, None, None, None, None]
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST else None
