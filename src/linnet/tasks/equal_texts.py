"""Texts that are blank, and texts that are equal to an earlier one, found in the bytes of Arrow columns.

To be fast, only 24 bytes of each text are looked at first: eight at its start, eight in its middle and eight at its
end. Only texts that agree in these bytes and in their length are compared as a whole, by a hash of 16 bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from linnet.core.arrow import large_strings, string_bytes

Parts: TypeAlias = Callable[[], Iterable[pa.Array | pa.ChunkedArray]]
"""A function that gives the texts from the first to the last, some of them at a time: columns of large strings, or of bytes."""

_WORD = 8
"""The number of bytes that are looked at in one place of a text."""
_MIX = np.uint64(0x9E3779B97F4A7C15)
"""An odd number whose multiples are spread evenly (Knuth's golden ratio, of 64 bits)."""
_BLANK = np.zeros(256, np.bool_)
_BLANK[[*range(9, 14), *range(28, 33), 0xC2, 0xE1, 0xE2, 0xE3]] = True
"""The bytes with which a character of white space may begin."""


def encoded(texts: Iterable[str]) -> Parts:
    """Texts of Python as one part."""
    part = large_strings([text.encode("utf-8", "surrogatepass") for text in texts]).view(pa.large_binary())
    return lambda: [part]


def blank_texts(parts: Parts) -> list[int]:
    """The numbers, from 0, of the texts that have no character but white space.

    >>> blank_texts(encoded(["a", "", " b", " \\u3000\\n"]))
    [1, 3]
    """
    blank: list[int] = []
    for begin, at, data in _chunks(parts):
        length = np.diff(at)
        maybe = length == 0
        some = np.flatnonzero(~maybe)
        maybe[some] = _BLANK[data[at[some]]]
        blank += [begin + i for i in np.flatnonzero(maybe).tolist() if not _text(data, at, i).strip()]
    return blank


def equal_to_earlier(parts: Parts) -> dict[int, int]:
    """For each text that repeats an earlier one, its number, from 0, and the number of the first text that is equal to
    it.

    >>> equal_to_earlier(encoded(["a fine film", "a dull film", "a fine film", "b", "a fine film", "b"]))
    {2: 0, 4: 0, 5: 3}
    """
    keys = [np.zeros(0, np.uint64), *(_keys(at, data) for _, at, data in _chunks(parts))]
    alike = _met_twice(np.concatenate(keys))
    first: dict[bytes, int] = {}
    earlier: dict[int, int] = {}
    for begin, at, data in _chunks(parts):
        for row in alike[np.searchsorted(alike, begin) : np.searchsorted(alike, begin + len(at) - 1)].tolist():
            before = first.setdefault(_fingerprint(data[at[row - begin] : at[row - begin + 1]]), row)
            if before != row:
                earlier[row] = before
    return earlier


def _chunks(parts: Parts) -> Iterator[tuple[int, npt.NDArray[np.int64], npt.NDArray[np.uint8]]]:
    """The number of the first text of each array, where its texts begin and end in the bytes, and these bytes."""
    begin = 0
    for part in parts():
        for array in part.chunks if isinstance(part, pa.ChunkedArray) else [part]:
            yield begin, *string_bytes(array)
            begin += len(array)


def _keys(at: npt.NDArray[np.int64], data: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """A number for each text that equal texts share: of its length and, if it has eight bytes, of its first eight bytes, of
    eight in its middle and of its last eight."""
    length = np.diff(at)
    key = length.astype(np.uint64) * _MIX
    some = np.flatnonzero(length >= _WORD)
    if len(some):
        words = np.ndarray((len(data) - _WORD + 1,), np.uint64, data.data, strides=(1,))  # at every byte
        for place in (at[some], (at[some] + at[some + 1] - _WORD) // 2, at[some + 1] - _WORD):
            mixed = (key[some] ^ words[place]) * _MIX
            key[some] = mixed ^ (mixed >> np.uint64(32))
    return key


def _met_twice(keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """The numbers of the keys that are equal to another, in ascending order."""
    order = np.argsort(keys, kind="stable")
    same = np.zeros(len(keys) + 1, np.bool_)
    same[1:-1] = keys[order][1:] == keys[order][:-1]
    return np.sort(order[same[1:] | same[:-1]])


def _fingerprint(text: npt.NDArray[np.uint8]) -> bytes:
    """A hash of sixteen bytes, which no two different texts will share, so that long texts need not be kept."""
    from hashlib import blake2b

    return blake2b(text.tobytes(), digest_size=16).digest()


def _text(data: npt.NDArray[np.uint8], at: npt.NDArray[np.int64], i: int) -> str:
    return data[at[i] : at[i + 1]].tobytes().decode("utf-8", "surrogatepass")
