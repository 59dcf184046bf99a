"""Answer questions about many bytes at once, several times as fast as the methods of `bytes` do."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

_SOME = 1 << 16
"""The number of bytes that are compared at a time."""


def is_utf8(data: bytes) -> bool:
    """Whether data is UTF-8, by Arrow's validator."""
    offsets = pa.py_buffer(np.array([0, len(data)], np.int64))
    try:
        pa.LargeStringArray.from_buffers(1, offsets, pa.py_buffer(data)).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def occurrences(data: bytes, byte: bytes) -> int:
    """The number of times that a byte occurs. Only some bytes are compared at a time, so that the memory for the
    comparison does not grow with the data."""
    raw = np.frombuffer(data, np.uint8)
    return sum(int(np.count_nonzero(raw[at : at + _SOME] == ord(byte))) for at in range(0, len(raw), _SOME))


def has_pair(data: bytes) -> bool:
    """Whether any byte that can begin a character of several bytes in UTF-8 (0xC2 and above) is followed by one that
    can continue it (0x80 to 0xBF).

    >>> has_pair("é".encode()), has_pair("é!".encode("latin-1"))
    (True, False)
    """
    raw = np.frombuffer(data, np.uint8)
    return bool(np.any((raw[:-1] >= 0xC2) & (raw[1:] & 0xC0 == 0x80)))
