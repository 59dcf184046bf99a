"""Whole numbers as people type them."""

from __future__ import annotations

_MOST_DIGITS = 18


def whole(text: str) -> int | None:
    """The number that a text of digits says; None where it says none, or one of more than 18 digits.

    `str.isdigit` and `int` take digits of other scripts, and superscripts, which only one of them can read, and int gives
    up after some thousands.

    >>> whole("12"), whole("-1"), whole("²"), whole("9" * 5000)
    (12, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None
